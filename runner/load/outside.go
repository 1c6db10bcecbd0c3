package load

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"

	"github.com/go-sql-driver/mysql"

	"github.com/mysweep/mysweep/runner/workload"
)

// outside is a connection outside of trials, for workloads with set-up of their own. It implements
// workload.Conn.
type outside struct {
	conn driver.Conn
}

// Connect opens a connection outside of trials. The context bounds the login too; each statement
// has its own context.
func Connect(ctx context.Context, config *mysql.Config) (workload.Conn, error) {
	config = config.Clone()
	config.Logger = &mysql.NopLogger{}
	config.InterpolateParams = true
	connector, err := mysql.NewConnector(config)
	if err != nil {
		return nil, fmt.Errorf("server's address and account: %w", err)
	}
	conn, err := connector.Connect(ctx)
	if err != nil {
		return nil, err
	}
	return &outside{conn}, nil
}

// Fetch implements workload.Conn.
func (o *outside) Fetch(ctx context.Context, sql string, into *workload.Results) (workload.Outcome, error) {
	if !returnsRows(workload.KindOf(sql), sql) {
		result, err := o.conn.(driver.ExecerContext).ExecContext(ctx, sql, nil)
		if err != nil {
			return workload.Outcome{}, cutOff(ctx, serverError(err))
		}
		rows, _ := result.RowsAffected() // the driver's never fail
		id, _ := result.LastInsertId()
		return workload.Outcome{RowsAffected: rows, LastInsertID: id}, nil
	}
	rows, err := o.conn.(driver.QueryerContext).QueryContext(ctx, sql, nil)
	if err == nil {
		var s session
		err = s.storeAll(rows, into)
	}
	return workload.Outcome{}, cutOff(ctx, serverError(err))
}

// cutOff says why a statement was cut off, where the context ended it.
func cutOff(ctx context.Context, err error) error {
	if err != nil && ctx.Err() != nil {
		return errors.Join(err, context.Cause(ctx))
	}
	return err
}

func (o *outside) Close() error { return o.conn.Close() }
