package result

// Measure is what the load generator found in one trial. Times are seconds.
type Measure struct {
	Threads int `json:"threads"`
	Bursts  int `json:"bursts"`
	// Elapsed is from the barrier to the last answer, summed over bursts;
	// ElapsedWithConnect from before the first connect of each burst.
	Elapsed            float64 `json:"elapsed_seconds"`
	ElapsedWithConnect float64 `json:"elapsed_with_connect_seconds"`

	// Queries counts every answered statement, BEGIN and COMMIT included;
	// Transactions the rounds that ended well. Failed ones are in Errors.
	Queries      int64 `json:"queries_total"`
	Reads        int64 `json:"reads_total"`
	Writes       int64 `json:"writes_total"`
	Others       int64 `json:"others_total"`
	Transactions int64 `json:"transactions_total"`
	Errors       int64 `json:"errors_total"`
	ServerErrors int64 `json:"server_errors_total"` // of Errors, those that the server answered
	// Deadlocks counts rounds restarted after errors 1213, 1205 and 1020, which Errors includes.
	Deadlocks  int64 `json:"deadlocks_total"`
	Ignored    int64 `json:"ignored_errors_total"`
	Reconnects int64 `json:"reconnects_total"`
	Late       int64 `json:"late_total"` // answered after the deadline of a timed trial; in no rate
	// Dropped rounds were due in an open-loop trial and never sent.
	Dropped int64 `json:"dropped_total"`
	// Unmeasured statements were answered in the ramp-up, also with errors. No count includes them.
	Unmeasured int64 `json:"unmeasured_total,omitempty"`
	// Prepared is how many statements were prepared (COM_STMT_PREPARE), most of
	// them before the barrier; Quits is how many connections were closed with a
	// word (COM_QUIT), which the server counts among its Questions.
	Prepared int64 `json:"prepared_total,omitempty"`
	Quits    int64 `json:"quits_total,omitempty"`
	// SentAsText are the types of statements that were sent as text although the
	// protocol is the prepared one.
	SentAsText []string `json:"sent_as_text,omitempty"`
	// SessionSets is how many sessions began with a SET of what the workload
	// needs (Case.SessionSet): outside the clock, unless trials reconnect.
	SessionSets int64 `json:"session_sets_total,omitempty"`
	// OwnStatements is how many the load generator sent for itself: which server
	// it is on, and KILL of a hung statement with what belongs to it. They are in
	// the server's counters.
	OwnStatements int64 `json:"own_statements_total,omitempty"`
	// LeftRunning is how many statements were given up and may still run on the
	// server, because KILL was not sent or refused, and why the first one.
	LeftRunning    int64  `json:"left_running_total,omitempty"`
	LeftRunningWhy string `json:"left_running_why,omitempty"`
	// ListenRetries is how often a connect was tried again because the
	// server's listen queue was full.
	ListenRetries int64 `json:"listen_retries_total,omitempty"`

	// FullConcurrency is the window in which all threads were still busy.
	FullConcurrency Window `json:"full_concurrency"`

	// Connects are those at the start of bursts when the reconnect mode is
	// never, else those inside the clock.
	Connects    Distribution  `json:"connects"`
	Latency     Distribution  `json:"latency"`     // a statement
	Transaction Distribution  `json:"transaction"` // a round
	Types       []TypeMeasure `json:"types"`
	// Interactions are the rounds by type, where a workload tells one
	// (workload.Session.Interaction): Queries counts rounds, Kind is empty.
	Interactions []TypeMeasure `json:"interactions,omitempty"`
	ErrorsBy     []ErrorCount  `json:"errors_by,omitempty"`
	Rounds       []int64       `json:"rounds"`              // good rounds of each thread
	Busy         []float64     `json:"thread_busy_seconds"` // time of each thread in rounds
	Client       ClientCost    `json:"client"`

	Transport string `json:"transport"` // socket, tcp or tls
	TLSCipher string `json:"tls_cipher,omitempty"`
}

// Window is a part of the measured time.
type Window struct {
	Elapsed float64 `json:"elapsed_seconds"`
	Queries int64   `json:"queries_total"`
}

// TypeMeasure is the share of one type of statement.
type TypeMeasure struct {
	Type    string       `json:"type"`
	Kind    string       `json:"kind"` // read, write or other
	Queries int64        `json:"queries_total"`
	Errors  int64        `json:"errors_total"`
	Latency Distribution `json:"latency"`
}

// ErrorCount is one class of errors: a server error with its code, or a
// network class such as timeout, reset, closed, garbage, ephemeral-ports.
type ErrorCount struct {
	Class   string `json:"class"` // e.g. "1213 ER_LOCK_DEADLOCK" or "timeout"
	Code    int    `json:"code,omitempty"`
	Count   int64  `json:"count"`
	Example string `json:"example"` // the text of the first one
}

// ClientCost is what the load generator itself used during the clock.
type ClientCost struct {
	Engine string `json:"engine"` // loop or goroutine
	Loops  int    `json:"loops"`
	// Poller is the kernel interface of the loops, epoll or uring; "" in archives that lack it,
	// where loops used epoll.
	Poller            string  `json:"poller,omitempty"`
	UserSeconds       float64 `json:"user_seconds"`
	SystemSeconds     float64 `json:"system_seconds"`
	VoluntarySwitches int64   `json:"voluntary_switches"`
	// Seconds is the time that these figures cover, 0 in archives that lack it:
	// there it is about the measured time.
	Seconds float64 `json:"covered_seconds,omitempty"`
	// LoopBusy is the share of the elapsed time that the busiest loop spent
	// outside its wait, nil where there is no loop.
	LoopBusy *float64 `json:"loop_busy_ratio,omitempty"`
	// LoopRunDelay is how long the loops stood runnable without a CPU, summed
	// over them; nil where the kernel does not report.
	LoopRunDelay *float64 `json:"loop_run_delay_seconds,omitempty"`
	// Lag is the time from readable to read, in the loops' own queues.
	Lag Distribution `json:"lag"`
}

// FirstError describes the most important error of a trial as the end of a
// sentence, "" when there was none.
func (m *Measure) FirstError() string {
	if len(m.ErrorsBy) == 0 {
		return ""
	}
	return ": " + m.ErrorsBy[0].Class + ": " + m.ErrorsBy[0].Example
}
