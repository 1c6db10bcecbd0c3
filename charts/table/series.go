package table

import (
	"encoding/csv"
	"io"
	"maps"
	"slices"
	"strconv"
	"time"

	"github.com/mysweep/mysweep/runner/result"
)

// Series begins series.csv: a row for each second and machine, and one for each look at the
// server's own counters (role case:NAME) or at a replica's lag (role replica:NAME). Its first
// columns are fixed; one column follows for each value that was sampled anywhere in the run, in
// alphabetical order.
func Series(w io.Writer, a *result.Archive) (Rows, error) {
	values := sampled(a.Names())
	out := csv.NewWriter(w)
	head := []string{"run_id", "role", "at_seconds", "time", "sequence", "load1", "load5", "load15", "runnable", "blocked", "threads_running"}
	if err := out.WriteAll([][]string{append(head, values...)}); err != nil {
		return nil, csvError(err)
	}
	return func(t *result.Trial) error { return csvError(out.WriteAll(seriesRows(&a.Run, t, values))) }, nil
}

func seriesRows(run *result.Run, t *result.Trial, values []string) (rows [][]string) {
	for _, m := range []struct {
		role    string
		machine *result.Machine
	}{{"client", t.Evidence.Client}, {"server", t.Evidence.Server}} {
		if m.machine == nil {
			continue
		}
		for _, s := range m.machine.Samples {
			rows = append(rows, sampleRow(run, t, m.role, s, values))
		}
	}
	for _, s := range t.Evidence.ServerSamples {
		rows = append(rows, serverRow(run, t, s, values))
	}
	for _, s := range t.Evidence.Lag {
		rows = append(rows, lagRow(run, t, s, values))
	}
	return rows
}

// sampled is the sorted names of the columns of all values.
func sampled(names *result.SampledNames) []string {
	columns := slices.Collect(maps.Keys(names.Values))
	for name := range names.Status {
		columns = append(columns, statusPrefix+name)
	}
	if names.Lag {
		columns = append(columns, lagColumn)
	}
	slices.Sort(columns)
	return slices.Compact(columns)
}

// statusPrefix precedes the names of the server's status variables, which are its own.
const statusPrefix = "mysql."

func sampleRow(run *result.Run, t *result.Trial, role string, s result.Sample, values []string) []string {
	row := start(run, t, role, s.At)
	if s.Load != nil {
		row = append(row, decimal(&s.Load.One), decimal(&s.Load.Five), decimal(&s.Load.Fifteen))
	} else {
		row = append(row, "", "", "")
	}
	row = append(row, decimal(s.Runnable), decimal(s.Blocked), "")
	return append(row, valuesOf(s.Values, "", values)...)
}

func serverRow(run *result.Run, t *result.Trial, s result.ServerSample, values []string) []string {
	row := start(run, t, "case:"+t.Case, s.At)
	row = append(row, "", "", "", "", "", decimal(s.ThreadsRunning))
	return append(row, valuesOf(s.Status, statusPrefix, values)...)
}

// lagColumn is how far a replica says to be behind.
const lagColumn = "replica.lag_seconds"

func lagRow(run *result.Run, t *result.Trial, s result.LagSample, values []string) []string {
	row := append(start(run, t, "replica:"+s.Replica, s.At), "", "", "", "", "", "")
	var known map[string]float64
	if s.Seconds != nil {
		known = map[string]float64{lagColumn: *s.Seconds}
	}
	return append(row, valuesOf(known, "", values)...)
}

func start(run *result.Run, t *result.Trial, role string, at float64) []string {
	when := moment(run.StartedAt.Add(time.Duration(at * float64(time.Second))))
	id, _ := Text(run.ID).MarshalCSV()
	name, _ := Text(role).MarshalCSV()
	return []string{id, name, decimal(&at), string(when), strconv.Itoa(t.Seq)}
}

func valuesOf(values map[string]float64, prefix string, names []string) []string {
	fields := make([]string, len(names))
	for i, name := range names {
		if len(name) < len(prefix) || name[:len(prefix)] != prefix {
			continue
		}
		if v, ok := values[name[len(prefix):]]; ok {
			fields[i] = decimal(&v)
		}
	}
	return fields
}

// decimal is the shortest decimal that reads back as x, empty when x is not known.
func decimal(x *float64) string {
	if known(x) == nil {
		return ""
	}
	return strconv.FormatFloat(*x, 'f', -1, 64)
}
