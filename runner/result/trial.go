package result

import (
	"maps"
	"slices"
	"time"

	"github.com/mysweep/mysweep/hwinfo/series"
	"github.com/mysweep/mysweep/runner/plan"
)

// Status says what became of a trial.
type Status string

const (
	OK          Status = "ok"
	Invalid     Status = "invalid"     // measured, but with errors or wrong data: not to be ranked
	Failed      Status = "failed"      // no usable figure
	Skipped     Status = "skipped"     // never begun, with the reason in Error
	Interrupted Status = "interrupted" // cut off by a signal or a limit
)

// Trial is one repeat of a cell: a line of the journal.
type Trial struct {
	Seq      int    `json:"seq"` // order in time, from 1
	Case     string `json:"case"`
	Workload string `json:"workload"`
	Threads  int    `json:"threads"`
	// Queries is the number of rounds per thread; 0 when the trial ends by time or events.
	Queries int  `json:"queries,omitempty"`
	Repeat  int  `json:"repeat"`            // from 1
	Confirm bool `json:"confirm,omitempty"` // one of the extra trials of the best cell
	// Interleaved trials measure a base at its knee again, among the cases that vary it, which are
	// compared with them.
	Interleaved bool      `json:"interleaved,omitempty"`
	StartedAt   time.Time `json:"started_at"`
	Status      Status    `json:"status"`
	Error       string    `json:"error,omitempty"`
	// Capacity is the server's limit that a skipped trial needs more of, such as max_connections.
	Capacity string `json:"capacity,omitempty"`

	Protocol  string   `json:"protocol"`
	Reconnect string   `json:"reconnect"`
	Rate      *float64 `json:"rate,omitempty"` // events per second asked of an open-loop trial
	// Limit is the most that the workload's think time allows, in rounds per second; nil when
	// nothing does.
	Limit         *float64 `json:"limit_transactions_per_second,omitempty"`
	RandType      string   `json:"rand_type,omitempty"`
	StorageEngine string   `json:"storage_engine,omitempty"`
	TableRows     *int64   `json:"table_rows,omitempty"`
	DataBytes     *int64   `json:"data_bytes,omitempty"`

	Measure  Measure  `json:"measure"`
	Evidence Evidence `json:"evidence"`
}

// Slot says which trial of the plan this is.
func (t *Trial) Slot() plan.Slot {
	cell := plan.Cell{Case: t.Case, Workload: t.Workload, Threads: t.Threads, Queries: t.Queries}
	return plan.Slot{Cell: cell, Repeat: t.Repeat}
}

// Latest keeps the last trial of each slot, in the order of time: a run that
// was resumed has run again what was not ok.
func Latest(trials []Trial) []Trial {
	var kept []Trial
	for _, i := range latest(trials) {
		kept = append(kept, trials[i])
	}
	return kept
}

// latest are the indexes of the trials that Latest keeps.
func latest(trials []Trial) []int {
	last := map[plan.Slot]int{}
	for i := range trials {
		last[trials[i].Slot()] = i
	}
	return slices.Sorted(maps.Values(last))
}

// Evidence is what was seen beside a trial, on both machines and in the
// server. What is nil was not there to be read.
type Evidence struct {
	Client *Machine `json:"client,omitempty"`
	// Server is nil when client and server share the machine, or when it cannot be sampled.
	Server *Machine `json:"server,omitempty"`
	// SharedHost says that client and server ran on one machine: Client then
	// speaks of both.
	SharedHost bool `json:"shared_host,omitempty"`
	// Status is the change of the server's counters, our own observation
	// subtracted where it counts.
	Status map[string]float64 `json:"status,omitempty"`
	// ForeignQueries is how many statements others sent to the server.
	ForeignQueries     *int64         `json:"foreign_queries_total,omitempty"`
	ThreadsRunningMean *float64       `json:"threads_running_mean,omitempty"`
	ServerSamples      []ServerSample `json:"server_samples,omitempty"`
	// Lag is how far the replicas were behind, once a second.
	Lag []LagSample `json:"replica_lag,omitempty"`
	// ServerCPUSeconds is the CPU time of the server's process, nil where it is
	// unknown or on another machine.
	ServerCPUSeconds *float64 `json:"server_process_cpu_seconds,omitempty"`
	// WindowSeconds is the time that ServerCPUSeconds and the machines' values
	// cover, StatusSeconds that of Status; nil where they cover the whole trial
	// from before its first connect.
	WindowSeconds *float64 `json:"window_seconds,omitempty"`
	StatusSeconds *float64 `json:"status_seconds,omitempty"`
	// StoppedSeconds is for how long mysweep itself did not run during the trial:
	// stopped by a signal, or with its virtual machine or computer. nil in
	// archives from before this was read.
	StoppedSeconds *float64 `json:"stopped_seconds,omitempty"`
	Notes          []Note   `json:"notes,omitempty"` // what only the run side can know
}

// ServerMachine is what was seen of the machine that the server ran on: the client's when they
// share one, nil when it could not be seen.
func (e *Evidence) ServerMachine() *Machine {
	if e.Server == nil && e.SharedHost {
		return e.Client
	}
	return e.Server
}

// ServerSample is what the server said of itself at a moment.
type ServerSample struct {
	At             float64            `json:"at_seconds"` // since the run began
	ThreadsRunning *float64           `json:"threads_running,omitempty"`
	Status         map[string]float64 `json:"status,omitempty"`
}

// LagSample is what a replica said at a moment of how far it is behind.
type LagSample struct {
	Replica string   `json:"replica"`
	At      float64  `json:"at_seconds"`  // since the run began
	Seconds *float64 `json:"lag_seconds"` // nil: it did not know, as when it does not replicate
}

// Machine is what one machine did during a trial.
type Machine struct {
	LoadBefore   *Load    `json:"load_before,omitempty"`
	LoadAfter    *Load    `json:"load_after,omitempty"`
	RunnableMean *float64 `json:"runnable_mean,omitempty"` // tasks, sampled at 10 Hz
	UsableCPUs   float64  `json:"usable_cpus"`             // what the case may use
	CPUs         []CPU    `json:"cpus,omitempty"`
	BusyRatio    *float64 `json:"busy_ratio,omitempty"` // of UsableCPUs; all but idle and iowait
	// Values are the columns of Sample.Values over the whole trial, from
	// counters read at its two ends, however short it was.
	Values  map[string]float64 `json:"values,omitempty"`
	Samples []Sample           `json:"samples,omitempty"` // whole seconds within the trial
}

// Load and CPU are stored as the sampler has them.
type (
	Load = series.Load
	CPU  = series.CPU
)

// Sample is one second of a machine. Rates are per second.
type Sample struct {
	At   float64 `json:"at_seconds"` // since the run began
	Load *Load   `json:"load,omitempty"`
	// Runnable is the mean of the 10 Hz samples in this second.
	Runnable *float64 `json:"runnable,omitempty"`
	Blocked  *float64 `json:"blocked,omitempty"`
	// Values holds columns of series.csv by name, e.g. "nic.eth0.rx_bytes_per_second".
	Values map[string]float64 `json:"values,omitempty"`
}

// Note is a warning that belongs to the data.
type Note struct {
	Code string `json:"code"` // e.g. client-saturated
	Text string `json:"text"` // one sentence with its evidence
}
