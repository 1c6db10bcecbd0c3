package workload

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var quoted = regexp.MustCompile(`'[^']*'`)
var number = regexp.MustCompile(`\b\d+\b`)

// shapes makes texts ” and numbers N, so that statements can be compared.
func shapes(sent []string) []string {
	out := make([]string, len(sent))
	for i, sql := range sent {
		sql = quoted.ReplaceAllString(sql, "''")
		out[i] = number.ReplaceAllString(sql, "N")
	}
	return out
}

func times(n int, sql ...string) []string { return slices.Repeat(sql, n) }

var (
	pointSelect = "SELECT c FROM sbtest1 WHERE id=N"
	fourRanges  = []string{
		"SELECT c FROM sbtest1 WHERE id BETWEEN N AND N",
		"SELECT SUM(k) FROM sbtest1 WHERE id BETWEEN N AND N",
		"SELECT c FROM sbtest1 WHERE id BETWEEN N AND N ORDER BY c",
		"SELECT DISTINCT c FROM sbtest1 WHERE id BETWEEN N AND N ORDER BY c",
	}
	fourWrites = []string{
		"UPDATE sbtest1 SET k=k+N WHERE id=N",
		"UPDATE sbtest1 SET c='' WHERE id=N",
		"DELETE FROM sbtest1 WHERE id=N",
		"INSERT INTO sbtest1 (id, k, c, pad) VALUES (N, N, '', '')",
	}
)

// TestSysbenchRounds: the statements of a round in their order, and sysbench's
// reads, writes and others of an event.
func TestSysbenchRounds(t *testing.T) {
	trx := func(parts ...[]string) []string {
		return slices.Concat([]string{"BEGIN"}, slices.Concat(parts...), []string{"COMMIT"})
	}
	for _, test := range []struct {
		workload string
		options  []string
		want     []string
		kinds    [3]int
	}{
		{"oltp_point_select", nil, []string{pointSelect}, [3]int{1, 0, 0}},
		{"oltp_read_only", nil, trx(times(10, pointSelect), fourRanges), [3]int{14, 0, 2}},
		{"oltp_read_only", []string{"range-selects", "false"}, trx(times(10, pointSelect)), [3]int{10, 0, 2}},
		{"oltp_read_only", []string{"skip-trx", "true", "point-selects", "0"}, fourRanges, [3]int{4, 0, 0}},
		{"oltp_read_only", []string{"point-selects", "0", "simple-ranges", "2", "sum-ranges", "0", "order-ranges", "0", "distinct-ranges", "0"},
			trx(times(2, fourRanges[0])), [3]int{2, 0, 2}},
		{"oltp_read_write", nil, trx(times(10, pointSelect), fourRanges, fourWrites), [3]int{14, 4, 2}},
		// On and off as in sysbench.
		{"oltp_read_write", []string{"skip-trx", "on", "delete-inserts", "2", "index-updates", "0"},
			slices.Concat(times(10, pointSelect), fourRanges, fourWrites[1:2], times(2, fourWrites[2:]...)), [3]int{14, 5, 0}},
		{"oltp_write_only", nil, trx(fourWrites), [3]int{0, 4, 2}},
		{"oltp_update_index", nil, fourWrites[:1], [3]int{0, 1, 0}},
		{"oltp_update_non_index", nil, fourWrites[1:2], [3]int{0, 1, 0}},
		{"oltp_insert", nil, fourWrites[3:], [3]int{0, 1, 0}},
		{"oltp_delete", nil, fourWrites[2:3], [3]int{0, 1, 0}},
		{"select_random_points", []string{"random-points", "3"}, []string{"SELECT id, k, c, pad FROM sbtest1 WHERE k IN (N, N, N)"}, [3]int{1, 0, 0}},
		{"select_random_ranges", []string{"number-of-ranges", "2"},
			[]string{"SELECT count(k) FROM sbtest1 WHERE k BETWEEN N AND N OR k BETWEEN N AND N"}, [3]int{1, 0, 0}},
	} {
		name := test.workload + " " + strings.Join(test.options, " ")
		s := newFakeSession(0, 1)
		round := newRound(t, newWorkload(t, test.workload, test.options...), s)
		for range 3 { // each round is like the first
			if err := round(); err != nil {
				t.Fatal(err)
			}
			if s.kinds != test.kinds {
				t.Errorf("%s: reads, writes, others %v, want %v", name, s.kinds, test.kinds)
			}
			if got := shapes(s.take()); !slices.Equal(got, test.want) {
				t.Errorf("%s: sent\n%s\nwant\n%s", name, strings.Join(got, "\n"), strings.Join(test.want, "\n"))
			}
		}
	}
}

// TestIgnoredOptions: sysbench takes options that a workload does not use and
// overrides them without a word; here they are unknown.
func TestIgnoredOptions(t *testing.T) {
	for _, test := range []struct{ workload, option string }{
		{"oltp_point_select", "point-selects"}, {"oltp_read_only", "index-updates"}, {"oltp_insert", "range-size"},
	} {
		spec, _ := Find(test.workload)
		if _, err := NewValues(spec.Options, map[string]string{test.option: "10"}); err == nil {
			t.Errorf("%s takes %s, which it ignores", test.workload, test.option)
		}
	}
}

