package workload

import (
	"context"
	"fmt"
)

// sums are the sums that a transaction of TPC-B raises by the same amount.
type sums struct{ accounts, tellers, branches, history int64 }

// AfterTrial empties history, so that every trial starts with the same size,
// and keeps its sums: the amounts added to accounts and, unless their updates
// were skipped, to tellers and branches. Existing tables are not changed.
func (w *bank) AfterTrial() []string {
	if w.adopted || w.selectOnly {
		return nil
	}
	rest := "COALESCE(SUM(delta), 0)"
	if w.skipSome {
		rest = "0"
	}
	return []string{
		"INSERT INTO history_carried (accounts, tellers, branches) SELECT COALESCE(SUM(delta), 0), " + rest + ", " + rest + " FROM history",
		"TRUNCATE TABLE history",
	}
}

// Adopt records the sums of existing tables.
func (w *bank) Adopt(ctx context.Context, query Query) error {
	w.adopted = true
	if w.unchecked() {
		return nil
	}
	var err error
	w.before, err = w.read(ctx, query)
	return err
}

// unchecked variants change no rows, or keep no sums that could agree.
func (w *bank) unchecked() bool { return w.selectOnly || w.skipSome }

// Check verifies that accounts, tellers, branches and the rows of history have
// changed by the same amount. It reads every account and so changes the content
// of the buffer pool: do not call it between trials that depend on that.
func (w *bank) Check(ctx context.Context, query Query) error {
	if w.unchecked() {
		return nil
	}
	now, err := w.read(ctx, query)
	if err != nil {
		return err
	}
	now.accounts -= w.before.accounts
	now.tellers -= w.before.tellers
	now.branches -= w.before.branches
	now.history -= w.before.history
	if now.accounts != now.history || now.tellers != now.history || now.branches != now.history {
		return fmt.Errorf("balances do not agree: history adds up to %d, but accounts changed by %d, tellers by %d, branches by %d: was the server killed, or did others write?",
			now.history, now.accounts, now.tellers, now.branches)
	}
	return nil
}

// read returns the sums, with what history_carried holds subtracted from each
// balance: a trial with skip-some-updates has raised accounts alone.
func (w *bank) read(ctx context.Context, query Query) (sums, error) {
	var s, carried sums
	columns := []columnSum{
		{"abalance", "accounts", &s.accounts}, {"tbalance", "tellers", &s.tellers},
		{"bbalance", "branches", &s.branches}, {"delta", "history", &s.history},
	}
	if !w.adopted {
		columns = append(columns, columnSum{"accounts", "history_carried", &carried.accounts},
			columnSum{"tellers", "history_carried", &carried.tellers}, columnSum{"branches", "history_carried", &carried.branches})
	}
	for _, a := range columns {
		if err := a.read(ctx, query); err != nil {
			return s, err
		}
	}
	s.accounts -= carried.accounts
	s.tellers -= carried.tellers
	s.branches -= carried.branches
	return s, nil
}

// columnSum reads the sum of a column.
type columnSum struct {
	column, table string
	sum           *int64
}

func (a columnSum) read(ctx context.Context, query Query) error {
	var err error
	*a.sum, err = query.integer(ctx, fmt.Sprintf("SELECT COALESCE(SUM(%s), 0) FROM %s", a.column, a.table))
	return err
}
