package verdict

import "slices"

// Code is a kind of note, as documented.
type Code struct {
	Code     string
	Severity Severity
	Meaning  string // one sentence
}

// Catalogue lists the codes of notes, in the order in which those of one
// severity stand. The verdict finds most of them; what only the run side can
// know it wrote into the archive. A code that is not listed counts as a caution.
func Catalogue() []Code { return slices.Concat(faults(), cautions(), remarks()) }

func faults() []Code {
	return []Code{
		{"interrupted", Fault, "The run was cut off by a signal or a limit; the figures are those of the trials that had ended."},
		{"unfinished", Fault, "The run has no end: it still goes on, or it was killed."},
		{"torn-journal", Fault, "Lines of the journal could not be read and are left out."},
		{"failed", Fault, "The run could not go on; the figures are those of the trials that had ended."},
		{"failed-case", Fault, "The server of a case could not be started or reached."},
		{"failed-trials", Fault, "Trials gave no usable figure and are in no median."},
		{"invalid-trials", Fault, "Trials were measured, but with errors or wrong data, and are not ranked."},
		{"interrupted-trials", Fault, "Trials were cut off and are in no median."},
		{"errors", Fault, "Statements failed; they are in errors_total and in no rate and no latency."},
		{"client-saturated", Fault, "The load generator itself was over 90 % busy: the figure is a lower bound."},
		{"client-starved", Fault, "The load generator had to wait for a CPU: the figure is a lower bound."},
		{"rate-missed", Fault, "Less than 99 % of the rounds that were due were answered."},
		{"dropped", Fault, "Rounds that were due were never sent, because the server could not follow the rate."},
		{"replica-differs", Fault, "A replica that has caught up holds other rows than its primary."},
	}
}

func cautions() []Code {
	return []Code{
		{"too-short", Caution, "Less was measured than the shortest time that makes a figure."},
		{"long-statements", Caution, "One statement takes more than 1 % of a trial that ends by time, so that the rate may be too low by as much."},
		{"noisy", Caution, "The repeats of a cell differ by a standard deviation of more than 5 % of their mean."},
		{"no-repeats", Caution, "Each cell ran once, so nothing is known of the spread."},
		{"unconfirmed", Caution, "The best cell was not run again after it was chosen."},
		{"not-reproduced", Caution, "Run again after the sweep, a cell was more than 10 % slower than in it."},
		{"loop-lag", Caution, "Answers waited in the load generator for more than 5 % of the median latency before they were read."},
		{"client-cpu-saturated", Caution, "The CPUs of the client machine were over 90 % busy, with whatever ran there."},
		{"uneven-threads", Caution, "Less than half of the time all threads were busy at once."},
		{"not-idle", Caution, "A machine had other work before the run began."},
		{"other-load", Caution, "Other processes than server and load generator used more than 15 % of the client machine's CPUs."},
		{"foreign-queries", Caution, "Others sent statements to the server during a trial."},
		{"counters-of-another-server", Caution, "The server's counters were read from another server than the load was on, behind a balancer or proxy, and are left out."},
		{"steal", Caution, "The hypervisor gave more than 2 % of the CPU time to others."},
		{"thermal-throttled", Caution, "CPUs were slowed down by heat."},
		{"cpu-throttled", Caution, "Processes waited because a control group had used up its CPU quota."},
		{"swapping", Caution, "Memory was swapped during a trial."},
		{"port-exhaustion-near", Caution, "More than half of the ephemeral ports were in TIME_WAIT, so that the kernel searched long for a free one."},
		{"listen-overflow", Caution, "The listen queue overflowed, so that connects were retried by the kernel."},
		{"left-running", Caution, "A statement was given up at a limit and may still run on the server, because KILL was not sent or was refused."},
		{"deadlocks", Caution, "Rounds were begun anew after a deadlock or a lock wait that took too long."},
		{"scale-below-threads", Caution, "TPC-B has fewer branches than threads, so that threads queue for their rows."},
		{"customers-scaled", Caution, "DBT-1 has fewer than 2,880 customers for each emulated user."},
		{"general-log", Caution, "The general log is on: every statement is written to it."},
		{"query-cache", Caution, "The query cache is on: repeated statements may be answered without being run."},
		{"debug-build", Caution, "The server is a build for debugging."},
		{"datadir-tmpfs", Caution, "The data directory lies in memory: no disk was tested."},
		{"not-durable", Caution, "Commits do not wait for the disk."},
		{"server-process-unknown", Caution, "The server's process could not be found on this machine, so how much CPU it used is not known."},
		{"server-unseen", Caution, "The server's machine could not be seen, so what limits it is not known."},
		{"unsettled", Caution, "What --settle waits for had not come to rest when the time for it was up."},
		{"no-lock", Caution, "No lock could be taken on the server, so another run may have used it meanwhile."},
		{"left-behind", Caution, "Something that mysweep made could not be removed."},
		{"not-undone", Fault, "Something that was changed for a case could not be put back; the sentence says how to do it by hand."},
		{"critical-load", Fault, "The run was ended because the server was above --critical-load, or above --max-load for an hour."},
		{"load-paused", Caution, "The run was paused because the server was above --max-load."},
		{"undo-ignored", Caution, "A file in the place for what killed runs have left was ignored: it belongs to another user or is open to others."},
		{"not-restarted", Caution, "The restart commands of a case left its server in the process that ran before."},
		{"restart", Caution, "A case without restart commands ran on a server that the commands of another case had restarted."},
		{"no-room", Caution, "The CPUs of a case's server are all that there are, so that the load generator ran on them as well."},
		{"no-knee", Caution, "A case has no good trial, so that nothing could be varied at its knee."},
		{"replicas-unknown", Caution, "Replicas could not be compared with their primary."},
		{"start", Caution, "The caches of a case did not begin as its start asked, or nobody can tell."},
		{"other-machine", Caution, "The server of a case is on another machine than the first case's, whose facts the archive has."},
		{"option-file-ignored", Caution, "An option file that nobody named was ignored: it is world-writable or not a regular file."},
		{"skipped-trials", Caution, "Trials were never begun."},
		{"skipped-case", Caution, "A case was left out, with the reason."},
	}
}

