package workload

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var (
	oldPoint  = "SELECT c from sbtest where id=N"
	oldRanges = []string{
		"SELECT c from sbtest where id between N and N",
		"SELECT SUM(K) from sbtest where id between N and N",
		"SELECT c from sbtest where id between N and N order by c",
		"SELECT DISTINCT c from sbtest where id between N and N order by c",
	}
	oldWrites = []string{
		"UPDATE sbtest set k=k+N where id=N",
		"UPDATE sbtest set c='' where id=N",
		"UPDATE sbtest set k=k+N where id=N", // the id that is deleted next
		"DELETE from sbtest where id=N",
		"INSERT INTO sbtest values(N,N,'','')",
	}
)

// followed puts what after each of the statements.
func followed(sent []string, what ...string) []string {
	var out []string
	for _, sql := range sent {
		out = append(append(out, sql), what...)
	}
	return out
}

// TestOLTP04Rounds: the events of 0.4.12 in their order, with reads, writes
// and others; a reconnect is an "other operation" that is no statement here.
func TestOLTP04Rounds(t *testing.T) {
	trx := func(parts ...[]string) []string {
		return slices.Concat([]string{"BEGIN"}, slices.Concat(parts...), []string{"COMMIT"})
	}
	reads := slices.Concat(times(10, oldPoint), oldRanges)
	for _, test := range []struct {
		options string
		want    []string
		kinds   [3]int
	}{
		{"", trx(reads, oldWrites), [3]int{14, 5, 2}},
		{"read-only=on", trx(reads), [3]int{14, 0, 2}},
		{"read-only=on skip-trx=on", reads, [3]int{14, 0, 0}},
		{"point-selects=1 simple-ranges=0 sum-ranges=2 order-ranges=0 distinct-ranges=0 index-updates=2 non-index-updates=0",
			trx([]string{oldPoint}, times(2, oldRanges[1]), times(2, oldWrites[0]), oldWrites[2:]), [3]int{3, 5, 2}},
		{"test-mode=simple", []string{oldPoint}, [3]int{1, 0, 0}},
		{"test-mode=simple reconnect-mode=query", []string{oldPoint, "RECONNECT", "SLEEP 10ms"}, [3]int{1, 0, 0}},
		{"test-mode=simple reconnect-mode=query connect-delay=0", []string{oldPoint, "RECONNECT"}, [3]int{1, 0, 0}},
		{"test-mode=simple reconnect-mode=transaction", []string{oldPoint}, [3]int{1, 0, 0}},
		{"read-only=on skip-trx=on reconnect-mode=query connect-delay=0", followed(reads, "RECONNECT"), [3]int{14, 0, 0}},
		{"reconnect-mode=query connect-delay=0", trx(followed(reads, "RECONNECT"), followed(oldWrites[:2], "RECONNECT"), oldWrites[2:]), [3]int{14, 5, 2}},
		{"reconnect-mode=transaction connect-delay=5", append(trx(reads, oldWrites), "RECONNECT", "SLEEP 5µs"), [3]int{14, 5, 2}},
		{"skip-trx=on reconnect-mode=transaction", slices.Concat(reads, oldWrites), [3]int{14, 5, 0}},
		{"test-mode=nontrx", []string{"SELECT pad from sbtest where id=N"}, [3]int{1, 0, 0}},
		{"test-mode=nontrx nontrx-mode=update_key", oldWrites[:1], [3]int{0, 1, 0}},
		{"test-mode=nontrx nontrx-mode=update_nokey", oldWrites[1:2], [3]int{0, 1, 0}},
		{"test-mode=nontrx nontrx-mode=delete", oldWrites[3:4], [3]int{0, 1, 0}},
		{"test-mode=nontrx nontrx-mode=insert", []string{"INSERT INTO sbtest values(NULL,N,'','')"}, [3]int{0, 1, 0}},
		{"test-mode=nontrx nontrx-mode=insert auto-inc=off", []string{"INSERT INTO sbtest values(N,N,'','')"}, [3]int{0, 1, 0}},
		{"test-mode=simple user-delay-min=7 user-delay-max=7", []string{"SLEEP 7µs", oldPoint}, [3]int{1, 0, 0}},
		{"read-only=on mysql-engine-trx=off", slices.Concat([]string{"LOCK TABLES sbtest READ"}, reads, []string{"UNLOCK TABLES"}), [3]int{14, 0, 2}},
		{"mysql-engine-trx=off", slices.Concat([]string{"LOCK TABLES sbtest WRITE"}, reads, oldWrites, []string{"UNLOCK TABLES"}), [3]int{14, 5, 2}},
	} {
		s := newFakeSession(0, 1)
		round := newRound(t, newWorkload(t, "oltp", oltp04Set(test.options)...), s)
		for range 3 {
			if err := round(); err != nil {
				t.Fatal(err)
			}
			if s.kinds != test.kinds {
				t.Errorf("%s: reads, writes, others %v, want %v", test.options, s.kinds, test.kinds)
			}
			if got := oltp04Shapes(s.take()); !slices.Equal(got, test.want) {
				t.Errorf("%s: sent\n%s\nwant\n%s", test.options, strings.Join(got, "\n"), strings.Join(test.want, "\n"))
			}
		}
	}
}

