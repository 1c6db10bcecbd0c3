package testbed

import (
	"context"
	"fmt"
	"slices"

	"github.com/mysweep/mysweep/runner/load/bulk"
	"github.com/mysweep/mysweep/runner/plan"
	"github.com/mysweep/mysweep/runner/result"
	"github.com/mysweep/mysweep/runner/workload"
)

// tablesReady loads the tables of a workload the first time. Later, when another
// case or workload ran before, it loads them again if trials have changed their
// number of rows: every case begins with the same data. Consecutive trials of one
// case find what the one before left, as in sysbench. Rows that were changed in
// place do not count, tables that no trial has written to are not counted, and
// prepared ones are never loaded again.
func (b *Bed) tablesReady(ctx context.Context, w plan.Workload) error {
	if !b.loaded[w.Label()] {
		if err := b.loadTables(ctx, w); err != nil {
			return err
		}
		b.loaded[w.Label()], b.untouched = true, false
		return nil
	}
	written := func(t workload.Table) bool { return b.written[t.Name] }
	if b.site.last == [2]string{b.Name, w.Label()} || b.site.plan.ExistingTables || !slices.ContainsFunc(b.site.workloads[w.Label()].Tables(), written) {
		return nil
	}
	changed, err := b.changedTable(ctx, w)
	if err != nil || changed == nil {
		return err
	}
	isPrepared := func(t workload.Table) bool { return b.prepared[t.Name] }
	if slices.ContainsFunc(b.site.workloads[w.Label()].Tables(), isPrepared) {
		b.noteGrown(*changed)
		return nil
	}
	return b.reload(ctx, w, *changed)
}

// noteGrown says once for a prepared table that it does not have the rows any
// more that it was prepared with. Its load may have taken hours: it stays.
func (b *Bed) noteGrown(changed result.Reload) {
	text := fmt.Sprintf("table %s: its trials change the number of rows, and prepared tables are not loaded again: later cases begin with other rows than the first", changed.Table)
	facts := b.site.report.Case(b.Name)
	if n := (result.Note{Code: "load", Text: text}); !slices.Contains(facts.Notes, n) {
		facts.Notes = append(facts.Notes, n)
	}
}

// changedTable is the first table of a workload that does not have the rows that
// were loaded, nil when all have.
func (b *Bed) changedTable(ctx context.Context, w plan.Workload) (*result.Reload, error) {
	tables := b.site.workloads[w.Label()].Tables()
	b.site.report.Progress("counting the rows of %s", w.Label())
	rows, err := bulk.Count(ctx, b.schemaConfig(), tables)
	if err != nil {
		return nil, err
	}
	b.untouched = false
	for _, t := range tables {
		if found, counted := rows[t.Name]; counted && found != t.Rows {
			return &result.Reload{Workload: w.Label(), Table: t.Name, Found: found, Rows: t.Rows}, nil
		}
	}
	for _, t := range tables {
		delete(b.written, t.Name)
	}
	return nil, nil
}

// reload makes all tables of a workload anew, since their rows refer to one
// another.
func (b *Bed) reload(ctx context.Context, w plan.Workload, changed result.Reload) error {
	b.site.report.Progress("loading the tables of %s again: %s has %d rows, %d were loaded", w.Label(), changed.Table, changed.Found, changed.Rows)
	options := b.bulkOptions(w)
	options.Fresh = true
	loaded, err := b.makeTables(ctx, w, options)
	if err != nil {
		return err
	}
	delete(b.warm, w.Label())
	facts := b.site.report.Case(b.Name)
	changed.Times = 1
	if i := slices.IndexFunc(facts.Reloads, func(r result.Reload) bool { return r.Workload == w.Label() }); i >= 0 {
		changed.Times += facts.Reloads[i].Times
		facts.Reloads[i] = changed
	} else {
		facts.Reloads = append(facts.Reloads, changed)
	}
	return b.recordTables(ctx, w.Label(), loaded)
}
