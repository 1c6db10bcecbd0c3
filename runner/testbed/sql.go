package testbed

import (
	"context"
	"database/sql"
	"fmt"
)

// exec sends one statement in mysweep's schema, outside every clock.
func (b *Bed) exec(ctx context.Context, statement string) error {
	return b.withConn(ctx, func(conn *sql.Conn) error {
		_, err := conn.ExecContext(ctx, statement)
		return err
	})
}

// execBare sends one statement on a connection that uses no schema, e.g. before
// mysweep's is there.
func (b *Bed) execBare(ctx context.Context, statement string) error {
	pool, err := b.target.Pool(1)
	if err != nil {
		return err
	}
	defer pool.Close()
	_, err = pool.ExecContext(ctx, statement)
	return err
}

// query reads all rows of a statement as text, NULL as "".
func (b *Bed) query(ctx context.Context, statement string) (rows [][]string, err error) {
	err = b.withConn(ctx, func(conn *sql.Conn) error {
		found, err := conn.QueryContext(ctx, statement)
		if err != nil {
			return err
		}
		defer found.Close()
		rows, err = textRows(found)
		return err
	})
	return rows, err
}

func textRows(found *sql.Rows) ([][]string, error) {
	columns, err := found.Columns()
	if err != nil {
		return nil, err
	}
	var rows [][]string
	for found.Next() {
		fields := make([]sql.NullString, len(columns))
		pointers := make([]any, len(columns))
		for i := range fields {
			pointers[i] = &fields[i]
		}
		if err := found.Scan(pointers...); err != nil {
			return nil, err
		}
		row := make([]string, len(columns))
		for i, f := range fields {
			row[i] = f.String
		}
		rows = append(rows, row)
	}
	return rows, found.Err()
}

// withConn lends a connection that uses mysweep's schema. It is closed
// afterwards, so that nothing of ours stays connected during trials.
func (b *Bed) withConn(ctx context.Context, use func(*sql.Conn) error) error {
	pool, err := b.target.Pool(1)
	if err != nil {
		return err
	}
	defer pool.Close()
	conn, err := pool.Conn(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	if _, err := conn.ExecContext(ctx, "USE `"+b.site.plan.Server.Database+"`"); err != nil {
		return fmt.Errorf("schema %s: %w", b.site.plan.Server.Database, err)
	}
	return use(conn)
}
