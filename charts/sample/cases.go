package sample

import (
	"fmt"
	"math"

	"github.com/mysweep/mysweep/runner/plan"
	"github.com/mysweep/mysweep/runner/result"
)

// Cases is a run of three cases, the second faster and the third slower than the first, with one
// trial that failed.
func Cases() *result.Archive {
	a := Archive([]int{1, 4, 16, 64}, []int{100}, 3)
	first := a.Trials
	a.Run.Plan.Cases = nil
	a.Run.Cases = nil
	a.Run.Plan.Require = nil
	a.Trials = nil
	for i, name := range []string{"ps off", "ps off, no thread cache", "ps on"} {
		c := serverCase(name)
		c.Variables["thread_cache_size"] = []string{"151", "0", "151"}[i]
		c.Variables["performance_schema"] = []string{"OFF", "OFF", "ON"}[i]
		a.Run.Cases = append(a.Run.Cases, c)
		set := map[string]string{"performance_schema": c.Variables["performance_schema"], "thread_cache_size": c.Variables["thread_cache_size"]}
		a.Run.Plan.Cases = append(a.Run.Plan.Cases, plan.Case{Name: name, Options: set})
		for _, t := range first {
			t.Case, t.Seq = name, len(a.Trials)+1
			t.Measure.Elapsed *= []float64{1, 0.94, 1.07}[i]
			t.Measure.ElapsedWithConnect *= []float64{1, 0.94, 1.07}[i]
			a.Trials = append(a.Trials, t)
		}
	}
	last := &a.Trials[len(a.Trials)-1]
	last.Status, last.Error = result.Failed, "trial 45 (threads=64 queries=100): connect db3:3306: needs 64, got 63: Too many connections"
	a.Run.Trials = len(a.Trials)
	return a
}

// Variants is a run of n cases with long names: a base, and each other one with a setting of its
// own. The last has twice the rate; the others differ by less than the noise.
func Variants(n int) *result.Archive {
	a := Archive([]int{1, 4, 16, 64}, []int{100}, 3)
	first := a.Trials
	a.Run.Plan.Cases, a.Run.Cases, a.Run.Plan.Require, a.Trials = nil, nil, nil, nil
	for i := range n {
		c := plan.Case{Name: "base with the options of production"}
		set := plan.Setting{Name: fmt.Sprintf("innodb_variable_with_a_long_name_%d", i), Value: "4096"}
		if i > 0 {
			c.Of, c.Varied, c.Options = c.Name, []plan.Setting{set}, map[string]string{set.Name: set.Value}
			c.Name += ", " + set.Name + "=" + set.Value
		}
		as := serverCase(c.Name)
		if i > 0 {
			as.Variables[set.Name] = set.Value
		}
		a.Run.Cases, a.Run.Plan.Cases = append(a.Run.Cases, as), append(a.Run.Plan.Cases, c)
		for j, t := range first {
			t.Case, t.Seq = c.Name, len(a.Trials)+1
			by := 1 + 0.03*math.Sin(float64(31*i+7*j))
			if i > 0 && i == n-1 {
				by = 2
			}
			t.Measure.Elapsed /= by
			t.Measure.ElapsedWithConnect /= by
			a.Trials = append(a.Trials, t)
		}
	}
	a.Run.Trials = len(a.Trials)
	return a
}
