package bulk

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/go-sql-driver/mysql"

	"github.com/mysweep/mysweep/runner/workload"
)

// fill loads the rows by the best way that the server takes, and returns the connection to go on
// with. Where LOAD DATA LOCAL does not go through, it begins again with an empty table and INSERT.
func (l *loader) fill(ctx context.Context, conn *sql.Conn, t workload.Table, done *Loaded) (*sql.Conn, error) {
	if t.Rows == 0 || t.Row == nil {
		return conn, nil
	}
	refused := l.refusal()
	if refused == nil {
		done.Method = ByLoadData
		err := l.loadData(ctx, conn, t)
		var failed *loadDataError
		if !errors.As(err, &failed) || ctx.Err() != nil {
			return conn, err
		}
		again, err := l.emptied(ctx, t)
		if err != nil {
			return conn, fmt.Errorf("%w, and it cannot be loaded by INSERT: %w", failed, err)
		}
		conn.Close()
		conn, refused = again, failed
		l.mu.Lock()
		l.localErr = refused
		l.mu.Unlock()
	}
	done.Method = ByInsert
	done.add("LOAD DATA LOCAL was not used: " + refused.Error())
	return conn, l.insert(ctx, conn, t)
}

func (l *loader) refusal() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.localErr
}

// emptied takes back the rows of a load that failed on the way, and returns a connection: the one
// before may have been closed.
func (l *loader) emptied(ctx context.Context, t workload.Table) (*sql.Conn, error) {
	conn, err := l.conn(ctx)
	if err != nil {
		return nil, err
	}
	rows, err := count(ctx, conn, t.Name)
	if err == nil && rows > 0 {
		err = run(ctx, conn, "TRUNCATE TABLE "+name(t.Name))
		if isRefused(err) {
			err = run(ctx, conn, "DELETE FROM "+name(t.Name))
		}
	}
	if err != nil {
		conn.Close()
		return nil, err
	}
	return conn, nil
}

// analyze brings the server's statistics of a table up to date, where the account may: without, the
// server has those that it made by itself.
func (l *loader) analyze(ctx context.Context, conn *sql.Conn, done *Loaded) error {
	err := run(ctx, conn, "ANALYZE TABLE "+name(done.Table))
	if isRefused(err) {
		done.add("its statistics are as the server has them: " + err.Error())
		return nil
	}
	return err
}

// isRefused reports whether the server itself answered with an error.
func isRefused(err error) bool {
	var refused *mysql.MySQLError
	return errors.As(err, &refused)
}

// isWithoutSchema reports whether the schema is not there, or not open to the account: then nothing
// of ours is in it.
func isWithoutSchema(err error) bool {
	const denied, unknown = 1044, 1049
	var refused *mysql.MySQLError
	return errors.As(err, &refused) && (refused.Number == denied || refused.Number == unknown)
}
