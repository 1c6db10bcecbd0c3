package legacy

import (
	"fmt"
	"strings"

	"github.com/mysweep/mysweep/runner/result"
)

// mysqlbench is the report of mysqlbench and of the pgbench that it follows.
// With a new connection for each transaction those connects are in both rates.
func mysqlbench(t *result.Trial, options map[string]string) string {
	m := &t.Measure
	kind := "TPC-B (sort of)"
	switch {
	case set(options, "select-only"):
		kind = "SELECT only"
	case set(options, "skip-some-updates"):
		kind = "Update only accounts"
	}
	scale := options["scale"]
	if scale == "" {
		scale = "1"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "transaction type: %s\nscaling factor: %s\nnumber of clients: %d\n", kind, scale, m.Threads)
	if each := int64(t.Queries) * int64(m.Bursts); each > 0 {
		fmt.Fprintf(&b, "number of transactions per client: %d\nnumber of transactions actually processed: %d/%d\n",
			each, m.Transactions, each*int64(m.Threads))
	} else { // as later ones do when a time ends the test
		fmt.Fprintf(&b, "duration: %.0f s\nnumber of transactions actually processed: %d\n", m.Elapsed, m.Transactions)
	}
	fmt.Fprintf(&b, "tps = %s(including connections establishing)\ntps = %s(excluding connections establishing)\n",
		number(m.TransactionsPerSecondWithConnect(), 1, 0, 6), number(m.TransactionsPerSecond(), 1, 0, 6))
	return b.String()
}

// set reports whether a yes-or-no option is set.
func set(options map[string]string, name string) bool {
	switch strings.ToLower(options[name]) {
	case "true", "on", "1", "t":
		return true
	}
	return false
}
