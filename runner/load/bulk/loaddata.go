package bulk

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync/atomic"

	"github.com/go-sql-driver/mysql"

	"github.com/mysweep/mysweep/runner/workload"
)

// streams numbers the readers, whose names the driver keeps in one list for the whole process.
var streams atomic.Int64

// loadData streams the whole table to one LOAD DATA LOCAL.
func (l *loader) loadData(ctx context.Context, conn *sql.Conn, t workload.Table) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	out, done := l.chunks(ctx, t, func(to []byte, row *workload.Row) []byte {
		return append(append(to, row.Bytes()...), '\n')
	})
	stream := fmt.Sprintf("mysweep-%d", streams.Add(1))
	mysql.RegisterReaderHandler(stream, func() io.Reader { return &chunkReader{ctx: ctx, chunks: out, done: done} })
	defer mysql.DeregisterReaderHandler(stream)
	statement := "LOAD DATA LOCAL INFILE 'Reader::" + stream + "' INTO TABLE " + name(t.Name)
	statement += " CHARACTER SET " + l.wireCharset(t) + columnList(t)
	if err := run(ctx, conn, statement); err != nil {
		return &loadDataError{err}
	}
	return warning(ctx, conn)
}

// loadDataError says that LOAD DATA LOCAL did not go through. Servers and proxies that do not take
// it answer with many errors, or close the connection.
type loadDataError struct{ cause error }

func (e *loadDataError) Error() string { return e.cause.Error() }
func (e *loadDataError) Unwrap() error { return e.cause }

// wireCharset is the character set that the server is told the rows have: they are UTF-8, whatever
// the table is in. For a table that we make in UTF-8 they are bytes to be taken as they are: that
// saves the server a search for characters, a tenth of its CPU here, and it still refuses what is
// no UTF-8.
func (l *loader) wireCharset(t workload.Table) string {
	if l.Charset == "utf8mb4" && t.Create == "" {
		return "binary"
	}
	return "utf8mb4"
}

// warning returns the first warning of the last statement as an error: with LOCAL, a row that does
// not fit is bent and only warned of, whatever the SQL mode.
func warning(ctx context.Context, conn *sql.Conn) error {
	var level, message string
	var code int
	err := conn.QueryRowContext(ctx, "SHOW WARNINGS LIMIT 1").Scan(&level, &code, &message)
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("warnings: %w", err)
	}
	return fmt.Errorf("a row does not fit: %s %d %s", strings.ToLower(level), code, message)
}

// columnList is the list of columns that rows are made of, empty for all.
func columnList(t workload.Table) string {
	if len(t.Load) == 0 {
		return ""
	}
	names := make([]string, len(t.Load))
	for i, column := range t.Load {
		names[i] = name(column)
	}
	return " (" + strings.Join(names, ", ") + ")"
}

// chunkReader reads chunks one after the other.
type chunkReader struct {
	ctx    context.Context
	chunks <-chan chunk
	done   func(chunk)
	now    chunk
	read   int // bytes of now
}

func (r *chunkReader) Read(p []byte) (int, error) {
	for r.read == len(r.now.data) {
		if r.now.data != nil {
			r.done(r.now)
		}
		next, ok := <-r.chunks
		if !ok {
			r.now, r.read = chunk{}, 0
			if err := r.ctx.Err(); err != nil {
				return 0, err
			}
			return 0, io.EOF
		}
		r.now, r.read = next, 0
	}
	n := copy(p, r.now.data[r.read:])
	r.read += n
	return n, nil
}
