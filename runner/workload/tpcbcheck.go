package workload

import (
	"context"
	"fmt"
	"strconv"
)

// sums are the sums that a transaction of TPC-B raises by the same amount.
type sums struct{ accounts, tellers, branches, history int64 }

// AfterTrial empties history, so that it is as short for every trial, and
// keeps its sums: what the rows say that was added to accounts, and, unless
// those were skipped, to tellers and branches. Tables of somebody else are
// left alone.
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

// Adopt remembers what the tables of somebody else add up to.
func (w *bank) Adopt(ctx context.Context, query func(ctx context.Context, sql string) ([][]string, error)) error {
	w.adopted = true
	if w.unchecked() {
		return nil
	}
	var err error
	w.before, err = w.read(ctx, query)
	return err
}

// unchecked variants keep no sums that could agree, or change nothing.
func (w *bank) unchecked() bool { return w.selectOnly || w.skipSome }

// Check tells whether accounts, tellers, branches and the rows of history have
// changed by the same amount. It reads every account, so it is not to be asked
// between trials that must find the buffer pool as the last one left it.
func (w *bank) Check(ctx context.Context, query func(ctx context.Context, sql string) ([][]string, error)) error {
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

// read reads the sums. What was carried over is taken off the balances that
// it belongs to: a trial of skip-some-updates has raised accounts alone.
func (w *bank) read(ctx context.Context, query func(ctx context.Context, sql string) ([][]string, error)) (sums, error) {
	var s, carried sums
	asks := []ask{
		{"abalance", "accounts", &s.accounts}, {"tbalance", "tellers", &s.tellers},
		{"bbalance", "branches", &s.branches}, {"delta", "history", &s.history},
	}
	if !w.adopted {
		asks = append(asks, ask{"accounts", "history_carried", &carried.accounts},
			ask{"tellers", "history_carried", &carried.tellers}, ask{"branches", "history_carried", &carried.branches})
	}
	for _, a := range asks {
		if err := a.read(ctx, query); err != nil {
			return s, err
		}
	}
	s.accounts -= carried.accounts
	s.tellers -= carried.tellers
	s.branches -= carried.branches
	return s, nil
}

// ask asks for the sum of a column.
type ask struct {
	column, table string
	sum           *int64
}

func (a ask) read(ctx context.Context, query func(ctx context.Context, sql string) ([][]string, error)) error {
	sql := fmt.Sprintf("SELECT COALESCE(SUM(%s), 0) FROM %s", a.column, a.table)
	rows, err := query(ctx, sql)
	if err != nil {
		return err
	}
	if *a.sum, err = strconv.ParseInt(rows[0][0], 10, 64); err != nil {
		return fmt.Errorf("%s: %w", sql, err)
	}
	return nil
}
