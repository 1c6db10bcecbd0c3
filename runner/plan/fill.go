package plan

import (
	"cmp"
	"time"
)

// Fill completes a plan after flags and file were read: it adds the cases that
// vary and grid make, the case "default" where there is none, and the sweep of
// the workload where the plan has no threads, or no end of a trial.
func (p *Plan) Fill(sweep Sweep) {
	p.Expand()
	if len(p.Cases) == 0 {
		p.Cases = []Case{{Name: "default"}}
	}
	if d := Default(); p.Charset != d.Charset && p.Collation == d.Collation {
		p.Collation = binaryCollation(p.Charset)
	}
	if len(p.Threads) == 0 {
		p.Threads = sweep.Threads
	}
	if len(p.Threads) == 0 {
		p.Threads, _ = ParseInts(defaultThreads)
	}
	if len(p.Queries) == 0 && p.Time == 0 && p.Events == 0 {
		p.Queries, p.Time = sweep.Queries, sweep.Time
		if p.RampUp == 0 {
			p.RampUp = sweep.RampUp
		}
	}
	if p.Protocol == "" {
		p.Protocol = cmp.Or(sweep.Protocol, "text")
	}
	if len(p.Queries) == 0 {
		p.MinTime = 0 // --time and --events never repeat bursts
	}
}

// binaryCollation is the collation of a character set that compares code points,
// as the default collation does.
func binaryCollation(charset string) string {
	switch charset {
	case "binary":
		return "binary"
	case "utf8":
		return "utf8mb3_bin"
	}
	return charset + "_bin"
}

// defaultThreads are the thread counts of a plan whose workload has none of its own.
const defaultThreads = "1,2,4,8,10:100:10"

// Sweep is a workload's default sweep.
type Sweep struct {
	Threads, Queries Ints
	Time, RampUp     Duration
	Protocol         string
}

// About estimates how long the plan takes, without loading tables and settling:
// the warm-up of each case, and the time or min-time of each trial, with an
// allowance for connecting.
func (p *Plan) About() time.Duration {
	trial := time.Duration(p.MinTime)*6/5 + 50*time.Millisecond
	if p.Time > 0 {
		trial = time.Duration(p.Time+p.RampUp) + 100*time.Millisecond
	}
	// This is a lower limit: a server that was paused is warmed up again.
	warmups := len(p.Cases) * len(p.Workloads)
	return time.Duration(p.Trials())*trial + time.Duration(warmups)*time.Duration(p.Warmup)
}
