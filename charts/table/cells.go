package table

import (
	"io"
	"strings"

	"github.com/mysweep/mysweep/runner/plan"
	"github.com/mysweep/mysweep/runner/result"
	"github.com/mysweep/mysweep/runner/verdict"
)

// Cell is a row of cells.csv: what the trials of one cell say together. Rates are of the trials
// that are ok; low and high are the ends of the 95 % interval. The change is new over base, minus
// 1, of the headline's rate, and of its latencies.
type Cell struct {
	RunID    Text `csv:"run_id"`
	Case     Text `csv:"case"`
	Workload Text `csv:"workload"`
	Threads  int  `csv:"threads"`
	Queries  *int `csv:"queries"`
	Place    Text `csv:"place"` // peak, knee, both or neither
	// Headline is the rate that the workload is ranked by: queries, transactions or connects.
	Headline Text `csv:"headline"`

	TrialsOK          int `csv:"trials_ok"`
	TrialsConfirming  int `csv:"trials_confirming"`
	TrialsInvalid     int `csv:"trials_invalid"`
	TrialsFailed      int `csv:"trials_failed"`
	TrialsSkipped     int `csv:"trials_skipped"`
	TrialsInterrupted int `csv:"trials_interrupted"`

	QPSMedian    *float64 `csv:"queries_per_second_median"`
	QPSMean      *float64 `csv:"queries_per_second_mean"`
	QPSMin       *float64 `csv:"queries_per_second_min"`
	QPSMax       *float64 `csv:"queries_per_second_max"`
	QPSDeviation *float64 `csv:"queries_per_second_deviation"`
	QPSLow       *float64 `csv:"queries_per_second_low"`
	QPSHigh      *float64 `csv:"queries_per_second_high"`
	Interval     Text     `csv:"interval"`

	QPSWithConnect *float64 `csv:"queries_per_second_with_connect_median"`
	QPSFull        *float64 `csv:"full_concurrency_queries_per_second_median"`
	TPSMedian      *float64 `csv:"transactions_per_second_median"`
	TPSMin         *float64 `csv:"transactions_per_second_min"`
	TPSMax         *float64 `csv:"transactions_per_second_max"`
	TPSLow         *float64 `csv:"transactions_per_second_low"`
	TPSHigh        *float64 `csv:"transactions_per_second_high"`
	TPSWithConnect *float64 `csv:"transactions_per_second_with_connect_median"`
	ConnectsMedian *float64 `csv:"connects_per_second_median"`
	ConnectsMin    *float64 `csv:"connects_per_second_min"`
	ConnectsMax    *float64 `csv:"connects_per_second_max"`
	ConnectsLow    *float64 `csv:"connects_per_second_low"`
	ConnectsHigh   *float64 `csv:"connects_per_second_high"`
	Latency
	TransactionMean *float64 `csv:"transaction_latency_mean_seconds"`
	TransactionPercentiles
	TransactionMax *float64 `csv:"transaction_latency_max_seconds"`
	ConnectMin     *float64 `csv:"connect_min_seconds"`
	ConnectMean    *float64 `csv:"connect_mean_seconds"`
	ConnectP99     *float64 `csv:"connect_p99_seconds"`
	ConnectMax     *float64 `csv:"connect_max_seconds"`

	ErrorsTotal    int64    `csv:"errors_total"`
	DeadlocksTotal int64    `csv:"deadlocks_total"`
	DroppedTotal   int64    `csv:"dropped_total"`
	RunnablePerCPU *float64 `csv:"runnable_per_cpu"`
	ThreadsRunning *float64 `csv:"threads_running"`
	ServerCPU      *float64 `csv:"server_cpu_busy_ratio"`
	ClientCPU      *float64 `csv:"client_cpu_busy_ratio"`
	ServerProcess  *float64 `csv:"server_process_cpus"`
	ClientProcess  *float64 `csv:"client_process_cpus"`
	Load1          *float64 `csv:"load1"`
	Load5          *float64 `csv:"load5"`
	Load15         *float64 `csv:"load15"`

	BaselineQPS *float64 `csv:"baseline_queries_per_second_median"`
	Change      *float64 `csv:"change_ratio"`
	ChangeLow   *float64 `csv:"change_low_ratio"`
	ChangeHigh  *float64 `csv:"change_high_ratio"`
	ChangeP     *float64 `csv:"change_p_value"`
	// ChangeSignificant is true, false, or empty where it is unknown.
	ChangeSignificant Text     `csv:"change_significant"`
	ChangeFigure      Text     `csv:"change_figure"` // queries, transactions or connects per second
	ChangeBase        *float64 `csv:"change_base_per_second"`
	ChangeNew         *float64 `csv:"change_new_per_second"`
	ChangeRankP       *float64 `csv:"change_rank_p_value"`
	ChangeP50         *float64 `csv:"change_latency_p50_ratio"`
	ChangeP99         *float64 `csv:"change_latency_p99_ratio"`
	// The answer of the whole run, the same in each row; empty where the plan asks nothing.
	Requirement Text `csv:"run_requirement"` // PASS or FAIL
	// Decision is "regression", "no regression", "undecided" or "cannot compare".
	Decision Text `csv:"run_baseline_decision"`
	Notes    Text `csv:"notes"`
}

