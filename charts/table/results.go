package table

import (
	"cmp"
	"io"
	"strings"

	"github.com/mysweep/mysweep/runner/result"
	"github.com/mysweep/mysweep/runner/verdict"
)

// Result is a row of results.csv: one trial. Times are seconds.
type Result struct {
	SchemaVersion     int      `csv:"schema_version"`
	RunID             Text     `csv:"run_id"`
	ServerHost        Text     `csv:"server_host"`
	ClientHost        Text     `csv:"client_host"`
	Case              Text     `csv:"case"`
	Workload          Text     `csv:"workload"`
	Threads           int      `csv:"threads"`
	Queries           *int     `csv:"queries"`
	Repeat            int      `csv:"repeat"`
	StartedAt         Text     `csv:"started_at"`
	Status            Text     `csv:"status"`
	ServerVersion     Text     `csv:"server_version"`
	Transport         Text     `csv:"transport"`
	Protocol          Text     `csv:"protocol"`
	Reconnect         Text     `csv:"reconnect"`
	Elapsed           *float64 `csv:"elapsed_seconds"`
	Bursts            *int64   `csv:"bursts"`
	QueriesTotal      *int64   `csv:"queries_total"`
	TransactionsTotal *int64   `csv:"transactions_total"`
	ErrorsTotal       *int64   `csv:"errors_total"`
	ReconnectsTotal   *int64   `csv:"reconnects_total"`
	QPS               *float64 `csv:"queries_per_second"`
	QPSWithConnect    *float64 `csv:"queries_per_second_with_connect"`
	TPS               *float64 `csv:"transactions_per_second"`
	TPSWithConnect    *float64 `csv:"transactions_per_second_with_connect"`
	ConnectsTotal     *int64   `csv:"connects_total"`
	ConnectsPerSecond *float64 `csv:"connects_per_second"`
	ConnectMin        *float64 `csv:"connect_min_seconds"`
	ConnectMean       *float64 `csv:"connect_mean_seconds"`
	ConnectMax        *float64 `csv:"connect_max_seconds"`
	Latency
	TransactionPercentiles
	Load1Before             *float64 `csv:"load1_before"`
	Load1After              *float64 `csv:"load1_after"`
	Load1Max                *float64 `csv:"load1_max"`
	Load5After              *float64 `csv:"load5_after"`
	Load15After             *float64 `csv:"load15_after"`
	RunnableMean            *float64 `csv:"runnable_mean"`
	ThreadsRunningMean      *float64 `csv:"threads_running_mean"`
	ClientCPUBusy           *float64 `csv:"client_cpu_busy_ratio"`
	ServerCPUBusy           *float64 `csv:"server_cpu_busy_ratio"`
	ClientCPUSeconds        *float64 `csv:"client_cpu_seconds"`
	ServerProcessCPUSeconds *float64 `csv:"server_process_cpu_seconds"`
	TableRows               *int64   `csv:"table_rows"`
	DataBytes               *int64   `csv:"data_bytes"`
	RandType                Text     `csv:"rand_type"`
	StorageEngine           Text     `csv:"storage_engine"`
	LoadGen                 Text     `csv:"loadgen"`
	Loops                   *int64   `csv:"loops"`
	Poller                  Text     `csv:"poller"`
	ClientUserCPUSeconds    *float64 `csv:"client_user_cpu_seconds"`
	TLSCipher               Text     `csv:"tls_cipher"`
	Rate                    *float64 `csv:"rate"`
	LateTotal               *int64   `csv:"late_total"`
	DroppedTotal            *int64   `csv:"dropped_total"`
	DeadlocksTotal          *int64   `csv:"deadlocks_total"`
	IgnoredErrorsTotal      *int64   `csv:"ignored_errors_total"`
	ForeignQueriesTotal     *int64   `csv:"foreign_queries_total"`
	FullConcurrencyQPS      *float64 `csv:"full_concurrency_queries_per_second"`
	LatencyMinTransaction   *float64 `csv:"transaction_latency_min_seconds"`
	LatencyMeanTransaction  *float64 `csv:"transaction_latency_mean_seconds"`
	LatencyMaxTransaction   *float64 `csv:"transaction_latency_max_seconds"`
	ConnectP99              *float64 `csv:"connect_p99_seconds"`
	LoopBusy                *float64 `csv:"loop_busy_ratio"`
	LoopLagP50              *float64 `csv:"loop_lag_p50_seconds"`
	ClientVoluntarySwitches *int64   `csv:"client_voluntary_switches"`
	Sequence                int      `csv:"sequence"`
	Confirm                 bool     `csv:"confirm"`
	// Interleaved trials measure the base again at its knee, among the cases compared with it.
	Interleaved bool `csv:"interleaved"`
	Error       Text `csv:"error"`
	Notes       Text `csv:"notes"`
}

// Results begins results.csv.
func Results(w io.Writer, a *result.Archive) (Rows, error) {
	cases := map[string]result.Case{}
	for _, c := range a.Run.Cases {
		cases[c.Name] = c
	}
	return rowsOf(w, func(t *result.Trial) []Result {
		row := identity(&a.Run, t, cases[t.Case])
		if t.Measure.Threads > 0 { // else nothing ran, and nothing is known
			row.count(&t.Measure)
			row.time(&t.Measure)
		}
		row.machines(&t.Evidence)
		row.Notes = notesOf(&a.Run, t)
		return []Result{row}
	})
}

