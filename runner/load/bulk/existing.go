package bulk

import (
	"context"
	"fmt"
	"strings"

	"github.com/go-sql-driver/mysql"

	"mysweep/runner/workload"
)

// Check looks at tables that somebody else made: they must be there, with the columns that the workload knows, and hold
// rows. It changes nothing. A number of rows that is not the workload's is told in the table's note.
func Check(ctx context.Context, config *mysql.Config, tables []workload.Table) ([]Loaded, error) {
	db, err := pool(config)
	if err != nil {
		return nil, err
	}
	defer db.Close()
	conn, err := db.Conn(ctx)
	if err != nil {
		return nil, err
	}
	defer conn.Close()
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
			l.Note = fmt.Sprintf("%s has %d rows, the workload's options say %d", t.Name, n, t.Rows)
		}
		found = append(found, l)
	}
	return found, nil
}

// Count counts the rows of the tables, but for those that only keep books.
func Count(ctx context.Context, config *mysql.Config, tables []workload.Table) (map[string]int64, error) {
	db, err := pool(config)
	if err != nil {
		return nil, err
	}
	defer db.Close()
	conn, err := db.Conn(ctx)
	if err != nil {
		return nil, err
	}
	defer conn.Close()
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

// Drop drops those of the tables that mysweep made, the last one first, and returns their names. Others' are left alone.
func Drop(ctx context.Context, config *mysql.Config, tables []workload.Table, o Options) ([]string, error) {
	db, err := pool(config)
	if err != nil {
		return nil, err
	}
	defer db.Close()
	l := &loader{Options: o, db: db, schema: config.DBName}
	comments, err := l.comments(ctx)
	if err != nil {
		return nil, err
	}
	conn, err := l.conn(ctx)
	if err != nil {
		return nil, err
	}
	defer conn.Close()
	var dropped []string
	for i := len(tables) - 1; i >= 0; i-- {
		if comment, there := comments[tables[i].Name]; !there || !isMarker(comment) {
			continue
		}
		if err := run(ctx, conn, "DROP TABLE "+name(tables[i].Name)); err != nil {
			return dropped, err
		}
		dropped = append(dropped, tables[i].Name)
	}
	return dropped, nil
}
