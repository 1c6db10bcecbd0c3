package result

import (
	"time"

	"github.com/mysweep/mysweep/hwinfo"
	"github.com/mysweep/mysweep/runner/plan"
)

// SchemaVersion is the version of run.json, the journal and the CSV files. It
// grows when a name changes its meaning or goes; names that are added do not
// change it.
const SchemaVersion = 1

// Run is run.json: all that holds for a whole run. It is written when the
// sweep begins, again when a case has opened, and when the sweep ends.
type Run struct {
	Schema    int       `json:"schema_version"`
	ID        string    `json:"run_id"` // UTC time and a random part
	Version   string    `json:"mysweep_version"`
	Name      string    `json:"name,omitempty"`
	StartedAt time.Time `json:"started_at"`
	EndedAt   time.Time `json:"ended_at,omitzero"`
	// Status is ok, failed, interrupted, or empty while the run goes on (and
	// for ever when it was killed).
	Status  Status `json:"status,omitempty"`
	Trials  int    `json:"trials_planned"`
	Command string `json:"command"` // the command line that repeats the run
	// Archive is the folder that the run was written to, an absolute path; empty in redacted and in
	// older archives.
	Archive string `json:"archive,omitempty"`

	Plan   plan.Plan    `json:"plan"`
	Client hwinfo.Facts `json:"client"`
	// Server is nil when not available, and equal to Client on a shared host.
	Server *hwinfo.Facts `json:"server,omitempty"`
	// SharedHost says that client and server are one machine.
	SharedHost bool `json:"shared_host"`
	// Poller is the kernel interface of the load generator's event loops, epoll or uring, and
	// PollerReason why. It is empty where there were none, and in older archives, whose loops used
	// epoll.
	Poller       string `json:"poller,omitempty"`
	PollerReason string `json:"poller_reason,omitempty"`
	Redacted     bool   `json:"redacted,omitempty"` // host names were replaced by roles
	ServerHost   string `json:"server_host"`
	ClientHost   string `json:"client_host"`
	Cases        []Case `json:"cases"`
	Notes        []Note `json:"notes,omitempty"` // what holds for the whole run

	Baseline *Baseline `json:"baseline,omitempty"`
	// UndecidedBefore is how many of the runs directly before this one left open
	// whether there was a regression.
	UndecidedBefore int `json:"undecided_before,omitempty"`
}

// Case is what was found out about the server of one case when it was open.
type Case struct {
	Name    string `json:"name"`
	Private bool   `json:"private"`
	// ServerHost is the server's machine where it is not the run's.
	ServerHost string            `json:"server_host,omitempty"`
	Status     Status            `json:"status"`          // ok, skipped or failed
	Error      string            `json:"error,omitempty"` // why it could not be opened
	Version    string            `json:"version"`         // e.g. 10.11.14-MariaDB-0+deb12u2
	Flavour    string            `json:"flavour"`         // MariaDB, MySQL, Percona
	Comment    string            `json:"comment"`
	Variables  map[string]string `json:"variables"`
	// Changed holds variables that differ from the defaults; nil: the server does not report.
	Changed []Changed `json:"changed,omitempty"`
	// Set names the variables that were set, as the server reports it; nil: it does not.
	Set []string `json:"set_variables,omitzero"`
	// Session holds variables that a new session starts with.
	Session map[string]string `json:"session,omitempty"`
	// SessionSet holds what our sessions set.
	SessionSet   map[string]string `json:"session_set,omitempty"`
	Options      []string          `json:"options,omitempty"` // what we started it with
	Transport    string            `json:"transport"`
	TLSCipher    string            `json:"tls_cipher,omitempty"`
	AuthPlugin   string            `json:"auth_plugin,omitempty"`
	StartSeconds *float64          `json:"start_seconds,omitempty"`
	LoadSeconds  *float64          `json:"load_seconds,omitempty"` // filling the tables
	Tables       []TableFact       `json:"tables,omitempty"`
	Reloads      []Reload          `json:"reloads,omitempty"`
	// Datadir is the storage of this case's data directory: hwinfo's datadir.* and disk.NAME.* of
	// the disks below it. It is nil where the server's machine was not read, and in older archives.
	Datadir *hwinfo.Facts `json:"datadir,omitempty"`
	// Fsync times are of a write and fsync(2) together.
	FsyncP50 *float64 `json:"fsync_p50_seconds,omitempty"`
	// FsyncMean is nil in older archives.
	FsyncMean      *float64  `json:"fsync_mean_seconds,omitempty"`
	CPUs           string    `json:"cpus,omitempty"` // list that the server may use
	Notes          []Note    `json:"notes,omitempty"`
	Replicas       []Replica `json:"replicas,omitempty"`
	Traces         []Trace   `json:"traces,omitempty"`
	UnknownOptions []string  `json:"unknown_options,omitempty"` // left out by if_known
}