// oltp04Shapes leaves the times of SLEEP as they are.
func oltp04Shapes(sent []string) []string {
	out := shapes(sent)
	for i := range sent {
		if strings.HasPrefix(sent[i], "SLEEP") {
			out[i] = sent[i]
		}
	}
	return out
}

// oltp04Set turns "read-only=on" into --oltp-read-only's name and value.
func oltp04Set(options string) []string {
	var set []string
	for field := range strings.FieldsSeq(options) {
		name, value, _ := strings.Cut(field, "=")
		if !strings.HasPrefix(name, "mysql-") {
			name = "oltp-" + name
		}
		set = append(set, name, value)
	}
	return set
}

// TestOLTP04RandomReconnect: random takes half of the events of the mode
// simple; in the mode complex one of three modes for each event.
func TestOLTP04RandomReconnect(t *testing.T) {
	count := func(options string, each func(sent []string)) {
		s := newFakeSession(0, 1)
		round := newRound(t, newWorkload(t, "oltp", oltp04Set("reconnect-mode=random connect-delay=0 "+options)...), s)
		for range 900 {
			if err := round(); err != nil {
				t.Fatal(err)
			}
			each(s.take())
		}
	}
	half := 0
	count("test-mode=simple", func(sent []string) { half += len(sent) - 1 })
	if half < 390 || half > 510 {
		t.Errorf("%d of 900 events reconnect, want about 450", half)
	}
	modes, first, kept := map[string]int{}, 0, true
	count("read-only=on", func(sent []string) {
		begins := sent[0] == "RECONNECT"
		if begins {
			sent = sent[1:]
			first++
		}
		mode := map[int]string{16: "session", 17: "transaction", 30: "query"}[len(sent)]
		if mode == "" {
			t.Fatalf("%d statements and reconnects: %q", len(sent), sent)
		}
		if begins != (kept && mode != "session") {
			t.Fatalf("reconnect at the beginning is %v; session before is %v, mode now %s", begins, kept, mode)
		}
		modes[mode]++
		kept = mode == "session"
	})
	if len(modes) != 3 || modes["session"] < 240 || modes["query"] < 240 || modes["transaction"] < 240 || first == 0 {
		t.Errorf("modes %v, %d reconnects at the beginning; want a third of each", modes, first)
	}
}

// TestOLTP04Ranges: ranges stay in the table, and DISTINCT reads a row more.
func TestOLTP04Ranges(t *testing.T) {
	s := newFakeSession(0, 1)
	round := newRound(t, newWorkload(t, "oltp", oltp04Set("read-only=on skip-trx=on table-size=200 dist-type=uniform")...), s)
	for range 200 {
		if err := round(); err != nil {
			t.Fatal(err)
		}
		for i, sql := range s.take()[10:] {
			var from, to int
			_, ids, _ := strings.Cut(sql, "between ")
			if _, err := fmt.Sscanf(ids, "%d and %d", &from, &to); err != nil {
				t.Fatal(sql, err)
			}
			rows := 100 + i/3
			if from < 1 || from > 100 || to != from+rows-1 {
				t.Fatalf("%s: want %d rows within 1..200", sql, rows)
			}
		}
	}
}

// TestOLTP04Retry: after an error the same list comes again, with its ids.
func TestOLTP04Retry(t *testing.T) {
	s := newFakeSession(0, 1)
	fail, deadlock := 1, errors.New("deadlock")
	s.answer = func(sql string, _ Args) (int64, error) {
		if strings.HasPrefix(sql, "DELETE") && fail > 0 {
			fail--
			return 0, deadlock
		}
		return 1, nil
	}
	round := newRound(t, newWorkload(t, "oltp"), s)
	if err := round(); err != deadlock {
		t.Fatalf("%v, want the deadlock", err)
	}
	first := s.take()
	if err := round(); err != nil {
		t.Fatal(err)
	}
	again := s.take()
	for i := range first {
		if strings.Contains(first[i], "set c=") {
			continue // its text is drawn anew, as in the original
		}
		if first[i] != again[i] {
			t.Errorf("statement %d: %s, then %s", i, first[i], again[i])
		}
	}
	if round() != nil || slices.Equal(s.take(), again) {
		t.Error("the next event has the same ids")
	}
}

// TestOLTP04Special against the formulas of 0.4.12 in whole numbers.
func TestOLTP04Special(t *testing.T) {
	const rows, draws = 10000, 1_000_000
	w := newWorkload(t, "oltp").(*oltp04)
	r := rand.New(rand.NewPCG(5, 5))
	counts := make([]int, rows)
	for range draws {
		counts[w.id(r)-1]++
	}
	share := make([]float64, rows)
	for i := range share {
		// the mean of 12 whole numbers from 1 to rows, rounded down
		f := func(mean float64) float64 { return irwinHall(min(max((mean-0.5+0.5/12)/rows, 0), 1)) }
		share[i] = 0.25 * (f(float64(i+2)-1.0/12) - f(float64(i+1)-1.0/12))
		if id := i + 1; id >= 4950 && id <= 5049 {
			share[i] += 0.75 / 100
		}
	}
	x, freedom := chiSquare(counts, share)
	if freedom < 1000 || x > bound(freedom) {
		t.Errorf("chi-square %.0f with %d degrees of freedom, want at most %.0f", x, freedom, bound(freedom))
	}
	hot := 0
	for id := 4950; id <= 5049; id++ {
		hot += counts[id-1]
	}
	if got := float64(hot) / draws; math.Abs(got-0.76) > 0.005 {
		t.Errorf("the ids 4950 to 5049 get %.3f of the draws, want 0.76", got)
	}
}