// TestOltpDetails: what the shapes do not show.
func TestOltpDetails(t *testing.T) {
	s := newFakeSession(0, 1)
	round := newRound(t, newWorkload(t, "oltp_read_write", "table-size", "50", "range-size", "7"), s)
	beyond := false
	for range 50 {
		if err := round(); err != nil {
			t.Fatal(err)
		}
		sent := s.take()
		for _, sql := range sent[11:15] {
			var from, to int
			_, span, _ := strings.Cut(sql, "BETWEEN ")
			if n, err := fmt.Sscanf(span, "%d AND %d", &from, &to); n != 2 {
				t.Fatal(sql, err)
			}
			if from < 1 || from > 50 || to != from+6 {
				t.Fatalf("%s: want 7 ids from one of 1 to 50 on", sql)
			}
			beyond = beyond || to > 50
		}
		var deleted, inserted, k int
		fmt.Sscanf(sent[17], "DELETE FROM sbtest1 WHERE id=%d", &deleted)
		fmt.Sscanf(sent[18], "INSERT INTO sbtest1 (id, k, c, pad) VALUES (%d, %d,", &inserted, &k)
		if deleted == 0 || deleted != inserted || k < 1 || k > 50 {
			t.Fatalf("deleted %d, inserted %d with k=%d: want the same id", deleted, inserted, k)
		}
		texts := quoted.FindAllString(sent[16]+sent[18], -1)
		for i, want := range []int{10, 10, 5} {
			if !regexp.MustCompile(fmt.Sprintf(`^'\d{11}(-\d{11}){%d}'$`, want-1)).MatchString(texts[i]) {
				t.Fatalf("%s: want %d groups of 11 digits", texts[i], want)
			}
		}
		if texts[0] == texts[1] {
			t.Fatalf("the same c twice: %s", texts[0])
		}
	}
	if !beyond {
		t.Error("no range reaches beyond the last id: sysbench does not clamp them")
	}
}

// TestOltpTables: a table is chosen for each class of statements, not for each
// statement, and all are used.
func TestOltpTables(t *testing.T) {
	s := newFakeSession(0, 1)
	round := newRound(t, newWorkload(t, "oltp_read_write", "tables", "3"), s)
	used, mixed := map[string]int{}, false
	table := regexp.MustCompile(`sbtest\d+`)
	for range 300 {
		if err := round(); err != nil {
			t.Fatal(err)
		}
		sent := s.take()
		for _, sql := range sent[1:11] {
			if table.FindString(sql) != table.FindString(sent[1]) {
				t.Fatalf("point selects of one round use two tables: %q", sent[1:11])
			}
		}
		used[table.FindString(sent[1])]++
		mixed = mixed || table.FindString(sent[1]) != table.FindString(sent[11])
	}
	for _, name := range []string{"sbtest1", "sbtest2", "sbtest3"} {
		if used[name] < 60 || used[name] > 140 {
			t.Errorf("%s used %d of 300 times, want about 100", name, used[name])
		}
	}
	if len(used) != 3 || !mixed {
		t.Errorf("tables %v, want three, and several within a round", used)
	}
}

// TestSbtestRows: schema and rows as sysbench makes them.
func TestSbtestRows(t *testing.T) {
	table := newWorkload(t, "oltp_read_write", "tables", "2", "table-size", "1000").Tables()[1]
	if table.Name != "sbtest2" || table.Rows != 1000 || !slices.Equal(table.After, []string{"CREATE INDEX k_2 ON sbtest2(k)"}) {
		t.Errorf("%+v", table)
	}
	want := "id INTEGER NOT NULL AUTO_INCREMENT, k INTEGER DEFAULT '0' NOT NULL, c CHAR(120) DEFAULT '' NOT NULL, pad CHAR(60) DEFAULT '' NOT NULL, PRIMARY KEY (id)"
	if table.Columns != want {
		t.Errorf("columns %s\nwant %s", table.Columns, want)
	}
	row := madeRow(table, 41)
	if !regexp.MustCompile(`^42\t([1-9]\d{0,2}|1000)\t\d{11}(-\d{11}){9}\t\d{11}(-\d{11}){4}$`).MatchString(row) {
		t.Errorf("row %q", row)
	}
	other := newWorkload(t, "oltp_read_write", "auto-inc", "off", "secondary", "on", "create-secondary", "off").Tables()[0]
	if !strings.HasPrefix(other.Columns, "id INTEGER NOT NULL, k ") || !strings.HasSuffix(other.Columns, ", KEY xid (id)") || other.After != nil {
		t.Errorf("%+v", other)
	}
}

