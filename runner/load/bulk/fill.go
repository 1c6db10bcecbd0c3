package bulk

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/go-sql-driver/mysql"

	"github.com/mysweep/mysweep/runner/load"
	"github.com/mysweep/mysweep/runner/workload"
)

// Make makes the tables of a workload ready, by the workload itself if it is a Filler. print is
// told what that says.
func Make(ctx context.Context, config *mysql.Config, w workload.Workload, o Options, print func(string)) ([]Loaded, error) {
	if f, ok := w.(workload.Filler); ok {
		return fill(ctx, config, f, o, print)
	}
	return Load(ctx, config, w.Tables(), o)
}

// Unmake drops those tables of a workload that mysweep made, and returns their names. Others' are
// left alone.
func Unmake(ctx context.Context, config *mysql.Config, w workload.Workload, o Options) ([]string, error) {
	if _, ok := w.(workload.Filler); ok {
		return dropFilled(ctx, config, o)
	}
	return Drop(ctx, config, w.Tables(), o)
}

// fill has a workload make its tables itself. Tables that it creates in the schema, and that were
// not there before, are marked as ours as they are created; others stay as they are, whoever made
// them meanwhile. Tables that are ready for the same script, options and seed are used again. When
// the workload fails, what it has made is dropped.
func fill(ctx context.Context, config *mysql.Config, f workload.Filler, o Options, print func(string)) ([]Loaded, error) {
	if err := ensureSchema(ctx, config, o); err != nil {
		return nil, err
	}
	db, err := pool(config)
	if err != nil {
		return nil, err
	}
	defer db.Close()
	l := &filler{loader: loader{Options: o, db: db, schema: config.DBName}, fingerprint: f.Fingerprint()}
	ready, err := l.ready(ctx)
	if err != nil || ready != nil {
		return ready, err
	}
	began := time.Now()
	err = f.Fill(ctx, workload.Outside{Threads: o.parallel(), Clients: o.Clients, Seed: o.Seed, Print: print, Sent: l.sent,
		Open: func(ctx context.Context) (workload.Conn, error) { return load.Connect(ctx, config) }})
	if err = Explained(err); err != nil {
		cleaning, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Minute)
		defer cancel()
		if dropErr := l.drop(cleaning, l.made); dropErr != nil {
			err = fmt.Errorf("%w; its tables could not be dropped: %w: mysweep cleanup does it", err, dropErr)
		}
		return nil, err
	}
	return l.finish(ctx, time.Since(began).Seconds())
}

// filler is one call of fill.
type filler struct {
	loader
	fingerprint string
	before      map[string]bool // tables that were there

	making sync.Mutex
	made   []string // ours
}

// ready are the tables that are ready for this workload. Those of ours that are not are dropped
// first.
func (l *filler) ready(ctx context.Context) ([]Loaded, error) {
	comments, err := l.comments(ctx)
	if err != nil {
		return nil, err
	}
	l.before = map[string]bool{}
	var found, stale []string
	for table, comment := range comments {
		switch {
		case !l.isOwn(comment):
			l.before[table] = true
		case markerField(comment, "state") == ready && markerField(comment, "print") == l.print() && !l.Fresh:
			found = append(found, table)
		default:
			stale = append(stale, table)
		}
	}
	if len(found) > 0 && len(stale) == 0 {
		return l.count(ctx, found, true, 0)
	}
	return nil, l.drop(ctx, append(found, stale...))
}

// isOwn tells tables that were made for this workload.
func (l *filler) isOwn(comment string) bool {
	return isMarker(comment) && strings.HasPrefix(comment, "mysweep workload="+l.Workload+" ")
}

func (l *filler) print() string { return fmt.Sprintf("%s-%d", l.fingerprint, l.Seed) }

// mark is the COMMENT of a table of this workload.
func (l *filler) mark(state string) string {
	return fmt.Sprintf("mysweep workload=%s seed=%d schema=%d print=%s state=%s", l.Workload, l.Seed, schemaVersion, l.print(), state)
}

