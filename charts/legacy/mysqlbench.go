package legacy

import (
	"fmt"
	"strings"

	"github.com/mysweep/mysweep/runner/result"
)

// mysqlbench is the report of mysqlbench: that of pgbench, which it follows, with its labels and
// colons in a column. With a new connection for each transaction those connects are in both rates.
func mysqlbench(t *result.Trial, options map[string]string) string {
	m := &t.Measure
	kind, scale := t.Workload, "n/a"
	if t.Workload == "tpcb" {
		kind, scale = transactionType(options), "1"
		if options["scale"] != "" {
			scale = options["scale"]
		}
	}
	var b strings.Builder
	line := func(label, value string) { fmt.Fprintf(&b, "%s: %s\n", dotted(label), value) }
	line("transaction type", kind)
	line("scaling factor", scale)
	line("number of clients", fmt.Sprint(m.Threads))
	if each := int64(t.Queries) * int64(m.Bursts); each > 0 {
		line("number of transactions per client", fmt.Sprint(each))
		line("number of transactions actually processed", fmt.Sprintf("%d/%d", m.Transactions, each*int64(m.Threads)))
	} else { // as later pgbenches do when a time ends the test
		line("duration", fmt.Sprintf("%.0f s", m.Elapsed))
		line("number of transactions actually processed", fmt.Sprint(m.Transactions))
	}
	line("tps (include connections establishing)", number(m.TransactionsPerSecondWithConnect(), 1, 0, 6))
	line("tps (exclude connections establishing)", number(m.TransactionsPerSecond(), 1, 0, 6))
	return b.String()
}

// transactionType names the variants of TPC-B.
func transactionType(options map[string]string) string {
	switch {
	case set(options, "select-only"):
		return "SELECT only"
	case set(options, "skip-some-updates"):
		return "Update only accounts"
	}
	return "TPC-B (sort of)"
}

// colonColumn is where the colons of mysqlbench's report are, from 0.
const colonColumn = 42

// dotted fills a label with a dot in every second column up to the colon.
func dotted(label string) string {
	filled := []byte(fmt.Sprintf("%-*s", colonColumn, label))
	for i := (len(label) + 2) / 2 * 2; i < colonColumn; i += 2 {
		filled[i] = '.'
	}
	return string(filled)
}

// set reports whether a yes-or-no option is set.
func set(options map[string]string, name string) bool {
	switch strings.ToLower(options[name]) {
	case "true", "on", "1", "t":
		return true
	}
	return false
}
