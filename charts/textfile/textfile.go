// Package textfile writes the verdict on a run as metrics for the textfile collector of
// Prometheus's node exporter, in the text format 0.0.4. Names carry base units. Every sample has
// the labels run and server, so that several runs can have a file each.
package textfile

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/mysweep/mysweep/runner/result"
	"github.com/mysweep/mysweep/runner/verdict"
)

// family are the samples of one metric; all are gauges, as a run is a state and counts nothing on.
type family struct {
	name, help string
	samples    []point
}

type point struct {
	labels []string // name and value by turns
	value  float64
}

// Write writes the metrics. What is not known has no sample, and a metric without one is left out.
func Write(w io.Writer, a *result.Archive, v *verdict.Verdict) error {
	common := []string{"run", a.Run.Name, "server", a.Run.ServerHost}
	out := bufio.NewWriter(w)
	for _, f := range slices.Concat(runFamilies(&a.Run, v), answerFamilies(v), peakFamilies(v), cellFamilies(v)) {
		if len(f.samples) == 0 {
			continue
		}
		fmt.Fprintf(out, "# HELP %s %s\n# TYPE %s gauge\n", f.name, f.help, f.name)
		for _, s := range f.samples {
			fmt.Fprintf(out, "%s{%s} %s\n", f.name, labelText(slices.Concat(common, s.labels)), strconv.FormatFloat(s.value, 'g', -1, 64))
		}
	}
	return out.Flush()
}

// escapes are those of label values.
var escapes = strings.NewReplacer(`\`, `\\`, "\n", `\n`, `"`, `\"`)

func labelText(labels []string) string {
	var parts []string
	for i := 0; i < len(labels); i += 2 {
		parts = append(parts, labels[i]+`="`+escapes.Replace(strings.ToValidUTF8(labels[i+1], "�"))+`"`)
	}
	return strings.Join(parts, ",")
}

// add adds a sample unless its value is unknown.
func (f *family) add(value *float64, labels ...string) {
	if value != nil {
		f.samples = append(f.samples, point{labels, *value})
	}
}

func (f *family) set(value float64, labels ...string) { f.add(&value, labels...) }

func (f *family) flag(on bool, labels ...string) {
	if on {
		f.set(1, labels...)
	} else {
		f.set(0, labels...)
	}
}

// runFamilies say what ran and when.
func runFamilies(run *result.Run, v *verdict.Verdict) []family {
	info := family{name: "mysweep_run_info", help: "The run and its server; always 1."}
	version := ""
	if len(run.Cases) > 0 {
		version = run.Cases[0].Version
	}
	info.set(1, "run_id", run.ID, "version", run.Version, "server_version", version)
	start := family{name: "mysweep_run_start_time_seconds", help: "When the run started, in Unix time."}
	start.add(unix(run.StartedAt))
	end := family{name: "mysweep_run_end_time_seconds", help: "When the run ended, in Unix time."}
	end.add(unix(run.EndedAt))
	complete := family{name: "mysweep_run_complete", help: "Whether every trial of the plan ran and is ok."}
	complete.flag(v.Complete())
	trials := family{name: "mysweep_trials", help: "Trials by status."}
	for _, t := range []struct {
		status string
		n      int
	}{{"ok", v.Trials.OK}, {"invalid", v.Trials.Invalid}, {"failed", v.Trials.Failed},
		{"skipped", v.Trials.Skipped}, {"interrupted", v.Trials.Interrupted}, {"missing", v.Missing}} {
		trials.set(float64(t.n), "status", t.status)
	}
	return []family{info, start, end, complete, trials}
}

func unix(t time.Time) *float64 {
	if t.IsZero() {
		return nil
	}
	seconds := float64(t.UnixMilli()) / 1e3
	return &seconds
}

// answerFamilies are the requirement and the comparison with earlier runs, where the plan has them.
func answerFamilies(v *verdict.Verdict) []family {
	required := family{name: "mysweep_requirement_met", help: "Whether the requirements of the run are met."}
	if v.Requirement != nil {
		required.flag(v.RequirementMet())
	}
	decision := family{name: "mysweep_baseline_decision", help: "The outcome of the comparison with earlier runs is 1, the others are 0."}
	row := family{name: "mysweep_baseline_undecided_runs", help: "Runs in a row whose comparison is undecided, this one included."}
	if g := v.Gate; g != nil {
		for _, d := range []verdict.Decision{verdict.NoRegression, verdict.Regression, verdict.Undecided, verdict.CannotCompare} {
			decision.flag(g.Decision == d, "decision", strings.ReplaceAll(string(d), " ", "_"))
		}
		row.set(float64(g.Row))
	}
	return []family{required, decision, row}
}

// peakFamilies are the best cells of each case and workload.
func peakFamilies(v *verdict.Verdict) []family {
	rate := family{name: "mysweep_peak_rate_per_second", help: "Rate of the best cell; unit says what it counts."}
	threads := family{name: "mysweep_peak_threads", help: "Threads of the best cell."}
	knee := family{name: "mysweep_knee_threads", help: "Threads from which on throughput hardly grows."}
	for i := range v.Sweeps {
		s := &v.Sweeps[i]
		labels := []string{"case", s.Case, "workload", s.Workload}
		if s.Peak != nil {
			rate.add(s.Peak.Rate().Median, slices.Concat(labels, []string{"unit", string(s.Headline)})...)
			threads.set(float64(s.Peak.Threads), labels...)
		}
		if s.Knee != nil {
			knee.set(float64(s.Knee.Threads), labels...)
		}
	}
	return []family{rate, threads, knee}
}

// cellFamilies are the figures of every cell. A cell that ends by time or events has no label
// queries.
func cellFamilies(v *verdict.Verdict) []family {
	queries := family{name: "mysweep_queries_per_second", help: "Answered statements per second, median of the trials."}
	rounds := family{name: "mysweep_transactions_per_second", help: "Rounds of the workload per second, median of the trials."}
	p50 := family{name: "mysweep_latency_p50_seconds", help: "Median latency; of rounds for transactional workloads, else of statements."}
	p99 := family{name: "mysweep_latency_p99_seconds", help: "99th percentile of the latency; of rounds for transactional workloads, else of statements."}
	errors := family{name: "mysweep_errors", help: "Failed statements."}
	for i := range v.Sweeps {
		for j := range v.Sweeps[i].Cells {
			c := &v.Sweeps[i].Cells[j]
			labels := []string{"case", c.Case, "workload", c.Workload, "threads", strconv.Itoa(c.Threads)}
			if c.Queries > 0 {
				labels = append(labels, "queries", strconv.Itoa(c.Queries))
			}
			queries.add(c.QueriesPerSecond.Median, labels...)
			rounds.add(c.TransactionsPerSecond.Median, labels...)
			times := c.Times()
			p50.add(times.P50, labels...)
			p99.add(times.P99, labels...)
			errors.set(float64(c.Errors), labels...)
		}
	}
	return []family{queries, rounds, p50, p99, errors}
}