// Cells writes cells.csv.
func Cells(w io.Writer, run *result.Run, v *verdict.Verdict) error {
	changes := map[plan.Cell]*verdict.CellComparison{}
	if v.Baseline != nil {
		for i := range v.Baseline.Cells {
			changes[v.Baseline.Cells[i].Cell] = &v.Baseline.Cells[i]
		}
	}
	var rows []Cell
	for i := range v.Sweeps {
		s := &v.Sweeps[i]
		for j := range s.Cells {
			row := cellRow(run, &s.Cells[j])
			row.Place = placeOf(s, &s.Cells[j])
			row.answer(v)
			if change := changes[s.Cells[j].Cell]; change != nil {
				row.change(change)
			}
			rows = append(rows, row)
		}
	}
	return write(w, rows)
}

func cellRow(run *result.Run, c *verdict.Cell) Cell {
	row := Cell{
		RunID: Text(run.ID), Case: Text(c.Case), Workload: Text(c.Workload), Threads: c.Threads, Queries: positive(c.Queries), Headline: Text(string(c.Headline)),
		TrialsOK: c.OK, TrialsConfirming: c.Confirming, TrialsInvalid: c.Invalid, TrialsFailed: c.Failed,
		TrialsSkipped: c.Skipped, TrialsInterrupted: c.Interrupted,
		ErrorsTotal: c.Errors, DeadlocksTotal: c.Deadlocks, DroppedTotal: c.Dropped,
		RunnablePerCPU: known(c.RunnablePerCPU), ThreadsRunning: known(c.ThreadsRunning),
		ServerCPU: known(c.ServerCPU), ClientCPU: known(c.ClientCPU), ServerProcess: known(c.ServerProcess), ClientProcess: known(c.ClientProcess),
		Notes: Text(strings.Join(c.Notes, " ")),
	}
	row.rates(c)
	row.times(c)
	if c.Load != nil {
		row.Load1, row.Load5, row.Load15 = known(&c.Load.One), known(&c.Load.Five), known(&c.Load.Fifteen)
	}
	return row
}

func (r *Cell) rates(c *verdict.Cell) {
	q := c.QueriesPerSecond
	r.QPSMedian, r.QPSMean, r.QPSMin, r.QPSMax = known(q.Median), known(q.Mean), known(q.Min), known(q.Max)
	r.QPSDeviation, r.QPSLow, r.QPSHigh, r.Interval = known(q.Deviation), known(q.Low), known(q.High), Text(q.Interval)
	r.QPSWithConnect, r.QPSFull = known(c.QueriesPerSecondWithConnect.Median), known(c.FullConcurrencyQueriesPerSecond.Median)
	t := c.TransactionsPerSecond
	r.TPSMedian, r.TPSMin, r.TPSMax, r.TPSLow, r.TPSHigh = known(t.Median), known(t.Min), known(t.Max), known(t.Low), known(t.High)
	r.TPSWithConnect = known(c.TransactionsPerSecondWithConnect.Median)
	n := c.ConnectsPerSecond
	r.ConnectsMedian, r.ConnectsMin, r.ConnectsMax, r.ConnectsLow, r.ConnectsHigh = known(n.Median), known(n.Min), known(n.Max), known(n.Low), known(n.High)
}

func (r *Cell) times(c *verdict.Cell) {
	r.Latency = latencyOf(&c.Latency)
	t, n := c.Transaction, c.Connects
	r.TransactionMean, r.TransactionMax = known(t.Mean), known(t.Max)
	r.TransactionPercentiles = transactionPercentiles(&t)
	r.ConnectMin, r.ConnectMean, r.ConnectP99, r.ConnectMax = known(n.Min), known(n.Mean), known(n.P99), known(n.Max)
}

func (r *Cell) change(c *verdict.CellComparison) {
	if c.Headline == verdict.Queries {
		r.BaselineQPS = known(c.Base.Median)
	}
	r.ChangeFigure, r.ChangeBase, r.ChangeNew = Text(string(c.Headline)+" per second"), known(c.Base.Geometric()), known(c.New.Geometric())
	r.ChangeRankP = known(c.RankP)
	if c.P50 != nil {
		r.ChangeP50 = less(&c.P50.Ratio.Value)
	}
	if c.P99 != nil {
		r.ChangeP99 = less(&c.P99.Ratio.Value)
	}
	if c.Ratio == nil {
		return
	}
	r.Change, r.ChangeLow, r.ChangeHigh = less(&c.Ratio.Value), less(c.Ratio.Low), less(c.Ratio.High)
	r.ChangeP = known(c.Ratio.P)
	if c.Ratio.P != nil {
		r.ChangeSignificant = Text(map[bool]string{true: "true", false: "false"}[c.Significant])
	}
}

func (r *Cell) answer(v *verdict.Verdict) {
	if v.Requirement != nil {
		r.Requirement = Text(v.Requirement.Outcome)
	}
	if v.Gate != nil {
		r.Decision = Text(v.Gate.Decision)
	}
}

// less is a ratio as a change.
func less(ratio *float64) *float64 {
	if known(ratio) == nil {
		return nil
	}
	change := *ratio - 1
	return &change
}

// placeOf says whether the answer speaks of a cell.
func placeOf(s *verdict.Sweep, c *verdict.Cell) Text {
	var places []string
	if s.Peak != nil && s.Peak.Cell.Cell == c.Cell {
		places = append(places, "peak")
	}
	if s.Knee != nil && s.Knee.Cell.Cell == c.Cell {
		places = append(places, "knee")
	}
	return Text(strings.Join(places, " "))
}
