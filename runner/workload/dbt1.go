package workload

import (
	"context"
	"fmt"
	"math"
	"time"
)

// dbt1 is OSDL's Database Test 1, which is like TPC-W without its web server:
// emulated users of a book shop, each with its own connection, with think time
// between interactions. A round is one interaction.
//
// Where the kit (dbt1, ports for SAP DB and PostgreSQL) differs from TPC-W, this
// workload follows TPC-W: best sellers are those of the last 3,333 orders, the
// stock is always written back, a user who returns to the cart changes
// quantities, and a session ends where its next interaction would be Home (the
// kit shows Home twice), which keeps the mix stationary.
var dbt1 = Spec{
	Name:    "dbt1",
	Summary: "DBT-1, an online bookstore like TPC-W's: 14 interactions of emulated users with think time",
	Family:  "dbt-1",
	Options: []Option{
		{Name: "items", Usage: "number of books; the kit's scales are 1000, 10000, 100000, 1000000 and 10000000", Default: "10000", Form: "int"},
		{Name: "customers", Usage: "number of customers; 0: 2,880 for each emulated user of the largest cell", Default: "0", Form: "int"},
		{Name: "mix", Usage: "mix of interactions", Default: "shopping", Form: "text", Choices: []string{"shopping", "browsing", "ordering"}},
		{Name: "think-time", Usage: "mean think time; exponentially distributed, at most ten times the mean", Default: "7.2s", Form: "duration"},
	},
	Sweep: Sweep{Threads: "25:200:x2", Time: "120s", RampUp: "30s"},
	New:   newDBT1,
}

const customersPerUser = 2880

// shop is the workload with its options, shared by all users.
type shop struct {
	items, customers int64
	bits             int64 // of the non-uniform draw, see nonUniform
	mix              mix
	start            [interactions]float64 // the stationary shares
	think            time.Duration
	loaded           bool // by us, not adopted
}

func newDBT1(v Values) (Workload, error) {
	customers := v.Int("customers")
	if customers == 0 {
		customers = customersPerUser * int64(max(1, v.Threads()))
	}
	w := &shop{items: v.Int("items"), customers: customers, mix: mixes[v.Text("mix")], think: v.Duration("think-time"), loaded: true}
	switch {
	case w.items < 100 || w.items > 10_000_000:
		return nil, fmt.Errorf("invalid items %d: must be between 100 and 10000000", w.items)
	case w.customers < 100 || w.customers > 500_000_000:
		return nil, fmt.Errorf("invalid customers %d: must be between 100 and 500000000", w.customers)
	case w.think < 0:
		return nil, fmt.Errorf("invalid think-time %s: must not be negative", w.think)
	}
	w.bits = nonUniformBits(w.customers)
	w.start = w.mix.stationary()
	return w, nil
}

// Limit is the rate with response times of zero. It is infinite without think
// time.
func (w *shop) Limit(threads int) float64 {
	return float64(threads) / meanThink(w.think).Seconds()
}

// meanThink is the mean of an exponential think time truncated at ten times its
// untruncated mean.
func meanThink(mean time.Duration) time.Duration {
	return time.Duration(float64(mean) * (1 - math.Exp(-10)))
}

// Thread is one emulated user. Sessions last minutes, and the remaining length
// of one is exponential at any time, so a user starts in the steady state: with
// an interaction drawn from the stationary mix.
func (w *shop) Thread(s Session) (Round, error) {
	u := &user{shop: w, session: s, args: make(Args, 0, 16)}
	for i, st := range dbt1Statements {
		u.handles[i] = s.Declare(st)
	}
	u.last = drawByShare(s.Rand(), w.start)
	u.beginSession()
	return u.round, nil
}

// Check verifies that every new order has its lines, its payment and the right
// total.
func (w *shop) Check(ctx context.Context, query Query) error {
	for _, c := range []struct{ what, sql string }{
		{"orders have no payment", "SELECT COUNT(*) FROM orders LEFT JOIN cc_xacts ON cx_o_id = o_id WHERE o_id > %d AND cx_o_id IS NULL"},
		{"orders have no line", "SELECT COUNT(*) FROM orders LEFT JOIN order_line ON ol_o_id = o_id AND ol_id = 1 WHERE o_id > %d AND ol_o_id IS NULL"},
		{"orders have other totals than their lines' sum",
			"SELECT COUNT(*) FROM orders WHERE o_id > %d AND ABS(o_total - o_sub_total - o_tax - 3 - " +
				"(SELECT SUM(ol_qty) FROM order_line WHERE ol_o_id = o_id)) > 0.01"},
	} {
		rows, err := query(ctx, fmt.Sprintf(c.sql, w.orders()))
		if err != nil {
			return err
		}
		if len(rows) != 1 || rows[0][0] != "0" {
			return fmt.Errorf("%v new %s", rows, c.what)
		}
	}
	return nil
}

// Adopt learns how many customers and items there are.
func (w *shop) Adopt(ctx context.Context, query Query) error {
	for _, c := range []struct {
		sql string
		n   *int64
	}{{"SELECT MAX(c_id) FROM customer", &w.customers}, {"SELECT MAX(i_id) FROM item", &w.items}} {
		n, err := query.integer(ctx, c.sql)
		if err != nil {
			return err
		}
		if n < 100 {
			return fmt.Errorf("%s returns %d: must be at least 100", c.sql, n)
		}
		*c.n = n
	}
	w.bits = nonUniformBits(w.customers)
	return nil
}
