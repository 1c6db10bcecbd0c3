package verdict

import "slices"

// Code is a kind of note; its meaning and its sentence are in charts/words.
type Code struct {
	Code     string
	Severity Severity
}

// Catalogue lists the codes of notes, in the order in which those of one
// severity stand. The verdict finds most of them; what only the run side can
// know it wrote into the archive. A code that is not listed counts as a caution.
func Catalogue() []Code { return slices.Concat(faults(), cautions(), remarks()) }

func faults() []Code {
	return []Code{
		{"interrupted", Fault},
		{"unfinished", Fault},
		{"torn-journal", Fault},
		{"failed", Fault},
		{"failed-case", Fault},
		{"failed-trials", Fault},
		{"invalid-trials", Fault},
		{"interrupted-trials", Fault},
		{"errors", Fault},
		{"client-saturated", Fault},
		{"client-starved", Fault},
		{"rate-missed", Fault},
		{"dropped", Fault},
		{"replica-differs", Fault},
	}
}

func cautions() []Code {
	return []Code{
		{"too-short", Caution},
		{"long-statements", Caution},
		{"noisy", Caution},
		{"no-repeats", Caution},
		{"unconfirmed", Caution},
		{"not-reproduced", Caution},
		{"loop-lag", Caution},
		{"client-cpu-saturated", Caution},
		{"uneven-threads", Caution},
		{"not-idle", Caution},
		{"other-load", Caution},
		{"foreign-queries", Caution},
		{"counters-of-another-server", Caution},
		{"steal", Caution},
		{"thermal-throttled", Caution},
		{"cpu-throttled", Caution},
		{"swapping", Caution},
		{"port-exhaustion-near", Caution},
		{"listen-overflow", Caution},
		{"left-running", Caution},
		{"deadlocks", Caution},
		{"scale-below-threads", Caution},
		{"customers-scaled", Caution},
		{"general-log", Caution},
		{"query-cache", Caution},
		{"debug-build", Caution},
		{"datadir-tmpfs", Caution},
		{"not-durable", Caution},
		{"server-process-unknown", Caution},
		{"server-unseen", Caution},
		{"unsettled", Caution},
		{"no-lock", Caution},
		{"left-behind", Caution},
		{"not-undone", Fault},
		{"critical-load", Fault},
		{"load-paused", Caution},
		{"undo-ignored", Caution},
		{"not-restarted", Caution},
		{"restart", Caution},
		{"no-room", Caution},
		{"no-knee", Caution},
		{"replicas-unknown", Caution},
		{"start", Caution},
		{"other-machine", Caution},
		{"option-file-ignored", Caution},
		{"skipped-trials", Caution},
		{"skipped-case", Caution},
	}
}

func remarks() []Code {
	return []Code{
		{"shared-host", Remark},
		{"server-cpu-saturated", Remark},
		{"nic-saturated", Remark},
		{"one-cpu-saturated", Remark},
		{"disk-saturated", Remark},
		{"in-memory", Remark},
		{"io-bound", Remark},
		{"stock-buffer-pool", Remark},
		{"reaped", Remark},
		{"restored", Remark},
		{"load", Remark},
		{"reloaded", Remark},
		{"copied", Remark},
		{"no-baseline", Remark},
		{"baseline-left-out", Remark},
		{"session-set", Remark},
		{"sent-as-text", Remark},
		{"counters-unknown", Remark},
		{"variables-unknown", Remark},
		{"defaults-unknown", Remark},
		{"option-dropped", Remark},
		{"option-moved", Remark},
		{"few-samples", Remark},
	}
}