func TestOltpInsertIDs(t *testing.T) {
	w := newWorkload(t, "oltp_insert", "auto-inc", "false")
	if table := w.Tables()[0]; table.Rows != 0 || !table.Grows {
		t.Errorf("%+v: want an empty table that grows", table)
	}
	seen := map[int64]bool{}
	low, high := int64(0), int64(0)
	for thread := range 4 {
		s := newFakeSession(thread, 4)
		round := newRound(t, w, s)
		for range 5000 {
			if err := round(); err != nil {
				t.Fatal(err)
			}
		}
		for _, sql := range s.take() {
			var id int64
			if _, err := fmt.Sscanf(sql, "INSERT INTO sbtest1 (id, k, c, pad) VALUES (%d,", &id); err != nil || seen[id] {
				t.Fatalf("%s: %v, or the id came before", sql, err)
			}
			seen[id] = true
			low, high = min(low, id), max(high, id)
		}
	}
	if low < -1<<31 || low > -1<<30 || high < 1<<30 || high > 1<<31-1 {
		t.Errorf("ids from %d to %d, want them all over the integers", low, high)
	}
	s := newFakeSession(0, 1)
	round := newRound(t, newWorkload(t, "oltp_insert"), s)
	if err := round(); err != nil || !strings.Contains(s.sent[0], "VALUES (0, ") {
		t.Errorf("%q, %v: want id 0, so that the server makes one", s.sent, err)
	}
}

// TestSelectRandomShares: each thread keeps to its own part of the table.
func TestSelectRandomShares(t *testing.T) {
	for thread := range 3 {
		s := newFakeSession(thread, 3)
		round := newRound(t, newWorkload(t, "select_random_ranges", "table-size", "3000", "delta", "9"), s)
		for range 100 {
			if err := round(); err != nil {
				t.Fatal(err)
			}
		}
		for _, sql := range s.take() {
			_, terms, _ := strings.Cut(sql, " WHERE ")
			for term := range strings.SplitSeq(terms, " OR ") {
				var from, to int
				if _, err := fmt.Sscanf(term, "k BETWEEN %d AND %d", &from, &to); err != nil || to != from+9 {
					t.Fatal(term, err)
				}
				if from < 1000*thread || from > 1000*(thread+1) {
					t.Fatalf("thread %d asks for %d", thread, from)
				}
			}
		}
	}
}

// TestBulkInsert: rows are sent in long texts, the rest at the end, ids go on
// in the next trial, and threads beyond the tables share them.
func TestBulkInsert(t *testing.T) {
	w := newWorkload(t, "bulk_insert", "tables", "2")
	var last int
	for trial := range 2 {
		s := newFakeSession(2, 3)
		round := newRound(t, w, s)
		for range 40000 {
			if err := round(); err != nil {
				t.Fatal(err)
			}
		}
		before := len(s.sent)
		if err := s.atEnd(); err != nil {
			t.Fatal(err)
		}
		sent := s.take()
		if before != 1 || len(sent) != 2 || len(sent[0]) < bulkLength || len(sent[0]) > bulkLength+64 {
			t.Fatalf("trial %d: %d texts before the end and %d in all, want 1 and 2", trial, before, len(sent))
		}
		rows := 0
		for _, sql := range sent {
			values, ok := strings.CutPrefix(sql, "INSERT INTO sbtest1 VALUES")
			if !ok {
				t.Fatalf("%.60s", sql)
			}
			for row := range strings.SplitSeq(strings.Trim(values, "()"), "),(") {
				rows++
				last++
				if row != fmt.Sprintf("%d,%d", last, last) {
					t.Fatalf("row %q, want %d", row, last)
				}
			}
		}
		if rows != 40000 {
			t.Errorf("%d rows sent, want 40000", rows)
		}
	}
}

// TestRoundsPassErrorsOn: a round that got an error ends with it.
func TestRoundsPassErrorsOn(t *testing.T) {
	broken := errors.New("broken")
	for _, name := range []string{"oltp_point_select", "oltp_read_write", "oltp_write_only", "oltp_update_index",
		"oltp_update_non_index", "oltp_insert", "oltp_delete", "select_random_points", "select_random_ranges"} {
		for failing := 1; ; failing++ {
			s, n := newFakeSession(0, 1), 0
			s.answer = func(string, Args) (int64, error) {
				if n++; n == failing {
					return 0, broken
				}
				return 1, nil
			}
			err := newRound(t, newWorkload(t, name), s)()
			if n < failing {
				break // every statement has failed once
			}
			if err != broken || n != failing {
				t.Errorf("%s: statement %d failed, the round sent %d and returned %v", name, failing, n, err)
			}
		}
	}
}

// TestRoundsAllocateNothing: what a workload does for a query is free.
func TestRoundsAllocateNothing(t *testing.T) {
	for _, spec := range All() {
		if spec.Family != "sysbench" && spec.Family != "tpc-b" {
			continue
		}
		s := newFakeSession(0, 1)
		s.silent = true
		round := newRound(t, newWorkload(t, spec.Name), s)
		if n := testing.AllocsPerRun(200, func() {
			if err := round(); err != nil {
				t.Fatal(err)
			}
		}); n != 0 {
			t.Errorf("%s: %g allocations a round", spec.Name, n)
		}
	}
}
