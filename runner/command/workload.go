package command

import (
	"fmt"

	"github.com/mysweep/mysweep/runner/plan"
	"github.com/mysweep/mysweep/runner/workload"
	"github.com/mysweep/mysweep/runner/workload/lua"
	"github.com/mysweep/mysweep/runner/workload/smack"
	"github.com/mysweep/mysweep/runner/workload/sqlfile"
)

// makeWorkloads makes the plan's workloads with their options.
func makeWorkloads(env Env, p *plan.Plan) (map[string]workload.Workload, error) {
	made := map[string]workload.Workload{}
	for _, w := range p.Workloads {
		one, err := makeWorkload(env, p, w)
		if err != nil {
			return nil, usage("workload %s: %w", w.Label(), err)
		}
		made[w.Label()] = one
	}
	return made, nil
}

func makeWorkload(env Env, p *plan.Plan, w plan.Workload) (workload.Workload, error) {
	if w.Lua != "" {
		return openScript(env, p, w)
	}
	spec, err := specOf(w)
	if err != nil {
		return nil, err
	}
	values, err := workload.NewValues(spec.Options, w.Options)
	if err != nil {
		return nil, err
	}
	return spec.New(values.ForThreads(p.Threads.Max()))
}

// specOf finds a workload by its name, reads it from its file, or takes it as
// the plan writes it down.
func specOf(w plan.Workload) (workload.Spec, error) {
	switch {
	case w.Smack != "":
		return smack.Open(w.Smack)
	case w.SQL != "":
		return sqlfile.Open(w.SQL)
	case w.Lua != "":
		return lua.Spec(w.Lua), nil
	case w.Custom():
		return sqlfile.FromPlan(w, "")
	}
	spec, ok := workload.Find(w.Name)
	if !ok {
		return spec, fmt.Errorf("there is no workload %q", w.Name)
	}
	return spec, nil
}