// notesOf are the codes of a trial's notes.
func notesOf(run *result.Run, t *result.Trial) Text {
	var codes []string
	for _, n := range verdict.TrialNotes(run, t) {
		codes = append(codes, n.Code)
	}
	return Text(strings.Join(codes, " "))
}

func identity(run *result.Run, t *result.Trial, c result.Case) Result {
	return Result{
		SchemaVersion: result.SchemaVersion,
		RunID:         Text(run.ID),
		ServerHost:    Text(cmp.Or(c.ServerHost, run.ServerHost)),
		ClientHost:    Text(run.ClientHost),
		Case:          Text(t.Case),
		Workload:      Text(t.Workload),
		Threads:       t.Threads,
		Queries:       positive(t.Queries),
		Repeat:        t.Repeat,
		StartedAt:     moment(t.StartedAt),
		Status:        Text(t.Status),
		ServerVersion: Text(c.Version),
		Transport:     Text(t.Measure.Transport),
		Protocol:      Text(t.Protocol),
		Reconnect:     Text(t.Reconnect),
		TableRows:     t.TableRows,
		DataBytes:     t.DataBytes,
		RandType:      Text(t.RandType),
		StorageEngine: Text(t.StorageEngine),
		Rate:          known(t.Rate),
		Sequence:      t.Seq,
		Confirm:       t.Confirm,
		Interleaved:   t.Interleaved,
		Error:         Text(t.Error),
	}
}

func (r *Result) count(m *result.Measure) {
	bursts, loops := int64(m.Bursts), int64(m.Client.Loops)
	r.Bursts = &bursts
	r.QueriesTotal = &m.Queries
	r.TransactionsTotal = &m.Transactions
	r.ErrorsTotal = &m.Errors
	r.ReconnectsTotal = &m.Reconnects
	r.ConnectsTotal = &m.Connects.Count
	r.LateTotal = &m.Late
	r.DroppedTotal = &m.Dropped
	r.DeadlocksTotal = &m.Deadlocks
	r.IgnoredErrorsTotal = &m.Ignored
	r.LoadGen = Text(m.Client.Engine)
	r.Loops = &loops
	r.Poller = Text(pollerOf(&m.Client))
	r.TLSCipher = Text(m.TLSCipher)
	r.ClientVoluntarySwitches = &m.Client.VoluntarySwitches
	cpu := m.Client.CPUSeconds()
	r.ClientCPUSeconds = known(&cpu)
	r.ClientUserCPUSeconds = known(&m.Client.UserSeconds)
	r.LoopBusy = known(m.Client.LoopBusy)
	r.LoopLagP50 = known(m.Client.Lag.P50)
}

// pollerOf returns the poller of the event loops, "" where there were none.
func pollerOf(c *result.ClientCost) string {
	if c.Poller == "" && c.Engine == "loop" {
		return "epoll"
	}
	return c.Poller
}

func (r *Result) time(m *result.Measure) {
	if m.Elapsed > 0 {
		r.Elapsed = known(&m.Elapsed)
	}
	r.QPS, r.QPSWithConnect = m.QueriesPerSecond(), m.QueriesPerSecondWithConnect()
	r.TPS, r.TPSWithConnect = m.TransactionsPerSecond(), m.TransactionsPerSecondWithConnect()
	r.ConnectsPerSecond = m.ConnectsPerSecond()
	r.FullConcurrencyQPS = m.FullConcurrencyQueriesPerSecond()
	r.Latency = latencyOf(&m.Latency)
	c, x := m.Connects, m.Transaction
	r.ConnectMin, r.ConnectMean, r.ConnectMax, r.ConnectP99 = known(c.Min), known(c.Mean), known(c.Max), known(c.P99)
	r.TransactionPercentiles = transactionPercentiles(&x)
	r.LatencyMinTransaction, r.LatencyMeanTransaction, r.LatencyMaxTransaction = known(x.Min), known(x.Mean), known(x.Max)
}

// machines fills what was seen beside the trial. Load averages and runnable tasks are the server's
// machine's, which is the client's too when they share one.
func (r *Result) machines(e *result.Evidence) {
	r.ThreadsRunningMean = known(e.ThreadsRunningMean)
	r.ServerProcessCPUSeconds = known(e.ServerCPUSeconds)
	r.ForeignQueriesTotal = e.ForeignQueries
	if e.Client != nil {
		r.ClientCPUBusy = known(e.Client.BusyRatio)
	}
	server := e.ServerMachine()
	if server == nil {
		return
	}
	r.ServerCPUBusy = known(server.BusyRatio)
	r.RunnableMean = known(server.RunnableMean)
	if load := server.LoadBefore; load != nil {
		r.Load1Before = known(&load.One)
	}
	if load := server.LoadAfter; load != nil {
		r.Load1After, r.Load5After, r.Load15After = known(&load.One), known(&load.Five), known(&load.Fifteen)
	}
	r.Load1Max = loadMax(server)
}

// loadMax is the highest 1-minute average that was seen before, during or after the trial.
func loadMax(m *result.Machine) *float64 {
	var highest *float64
	see := func(l *result.Load) {
		if l != nil && (highest == nil || l.One > *highest) {
			highest = &l.One
		}
	}
	see(m.LoadBefore)
	see(m.LoadAfter)
	for _, s := range m.Samples {
		see(s.Load)
	}
	return highest
}

// positive is n, or unknown where 0 stands for "does not apply".
func positive(n int) *int {
	if n <= 0 {
		return nil
	}
	return &n
}
