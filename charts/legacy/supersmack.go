package legacy

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/mysweep/mysweep/runner/result"
)

// superSmack is super-smack's report, in whole milliseconds cut off as there.
// The times are those of all connects and all queries: super-smack leaves one
// client out of the maximum and minimum of its connects, and keeps only each
// client's last query. q_per_s counts from before the first connect.
func superSmack(t *result.Trial) string {
	m := &t.Measure
	var b strings.Builder
	fmt.Fprintf(&b, "Query Barrel Report for client %s\n", client(t))
	fmt.Fprintf(&b, "connect: max=%sms  min=%sms avg= %sms from %d clients \n",
		whole(m.Connects.Max), whole(m.Connects.Min), whole(m.Connects.Mean), m.Threads)
	b.WriteString("Query_type\tnum_queries\tmax_time\tmin_time\tq_per_s\n")
	types := slices.SortedFunc(slices.Values(m.Types), func(a, b result.TypeMeasure) int { return cmp.Compare(a.Type, b.Type) })
	for _, q := range types {
		rate := "n/a"
		if m.ElapsedWithConnect > 0 {
			rate = fmt.Sprintf("%.2f", float64(q.Queries)/m.ElapsedWithConnect)
		}
		fmt.Fprintf(&b, "%s\t%d\t%s\t%s\t%s\n", q.Type, q.Queries, whole(q.Latency.Max), whole(q.Latency.Min), rate)
	}
	return b.String()
}

// client is what the samples of super-smack call theirs; another workload has
// its own name.
func client(t *result.Trial) string {
	if t.Workload == "select-key" || t.Workload == "update-select" {
		return "smacker1"
	}
	return t.Workload
}

func whole(seconds *float64) string {
	if seconds == nil {
		return "n/a"
	}
	return fmt.Sprint(int64(*seconds * milli))
}
