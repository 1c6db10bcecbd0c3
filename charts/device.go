package charts

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	ec "github.com/go-echarts/go-echarts/v2/charts"

	"github.com/mysweep/mysweep/charts/words"
	"github.com/mysweep/mysweep/runner/result"
)

// idle is the share of use below which a device has no chart.
const idle = 0.02

// deviceKind is a kind of device with what its samples are called.
type deviceKind struct {
	prefix, word    string // "nic.", "network port"
	share           string // end of the name of its use, in [0,1]
	in, out         string // ends of the names of its bytes per second
	inName, outName string
}

func deviceKinds() []deviceKind {
	return []deviceKind{
		{"nic.", "network", ".link_ratio", ".rx_bytes_per_second", ".tx_bytes_per_second", "received", "sent"},
		{"disk.", "disk", ".busy_ratio", ".read_bytes_per_second", ".write_bytes_per_second", "read", "written"},
	}
}

// deviceCharts draw the traffic of the busiest network port and the busiest disk of the server's
// machine over threads.
func deviceCharts(d *Data) ([]Chart, error) {
	var list []Chart
	for _, devices := range d.observed().devices {
		use := devices.busiest()
		if len(use.threads) < 2 || use.most < idle {
			continue
		}
		chart, err := deviceChart(devices.kind, use)
		if err != nil {
			return nil, err
		}
		list = append(list, chart)
	}
	return list, nil
}

// use is what a device did at each thread count.
type use struct {
	name           string
	most           float64 // highest mean share of use
	mostThreads    int
	threads        []int
	share, in, out map[int]*tally
}

// devices are those of a kind on the server's machine.
type devices struct {
	kind   deviceKind
	shares map[string]*tally // share of use over all samples, by name
	use    map[string]*use
}

func (d *devices) add(threads int, m *result.Machine) {
	for _, s := range m.Samples {
		for key, v := range s.Values {
			name, isKind := strings.CutPrefix(key, d.kind.prefix)
			if !isKind {
				continue
			}
			if name, isShare := strings.CutSuffix(name, d.kind.share); isShare {
				if d.shares[name] == nil {
					d.shares[name] = &tally{}
				}
				d.shares[name].add(&v)
				d.of(name).add(threads, v, d.of(name).share)
			} else if name, isIn := strings.CutSuffix(name, d.kind.in); isIn {
				d.of(name).add(threads, v, d.of(name).in)
			} else if name, isOut := strings.CutSuffix(name, d.kind.out); isOut {
				d.of(name).add(threads, v, d.of(name).out)
			}
		}
	}
}

func (d *devices) of(name string) *use {
	if d.use[name] == nil {
		d.use[name] = &use{name: name, share: map[int]*tally{}, in: map[int]*tally{}, out: map[int]*tally{}}
	}
	return d.use[name]
}

func (u *use) add(threads int, v float64, to map[int]*tally) {
	if to[threads] == nil {
		to[threads] = &tally{}
	}
	to[threads].add(&v)
	u.threads = insert(u.threads, threads)
}

// busiest is the device with the highest mean use, the first by name of equal ones.
func (d *devices) busiest() use {
	best := ""
	for _, name := range slices.Sorted(maps.Keys(d.shares)) {
		if best == "" || *d.shares[name].mean() > *d.shares[best].mean() {
			best = name
		}
	}
	if best == "" {
		return use{}
	}
	u := *d.use[best]
	for _, n := range u.threads {
		if m := u.share[n].mean(); m != nil && *m > u.most {
			u.most, u.mostThreads = *m, n
		}
	}
	return u
}

func deviceChart(kind deviceKind, u use) (Chart, error) {
	names := []string{kind.inName, kind.outName}
	chart := ec.NewLine()
	chart.SetGlobalOptions(
		tip("axis", "threadsTip"), legend(names),
		axis{name: "threads", kind: "value", max: "dataMax"}.x(),
		axis{name: "MB/s", kind: "value", format: "plain"}.y(),
	)
	numbers := Numbers{Columns: []string{"threads", kind.inName + " MB/s", kind.outName + " MB/s", "in use"}}
	lines := []timeLine{{name: kind.inName}, {name: kind.outName}}
	for _, n := range u.threads {
		in, out := scaled(u.in[n].mean(), 1e-6), scaled(u.out[n].mean(), 1e-6)
		lines[0].points = append(lines[0].points, point(n, in))
		lines[1].points = append(lines[1].points, point(n, out))
		numbers.Rows = append(numbers.Rows, []string{strconv.Itoa(n), Significant(in), Significant(out), Percent(u.share[n].mean())})
	}
	for _, l := range lines {
		chart.AddSeries(l.name, l.points)
	}
	base, small := lineFrame(names)
	option, err := marshal(chart, base, small)
	if err != nil {
		return Chart{}, err
	}
	title := fmt.Sprintf("The %s %s is busy %s of the time at most, at %s", kind.word, u.name, words.Percent(u.most), countThreads(u.mostThreads))
	if kind.prefix == "nic." {
		title = fmt.Sprintf("The %s port %s carries %s of its speed at most, at %s", kind.word, u.name, words.Percent(u.most), countThreads(u.mostThreads))
	}
	return Chart{
		ID: strings.TrimSuffix(kind.prefix, ".") + "-server", Title: title,
		Aid:    "Server's machine, the busiest of its kind: mean over the seconds of all trials with so many threads.",
		Option: option, Wide: wide, Narrow: narrow, Numbers: numbers,
	}, nil
}
