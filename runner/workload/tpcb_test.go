package workload

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// TestTPCBRounds: the statements of each variant in their order, and the same
// account, teller, branch and amount throughout a transaction.
func TestTPCBRounds(t *testing.T) {
	account := "UPDATE accounts SET abalance = abalance + %[4]d WHERE aid = %[3]d"
	balance := "SELECT abalance FROM accounts WHERE aid = %[3]d"
	teller := "UPDATE tellers SET tbalance = tbalance + %[4]d WHERE tid = %[1]d"
	branch := "UPDATE branches SET bbalance = bbalance + %[4]d WHERE bid = %[2]d"
	history := "INSERT INTO history (tid, bid, aid, delta, mtime) VALUES (%[1]d, %[2]d, %[3]d, %[4]d, CURRENT_TIMESTAMP)"
	for _, test := range []struct {
		options []string
		want    []string
		kinds   [3]int
	}{
		{nil, []string{"BEGIN", account, balance, teller, branch, history, "COMMIT"}, [3]int{1, 4, 2}},
		{[]string{"skip-some-updates", "true"}, []string{"BEGIN", account, balance, history, "COMMIT"}, [3]int{1, 2, 2}},
		{[]string{"connect-per-transaction", "true"}, []string{"RECONNECT", "BEGIN", account, balance, teller, branch, history, "COMMIT"}, [3]int{1, 4, 2}},
	} {
		s := newFakeSession(0, 1)
		round := newRound(t, newWorkload(t, "tpcb", append(test.options, "scale", "3")...), s)
		for range 200 {
			if err := round(); err != nil {
				t.Fatal(err)
			}
			if s.kinds != test.kinds {
				t.Fatalf("%v: reads, writes, others %v, want %v", test.options, s.kinds, test.kinds)
			}
			sent := s.take()
			var tid, bid, aid, delta int
			if _, err := fmt.Sscanf(sent[len(sent)-2], "INSERT INTO history (tid, bid, aid, delta, mtime) VALUES (%d, %d, %d, %d,", &tid, &bid, &aid, &delta); err != nil {
				t.Fatal(sent, err)
			}
			if tid < 1 || tid > 30 || bid < 1 || bid > 3 || aid < 1 || aid > 300000 || delta < -5000 || delta > 5000 {
				t.Fatalf("teller %d, branch %d, account %d, amount %d at scale 3", tid, bid, aid, delta)
			}
			want := make([]string, len(test.want))
			for i, form := range test.want {
				want[i] = form
				if strings.Contains(form, "%") {
					want[i], _, _ = strings.Cut(fmt.Sprintf(form, tid, bid, aid, delta), "%!(EXTRA")
				}
			}
			if !slices.Equal(sent, want) {
				t.Fatalf("%v: sent\n%s\nwant\n%s", test.options, strings.Join(sent, "\n"), strings.Join(want, "\n"))
			}
		}
	}
}

func TestTPCBSelectOnly(t *testing.T) {
	s := newFakeSession(0, 1)
	w := newWorkload(t, "tpcb", "select-only", "true")
	if err := newRound(t, w, s)(); err != nil {
		t.Fatal(err)
	}
	if len(s.declared) != 1 || len(s.sent) != 1 || !strings.HasPrefix(s.sent[0], "SELECT abalance FROM accounts WHERE aid = ") {
		t.Errorf("declared %v, sent %q", s.declared, s.sent)
	}
	if got := w.(Finisher).AfterTrial(); got != nil {
		t.Errorf("after a trial that wrote nothing: %q", got)
	}
}

// TestTPCBDelta: the amounts of pgbench of 2002.
func TestTPCBDelta(t *testing.T) {
	s := newFakeSession(0, 1)
	round := newRound(t, newWorkload(t, "tpcb", "delta-min", "1", "delta-max", "3"), s)
	seen := map[int]bool{}
	for range 100 {
		if err := round(); err != nil {
			t.Fatal(err)
		}
		var delta int
		fmt.Sscanf(s.take()[1], "UPDATE accounts SET abalance = abalance + %d", &delta)
		seen[delta] = true
	}
	if len(seen) != 3 || !seen[1] || !seen[3] {
		t.Errorf("amounts %v, want 1, 2 and 3", seen)
	}
}

