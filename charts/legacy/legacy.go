// Package legacy writes a trial as the programs did that mysweep follows, so
// that scripts which read their reports keep working: sysbench, mysqlbench and
// super-smack. The layout is theirs, the values are mysweep's own: where the
// original printed a wrong one (a percentile above the maximum, the time of
// each client's last query only) the right one is shown, and n/a where there is
// none. It computes nothing that a result does not hold, and prints nothing.
package legacy

import (
	"fmt"
	"math"
	"strings"

	"github.com/mysweep/mysweep/runner/result"
)

// Layouts are the names that Trial takes.
func Layouts() []string { return []string{"sysbench", "mysqlbench", "super-smack"} }

// Trial writes one trial in a layout. options are those of the trial's
// workload as the plan sets them, e.g. scale.
func Trial(layout string, t *result.Trial, options map[string]string) (string, error) {
	switch layout {
	case "sysbench":
		if t.Workload == "oltp" {
			return sysbench04(t), nil
		}
		return sysbench(t), nil
	case "mysqlbench":
		return mysqlbench(t, options), nil
	case "super-smack":
		return superSmack(t), nil
	}
	return "", fmt.Errorf("invalid layout %q: expected one of %s", layout, strings.Join(Layouts(), ", "))
}

// number writes a number with digits after the point, at least width wide;
// n/a if it is not known.
func number(v *float64, scale float64, width, digits int) string {
	if v == nil {
		return fmt.Sprintf("%*s", width, "n/a")
	}
	return fmt.Sprintf("%*.*f", width, digits, *v*scale)
}

// counted writes a count with its rate over the measured time, as both
// versions of sysbench do.
func counted(n int64, seconds float64) string {
	if seconds <= 0 {
		return fmt.Sprintf("%-6d (n/a per sec.)", n)
	}
	return fmt.Sprintf("%-6d (%.2f per sec.)", n, float64(n)/seconds)
}

// fairness is the last part of sysbench's reports: how evenly the threads
// shared rounds and time. The deviation is that of a whole population. The
// average is of the rounds that ended in time, as in the lines above it.
func fairness(m *result.Measure) string {
	rounds := make([]float64, len(m.Rounds))
	for i, n := range m.Rounds {
		rounds[i] = float64(n)
	}
	_, eventsDeviation := spread(rounds)
	var events *float64
	if len(rounds) > 0 {
		average := float64(m.Transactions) / float64(len(rounds))
		events = &average
	}
	busy, busyDeviation := spread(m.Busy)
	return fmt.Sprintf(`Threads fairness:
    events (avg/stddev):           %s/%s
    execution time (avg/stddev):   %s/%s

`, number(events, 1, 0, 4), number(eventsDeviation, 1, 0, 2), number(busy, 1, 0, 4), number(busyDeviation, 1, 0, 2))
}

// spread is the mean and the population's standard deviation, nil of nothing.
func spread(values []float64) (mean, deviation *float64) {
	if len(values) == 0 {
		return nil, nil
	}
	sum, squares, n := 0.0, 0.0, float64(len(values))
	for _, v := range values {
		sum += v
	}
	average := sum / n
	for _, v := range values {
		squares += (v - average) * (v - average)
	}
	root := math.Sqrt(squares / n)
	return &average, &root
}
