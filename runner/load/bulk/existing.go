package bulk

import (
	"context"
	"database/sql"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/go-sql-driver/mysql"

	"github.com/mysweep/mysweep/runner/workload"
)

// Check looks at tables that mysweep did not create: they must be there, with the columns that the
// workload knows, and hold rows. It changes nothing. A number of rows that is not the workload's is
// told in the table's note.
func Check(ctx context.Context, config *mysql.Config, tables []workload.Table) ([]Loaded, error) {
	conn, hangUp, err := connect(ctx, config)
	if err != nil {
		return nil, err
	}
	defer hangUp()
	var found []Loaded
	for _, t := range tables {
		if t.Bookkeeping {
			continue
		}
		columns := "1"
		if len(t.Load) > 0 {
			columns = strings.TrimSuffix(strings.TrimPrefix(columnList(t), " ("), ")")
		}
		rows, err := conn.QueryContext(ctx, "SELECT "+columns+" FROM "+name(t.Name)+" LIMIT 0")
		if err != nil {
			return found, fmt.Errorf("existing table %s.%s: %w", config.DBName, t.Name, err)
		}
		rows.Close()
		n, err := count(ctx, conn, t.Name)
		if err != nil {
			return found, fmt.Errorf("existing table %s.%s: %w", config.DBName, t.Name, err)
		}
		if n == 0 && t.Rows > 0 {
			return found, fmt.Errorf("existing table %s.%s is empty: fill it, or leave --existing-tables out to have mysweep make its own in another database", config.DBName, t.Name)
		}
		l := Loaded{Table: t.Name, Rows: n, Reused: true}
		if n != t.Rows {
			l.Note = fmt.Sprintf("has %d rows, the workload's options say %d", n, t.Rows)
		}
		found = append(found, l)
	}
	return found, nil
}

// RowsError says that an existing table has far fewer or more rows than the workload expects, so
// that its keys miss the rows, or meet a part of them only.
type RowsError struct {
	Table         string // schema.table
	Found, Wanted int64
	Remedy        string // the flag that makes them agree
}

func (e *RowsError) Error() string {
	return fmt.Sprintf("existing table %s has %d rows, the workload's options say %d: make them agree with %s, or fill the table", e.Table, e.Found, e.Wanted, e.Remedy)
}

// mostOff is the factor between the rows of a table and those that a workload expects from which on
// the run is refused.
const mostOff = 2

// CheckRows compares the numbers of rows of existing tables with those of the workload, by the
// server's estimate, and by counting where that is far off. Its error is a *RowsError if one is.
func CheckRows(ctx context.Context, config *mysql.Config, tables []workload.Table) error {
	conn, hangUp, err := connect(ctx, config)
	if err != nil {
		return err
	}
	defer hangUp()
	for _, t := range tables {
		if t.SizedBy == "" || t.Bookkeeping {
			continue
		}
		var estimate sql.NullInt64
		row := conn.QueryRowContext(ctx, "SELECT table_rows FROM information_schema.tables WHERE table_schema = ? AND table_name = ?", config.DBName, t.Name)
		if err := row.Scan(&estimate); err != nil {
			return err // there is none: Check says so
		}
		if estimate.Valid && !isFarOff(estimate.Int64, t) {
			continue
		}
		rows, err := count(ctx, conn, t.Name)
		if err != nil {
			return err
		}
		if rows > 0 && isFarOff(rows, t) {
			per := max(1, t.RowsPerSize)
			return &RowsError{config.DBName + "." + t.Name, rows, t.Rows, fmt.Sprintf("--%s %d", t.SizedBy, max(1, rows/per))}
		}
	}
	return nil
}

func isFarOff(rows int64, t workload.Table) bool {
	return rows*mostOff <= t.Rows && !t.Shrinks || rows >= t.Rows*mostOff && !t.Grows
}

// connect opens one connection to the schema, for looking at tables.
func connect(ctx context.Context, config *mysql.Config) (conn *sql.Conn, hangUp func(), err error) {
	db, err := pool(config)
	if err != nil {
		return nil, nil, err
	}
	if conn, err = db.Conn(ctx); err != nil {
		db.Close()
		return nil, nil, err
	}
	return conn, func() { conn.Close(); db.Close() }, nil
}

// Count counts the rows of the tables, but for those that only keep books.
func Count(ctx context.Context, config *mysql.Config, tables []workload.Table) (map[string]int64, error) {
	conn, hangUp, err := connect(ctx, config)
	if err != nil {
		return nil, err
	}
	defer hangUp()
	rows := map[string]int64{}
	for _, t := range tables {
		if t.Bookkeeping {
			continue
		}
		if rows[t.Name], err = count(ctx, conn, t.Name); err != nil {
			return nil, fmt.Errorf("table %s.%s: %w", config.DBName, t.Name, err)
		}
	}
	return rows, nil
}

// Drop drops those of the tables that mysweep made, the last one first, then others that it made
// for the same workload with other options, and returns their names. Tables that mysweep did not
// create are left alone, and prepared ones when the options are those of a run (Temporary).
func Drop(ctx context.Context, config *mysql.Config, tables []workload.Table, o Options) ([]string, error) {
	return drop(ctx, config, o, func(ours map[string]string) []string {
		var names []string
		for _, t := range slices.Backward(tables) {
			if _, ok := ours[t.Name]; ok {
				names = append(names, t.Name)
				delete(ours, t.Name)
			}
		}
		for _, table := range slices.Sorted(maps.Keys(ours)) {
			if strings.HasPrefix(ours[table], o.markerHead()+" ") {
				names = append(names, table)
			}
		}
		return names
	})
}

// DropAll drops every table of the schema that mysweep made, for whichever workload, and returns
// their names.
func DropAll(ctx context.Context, config *mysql.Config, o Options) ([]string, error) {
	return drop(ctx, config, o, func(ours map[string]string) []string { return slices.Sorted(maps.Keys(ours)) })
}

// drop drops those that are chosen among our tables, which have their comments.
func drop(ctx context.Context, config *mysql.Config, o Options, choose func(ours map[string]string) []string) (dropped []string, err error) {
	db, err := pool(config)
	if err != nil {
		return nil, err
	}
	defer db.Close()
	l := &loader{Options: o, db: db, schema: config.DBName}
	comments, err := l.comments(ctx)
	if isWithoutSchema(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	ours := map[string]string{}
	for table, comment := range comments {
		if isMarker(comment) && (!o.Temporary || isTemporary(comment)) || slices.Contains(o.Own, table) {
			ours[table] = comment
		}
	}
	conn, err := l.conn(ctx) // foreign keys are not checked on it
	if err != nil {
		return nil, err
	}
	defer conn.Close()
	for _, table := range choose(ours) {
		if err := run(ctx, conn, "DROP TABLE "+name(table)); err != nil {
			return dropped, err
		}
		dropped = append(dropped, table)
	}
	return dropped, nil
}
