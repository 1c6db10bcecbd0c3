package smack

import (
	"strconv"

	"github.com/mysweep/mysweep/runner/result"
)

// Printed returns the output of the print() lines of main for a trial, in order.
// Times are integer milliseconds, as in the original. Several clients share one
// measure, so their connect figures are equal.
func (w *Workload) Printed(threads, queries int, m result.Measure) ([]string, error) {
	in, err := interpret(w.file, []string{strconv.Itoa(threads), strconv.Itoa(max(queries, 1))}, func(o Operand) (string, bool) {
		if o.Type == "" {
			return connectFigure(o.Figure, m.Connects)
		}
		for _, t := range m.Types {
			if t.Type == o.Type {
				return typeFigure(o.Figure, t, m.ElapsedWithConnect)
			}
		}
		return "", false
	})
	if err != nil {
		return nil, err
	}
	return in.printed, nil
}

func connectFigure(name string, d result.Distribution) (string, bool) {
	switch name {
	case "max_connect_time":
		return milliseconds(d.Max)
	case "min_connect_time":
		return milliseconds(d.Min)
	}
	return milliseconds(d.Mean)
}

// typeFigure is a figure of a query type. The rate includes connect time, as in
// super-smack.
func typeFigure(name string, t result.TypeMeasure, elapsed float64) (string, bool) {
	switch name {
	case "num_queries":
		return strconv.FormatInt(t.Queries, 10), true
	case "max_time":
		return milliseconds(t.Latency.Max)
	case "min_time":
		return milliseconds(t.Latency.Min)
	}
	if elapsed <= 0 {
		return "n/a", true
	}
	return strconv.FormatFloat(float64(t.Queries)/elapsed, 'f', 2, 64), true
}

func milliseconds(seconds *float64) (string, bool) {
	if seconds == nil {
		return "", false
	}
	return strconv.FormatInt(int64(*seconds*1000), 10), true
}
