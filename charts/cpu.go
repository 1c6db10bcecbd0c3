package charts

import (
	"fmt"
	"slices"
	"strconv"

	ec "github.com/go-echarts/go-echarts/v2/charts"
	"github.com/go-echarts/go-echarts/v2/opts"

	"github.com/mysweep/mysweep/runner/result"
)

// cpuCharts map the busy share of every CPU over threads, of one case at a time: the server's
// machine, then the client's when it is another.
func cpuCharts(d *Data) ([]Chart, error) {
	sides := []struct {
		id, name string
		shares   map[string]*cpuShares
	}{{"cpu-server", "server", d.observed().server}, {"cpu-client", "client", d.observed().client}}
	if d.Archive.Run.SharedHost {
		sides = sides[:1]
		sides[0].name = "client and server"
	}
	var list []Chart
	for _, side := range sides {
		for i, name := range d.mappedCases() {
			shares := side.shares[name]
			if shares == nil || len(shares.cpus) == 0 {
				continue
			}
			draw := cpuMap
			if len(shares.threads) == 1 {
				draw = cpuBars
			}
			chart, err := draw(side.id+suffix(i), side.name, shares)
			if err != nil {
				return nil, err
			}
			if len(side.shares) > 1 {
				chart.Title = d.shortName(name) + ": " + chart.Title
			}
			list = append(list, *chart)
		}
	}
	return list, nil
}

// mappedCases are the cases that get a map of their own: the first, and the fastest others.
func (d *Data) mappedCases() []string {
	var names []string
	for _, group := range d.byWorkload() {
		names = append(names, group[0].Case)
		for _, r := range d.caseRows(group) {
			names = append(names, r.name)
		}
	}
	var list []string
	for _, name := range names {
		if !slices.Contains(list, name) && len(list) < mostMaps {
			list = append(list, name)
		}
	}
	return list
}

// cpuShares are the mean busy share of each CPU at each thread count.
type cpuShares struct {
	threads, cpus []int
	busy          map[[2]int]*tally // by threads and CPU
}

// addShares adds a trial to those of its case.
func addShares(cases map[string]*cpuShares, t *result.Trial, m *result.Machine) {
	if cases[t.Case] == nil {
		cases[t.Case] = &cpuShares{}
	}
	cases[t.Case].add(t, m)
}

func (s *cpuShares) add(t *result.Trial, m *result.Machine) {
	if m == nil {
		return
	}
	if s.busy == nil {
		s.busy = map[[2]int]*tally{}
	}
	for _, c := range m.CPUs {
		key := [2]int{t.Threads, c.ID}
		if s.busy[key] == nil {
			s.busy[key] = &tally{}
			s.threads = insert(s.threads, t.Threads)
			s.cpus = insert(s.cpus, c.ID)
		}
		busy := c.Busy()
		s.busy[key].add(&busy)
	}
}

func cpuMap(id, side string, s *cpuShares) (*Chart, error) {
	h := heat{
		columns: texts(s.threads), rows: texts(s.cpus), columnName: "threads", rowName: "CPU",
		high: 1, format: "percent", tip: "shareTip",
	}
	numbers := Numbers{Columns: append([]string{"CPU \\ threads"}, h.columns...)}
	for row, cpu := range s.cpus {
		line := []string{strconv.Itoa(cpu)}
		for column, n := range s.threads {
			var share *float64
			if t := s.busy[[2]int{n, cpu}]; t != nil {
				share = t.mean()
			}
			h.fields = append(h.fields, field{column, row, share})
			line = append(line, Percent(share))
		}
		numbers.Rows = append(numbers.Rows, line)
	}
	h.thin()
	option, err := h.option()
	if err != nil {
		return nil, err
	}
	return &Chart{
		ID: id, Title: cpuTitle(side, s),
		Aid:    "Busy share of each CPU, mean over the trials of a thread count; all but idle and waiting for a disk counts as busy.",
		Option: option, Wide: wide, Narrow: narrow, Numbers: numbers,
	}, nil
}

// cpuBars draws the only thread count of a case: a bar for each CPU.
func cpuBars(id, side string, s *cpuShares) (*Chart, error) {
	var bars []opts.BarData
	numbers := Numbers{Columns: []string{"CPU", "busy"}}
	for _, cpu := range s.cpus {
		share := s.busy[[2]int{s.threads[0], cpu}].mean()
		bar := opts.BarData{Value: "-"}
		if v := value(share); v != nil {
			bar.Value = v
		}
		bars = append(bars, bar)
		numbers.Rows = append(numbers.Rows, []string{strconv.Itoa(cpu), Percent(share)})
	}
	chart := ec.NewBar()
	chart.SetGlobalOptions(tip("axis", "shareBarTip"), legend(nil),
		axis{name: "CPU", kind: "category"}.x(), axis{name: "busy", kind: "value", format: "percent", min: 0, max: 1}.y())
	chart.SetXAxis(texts(s.cpus))
	label := opts.Label{Show: opts.Bool(len(s.cpus) <= 8), Position: "top", Formatter: "fn:shareLabel", Color: soft, FontSize: 13}
	chart.AddSeries("busy", bars, ec.WithLabelOpts(label))
	base, small := lineFrame(nil)
	base["series"] = patch{"barMaxWidth": 48}
	lay(base, patch{"grid": patch{"top": 22}})
	option, err := marshal(chart, base, small)
	if err != nil {
		return nil, err
	}
	return &Chart{
		ID: id, Title: cpuTitle(side, s), Aid: "Busy share of each CPU; all but idle and waiting for a disk counts as busy.",
		Option: option, Wide: wide, Narrow: narrow, Numbers: numbers,
	}, nil
}

// cpuTitle speaks of the thread count at which the machine was busiest.
func cpuTitle(side string, s *cpuShares) string {
	best, at := -1.0, 0
	var shares []float64
	for _, n := range s.threads {
		var all tally
		var each []float64
		for _, cpu := range s.cpus {
			if t := s.busy[[2]int{n, cpu}]; t != nil {
				all.add(t.mean())
				each = append(each, *t.mean())
			}
		}
		if m := all.mean(); m != nil && *m > best {
			best, at, shares = *m, n, each
		}
	}
	slices.Sort(shares)
	low, high := shares[0], shares[len(shares)-1]
	name := upper(side)
	if high-low > 0.3 {
		return fmt.Sprintf("%s: CPUs between %.0f %% and %.0f %% busy at %s", name, 100*low, 100*high, countThreads(at))
	}
	return fmt.Sprintf("%s: CPUs %.0f %% busy at %s", name, 100*best, countThreads(at))
}

func upper(s string) string {
	if s == "" {
		return s
	}
	return string(s[0]-'a'+'A') + s[1:]
}