// Changed is a variable that has another value than the compiled default.
type Changed struct {
	Name    string `json:"name"`
	Value   string `json:"value"`
	Default string `json:"default,omitempty"` // "" = the server does not tell
	Source  string `json:"source"`            // as the server names it, e.g. COMMAND-LINE
}

// TableFact is one table as it stood when the trials began.
type TableFact struct {
	Workload  string `json:"workload"`
	Name      string `json:"name"`
	Rows      int64  `json:"rows"`
	DataBytes *int64 `json:"data_bytes,omitempty"` // data and indexes
	Reused    bool   `json:"reused,omitempty"`     // it was there already
}

// Reload says that the tables of a workload were loaded again before trials of
// a case, because earlier trials had changed their number of rows.
type Reload struct {
	Workload string `json:"workload"`
	Times    int    `json:"times"`
	// The last time: the first table that differed, with the rows that it had
	// and those that were loaded.
	Table string `json:"table"`
	Found int64  `json:"rows_found"`
	Rows  int64  `json:"rows"`
}

// Replica is what became of one replica after a case.
type Replica struct {
	Name           string   `json:"name"`
	CatchUpSeconds *float64 `json:"catch_up_seconds"`
	MaxLagSeconds  *float64 `json:"max_lag_seconds"`
	Same           *bool    `json:"same"` // row counts and checksums agree
	Differences    []string `json:"differences,omitempty"`
	Error          string   `json:"error,omitempty"`
}

// Trace is a deeper look at one case, kept in the archive's trace folder.
type Trace struct {
	Kind string     `json:"kind"` // syscalls, perf, innodb-status, slow-log, file-waits
	File string     `json:"file"` // below the archive
	Rows [][]string `json:"rows,omitempty"`
	Note string     `json:"note,omitempty"`
	// Stacks are the samples of a perf trace by stack, outermost function
	// first, joined by ";"; Read takes them from File.
	Stacks map[string]int `json:"-"`
}

// Baseline is what this run is compared with, as it was when the run ended:
// an archive must be complete in itself.
type Baseline struct {
	RunID string         `json:"run_id"`
	Name  string         `json:"name"`
	Runs  int            `json:"runs"` // how many runs the cells speak for
	Cells []BaselineCell `json:"cells"`
	// Differences are what differs although the plan does not vary it (server,
	// machine, mysweep): then the runs are not ranked.
	Differences []string `json:"differences,omitempty"`
	// Varied is what was asked to differ, a sentence each.
	Varied []string `json:"varied,omitempty"`
}

// BaselineCell is one cell of the baseline with the figures of its trials.
type BaselineCell struct {
	Case     string `json:"case"`
	Workload string `json:"workload"`
	Threads  int    `json:"threads"`
	Queries  int    `json:"queries,omitempty"`
	// Rates has one value for each trial, or for each run where there are three or more.
	Rates []float64 `json:"queries_per_second"`
	// Headline is queries, transactions or connects: what the workload is known
	// by; empty in archives of earlier versions. HeadlineRates are those per
	// second, empty for queries.
	Headline      string    `json:"headline,omitempty"`
	HeadlineRates []float64 `json:"headline_per_second,omitempty"`
	// Percentiles of the headline's latency, one for each trial or run that has enough samples.
	P50   []float64 `json:"latency_p50_seconds,omitempty"`
	P99   []float64 `json:"latency_p99_seconds,omitempty"`
	Notes []string  `json:"notes,omitempty"` // codes of the notes that taint the figures
}

// Tags are the run's own k=v pairs.
func (r *Run) Tags() map[string]string { return r.Plan.Tags }