func remarks() []Code {
	return []Code{
		{"shared-host", Remark, "Client and server ran on one machine and took its CPUs from each other."},
		{"server-cpu-saturated", Remark, "The CPUs that the server may use were over 90 % busy."},
		{"nic-saturated", Remark, "A network link was at more than 85 % of its speed."},
		{"one-cpu-saturated", Remark, "One CPU spent more than 80 % of its time on interrupts, while others may have been idle."},
		{"disk-saturated", Remark, "A disk was busy more than 90 % of the time."},
		{"in-memory", Remark, "The data set fits in the buffer pool: disk reads are not exercised."},
		{"io-bound", Remark, "The data are larger than the buffer pool: reads go to the page cache or the disk."},
		{"stock-buffer-pool", Remark, "The buffer pool is at its default size of 128 MiB."},
		{"reaped", Remark, "What a killed run had left was stopped and removed."},
		{"restored", Remark, "What a killed run had left changed was put back."},
		{"load", Remark, "How a table was loaded, where that was not the usual way."},
		{"reloaded", Remark, "Tables were loaded again before trials of a case, because earlier trials had changed their number of rows."},
		{"copied", Remark, "The tables of a case were copied from another case's."},
		{"no-baseline", Remark, "There is no earlier run to compare with."},
		{"baseline-left-out", Remark, "An earlier run is not compared with, because it differs in something that the plan does not vary."},
		{"session-set", Remark, "Sessions of a trial that reconnects began with a SET inside the clock, because the server's session defaults are not those that the workload needs."},
		{"sent-as-text", Remark, "With the prepared protocol, some statements were sent as text: they cannot be prepared, or only the server knows whether they return rows."},
		{"counters-unknown", Remark, "The server's counters could not be read."},
		{"variables-unknown", Remark, "The server does not tell variables that mysweep asks for."},
		{"defaults-unknown", Remark, "The server does not tell the defaults of its variables."},
		{"option-dropped", Remark, "An option of an options file belongs to another server and was left out."},
		{"option-moved", Remark, "An option of an options file was moved into the private data directory."},
		{"few-samples", Remark, "Percentiles are left empty where fewer than 1/(1-p) samples stand behind them."},
	}
}
