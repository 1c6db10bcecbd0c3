package load

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/go-sql-driver/mysql"

	"github.com/mysweep/mysweep/runner/load/loop"
	"github.com/mysweep/mysweep/runner/plan"
)

// Target is the server to put load on. Config comes from mysql.NewConfig or mysql.ParseDSN and
// names address, account, database and TLS; what concerns the protocol (protocol, dialling,
// logging) is set by Run.
type Target struct {
	Config *mysql.Config
	// SQLMode is the server's sql_mode. In ORACLE's, BEGIN begins a block of
	// code, and a transaction is begun with START TRANSACTION.
	SQLMode string
}

func (t Target) begin() string {
	if slices.Contains(strings.Split(t.SQLMode, ","), "ORACLE") {
		return "START TRANSACTION"
	}
	return "BEGIN"
}

// Trial says how a workload is to be run. Exactly one of Queries, Events and Time ends it.
type Trial struct {
	Threads int
	Queries int           // rounds of each thread
	Events  int64         // rounds of all threads together
	Time    time.Duration // no new round after this
	RampUp  time.Duration // what happens in this time after the barrier is not measured
	Edges   Edges         // is called when measuring begins and ends, may be nil
	// MinTime goes with Queries: bursts are repeated until their clocks add up to it; 0: one burst.
	MinTime time.Duration

	Rate     float64 // rounds per second in all, for an open loop; 0 = as fast as it goes
	Arrivals string  // poisson or uniform

	Reconnect       string // never, query, round, or a number of rounds
	Prepared        bool   // the prepared protocol, else text
	Compress        bool
	ConnectParallel int // connects at a time; 0 = all
	ConnectTimeout  time.Duration
	QueryTimeout    time.Duration // 0 = none
	Timeout         time.Duration // of the whole trial; 0 = none

	LoadGen string // loop or goroutine
	Loops   int    // 0 = from the usable CPUs
	Poller  loop.Poller
	Ignore  []int // server errors after which a round restarts, beside 1213, 1205 and 1020
	// IgnoreAll lets a round restart after any server error.
	IgnoreAll bool
	Seed      uint64
}

// defaultConnectTimeout is how long one connect may take.
const defaultConnectTimeout = 30 * time.Second

// TrialOf is the trial that a plan asks for in one of its cells. Seed is that of the plan; repeats
// of a cell want their own.
func TrialOf(p *plan.Plan, c plan.Cell) (Trial, error) {
	t := Trial{
		Threads: c.Threads, Queries: c.Queries, MinTime: time.Duration(p.MinTime), RampUp: time.Duration(p.RampUp),
		Rate: p.Rate, Arrivals: p.Arrivals,
		Reconnect: p.Reconnect, Prepared: p.Protocol == "prepared", Compress: p.Compress, ConnectParallel: p.ConnectParallel,
		QueryTimeout: time.Duration(p.QueryTimeout), Timeout: time.Duration(p.TrialTimeout),
		LoadGen: p.LoadGen, Loops: p.Loops, Seed: p.Seed,
	}
	if c.Queries == 0 {
		t.Events, t.Time = p.Events, time.Duration(p.Time)
	}
	for _, text := range p.IgnoreErrors {
		if text == "all" {
			t.IgnoreAll = true
			continue
		}
		code, err := strconv.Atoi(text)
		if err != nil {
			return t, fmt.Errorf("ignore_errors: invalid error code %q: expected a number such as 1213, or all", text)
		}
		t.Ignore = append(t.Ignore, code)
	}
	_, err := t.reconnectEvery()
	return t, err
}

// reconnectEvery reads Reconnect: rounds between reconnects, 0 = never, -1 = every query.
func (t Trial) reconnectEvery() (int, error) {
	switch t.Reconnect {
	case "", "never":
		return 0, nil
	case "query":
		return -1, nil
	case "round":
		return 1, nil
	}
	n, err := strconv.Atoi(t.Reconnect)
	if err != nil || n < 1 {
		return 0, fmt.Errorf("invalid reconnect %q: expected never, query, round or a number of rounds", t.Reconnect)
	}
	return n, nil
}

// threadsPerLoop is how many threads a loop should have at least: with fewer, a loop sleeps and
// wakes for each answer.
const threadsPerLoop = 4

// loops is how many event loops run so many threads: never more than there are CPUs for them,
// unless that was asked for.
func (t Trial) loops(threads, cpus int) int {
	n := t.Loops
	if n == 0 {
		n = min(cpus, (threads+threadsPerLoop-1)/threadsPerLoop)
	}
	return max(1, min(n, threads))
}

// engineName is the load generator's name in results.
func (t Trial) engineName() string {
	if t.LoadGen == "" {
		return "loop"
	}
	return t.LoadGen
}

// check finds what cannot be run.
func (t Trial) check() error {
	ends := 0
	for _, set := range []bool{t.Queries > 0, t.Events > 0, t.Time > 0} {
		if set {
			ends++
		}
	}
	switch {
	case t.Threads < 1:
		return fmt.Errorf("threads=%d: must be at least 1", t.Threads)
	case ends != 1:
		return fmt.Errorf("queries=%d events=%d time=%s: exactly one of them must end the trial", t.Queries, t.Events, t.Time)
	case t.Rate < 0:
		return fmt.Errorf("rate=%g: must not be negative", t.Rate)
	case t.Rate > 0 && t.Arrivals != "poisson" && t.Arrivals != "uniform":
		return fmt.Errorf("invalid arrivals %q: expected poisson or uniform", t.Arrivals)
	case t.engineName() != "loop" && t.LoadGen != "goroutine":
		return fmt.Errorf("invalid load generator %q: expected loop or goroutine", t.LoadGen)
	}
	_, err := t.reconnectEvery()
	return err
}