func TestTPCBRows(t *testing.T) {
	tables := newWorkload(t, "tpcb", "scale", "2").Tables()
	rows := map[string]int64{}
	for _, table := range tables {
		rows[table.Name] = table.Rows
	}
	want := map[string]int64{"branches": 2, "tellers": 20, "accounts": 200000, "history": 0, "history_carried": 0}
	for name, n := range want {
		if rows[name] != n {
			t.Errorf("%s has %d rows, want %d", name, rows[name], n)
		}
	}
	for _, test := range []struct {
		table int
		row   int64
		want  string
	}{
		{0, 1, "2\t0\t"},
		{1, 9, "10\t1\t0\t"},
		{1, 10, "11\t2\t0\t"},
		{2, 99999, "100000\t1\t0\t"}, // pgbench gives it to the next branch
		{2, 100000, "100001\t2\t0\t"},
	} {
		if got := madeRow(tables[test.table], test.row); got != test.want {
			t.Errorf("%s row %d: %q, want %q", tables[test.table].Name, test.row, got, test.want)
		}
	}
}

// TestTPCBCheck: what agrees, what does not, and what need not.
func TestTPCBCheck(t *testing.T) {
	for _, test := range []struct {
		name    string
		options []string
		// Sums of accounts, tellers, branches, history when the tables were taken over.
		adopted []int64
		sums    []int64 // the same now, then the carried ones of accounts, tellers, branches
		want    string
	}{
		{"nothing happened", nil, nil, []int64{0, 0, 0, 0, 0, 0, 0}, ""},
		{"history was carried", nil, nil, []int64{70, 70, 70, 0, 70, 70, 70}, ""},
		{"a part was carried", nil, nil, []int64{70, 70, 70, 30, 40, 40, 40}, ""},
		{"after a trial of -N", nil, nil, []int64{90, 70, 70, 30, 60, 40, 40}, ""},
		{"a lost update", nil, nil, []int64{70, 70, 69, 0, 70, 70, 70},
			"balances do not agree: history adds up to 0, but accounts changed by 0, tellers by 0, branches by -1: was the server killed, or did others write?"},
		{"a lost row of history", nil, nil, []int64{7, 7, 7, 5, 0, 0, 0},
			"balances do not agree: history adds up to 5, but accounts changed by 7, tellers by 7, branches by 7: was the server killed, or did others write?"},
		{"somebody's tables, whose history was emptied before", nil, []int64{50, 50, 50, 0}, []int64{57, 57, 57, 7}, ""},
		{"somebody's tables, wrong now", nil, []int64{50, 50, 50, 0}, []int64{57, 57, 58, 7},
			"balances do not agree: history adds up to 7, but accounts changed by 7, tellers by 7, branches by 8: was the server killed, or did others write?"},
		{"not for -N", []string{"skip-some-updates", "true"}, nil, []int64{1, 2, 3, 4, 0, 0, 0}, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			w := newWorkload(t, "tpcb", test.options...)
			if test.adopted != nil {
				if err := w.(Adopter).Adopt(context.Background(), answers(test.adopted)); err != nil {
					t.Fatal(err)
				}
				if got := w.(Finisher).AfterTrial(); got != nil {
					t.Errorf("somebody's history is not ours to empty: %q", got)
				}
			}
			err := w.(Checker).Check(context.Background(), answers(test.sums))
			if got := fmt.Sprint(err); got != test.want && !(err == nil && test.want == "") {
				t.Errorf("%s, want %s", got, test.want)
			}
		})
	}
}

// answers are those to the sums of the tables in the order of a bank's asks.
func answers(sums []int64) func(context.Context, string) ([][]string, error) {
	columns := []string{"abalance", "tbalance", "bbalance", "delta", "accounts", "tellers", "branches"}
	return func(_ context.Context, sql string) ([][]string, error) {
		for i, column := range columns[:len(sums)] {
			if strings.Contains(sql, "SUM("+column+")") {
				return [][]string{{fmt.Sprint(sums[i])}}, nil
			}
		}
		return nil, fmt.Errorf("unexpected %s", sql)
	}
}
