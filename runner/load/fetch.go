package load

import (
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/go-sql-driver/mysql"

	"github.com/mysweep/mysweep/runner/workload"
)

// Fetch implements workload.Session.
func (s *session) Fetch(h workload.Handle, sql string, args workload.Args, into *workload.Results) (workload.Outcome, error) {
	st := &s.statements[h]
	began, err := s.starts(h, sql == "" && s.run.trial.Prepared)
	if err != nil {
		return workload.Outcome{}, err
	}
	text := sql
	if text == "" {
		text = st.SQL
	}
	var out workload.Outcome
	if returnsRows(st.Kind, text) {
		err = s.fetchRows(st, sql, args, into)
	} else {
		out, err = s.execText(st, sql, args)
		s.unchanged = err == nil && st.Kind == workload.Write && out.RowsAffected == 0
	}
	if err = s.ends(st, began, err); err != nil {
		s.thread.session.fault = s.fault // a round on several connections has one fault: the latest
	}
	return out, serverError(err)
}

// returnsRows reports whether a statement is sent as one that returns rows. One
// that is sent the other way loses its rows, or the number of rows changed.
func returnsRows(kind workload.Kind, sql string) bool {
	if kind == workload.Read {
		return true
	}
	return kind == workload.Write && strings.Contains(strings.ToLower(sql[max(0, len(sql)-4096):]), "returning")
}

// execText sends a statement without rows, as text or as declared.
func (s *session) execText(st *statement, sql string, args workload.Args) (workload.Outcome, error) {
	var result driver.Result
	var err error
	switch {
	case sql != "":
		result, err = s.conn.Exec(sql, nil)
	case st.prepared != nil:
		result, err = st.prepared.Exec(s.bound.bind(args))
	default:
		result, err = s.conn.Exec(st.SQL, s.bound.bind(args))
	}
	if err != nil {
		return workload.Outcome{}, err
	}
	rows, _ := result.RowsAffected() // the driver's never fail
	id, _ := result.LastInsertId()
	return workload.Outcome{RowsAffected: rows, LastInsertID: id}, nil
}

// fetchRows stores all result sets of a statement.
func (s *session) fetchRows(st *statement, sql string, args workload.Args, into *workload.Results) error {
	var rows driver.Rows
	var err error
	if sql != "" {
		rows, err = s.conn.Query(sql, nil)
	} else {
		rows, err = s.query(st, args)
	}
	if err != nil {
		return err
	}
	return s.storeAll(rows, into)
}

// storeAll stores the result sets of an answer to its end.
func (s *session) storeAll(rows driver.Rows, into *workload.Results) (err error) {
	for {
		if err = s.store(rows, into); err != nil {
			break
		}
		next, ok := rows.(driver.RowsNextResultSet)
		if !ok || !next.HasNextResultSet() {
			break
		}
		if err = next.NextResultSet(); err != nil {
			break
		}
	}
	if err == io.EOF {
		err = nil
	}
	return errors.Join(err, rows.Close())
}

// store stores one result set.
func (s *session) store(rows driver.Rows, into *workload.Results) error {
	columns := len(rows.Columns())
	if columns == 0 {
		return nil
	}
	into.Begin(columns)
	if len(s.row) < columns {
		// Both have the same length: walk relies on it.
		s.row, s.plain = make([]driver.Value, columns), make([]any, columns)
	}
	row := s.row[:columns]
	for {
		if err := rows.Next(row); err != nil {
			if err == io.EOF {
				return nil
			}
			return err
		}
		for _, v := range row {
			appendValue(into, v)
		}
	}
}

// appendValue appends a value in the form that the text protocol has for it.
func appendValue(into *workload.Results, v driver.Value) {
	var buffer [32]byte
	switch v := v.(type) {
	case nil:
		into.AppendNull()
	case []byte:
		into.Append(v)
	case string:
		into.Append([]byte(v))
	case int64:
		into.Append(strconv.AppendInt(buffer[:0], v, 10))
	case uint64:
		into.Append(strconv.AppendUint(buffer[:0], v, 10))
	case float32:
		into.Append(strconv.AppendFloat(buffer[:0], float64(v), 'g', -1, 32))
	case float64:
		into.Append(strconv.AppendFloat(buffer[:0], v, 'g', -1, 64))
	case time.Time:
		into.Append(v.AppendFormat(buffer[:0], time.DateTime))
	default:
		into.Append(fmt.Append(buffer[:0], v))
	}
}

// serverError gives a workload the server's answer in a form that needs no
// driver. The fault stays below it for the load generator.
func serverError(err error) error {
	var answer *mysql.MySQLError
	if !errors.As(err, &answer) {
		return err
	}
	return fmt.Errorf("%w%w", &workload.ServerError{Number: int(answer.Number), State: strings.TrimRight(string(answer.SQLState[:]), "\x00"),
		Message: answer.Message}, hidden{err})
}

// hidden wraps an error without repeating its text.
type hidden struct{ error }

func (hidden) Error() string   { return "" }
func (h hidden) Unwrap() error { return h.error }

// Ended implements workload.Session.
func (s *session) Ended() error {
	if cause := s.run.aborted.Load(); cause != nil {
		return *cause
	}
	return nil
}

// Another implements workload.Session. What goes on on it is counted with the
// thread's.
func (s *session) Another() (workload.Session, error) {
	other := &session{thread: s.thread, beginning: -1, committing: -1, rolling: -1, rand: s.rand}
	config := s.run.config.Clone()
	config.DialFunc = other.dial
	var err error
	if other.connector, err = mysql.NewConnector(config); err != nil {
		return nil, err
	}
	if err := other.reconnect(); err != nil {
		return nil, err
	}
	s.others = append(s.others, other)
	return other, nil
}