// created finds the table that a statement creates: group 1 is the schema, 2 the table.
var created = regexp.MustCompile("(?is)^\\s*(?:/\\*.*?\\*/\\s*)*CREATE\\s+(?:OR\\s+REPLACE\\s+)?TABLE\\s+(?:IF\\s+NOT\\s+EXISTS\\s+)?" +
	"(?:(`[^`]+`|[\\w$]+)\\s*\\.\\s*)?(`[^`]+`|[\\w$]+)")

// sent marks a table that the workload has just created.
func (l *filler) sent(ctx context.Context, sql string) error {
	m := created.FindStringSubmatch(sql)
	if m == nil {
		return nil
	}
	schema, table := strings.Trim(m[1], "`"), strings.Trim(m[2], "`")
	if schema != "" && schema != l.schema {
		return nil // not where we work
	}
	l.making.Lock()
	defer l.making.Unlock()
	if l.before[table] || slices.Contains(l.made, table) {
		return nil
	}
	if _, err := l.db.ExecContext(ctx, "ALTER TABLE "+name(table)+" COMMENT="+text(l.mark(loading))); err != nil {
		return fmt.Errorf("mark table %s.%s as made by mysweep: %w", l.schema, table, err)
	}
	l.made = append(l.made, table)
	return nil
}

// finish marks all tables as ready.
func (l *filler) finish(ctx context.Context, seconds float64) ([]Loaded, error) {
	comments, err := l.comments(ctx)
	if err != nil {
		return nil, err
	}
	// Forget tables that were dropped again.
	l.made = slices.DeleteFunc(l.made, func(table string) bool { _, there := comments[table]; return !there })
	for _, table := range l.made {
		if _, err := l.db.ExecContext(ctx, "ALTER TABLE "+name(table)+" COMMENT="+text(l.mark(ready))); err != nil {
			return nil, fmt.Errorf("table %s.%s: %w", l.schema, table, err)
		}
	}
	return l.count(ctx, l.made, false, seconds)
}

// count counts and analyses tables.
func (l *filler) count(ctx context.Context, tables []string, reused bool, seconds float64) ([]Loaded, error) {
	conn, err := l.conn(ctx)
	if err != nil {
		return nil, err
	}
	defer conn.Close()
	slices.Sort(tables)
	var list []Loaded
	for _, table := range tables {
		rows, err := count(ctx, conn, table)
		if err != nil {
			return nil, fmt.Errorf("table %s.%s: %w", l.schema, table, err)
		}
		done := Loaded{Table: table, Rows: rows, Reused: reused, Method: ByWorkload, Seconds: seconds / float64(len(tables))}
		if err := l.analyze(ctx, conn, &done); err != nil {
			return nil, fmt.Errorf("table %s.%s: %w", l.schema, table, err)
		}
		list = append(list, done)
	}
	return list, nil
}

// drop drops tables, whatever foreign keys refer to them.
func (l *filler) drop(ctx context.Context, tables []string) error {
	if len(tables) == 0 {
		return nil
	}
	conn, err := l.conn(ctx) // foreign keys are not checked on it
	if err != nil {
		return err
	}
	defer conn.Close()
	for _, table := range tables {
		if err := run(ctx, conn, "DROP TABLE IF EXISTS "+name(table)); err != nil {
			return err
		}
	}
	return nil
}

// dropFilled drops the tables that a workload has made itself, and returns their names.
func dropFilled(ctx context.Context, config *mysql.Config, o Options) ([]string, error) {
	db, err := pool(config)
	if err != nil {
		return nil, err
	}
	defer db.Close()
	l := &filler{loader: loader{Options: o, db: db, schema: config.DBName}}
	comments, err := l.comments(ctx)
	if isWithoutSchema(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var own []string
	for table, comment := range comments {
		if l.isOwn(comment) {
			own = append(own, table)
		}
	}
	slices.Sort(own)
	return own, l.drop(ctx, own)
}
