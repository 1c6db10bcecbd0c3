package sweep

import (
	"context"
	"slices"

	"github.com/mysweep/mysweep/runner/load/bulk"
	"github.com/mysweep/mysweep/runner/plan"
	"github.com/mysweep/mysweep/runner/result"
	"github.com/mysweep/mysweep/runner/workload"
)

// wrote remembers which tables a run of the load has written to.
func (o *opened) wrote(made workload.Workload, m *result.Measure) {
	if m.Writes == 0 {
		return
	}
	for _, t := range made.Tables() {
		o.written[t.Name] = true
	}
}

// tablesReady loads the tables of a workload the first time. Later, when another
// case or workload ran before, it loads them again if trials have changed their
// number of rows: every case shall begin with the same data, whoever ran before
// it, and however fast that was. The trials of one case that follow one another
// find what the one before left, as in sysbench. Rows that were changed in place
// are no reason, and tables that nobody has written to are not even counted.
func (s *sweep) tablesReady(ctx context.Context, w plan.Workload) error {
	o := s.open
	if !o.loaded[w.Label()] {
		if err := s.loadTables(ctx, w); err != nil {
			return err
		}
		o.loaded[w.Label()], o.fresh = true, false
		return nil
	}
	written := func(t workload.Table) bool { return o.written[t.Name] }
	if s.last == [2]string{o.Name, w.Label()} || s.Plan.ExistingTables || !slices.ContainsFunc(s.Workloads[w.Label()].Tables(), written) {
		return nil
	}
	changed, err := s.changedTable(ctx, w)
	if err != nil || changed == nil {
		return err
	}
	return s.reload(ctx, w, *changed)
}

// changedTable is the first table of a workload that does not have the rows that
// were loaded, nil when all have.
func (s *sweep) changedTable(ctx context.Context, w plan.Workload) (*result.Reload, error) {
	tables := s.Workloads[w.Label()].Tables()
	s.doing("counting the rows of %s", w.Label())
	rows, err := bulk.Count(ctx, s.schemaConfig(s.open), tables)
	if err != nil {
		return nil, err
	}
	s.open.fresh = false
	for _, t := range tables {
		if found, counted := rows[t.Name]; counted && found != t.Rows {
			return &result.Reload{Workload: w.Label(), Table: t.Name, Found: found, Rows: t.Rows}, nil
		}
	}
	for _, t := range tables {
		delete(s.open.written, t.Name)
	}
	return nil, nil
}

// reload makes all tables of a workload anew, since their rows refer to one
// another.
func (s *sweep) reload(ctx context.Context, w plan.Workload, changed result.Reload) error {
	s.doing("loading the tables of %s again: %s has %d rows, %d were loaded", w.Label(), changed.Table, changed.Found, changed.Rows)
	options := s.bulkOptions(w)
	options.Fresh = true
	loaded, err := s.makeTables(ctx, w, options)
	if err != nil {
		return err
	}
	delete(s.open.warm, w.Label())
	facts := s.caseFacts(s.open.Name)
	changed.Times = 1
	if i := slices.IndexFunc(facts.Reloads, func(r result.Reload) bool { return r.Workload == w.Label() }); i >= 0 {
		changed.Times += facts.Reloads[i].Times
		facts.Reloads[i] = changed
	} else {
		facts.Reloads = append(facts.Reloads, changed)
	}
	return s.recordTables(ctx, w.Label(), loaded)
}
