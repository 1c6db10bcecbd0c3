package login

import (
	"context"
	"database/sql/driver"
	"errors"
	"net"
	"strings"

	"github.com/go-sql-driver/mysql"
)

// maxErrorText is how many bytes of a server's error text are kept. Servers
// write 512 at most; what is longer comes from something else, and would go
// through notes, archive, report and mail.
const maxErrorText = 1 << 10

// CutError shortens the text of a server's error within err.
func CutError(err error) error {
	var server *mysql.MySQLError
	if errors.As(err, &server) && len(server.Message) > maxErrorText {
		server.Message = strings.Clone(strings.ToValidUTF8(server.Message[:maxErrorText], "")) + "..."
	}
	return err
}

// driverConn is what the driver's connections can do for database/sql.
type driverConn interface {
	driver.Conn
	driver.Pinger
	driver.QueryerContext
	driver.ExecerContext
	driver.ConnPrepareContext
	driver.ConnBeginTx
	driver.SessionResetter
	driver.Validator
	driver.NamedValueChecker
}

// cutting is a connection whose errors are cut.
type cutting struct {
	driverConn
	network net.Conn
}

// NetConn is the connection below the protocol. Nothing may be read from or
// written to it.
func (c *cutting) NetConn() net.Conn { return c.network }

func (c *cutting) Ping(ctx context.Context) error { return CutError(c.driverConn.Ping(ctx)) }

func (c *cutting) QueryContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Rows, error) {
	rows, err := c.driverConn.QueryContext(ctx, query, args)
	return cutRows(rows, err)
}

func (c *cutting) ExecContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Result, error) {
	result, err := c.driverConn.ExecContext(ctx, query, args)
	return result, CutError(err)
}

func (c *cutting) PrepareContext(ctx context.Context, query string) (driver.Stmt, error) {
	made, err := c.driverConn.PrepareContext(ctx, query)
	if err != nil {
		return nil, CutError(err)
	}
	return &cuttingStatement{made.(driverStatement)}, nil
}

func (c *cutting) BeginTx(ctx context.Context, options driver.TxOptions) (driver.Tx, error) {
	tx, err := c.driverConn.BeginTx(ctx, options)
	if err != nil {
		return nil, CutError(err)
	}
	return cuttingTx{tx}, nil
}

// driverStatement is the same of prepared statements.
type driverStatement interface {
	driver.Stmt
	driver.StmtQueryContext
	driver.StmtExecContext
	driver.NamedValueChecker
}

type cuttingStatement struct{ driverStatement }

func (s *cuttingStatement) QueryContext(ctx context.Context, args []driver.NamedValue) (driver.Rows, error) {
	rows, err := s.driverStatement.QueryContext(ctx, args)
	return cutRows(rows, err)
}

func (s *cuttingStatement) ExecContext(ctx context.Context, args []driver.NamedValue) (driver.Result, error) {
	result, err := s.driverStatement.ExecContext(ctx, args)
	return result, CutError(err)
}

type cuttingTx struct{ driver.Tx }

func (t cuttingTx) Commit() error   { return CutError(t.Tx.Commit()) }
func (t cuttingTx) Rollback() error { return CutError(t.Tx.Rollback()) }

// driverRows is the same of results.
type driverRows interface {
	driver.RowsNextResultSet
	driver.RowsColumnTypeDatabaseTypeName
	driver.RowsColumnTypeNullable
	driver.RowsColumnTypePrecisionScale
	driver.RowsColumnTypeScanType
}

type cuttingRows struct{ driverRows }

func cutRows(rows driver.Rows, err error) (driver.Rows, error) {
	if err != nil {
		return nil, CutError(err)
	}
	return &cuttingRows{rows.(driverRows)}, nil
}

func (r *cuttingRows) Next(dest []driver.Value) error { return CutError(r.driverRows.Next(dest)) }
func (r *cuttingRows) NextResultSet() error           { return CutError(r.driverRows.NextResultSet()) }
func (r *cuttingRows) Close() error                   { return CutError(r.driverRows.Close()) }