// TestReconnects: what a result says of when connections are opened again.
func TestReconnects(t *testing.T) {
	for _, test := range []struct {
		workload string
		options  []string
		want     string
	}{
		{"oltp", nil, ""},
		{"oltp", oltp04Set("reconnect-mode=query"), "query"},
		{"oltp", oltp04Set("reconnect-mode=random test-mode=simple"), "random"},
		{"oltp", oltp04Set("reconnect-mode=transaction"), "round"},
		{"oltp", oltp04Set("reconnect-mode=transaction skip-trx=on"), ""}, // never does
		{"oltp", oltp04Set("reconnect-mode=transaction test-mode=simple"), ""},
		{"tpcb", nil, ""},
		{"tpcb", []string{"connect-per-transaction", "on"}, "round"},
	} {
		if got := newWorkload(t, test.workload, test.options...).(Reconnecter).Reconnects(); got != test.want {
			t.Errorf("%s %v: %q, want %q", test.workload, test.options, got, test.want)
		}
	}
}

func TestOLTP04Table(t *testing.T) {
	table := newWorkload(t, "oltp").Tables()[0]
	want := "id INTEGER UNSIGNED NOT NULL AUTO_INCREMENT, k integer UNSIGNED DEFAULT '0' NOT NULL, c char(120) DEFAULT '' NOT NULL, " +
		"pad char(60) DEFAULT '' NOT NULL, PRIMARY KEY (id), KEY k (k)"
	if table.Name != "sbtest" || table.Rows != 10000 || table.Columns != want || table.After != nil {
		t.Errorf("%+v", table)
	}
	if row := madeRow(table, 9); row != "10\t0\t \tqqqqqqqqqqwwwwwwwwwweeeeeeeeeerrrrrrrrrrtttttttttt" {
		t.Errorf("row %q", row)
	}
	insert := newWorkload(t, "oltp", oltp04Set("test-mode=nontrx nontrx-mode=insert table-name=t2")...)
	if got := insert.(Resetter).BeforeTrial(); !slices.Equal(got, []string{"TRUNCATE TABLE t2"}) || !insert.Tables()[0].Grows {
		t.Errorf("%q", got)
	}
}

// TestOLTP04Texts: 10 and 5 random numbers joined by -, never the same twice.
func TestOLTP04Texts(t *testing.T) {
	s := newFakeSession(0, 1)
	round := newRound(t, newWorkload(t, "oltp", oltp04Set("test-mode=nontrx nontrx-mode=insert")...), s)
	seen := map[string]bool{}
	form := regexp.MustCompile(`values\(NULL,\d+,'(\d+(?:-\d+){9})','\d+(-\d+){4}'\)$`)
	for range 100 {
		if err := round(); err != nil {
			t.Fatal(err)
		}
		sql := s.take()[0]
		m := form.FindStringSubmatch(sql)
		if m == nil || seen[m[1]] {
			t.Fatal(sql)
		}
		seen[m[1]] = true
	}
}

// TestUniqueID: each id once a lap, whatever the number of rows.
func TestUniqueID(t *testing.T) {
	for _, rows := range []string{"1", "2", "1000", "2147483647", "4294967295"} {
		w := newWorkload(t, "oltp", oltp04Set("test-mode=nontrx nontrx-mode=delete table-size="+rows)...).(*oltp04)
		seen := map[int64]bool{}
		for n := range min(2*w.rows, 20000) {
			id := w.uniqueID()
			if lap := n / w.rows; id <= lap*w.rows || id > (lap+1)*w.rows || seen[id] {
				t.Fatalf("%s rows: id %d is the %d.; seen before: %v", rows, id, n+1, seen[id])
			}
			seen[id] = true
		}
	}
}

func TestOLTP04OptionsAreChecked(t *testing.T) {
	for _, test := range []struct{ set, want string }{
		{"table-name=a;b", `invalid oltp-table-name "a;b": expected letters, digits and _`},
		{"dist-res=100", "invalid oltp-dist-res 100: must be between 0 and 99"},
		{"table-size=0", "invalid oltp-table-size 0: must be at least 1"},
		{"sum-ranges=-1", "invalid oltp-sum-ranges -1: must be at least 0"},
	} {
		pair := oltp04Set(test.set)
		v, err := NewValues(oltp04Options, map[string]string{pair[0]: pair[1]})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := newOLTP04(v); err == nil || err.Error() != test.want {
			t.Errorf("%s: %v, want %s", test.set, err, test.want)
		}
	}
}
