package legacy

import (
	"fmt"

	"github.com/mysweep/mysweep/runner/result"
)

// milli turns seconds into milliseconds.
const milli = 1000

// sysbench is the report of sysbench 1.0. Its "ignored errors" are the rounds
// that restarted after a deadlock or another error that was to be ignored.
func sysbench(t *result.Trial) string {
	m := &t.Measure
	return fmt.Sprintf(`Running the test with following options:
Number of threads: %d

SQL statistics:
    queries performed:
        read:                            %d
        write:                           %d
        other:                           %d
        total:                           %d
    transactions:                        %s
    queries:                             %s
    ignored errors:                      %s
    reconnects:                          %s

General statistics:
    total time:                          %.4fs
    total number of events:              %d

Latency (ms):
         min: %s
         avg: %s
         max: %s
         95th percentile: %s
         sum: %s

`, m.Threads, m.Reads, m.Writes, m.Others, m.Queries,
		counted(m.Transactions, m.Elapsed), counted(m.Queries, m.Elapsed),
		counted(m.Deadlocks+m.Ignored, m.Elapsed), counted(m.Reconnects, m.Elapsed),
		m.Elapsed, m.Transactions,
		number(m.Transaction.Min, milli, 39, 2), number(m.Transaction.Mean, milli, 39, 2), number(m.Transaction.Max, milli, 39, 2),
		number(m.Transaction.P95, milli, 27, 2), number(&m.Transaction.Sum, milli, 39, 2)) + fairness(m)
}

// sysbench04 is the report of sysbench 0.4.12, in which a reconnect is one of
// the "other operations" and "per-request" means per event.
func sysbench04(t *result.Trial) string {
	m := &t.Measure
	others := m.Others + m.Reconnects
	return fmt.Sprintf(`Running the test with following options:
Number of threads: %d

OLTP test statistics:
    queries performed:
        read:                            %d
        write:                           %d
        other:                           %d
        total:                           %d
    transactions:                        %s
    deadlocks:                           %s
    read/write requests:                 %s
    other operations:                    %s

Test execution summary:
    total time:                          %.4fs
    total number of events:              %d
    total time taken by event execution: %.4f
    per-request statistics:
         min:                            %sms
         avg:                            %sms
         max:                            %sms
         approx.  95 percentile:         %sms

`, m.Threads, m.Reads, m.Writes, others, m.Reads+m.Writes+others,
		counted(m.Transactions, m.Elapsed), counted(m.Deadlocks, m.Elapsed),
		counted(m.Reads+m.Writes, m.Elapsed), counted(others, m.Elapsed),
		m.Elapsed, m.Transactions, m.Transaction.Sum,
		number(m.Transaction.Min, milli, 10, 2), number(m.Transaction.Mean, milli, 10, 2),
		number(m.Transaction.Max, milli, 10, 2), number(m.Transaction.P95, milli, 10, 2)) + fairness(m)
}
