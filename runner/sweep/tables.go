package sweep

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/go-sql-driver/mysql"

	"github.com/mysweep/mysweep/runner/load/bulk"
	"github.com/mysweep/mysweep/runner/plan"
	"github.com/mysweep/mysweep/runner/result"
	"github.com/mysweep/mysweep/runner/workload"
)

// loadTables makes the tables of a workload ready: loaded, or found as they
// are, counted and analysed.
func (s *sweep) loadTables(ctx context.Context, w plan.Workload) error {
	s.doing("loading the tables of %s", w.Label())
	began := time.Now()
	loaded, err := s.makeTables(ctx, w, s.bulkOptions(w))
	if err != nil {
		return err
	}
	seconds := time.Since(began).Seconds()
	s.open.data.loadSeconds = &seconds
	return s.recordTables(ctx, w.Label(), loaded)
}

// makeTables loads the tables of a workload and lets it set up what it adds.
func (s *sweep) makeTables(ctx context.Context, w plan.Workload, options bulk.Options) ([]bulk.Loaded, error) {
	made := s.Workloads[w.Label()]
	loaded, err := s.bulkTables(ctx, options, made)
	if err != nil {
		return nil, err
	}
	for _, t := range made.Tables() {
		delete(s.open.written, t.Name)
	}
	if p, ok := made.(workload.Preparer); ok {
		if err := s.between(ctx, p.Setup()); err != nil {
			return nil, err
		}
	}
	if a, ok := made.(workload.Adopter); ok && s.Plan.ExistingTables {
		if err := a.Adopt(ctx, s.query); err != nil {
			return nil, err
		}
	}
	return loaded, nil
}

func (s *sweep) bulkTables(ctx context.Context, options bulk.Options, made workload.Workload) ([]bulk.Loaded, error) {
	config := s.schemaConfig(s.open)
	if s.Plan.ExistingTables {
		return bulk.Check(ctx, config, made.Tables())
	}
	loaded, err := bulk.Load(ctx, config, made.Tables(), options)
	if err != nil {
		return nil, err
	}
	for _, t := range loaded {
		if !t.Reused {
			continue // analysed when it was filled
		}
		if err := s.exec(ctx, "ANALYZE TABLE `"+t.Table+"`"); err != nil {
			return nil, fmt.Errorf("analyze table %s: %w", t.Table, err)
		}
	}
	return loaded, nil
}

func (s *sweep) bulkOptions(w plan.Workload) bulk.Options { return BulkOptions(&s.Plan, w) }

// BulkOptions says how a plan's tables are made.
func BulkOptions(p *plan.Plan, w plan.Workload) bulk.Options {
	var options []string
	for _, name := range slices.Sorted(maps.Keys(w.Options)) {
		options = append(options, name+"="+w.Options[name])
	}
	return bulk.Options{
		Workload: w.Label(), WorkloadOptions: strings.Join(options, ","), Seed: p.Seed,
		StorageEngine: p.StorageEngine, Charset: p.Charset, Collation: p.Collation, NoBinlog: p.NoBinlog,
	}
}

// schemaConfig is how one logs in to mysweep's schema.
func (s *sweep) schemaConfig(o *opened) *mysql.Config {
	config := o.target.Config()
	config.DBName = s.Plan.Server.Database
	return config
}

// recordTables puts the tables' sizes into the run.
func (s *sweep) recordTables(ctx context.Context, label string, loaded []bulk.Loaded) error {
	d := &s.open.data
	d.tables = slices.DeleteFunc(d.tables, func(t result.TableFact) bool { return t.Workload == label })
	for _, t := range loaded {
		fact := result.TableFact{Workload: label, Name: t.Table, Rows: t.Rows, Reused: t.Reused, DataBytes: s.dataBytes(ctx, t.Table)}
		d.tables = append(d.tables, fact)
		if t.Note != "" {
			d.notes = append(d.notes, result.Note{Code: "load", Text: fmt.Sprintf("table %s: %s", t.Table, t.Note)})
		}
	}
	s.open.data.into(s.caseFacts(s.open.Name))
	return s.saveRun()
}

// into writes down for a case what its server's tables came to.
func (d *data) into(c *result.Case) {
	c.Tables, c.LoadSeconds, c.FsyncP50 = slices.Clone(d.tables), d.loadSeconds, d.fsync
	for _, n := range d.notes {
		if !slices.Contains(c.Notes, n) {
			c.Notes = append(c.Notes, n)
		}
	}
}

// dataBytes is the size of a table with its indexes as the server estimates
// it, nil when it does not tell.
func (s *sweep) dataBytes(ctx context.Context, table string) *int64 {
	rows, err := s.query(ctx, fmt.Sprintf(
		"SELECT data_length + index_length FROM information_schema.tables WHERE table_schema = '%s' AND table_name = '%s'",
		s.Plan.Server.Database, strings.ReplaceAll(table, "'", "''")))
	if err != nil || len(rows) != 1 {
		return nil
	}
	var n int64
	if _, err := fmt.Sscan(rows[0][0], &n); err != nil {
		return nil
	}
	return &n
}

// tableSize is what the tables of a workload hold in all, nil when not known.
func (s *sweep) tableSize(kase, label string) (rows, bytes *int64) {
	for _, t := range s.caseFacts(kase).Tables {
		if t.Workload != label {
			continue
		}
		rows = add(rows, &t.Rows)
		bytes = add(bytes, t.DataBytes)
	}
	return rows, bytes
}

func add(sum, n *int64) *int64 {
	if n == nil {
		return sum
	}
	total := *n
	if sum != nil {
		total += *sum
	}
	return &total
}

// dropTables drops what this run made on an existing server.
func (s *sweep) dropTables(ctx context.Context, o *opened) error {
	for _, w := range s.Plan.Workloads {
		if !o.loaded[w.Label()] {
			continue
		}
		if _, err := bulk.Drop(ctx, s.schemaConfig(o), s.Workloads[w.Label()].Tables(), s.bulkOptions(w)); err != nil {
			return err
		}
	}
	return nil
}
