package load

import (
	"database/sql/driver"
	"errors"
	"io"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/mysweep/mysweep/runner/workload"
)

// serverConn is what the driver's connections can do, without the allocating detour over named
// values.
type serverConn interface {
	driver.Conn
	driver.Validator
	Query(sql string, args []driver.Value) (driver.Rows, error)
	Exec(sql string, args []driver.Value) (driver.Result, error)
}

// preparedStatement is the same for its prepared statements.
type preparedStatement interface {
	Query(args []driver.Value) (driver.Rows, error)
	Exec(args []driver.Value) (driver.Result, error)
}

// statement is one declared statement of a thread.
type statement struct {
	workload.Statement
	number   int // of its type in the catalogue
	prepared preparedStatement
	textOnly bool   // it is not prepared
	rows     bool   // it returns rows
	columns  int    // of its result, once known
	raw      string // the latest text that Raw sent
}

// session is one thread's way to the server: its connection, its statements, and the clocks around
// them. It implements workload.Session.
type session struct {
	*thread
	connector  driver.Connector
	conn       serverConn // nil while there is none
	wire       *wire
	statements []statement
	beginning  workload.Handle // -1 until it is used
	committing workload.Handle
	rolling    workload.Handle
	bound      binder
	row        []driver.Value // of Select, as the driver has it
	plain      []any          // the same as the workload gets it
	rand       *rand.Rand
	open       bool // a transaction is
	// sending is set while a statement is under way: a panic is then the driver's fault.
	sending   bool
	current   workload.Handle
	fault     *fault // why the present round failed
	unchanged bool   // the statement that has just been answered was to write and changed no row
	// Further connections that the workload opened.
	others []*session
}

var _ workload.Session = (*session)(nil)

// Declare implements workload.Session.
func (s *session) Declare(st workload.Statement) workload.Handle {
	number := s.run.types.number(st.Type, st.Kind)
	s.tally.lock()
	ofType(&s.tally.types, number)
	s.tally.unlock()
	s.statements = append(s.statements, statement{Statement: st, number: number, rows: returnsRows(st.Kind, st.SQL)})
	return workload.Handle(len(s.statements) - 1)
}

// Query implements workload.Session.
func (s *session) Query(h workload.Handle, args workload.Args) (int64, error) {
	st := &s.statements[h]
	began, err := s.starts(h, s.run.trial.Prepared)
	if err != nil {
		return 0, err
	}
	n, err := s.fetch(st, args)
	return n, s.ends(st, began, err)
}

// Raw implements workload.Session.
func (s *session) Raw(h workload.Handle, sql string) (int64, error) {
	st := &s.statements[h]
	began, err := s.starts(h, false)
	if err != nil {
		return 0, err
	}
	st.raw = sql
	rows, err := s.conn.Query(sql, nil)
	var n int64
	if err == nil {
		n, err = drain(rows)
	}
	return n, s.ends(st, began, err)
}

// Exec implements workload.Session.
func (s *session) Exec(h workload.Handle, args workload.Args) (workload.Outcome, error) {
	st := &s.statements[h]
	var out workload.Outcome
	began, err := s.starts(h, s.run.trial.Prepared)
	if err != nil {
		return out, err
	}
	if st.rows { // of RETURNING: those that were changed
		out.RowsAffected, err = s.fetch(st, args)
	} else {
		out, err = s.execText(st, "", args)
	}
	s.unchanged = err == nil && st.Kind == workload.Write && out.RowsAffected == 0
	return out, s.ends(st, began, err)
}

// Select implements workload.Session. The statement's time ends with its last row, so each is part
// of it.
func (s *session) Select(h workload.Handle, args workload.Args, each func([]any) error) error {
	st := &s.statements[h]
	began, err := s.starts(h, s.run.trial.Prepared)
	if err != nil {
		return err
	}
	rows, err := s.query(st, args)
	if err != nil {
		return s.ends(st, began, err)
	}
	refused, err := s.walk(st, rows, each)
	if err := s.ends(st, began, err); err != nil {
		return err
	}
	return refused
}

// walk hands rows to each until it refuses one; err is a fault of the statement.
func (s *session) walk(st *statement, rows driver.Rows, each func([]any) error) (refused, err error) {
	if st.columns == 0 {
		st.columns = len(rows.Columns())
	}
	if len(s.row) < st.columns {
		s.row, s.plain = make([]driver.Value, st.columns), make([]any, st.columns)
	}
	row := s.plain[:st.columns]
	for refused == nil {
		if err = rows.Next(s.row[:st.columns]); err != nil {
			break
		}
		for i := range row {
			row[i] = plain(s.row[i])
		}
		s.sending = false
		refused = each(row)
		s.sending = true
	}
	if err == io.EOF {
		err = nil
	}
	return refused, errors.Join(err, rows.Close())
}

