package testbed

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
func (b *Bed) loadTables(ctx context.Context, w plan.Workload) error {
	b.site.report.Progress("loading the tables of %s", w.Label())
	began := time.Now()
	loaded, err := b.makeTables(ctx, w, b.bulkOptions(w))
	if err != nil {
		return b.unload(ctx, w, err)
	}
	seconds := time.Since(began).Seconds()
	b.data.loadSeconds = &seconds
	return b.recordTables(ctx, w.Label(), loaded)
}

// unloadWithin bounds how long tables that could not be made ready are dropped.
const unloadWithin = 30 * time.Second

// unload drops what was made on an existing server for a workload that could not be made ready, and
// returns why.
func (b *Bed) unload(ctx context.Context, w plan.Workload, why error) error {
	if b.private != nil || b.site.plan.ExistingTables || b.site.plan.KeepTables {
		return why
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), unloadWithin)
	defer cancel()
	if _, err := bulk.Unmake(ctx, b.schemaConfig(), b.site.workloads[w.Label()], b.bulkOptions(w)); err != nil {
		return fmt.Errorf("%w; its tables could not be dropped: %w: mysweep cleanup does it", why, err)
	}
	return why
}

// makeTables loads the tables of a workload and lets it set up what it adds.
func (b *Bed) makeTables(ctx context.Context, w plan.Workload, options bulk.Options) ([]bulk.Loaded, error) {
	made := b.site.workloads[w.Label()]
	loaded, err := b.bulkTables(ctx, options, made)
	if err != nil {
		return nil, err
	}
	for _, t := range made.Tables() {
		delete(b.written, t.Name)
	}
	if p, ok := made.(workload.Preparer); ok {
		if err := b.execAll(ctx, p.Setup()); err != nil {
			return nil, bulk.Explained(err)
		}
	}
	if a, ok := made.(workload.Adopter); ok && b.site.plan.ExistingTables {
		if err := a.Adopt(ctx, b.query); err != nil {
			return nil, err
		}
	}
	return loaded, nil
}

func (b *Bed) bulkTables(ctx context.Context, options bulk.Options, made workload.Workload) ([]bulk.Loaded, error) {
	config := b.schemaConfig()
	if b.site.plan.ExistingTables {
		return bulk.Check(ctx, config, made.Tables())
	}
	return bulk.Make(ctx, config, made, options, func(text string) { b.site.report.Progress("%s", strings.TrimSpace(text)) })
}

// bulkOptions are those of a run: on an existing server it drops its own tables
// at the end, and leaves those that were prepared.
func (b *Bed) bulkOptions(w plan.Workload) bulk.Options {
	o := BulkOptions(&b.site.plan, w)
	o.Temporary, o.Protect, o.Own = !b.site.plan.KeepTables, b.private == nil, b.unmarked
	return o
}

// BulkOptions says how a plan's tables are prepared on an existing server.
func BulkOptions(p *plan.Plan, w plan.Workload) bulk.Options {
	var options []string
	for _, name := range slices.Sorted(maps.Keys(w.Options)) {
		options = append(options, name+"="+w.Options[name])
	}
	return bulk.Options{
		Workload: w.Label(), WorkloadOptions: strings.Join(options, ","), Seed: p.Seed,
		StorageEngine: p.StorageEngine, Charset: p.Charset, Collation: p.Collation, NoBinlog: p.NoBinlog, Protect: true,
		Clients: p.Threads.Max(),
	}
}

// schemaConfig is how one logs in to mysweep's schema.
func (b *Bed) schemaConfig() *mysql.Config {
	config := b.target.Config()
	config.DBName = b.site.plan.Server.Database
	return config
}

// recordTables puts the tables' sizes into the run.
func (b *Bed) recordTables(ctx context.Context, label string, loaded []bulk.Loaded) error {
	d := &b.data
	d.tables = slices.DeleteFunc(d.tables, func(t result.TableFact) bool { return t.Workload == label })
	for _, t := range loaded {
		fact := result.TableFact{Workload: label, Name: t.Table, Rows: t.Rows, Reused: t.Reused, DataBytes: b.dataBytes(ctx, t.Table)}
		d.tables = append(d.tables, fact)
		if t.Unmarked && !slices.Contains(b.unmarked, t.Table) {
			b.unmarked = append(b.unmarked, t.Table)
		}
		if t.Prepared {
			b.prepared[t.Table] = true
		}
		if t.Note != "" {
			d.notes = append(d.notes, result.Note{Code: "load", Text: fmt.Sprintf("table %s: %s", t.Table, t.Note)})
		}
	}
	b.data.into(b.site.report.Case(b.Name))
	return b.site.report.Save()
}

// into writes down for a case what its server's tables came to.
func (d *data) into(c *result.Case) {
	c.Tables, c.LoadSeconds = slices.Clone(d.tables), d.loadSeconds
	for _, n := range d.notes {
		if !slices.Contains(c.Notes, n) {
			c.Notes = append(c.Notes, n)
		}
	}
}

// dataBytes is the size of a table with its indexes as the server estimates
// it, nil when it does not report.
func (b *Bed) dataBytes(ctx context.Context, table string) *int64 {
	rows, err := b.query(ctx, fmt.Sprintf(
		"SELECT data_length + index_length FROM information_schema.tables WHERE table_schema = '%s' AND table_name = '%s'",
		b.site.plan.Server.Database, strings.ReplaceAll(table, "'", "''")))
	if err != nil || len(rows) != 1 {
		return nil
	}
	var n int64
	if _, err := fmt.Sscan(rows[0][0], &n); err != nil {
		return nil
	}
	return &n
}

// dropTables drops what this run made on an existing server, also before an
// outage or before it was resumed.
func (b *Bed) dropTables(ctx context.Context) error {
	for _, w := range b.site.plan.Workloads {
		if !b.loaded[w.Label()] && !b.site.outages[b.identity].loaded[w.Label()] && !b.site.resumed {
			continue
		}
		if _, err := bulk.Unmake(ctx, b.schemaConfig(), b.site.workloads[w.Label()], b.bulkOptions(w)); err != nil {
			return err
		}
	}
	return nil
}
