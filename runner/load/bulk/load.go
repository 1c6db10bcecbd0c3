package bulk

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/go-sql-driver/mysql"

	"github.com/mysweep/mysweep/runner/workload"
)

// infilePacket is the size of the packets in which the driver sends a stream to LOAD DATA LOCAL,
// and usualPacket the smallest max_allowed_packet that a server has by default.
const (
	infilePacket = 16 << 10
	usualPacket  = 1 << 20
)

// loader is one call of Load.
type loader struct {
	Options
	db       *sql.DB
	schema   string
	packet   int64    // max_allowed_packet of the server
	localErr error    // why LOAD DATA LOCAL cannot be used, nil when it can
	created  []string // tables
	mu       sync.Mutex
	keyed    map[string]bool // created with a key that their definition does not have
	unmarked map[string]bool // created without a mark
	// changed holds the row counts of prepared tables that differ from what was loaded.
	changed  map[string]int64
	prepared map[string]bool
}

// Load makes sure that all tables exist and hold the rows that the options ask for, in the schema
// that config names. What it returns is in the order of tables. On an error, what this call has
// created is dropped.
func Load(ctx context.Context, config *mysql.Config, tables []workload.Table, o Options) ([]Loaded, error) {
	if err := ensureSchema(ctx, config, o); err != nil {
		return nil, err
	}
	if len(tables) == 0 {
		return nil, nil
	}
	db, err := pool(config)
	if err != nil {
		return nil, err
	}
	defer db.Close()
	l := &loader{Options: o, db: db, schema: config.DBName, keyed: map[string]bool{}, unmarked: map[string]bool{}}
	if err := l.ask(ctx); err != nil {
		return nil, err
	}
	var loaded []Loaded
	missing, err := l.makeRoom(ctx, tables)
	if err == nil {
		loaded, err = l.loadAll(ctx, tables, missing)
	}
	if err != nil {
		return nil, l.undo(ctx, err)
	}
	return loaded, nil
}

// ask finds out what the server allows. What it does not report is taken to be as usual.
func (l *loader) ask(ctx context.Context) error {
	l.packet = usualPacket
	local := sql.NullBool{Bool: true}
	for _, v := range []struct {
		name string
		to   any
	}{{"max_allowed_packet", &l.packet}, {"local_infile", &local}} {
		err := l.db.QueryRowContext(ctx, "SELECT @@GLOBAL."+v.name).Scan(v.to)
		if err != nil && !isRefused(err) {
			return fmt.Errorf("%s of the server: %w", v.name, err)
		}
	}
	switch {
	case l.NoLocalInfile:
		l.localErr = errors.New("not wanted")
	case !local.Bool:
		l.localErr = errors.New("the server's local_infile is off")
	case l.packet < 2*infilePacket:
		l.localErr = fmt.Errorf("the server's max_allowed_packet of %d is too small for the driver's packets", l.packet)
	}
	return nil
}

// makeRoom drops own tables that do not fit, unless they are prepared, and creates all that are
// then missing, in order. It looks at all tables before it touches one.
func (l *loader) makeRoom(ctx context.Context, tables []workload.Table) (missing map[string]bool, err error) {
	comments, err := l.comments(ctx)
	if err != nil {
		return nil, err
	}
	conn, err := l.conn(ctx)
	if err != nil {
		return nil, err
	}
	defer conn.Close()
	if err := l.misfit(tables, comments); err != nil {
		return nil, err
	}
	missing, l.changed, l.prepared = map[string]bool{}, map[string]int64{}, map[string]bool{}
	for _, t := range tables {
		comment, there := comments[t.Name]
		if there && !isMarker(comment) && !slices.Contains(l.Own, t.Name) {
			return nil, fmt.Errorf("table %s.%s exists and was not made by mysweep: use its rows as they are with --existing-tables, name another database, or rename it",
				l.schema, t.Name)
		}
		l.prepared[t.Name] = l.Protect && isPrepared(comment)
		missing[t.Name] = !there || !l.prepared[t.Name] && (l.Fresh || !l.fits(t, comment))
		if missing[t.Name] || t.Bookkeeping {
			continue
		}
		rows, err := count(ctx, conn, t.Name)
		if err != nil {
			return nil, fmt.Errorf("table %s.%s: %w", l.schema, t.Name, err)
		}
		switch { // earlier trials have added rows, or taken some away
		case rows != t.Rows && l.prepared[t.Name]:
			l.changed[t.Name] = rows
		case rows != t.Rows:
			missing[t.Name] = true
		}
	}
	for i := len(tables) - 1; i >= 0; i-- { // a table that refers to another comes after it
		t := tables[i]
		if _, there := comments[t.Name]; there && missing[t.Name] {
			if err := run(ctx, conn, "DROP TABLE "+name(t.Name)); err != nil {
				return nil, err
			}
		}
	}
	for _, t := range tables {
		if !missing[t.Name] {
			continue
		}
		if err := l.create(ctx, conn, t); err != nil {
			return nil, fmt.Errorf("table %s.%s: %w", l.schema, t.Name, err)
		}
	}
	return missing, l.checkMarks(ctx, loading)
}

// fits reports whether a table of ours is complete and has the rows that are wanted, whichever
// workload it was made for.
func (l *loader) fits(t workload.Table, comment string) bool {
	return markerField(comment, "state") == ready && markerField(comment, "print") == l.print(t)
}