// plain brings the forms that the driver has for a column's value to the few that a workload knows.
func plain(v driver.Value) any {
	switch v := v.(type) {
	case uint64:
		return int64(v)
	case float32:
		return float64(v)
	}
	return v
}

// query sends a statement.
func (s *session) query(st *statement, args workload.Args) (driver.Rows, error) {
	if st.prepared != nil {
		return st.prepared.Query(s.bound.bind(args))
	}
	return s.conn.Query(st.SQL, s.bound.bind(args))
}

// fetch sends a statement and counts its rows.
func (s *session) fetch(st *statement, args workload.Args) (int64, error) {
	rows, err := s.query(st, args)
	if err != nil {
		return 0, err
	}
	return drain(rows)
}

// drain reads all rows without decoding their fields: given no place for them, the driver skips
// them.
func drain(rows driver.Rows) (n int64, err error) {
	for {
		if err = rows.Next(nil); err != nil {
			break
		}
		n++
	}
	if err == io.EOF {
		err = nil
	}
	if closing := rows.Close(); err == nil {
		err = closing
	}
	return n, err
}

// Begin implements workload.Session.
func (s *session) Begin() error {
	err := s.control(&s.beginning, "begin", s.run.begin)
	s.open = err == nil
	return err
}

// Commit implements workload.Session.
func (s *session) Commit() error {
	err := s.control(&s.committing, "commit", "COMMIT")
	s.open = s.open && err != nil
	return err
}

// Rollback implements workload.Session.
func (s *session) Rollback() error {
	s.open = false
	return s.control(&s.rolling, "rollback", "ROLLBACK")
}

// control sends a statement of transaction control, declaring it at its first use. It is sent as
// text: MySQL cannot prepare BEGIN.
func (s *session) control(h *workload.Handle, typ, sql string) error {
	if *h < 0 {
		*h = s.Declare(workload.Statement{Type: typ, Kind: workload.Other, SQL: sql})
		s.statements[*h].textOnly = true
	}
	st := &s.statements[*h]
	began, err := s.starts(*h, false)
	if err != nil {
		return err
	}
	_, err = s.fetch(st, nil)
	return s.ends(st, began, err)
}

// Sleep implements workload.Session.
func (s *session) Sleep(d time.Duration) error {
	s.intended = 0
	return s.pause(d)
}

// Think implements workload.Session.
func (s *session) Think(d time.Duration) error {
	if d <= 0 {
		return nil
	}
	before := s.run.clock.now()
	err := s.Sleep(d)
	s.thought += s.now - before
	return err
}

// Interaction implements workload.Session.
func (s *session) Interaction(typ string) {
	s.interaction = s.run.interactions.number(typ, workload.Other)
}

// AtEnd implements workload.Session.
func (s *session) AtEnd(r workload.Round) { s.atEnd = r }

// Rand implements workload.Session.
func (s *session) Rand() *rand.Rand { return s.rand }

// Thread implements workload.Session.
func (s *session) Thread() int { return s.number }

// Threads implements workload.Session.
func (s *session) Threads() int { return s.run.threadCount }

// starts makes ready for a statement (connection, preparation) and returns when its clock starts.
func (s *session) starts(h workload.Handle, prepared bool) (time.Duration, error) {
	if s.conn == nil {
		if err := s.reconnect(); err != nil {
			return 0, err
		}
	}
	s.sending, s.current = true, h
	if st := &s.statements[h]; prepared && st.prepared == nil && !st.textOnly {
		if err := s.prepare(st); err != nil {
			return 0, s.failed(st, s.run.clock.now(), err, false)
		}
	}
	now := s.run.clock.now()
	s.limit(now)
	if s.intended > 0 {
		now, s.intended = s.intended, 0
	}
	return now, nil
}

// limit sets the time limit of what is sent next.
func (s *session) limit(now time.Duration) {
	if limit := s.run.trial.QueryTimeout; limit > 0 {
		s.wire.SetDeadline(s.run.clock.at(now + limit))
	}
}

// ends takes the time of a statement and counts it; err is how the driver saw it.
func (s *session) ends(st *statement, began time.Duration, err error) error {
	s.now = s.run.clock.now()
	if err != nil {
		return s.failed(st, began, err, true)
	}
	s.answered(st, began, s.now)
	if s.reconnectEvery < 0 && !s.open {
		s.disconnect()
	}
	return nil
}

// text is the SQL that was sent, its beginning when it is long.
func (st *statement) text() string {
	const most = 200
	text := st.SQL
	if text == "" {
		text = st.raw
	}
	if len(text) > most {
		text = strings.ToValidUTF8(text[:most], "") + "..."
	}
	return text
}

// label is what people call the statement.
func (st *statement) label() string {
	if st.Name != "" {
		return st.Name
	}
	return st.Type
}
