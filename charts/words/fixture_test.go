package words

import (
	"github.com/mysweep/mysweep/runner/plan"
	"github.com/mysweep/mysweep/runner/result"
	"github.com/mysweep/mysweep/runner/verdict"
)

func ptr[T any](v T) *T { return &v }

// trial is a trial that is ok, with a rate in queries per second over one second.
func trial(threads, queries, repeat int, rate float64) result.Trial {
	return result.Trial{
		Case: "a", Workload: "w", Threads: threads, Queries: queries, Repeat: repeat, Status: result.OK,
		Measure: result.Measure{Threads: threads, Bursts: 1, Elapsed: 1, ElapsedWithConnect: 1, Queries: int64(rate), Transactions: int64(rate)},
	}
}

// quiet is a trial of 10 threads with evidence in which nothing stands out.
func quiet() result.Trial {
	t := trial(10, 10, 1, 1e6)
	t.Measure.Client = result.ClientCost{Engine: "loop", Loops: 1, UserSeconds: 0.4, SystemSeconds: 0.1, LoopBusy: ptr(0.5)}
	machine := func(device string) *result.Machine {
		return &result.Machine{
			UsableCPUs: 2, BusyRatio: ptr(0.3), RunnableMean: ptr(1.0),
			CPUs:   []result.CPU{{ID: 0, User: 0.3, Idle: 0.7}, {ID: 1, SoftIRQ: 0.1, User: 0.2, Idle: 0.7}},
			Values: map[string]float64{"nic." + device + ".link_ratio": 0.1, "disk.sda.busy_ratio": 0.2},
		}
	}
	t.Evidence = result.Evidence{Client: machine("eth0"), Server: machine("eth1"), ThreadsRunningMean: ptr(2.0)}
	return t
}

// archive is a run of case a and workload w that ended well.
func archive(trials ...result.Trial) *result.Archive {
	for i := range trials {
		trials[i].Seq = i + 1
	}
	return &result.Archive{Trials: trials, Run: result.Run{
		ID: "run", Status: result.OK, Trials: len(trials),
		Plan:  plan.Plan{Cases: []plan.Case{{Name: "a"}}, Workloads: []plan.Workload{{Name: "w"}}, Repeat: 3},
		Cases: []result.Case{{Name: "a", Status: result.OK, Version: "10.11.14-MariaDB"}},
	}}
}

// curve has three repeats of each thread count with the given rates.
func curve(threads []int, rates []float64) []result.Trial {
	var list []result.Trial
	for i, n := range threads {
		for repeat := 1; repeat <= 3; repeat++ {
			list = append(list, trial(n, 10, repeat, rates[i]))
		}
	}
	return list
}

// say judges an archive and puts the verdict into sentences.
func say(a *result.Archive) Answer {
	v := verdict.Of(a)
	return Of(&a.Run, &v)
}
