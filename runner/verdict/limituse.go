package verdict

import (
	"github.com/mysweep/mysweep/runner/plan"
	"github.com/mysweep/mysweep/runner/result"
)

func caseOf(run *result.Run, name string) *result.Case {
	for i := range run.Cases {
		if run.Cases[i].Name == name {
			return &run.Cases[i]
		}
	}
	return nil
}

// flushing is the share of the elapsed time that InnoDB's flushes took, by the
// time of one flush on that file system; nil where the server did not write its
// log. MySQL counts flushes of the log (Innodb_os_log_fsyncs); MariaDB since
// 10.8 only all of InnoDB's (Innodb_data_fsyncs), most of which are of the log
// while transactions commit.
func flushing(t *result.Trial, c *result.Case) *float64 {
	status := t.Evidence.Status
	if c == nil || c.FsyncP50 == nil || statusSeconds(t) <= 0 || status["Innodb_os_log_written"] <= 0 {
		return nil
	}
	flush := *c.FsyncP50
	if c.FsyncMean != nil { // times of a flush are far from symmetric
		flush = *c.FsyncMean
	}
	flushes, ok := status["Innodb_os_log_fsyncs"]
	if !ok {
		flushes, ok = status["Innodb_data_fsyncs"]
	}
	if !ok {
		return nil
	}
	return ptr(min(1, flushes*flush/statusSeconds(t)))
}

// lockWaiting is the share of the threads' time that they waited for row
// locks; the server counts milliseconds. It counts a wait when it ends, so one
// that began in the ramp-up can raise the sum above the whole window.
func lockWaiting(t *result.Trial) *float64 {
	ms, ok := t.Evidence.Status["Innodb_row_lock_time"]
	if !ok || statusSeconds(t) <= 0 {
		return nil
	}
	return ptr(min(1, ms/1000/(statusSeconds(t)*threadsOf(t))))
}

// statusSeconds is the time in which the server's counters changed: the window
// that they were read for, else the measured time, outside of which the trial
// neither locks rows nor commits.
func statusSeconds(t *result.Trial) float64 {
	if covered := t.Evidence.StatusSeconds; covered != nil {
		return *covered
	}
	return t.Measure.Elapsed
}

// thinking is the share of the rate that the think time allows: threads /
// (think time + response time) has threads / think time as its bound.
func thinking(t *result.Trial, think float64) *float64 {
	tps := t.Measure.TransactionsPerSecond()
	if tps == nil {
		return nil
	}
	return ptr(*tps * think / threadsOf(t))
}

// thinkTime is the mean think time of a workload in seconds, 0 without one.
// DBT-1's is 7.2 s unless set.
func thinkTime(p *plan.Plan, label string) float64 {
	w := workloadOf(p, label)
	if w == nil || w.Name != "dbt1" {
		return 0
	}
	for _, key := range []string{"think-time", "think_time"} {
		if d, err := plan.ParseDuration(w.Options[key]); err == nil {
			return d.Seconds()
		}
	}
	return 7.2
}

// running is the share of the threads that ran inside the server, which counts
// some threads of its own as well.
func running(t *result.Trial) *float64 {
	if t.Evidence.ThreadsRunningMean == nil {
		return nil
	}
	return ptr(min(1, *t.Evidence.ThreadsRunningMean/threadsOf(t)))
}

// threadsOf is how many threads really ran: a .smack file may start several
// for each that the cell counts.
func threadsOf(t *result.Trial) float64 {
	return float64(max(t.Threads, t.Measure.Threads))
}
