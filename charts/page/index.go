package page

import (
	"fmt"
	"html/template"
	"io"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/mysweep/mysweep/charts"
	"github.com/mysweep/mysweep/runner/result"
	"github.com/mysweep/mysweep/runner/verdict"
	"github.com/mysweep/mysweep/templates"
)

// index is what the template of index.html is filled with.
type index struct {
	frame
	Title  string
	Sub    []string
	Hosts  []host
	Filter template.JS
}

// host is a server's host with its trends.
type host struct {
	ID, Name string
	Figures  []figure
	Runs     []pastRun
}

// pastRun is a line of a host's table of runs.
type pastRun struct {
	Class, Link, When, What, Tags, Note, Answer, Rate, P99, Server, Remark string
	Changed                                                                []string
}

// Index writes index.html over many runs. link gives the address of a run's report as seen from the
// index, from the run's folder; "" leaves a run without a link. version is mysweep's.
func Index(w io.Writer, trends []verdict.Trend, link func(dir string) string, version string) error {
	p := index{Title: "Runs", Filter: template.JS(templates.FilterScript)}
	p.frame = newFrame(version, "mysweep · runs")
	runs, off := 0, 0
	for i := range trends {
		t := &trends[i]
		h := p.host(t.Host)
		chart, err := charts.Trend("trend-"+strconv.Itoa(i+1), t)
		if err != nil {
			return err
		}
		if chart != nil {
			chart.Title = trendName(t) + ": " + chart.Title
			figures, err := p.draw([]charts.Chart{*chart})
			if err != nil {
				return err
			}
			h.Figures = append(h.Figures, figures...)
		}
		for _, point := range slices.Backward(t.Points) { // the latest first
			h.Runs = append(h.Runs, newPastRun(t, &point, link))
			runs++
			if point.Shift && point.Mark == verdict.Slower {
				off++
			}
		}
	}
	p.Sub = []string{fmt.Sprintf("%s, %s, %s to a slower level", plural(len(p.Hosts), "host"), plural(runs, "entry"), plural(off, "change"))}
	return execute(w, "index.html", templates.Index, &p)
}

func plural(n int, thing string) string {
	switch {
	case n == 1:
		return "1 " + thing
	case strings.HasSuffix(thing, "y"):
		return fmt.Sprintf("%d %sies", n, strings.TrimSuffix(thing, "y"))
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

// host is the host of a name, made when it is new.
func (p *index) host(name string) *host {
	if name == "" {
		name = "unknown host"
	}
	at := slices.IndexFunc(p.Hosts, func(h host) bool { return h.Name == name })
	if at < 0 {
		at = len(p.Hosts)
		p.Hosts = append(p.Hosts, host{ID: "host-" + strconv.Itoa(at+1), Name: name})
	}
	return &p.Hosts[at]
}

func trendName(t *verdict.Trend) string {
	var parts []string
	for _, text := range []string{t.Name, t.Case, t.Workload} {
		if text != "" && text != "default" && !slices.Contains(parts, text) {
			parts = append(parts, text)
		}
	}
	return strings.Join(parts, ", ")
}

func newPastRun(t *verdict.Trend, p *verdict.TrendPoint, link func(string) string) pastRun {
	r := pastRun{
		When: p.StartedAt.UTC().Format("2006-01-02 15:04"), What: trendName(t), Server: p.ServerVersion,
		Tags: tagText(p.Tags), Note: p.Note, Answer: string(p.Outcome()), Changed: changedInShort(p.Changed),
		Rate: charts.Grouped(&p.Rate) + " " + string(t.Headline) + "/s", P99: charts.Milliseconds(p.P99), Link: link(p.Dir),
	}
	switch {
	case p.Status != result.OK && p.Status != "":
		r.Remark = string(p.Status)
	case p.Status == "":
		r.Remark = "has no end"
	default:
		r.Remark = charts.Remark(p)
	}
	if p.Mark == verdict.Slower {
		r.Class = "best"
	}
	return r
}

func tagText(tags map[string]string) string {
	var parts []string
	for _, k := range slices.Sorted(maps.Keys(tags)) {
		parts = append(parts, k+"="+tags[k])
	}
	return strings.Join(parts, " ")
}

// mostChanges is how many changes a run shows; another server has changed in hundreds of variables.
const mostChanges = 4

func changedInShort(changes []string) []string {
	if len(changes) <= mostChanges+1 {
		return changes
	}
	return append(slices.Clone(changes[:mostChanges]), fmt.Sprintf("%d more changes", len(changes)-mostChanges))
}

// LinkBelow is a link function for an index that lies in the folder root: it points to the report
// of a run below root, and to nothing elsewhere. Both are slash-separated.
func LinkBelow(root string) func(dir string) string {
	return func(dir string) string {
		below, ok := strings.CutPrefix(path.Clean(dir), path.Clean(root)+"/")
		if !ok {
			return ""
		}
		return below + "/report.html"
	}
}
