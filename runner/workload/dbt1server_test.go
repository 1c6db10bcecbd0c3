package workload_test

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/mysweep/mysweep/runner/load"
	"github.com/mysweep/mysweep/runner/result"
	"github.com/mysweep/mysweep/runner/workload"
)

var smallShop = map[string]string{"customers": "400", "items": "240", "think-time": "0s", "mix": "ordering"}

// orphans are the foreign keys of DBT-1, each as table, column, table, column.
var orphans = [][4]string{
	{"address", "addr_co_id", "country", "co_id"}, {"customer", "c_addr_id", "address", "addr_id"}, {"item", "i_a_id", "author", "a_id"},
	{"orders", "o_c_id", "customer", "c_id"}, {"orders", "o_bill_addr_id", "address", "addr_id"}, {"orders", "o_ship_addr_id", "address", "addr_id"},
	{"order_line", "ol_o_id", "orders", "o_id"}, {"order_line", "ol_i_id", "item", "i_id"}, {"cc_xacts", "cx_o_id", "orders", "o_id"},
	{"cc_xacts", "cx_co_id", "country", "co_id"}, {"shopping_cart_line", "scl_sc_id", "shopping_cart", "sc_id"}, {"shopping_cart_line", "scl_i_id", "item", "i_id"},
}

// TestDBT1OnServer: users who buy leave data in which every foreign key holds,
// every order is complete, and customers have the names they log in with.
func TestDBT1OnServer(t *testing.T) {
	onEngines(t, func(t *testing.T, e *engine) {
		schema, w := e.schema(t), made(t, "dbt1", smallShop)
		e.load(t, schema, "dbt1", smallShop, w)
		checkShop(t, e, schema, w)
		stock := e.ask(t, "SELECT SUM(i_stock) FROM "+schema+".item")
		m := e.run(t, schema, w, load.Trial{Threads: 8, Queries: 150})
		if m.Transactions != 8*150 {
			t.Errorf("%d interactions, want %d", m.Transactions, 8*150)
		}
		checkShop(t, e, schema, w)
		bought := interactionsOf(m, "buy_confirm")
		if orders := e.ask(t, "SELECT COUNT(*) - 360 FROM "+schema+".orders"); bought == 0 || orders != fmt.Sprint(bought) {
			t.Errorf("%s new orders after %d buy confirms", orders, bought)
		}
		if after := e.ask(t, "SELECT SUM(i_stock) FROM "+schema+".item"); after == stock {
			t.Errorf("the stock is still %s", stock)
		}
		unnamed := e.ask(t, "SELECT COUNT(*) FROM "+schema+".customer WHERE c_uname = '' OR c_passwd <> LOWER(c_uname)")
		if registered := e.ask(t, "SELECT COUNT(*) - 400 FROM "+schema+".customer"); registered == "0" || unnamed != "0" {
			t.Errorf("%s new customers, %s without a right name", registered, unnamed)
		}
	})
}

func checkShop(t *testing.T, e *engine, schema string, w workload.Workload) {
	t.Helper()
	for _, o := range orphans {
		sql := fmt.Sprintf("SELECT COUNT(*) FROM %[1]s.%[2]s AS child LEFT JOIN %[1]s.%[4]s AS parent ON child.%[3]s = parent.%[5]s WHERE parent.%[5]s IS NULL",
			schema, o[0], o[1], o[2], o[3])
		if n := e.ask(t, sql); n != "0" {
			t.Errorf("%s rows of %s have a %s that is not in %s", n, o[0], o[1], o[2])
		}
	}
	keys := e.ask(t, "SELECT COUNT(*) FROM information_schema.referential_constraints WHERE constraint_schema = '"+schema+"'")
	if keys != "10" {
		t.Errorf("the server knows %s foreign keys, want 10", keys)
	}
	if err := w.(workload.Checker).Check(t.Context(), e.query(schema)); err != nil {
		t.Error(err)
	}
}

func interactionsOf(m result.Measure, name string) int64 {
	for _, i := range m.Interactions {
		if i.Type == name {
			return i.Queries
		}
	}
	return 0
}

// TestDBT1CheckOnServer: the check sees an order without a payment.
func TestDBT1CheckOnServer(t *testing.T) {
	onEngines(t, func(t *testing.T, e *engine) {
		schema, w := e.schema(t), made(t, "dbt1", smallShop)
		e.load(t, schema, "dbt1", smallShop, w)
		e.do(t, schema, []string{"INSERT INTO orders (o_c_id, o_bill_addr_id, o_ship_addr_id) VALUES (1, 1, 1)"})
		if err := w.(workload.Checker).Check(t.Context(), e.query(schema)); err == nil {
			t.Error("an order without payment and lines passes")
		}
	})
}

// TestBestSellers: the statement names the items of the last 3,333 orders by
// the pieces sold, as counted here from the tables.
func TestBestSellers(t *testing.T) {
	onEngines(t, func(t *testing.T, e *engine) {
		// 4,050 orders: more than are looked at.
		set := map[string]string{"customers": "4500", "items": "120"}
		schema, w := e.schema(t), made(t, "dbt1", set)
		e.load(t, schema, "dbt1", set, w)
		want := bestSellers(t, e, schema, "HISTORY")
		got := asked(t, e, schema, w, "best_sellers", "HISTORY")
		if len(want) == 0 || !slices.Equal(got, want) {
			t.Errorf("best sellers are %v, want %v", got, want)
		}
	})
}