// comments returns the COMMENT of every table (and view) of the schema.
func (l *loader) comments(ctx context.Context) (map[string]string, error) {
	rows, err := l.db.QueryContext(ctx, "SELECT table_name, table_comment FROM information_schema.tables WHERE table_schema = ?", l.schema)
	if err != nil {
		return nil, fmt.Errorf("tables of %s: %w", l.schema, err)
	}
	defer rows.Close()
	comments := map[string]string{}
	for rows.Next() {
		var table, comment string
		if err := rows.Scan(&table, &comment); err != nil {
			return nil, fmt.Errorf("tables of %s: %w", l.schema, err)
		}
		comments[table] = comment
	}
	return comments, rows.Err()
}

// loadAll loads the missing tables side by side and counts the rows of all.
func (l *loader) loadAll(ctx context.Context, tables []workload.Table, missing map[string]bool) ([]Loaded, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	loaded := make([]Loaded, len(tables))
	errs := make([]error, len(tables))
	slots := make(chan struct{}, l.parallel())
	var all sync.WaitGroup
	for i, t := range tables {
		all.Go(func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			if ctx.Err() != nil {
				return
			}
			loaded[i], errs[i] = l.one(ctx, t, missing[t.Name])
			if errs[i] != nil {
				errs[i] = fmt.Errorf("table %s.%s: %w", l.schema, t.Name, errs[i])
				cancel()
			}
		})
	}
	all.Wait()
	if err := firstCause(errs); err != nil {
		return nil, err
	}
	if err := l.markReady(ctx, tables, missing); err != nil {
		return nil, err
	}
	return loaded, context.Cause(ctx)
}

// markReady says in their marks that the tables are complete: one after the other when all are
// loaded, because an ALTER of a table to which a foreign key refers can meet the load of the other
// table in a deadlock of MySQL's metadata locks.
func (l *loader) markReady(ctx context.Context, tables []workload.Table, missing map[string]bool) error {
	conn, err := l.conn(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	for _, t := range tables {
		if !missing[t.Name] {
			continue
		}
		if err := run(ctx, conn, "ALTER TABLE "+name(t.Name)+" COMMENT="+text(l.marker(t, ready))); err != nil {
			return fmt.Errorf("table %s.%s: %w", l.schema, t.Name, err)
		}
	}
	return l.checkMarks(ctx, ready)
}

// firstCause is the first error that is not just the echo of another's.
func firstCause(errs []error) error {
	var echo error
	for _, err := range errs {
		if err != nil && !errors.Is(err, context.Canceled) {
			return err
		}
		echo = errors.Join(echo, err)
	}
	return echo
}

// one loads a table, if need be, and counts its rows.
func (l *loader) one(ctx context.Context, t workload.Table, missing bool) (Loaded, error) {
	began := time.Now()
	done := Loaded{Table: t.Name, Reused: !missing, Prepared: l.prepared[t.Name]}
	conn, err := l.conn(ctx)
	if err != nil {
		return done, err
	}
	defer func() { conn.Close() }()
	if missing {
		if conn, err = l.fill(ctx, conn, t, &done); err != nil {
			return done, err
		}
		if done.Unmarked = l.unmarked[t.Name]; done.Unmarked {
			done.add("the server does not keep its COMMENT: if this run is killed, drop it by hand")
		}
		if l.keyed[t.Name] {
			done.add("a primary key was added, because the server requires one")
		}
		for _, sql := range t.After {
			if err := run(ctx, conn, sql); err != nil {
				return done, err
			}
		}
	}
	if done.Rows, err = count(ctx, conn, t.Name); err != nil {
		return done, err
	}
	if _, changed := l.changed[t.Name]; changed {
		done.add(fmt.Sprintf("has %d rows, was prepared with %d: used as it is; to reload it, run mysweep cleanup and mysweep prepare", done.Rows, t.Rows))
	} else if done.Rows != t.Rows && !t.Bookkeeping {
		return done, fmt.Errorf("has %d rows, not %d: others write to it", done.Rows, t.Rows)
	}
	// A table is analyzed before markReady says that it is ready.
	if err := l.analyze(ctx, conn, &done); err != nil {
		return done, err
	}
	done.Seconds = time.Since(began).Seconds()
	return done, nil
}

// conn opens a connection with the settings for loading.
func (l *loader) conn(ctx context.Context) (*sql.Conn, error) {
	conn, err := l.db.Conn(ctx)
	if err != nil {
		return nil, err
	}
	for _, setting := range l.sessionSettings() {
		if err := run(ctx, conn, setting); err != nil {
			conn.Close()
			return nil, err
		}
	}
	return conn, nil
}

func run(ctx context.Context, conn *sql.Conn, statement string) error {
	if strings.HasPrefix(statement, "ANALYZE") { // it answers with rows
		rows, err := conn.QueryContext(ctx, statement)
		if err != nil {
			return fmt.Errorf("%s: %w", statement, err)
		}
		return errors.Join(rows.Err(), rows.Close())
	}
	if _, err := conn.ExecContext(ctx, statement); err != nil {
		return fmt.Errorf("%s: %w", shortened(statement), err)
	}
	return nil
}

// shortened keeps messages readable when a statement is long.
func shortened(statement string) string {
	if len(statement) > 200 {
		return statement[:200] + "..."
	}
	return statement
}

func count(ctx context.Context, conn *sql.Conn, table string) (rows int64, err error) {
	if err := conn.QueryRowContext(ctx, "SELECT COUNT(*) FROM "+name(table)).Scan(&rows); err != nil {
		return 0, fmt.Errorf("count: %w", err)
	}
	return rows, nil
}