func bestSellers(t *testing.T, e *engine, schema, subject string) []string {
	t.Helper()
	query := e.query(schema)
	rows := func(sql string) [][]string {
		all, err := query(t.Context(), sql)
		if err != nil {
			t.Fatal(err)
		}
		return all
	}
	wanted := map[string]bool{}
	for _, row := range rows("SELECT i_id FROM item WHERE i_subject = '" + subject + "'") {
		wanted[row[0]] = true
	}
	last, _ := strconv.Atoi(rows("SELECT MAX(o_id) FROM orders")[0][0])
	sold := map[string]int{}
	for _, row := range rows("SELECT ol_o_id, ol_i_id, ol_qty FROM order_line") {
		order, _ := strconv.Atoi(row[0])
		pieces, _ := strconv.Atoi(row[2])
		if order > last-3333 && wanted[row[1]] {
			sold[row[1]] += pieces
		}
	}
	var items []string
	for item := range sold {
		items = append(items, item)
	}
	slices.SortFunc(items, func(a, b string) int {
		x, _ := strconv.Atoi(a)
		y, _ := strconv.Atoi(b)
		return cmp.Or(cmp.Compare(sold[b], sold[a]), cmp.Compare(x, y))
	})
	return items[:min(50, len(items))]
}

// asked sends one of a workload's statements and returns its first column.
func asked(t *testing.T, e *engine, schema string, w workload.Workload, typ, value string) []string {
	t.Helper()
	var got []string
	one := threadOf(func(s workload.Session) (workload.Round, error) {
		h := s.Declare(workload.Statement{Type: typ, SQL: statementOf(t, w, typ)})
		return func() error {
			args := make(workload.Args, 1)
			args.SetText(0, value)
			return s.Select(h, args, func(row []any) error {
				got = append(got, fmt.Sprint(row[0]))
				return nil
			})
		}, nil
	})
	e.run(t, schema, one, load.Trial{Threads: 1, Queries: 1, LoadGen: "goroutine"})
	return got
}

// threadOf is a workload made of a function.
type threadOf func(workload.Session) (workload.Round, error)

func (f threadOf) Tables() []workload.Table                          { return nil }
func (f threadOf) Thread(s workload.Session) (workload.Round, error) { return f(s) }

// statementOf is the SQL that a workload declares for a type.
func statementOf(t *testing.T, w workload.Workload, typ string) string {
	t.Helper()
	d := &declarations{}
	if _, err := w.Thread(d); err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(d.all, func(s workload.Statement) bool { return s.Type == typ })
	if i < 0 {
		t.Fatalf("no statement of type %s", typ)
	}
	return d.all[i].SQL
}

// TestDBT1MixOnServer: the shares of the interactions that a server answered
// come within three standard errors of the stationary mix. The interactions of
// one user depend on each other, so the error is taken from the spread among
// groups of users, one trial each.
func TestDBT1MixOnServer(t *testing.T) {
	e := engines[0]
	e.shared.Get(t)
	set := map[string]string{"customers": "400", "items": "240", "think-time": "0s"}
	schema, w := e.schema(t), made(t, "dbt1", set)
	e.load(t, schema, "dbt1", set, w)
	const groups = 12
	shares := map[string][]float64{}
	for group := range groups {
		m := e.run(t, schema, w, load.Trial{Threads: 10, Queries: 60, Seed: uint64(group + 1)})
		for _, i := range m.Interactions {
			shares[i.Type] = append(shares[i.Type], float64(i.Queries)/float64(m.Transactions))
		}
	}
	for name, want := range map[string]float64{"home": .16, "new_products": .05, "best_sellers": .05, "product_detail": .17, "search_request": .20,
		"search_results": .17, "shopping_cart": .116, "customer_registration": .03, "buy_request": .026, "buy_confirm": .012} {
		mean, deviation := spread(shares[name], groups)
		if slack := 3 * deviation / math.Sqrt(groups); math.Abs(mean-want) > slack {
			t.Errorf("%s has a share of %.4f, want %.4f +- %.4f", name, mean, want, slack)
		}
	}
}

// spread is mean and standard deviation of n values; missing ones are 0.
func spread(values []float64, n int) (mean, deviation float64) {
	for _, v := range values {
		mean += v / float64(n)
	}
	sum := float64(n-len(values)) * mean * mean
	for _, v := range values {
		sum += (v - mean) * (v - mean)
	}
	return mean, math.Sqrt(sum / float64(n-1))
}

// TestDBT1ThinksOnServer: think time is in no response time, and users who
// think reach no more than the limit.
func TestDBT1ThinksOnServer(t *testing.T) {
	onEngines(t, func(t *testing.T, e *engine) {
		set := map[string]string{"customers": "400", "items": "240", "think-time": "200ms"}
		schema, w := e.schema(t), made(t, "dbt1", set)
		e.load(t, schema, "dbt1", set, w)
		m := e.run(t, schema, w, load.Trial{Threads: 20, Time: 3 * time.Second})
		rate, limit := float64(m.Transactions)/m.Elapsed, w.(workload.Limiter).Limit(20)
		if rate > limit*1.25 || m.Transactions < 5 {
			t.Errorf("%.1f interactions per second, the limit is %.1f", rate, limit)
		}
		for _, i := range m.Interactions {
			// Asks the server nothing.
			if i.Type == "search_request" && (i.Latency.Mean == nil || *i.Latency.Mean > 0.1) {
				t.Errorf("a search request takes %v: thinking, 200 ms on average, is in it", i.Latency)
			}
		}
	})
}
