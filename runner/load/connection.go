package load

import (
	"context"
	"errors"
	"fmt"
	"net"
	"slices"
	"time"

	"github.com/go-sql-driver/mysql"

	"github.com/mysweep/mysweep/runner/login"
	"github.com/mysweep/mysweep/runner/workload"
)

// The session's connection: how it comes, is prepared, goes, and comes again.

// connect opens the connection and returns how long it took, from socket() to the server's OK after
// authentication.
func (s *session) connect() (took time.Duration, err error) {
	defer func() {
		if v := recover(); v != nil { // the driver's way to meet a greeting that is none
			err = newFault(fmt.Errorf("%w: %v", login.ErrGarbage, v), nil)
		}
	}()
	began := s.run.clock.now()
	s.wire = nil
	conn, err := s.connector.Connect(context.Background())
	if err != nil {
		return 0, newFault(err, s.causeOfWire())
	}
	s.conn = conn.(serverConn)
	return s.run.clock.now() - began, nil
}

// dial is the driver's way to the network.
func (s *session) dial(context.Context, string, string) (net.Conn, error) {
	limit := time.Now().Add(s.run.trial.ConnectTimeout)
	conn, retries, err := s.place.dial(limit)
	s.retries += int64(retries)
	if err != nil {
		s.wire = &wire{cause: err}
		return nil, err
	}
	s.wire = &wire{Conn: conn}
	return s.wire, s.wire.SetDeadline(limit)
}

func (s *session) causeOfWire() error {
	if s.wire == nil {
		return nil
	}
	return s.wire.cause
}

// reconnect opens the connection inside the clock, where it is counted and timed.
func (s *session) reconnect() error {
	began := s.run.clock.now()
	took, err := s.connect()
	s.now = s.run.clock.now()
	if err != nil {
		var f *fault
		errors.As(err, &f)
		f.answered = false               // it was no statement
		if !errors.Is(err, errAborted) { // else it was never tried
			s.countFailure(-1, began, &fault{class: "connect: " + f.class, code: f.code, error: f.error})
		}
		f.fatal = false // the next round may have better luck
		s.fault = f
		return f
	}
	if s.burst.measures(began, s.now) {
		s.reconnects++
		s.tally.connect(took, false)
	}
	if err := s.setUp(); err != nil {
		f := newFault(err, s.causeOfWire())
		f.answered = false // it was no statement of the workload
		s.countFailure(-1, began, f)
		f.fatal, s.fault = false, f
		s.disconnect()
		return f
	}
	return nil
}

// setUp sets the session's variables, outside of the connect's time.
func (s *session) setUp() error {
	if s.run.setUp == "" {
		return nil
	}
	s.limit(s.run.clock.now())
	s.sessionSets++
	_, err := s.conn.Exec(s.run.setUp, nil)
	if err != nil {
		return fmt.Errorf("%s: %w", s.run.setUp, newFault(err, s.causeOfWire()))
	}
	return nil
}

// Reconnect implements workload.Session.
func (s *session) Reconnect() error {
	s.reconnecting = true
	s.disconnect()
	return s.reconnect()
}

// leave is disconnect outside of the clock: it waits until the server has taken note, so that the
// place is free for the next connection, and the server's counters are complete.
func (s *session) leave() {
	for _, other := range s.others {
		other.leave()
	}
	s.others = nil
	if s.wire != nil {
		s.wire.linger = true
	}
	s.disconnect()
}

// disconnect says goodbye and closes.
func (s *session) disconnect() {
	if s.conn == nil {
		return
	}
	s.limit(s.run.clock.now())
	if s.conn.IsValid() { // else the driver closes without a word
		s.quits++
	}
	s.conn.Close() // an error here does not matter
	s.conn, s.open = nil, false
	for i := range s.statements {
		s.statements[i].prepared = nil
	}
}

// prepare prepares a statement on the present connection, outside of the statement's own time. One
// of which only the server knows whether it returns rows is sent as text: MariaDB tells the columns
// at PREPARE alone, and the driver, asked for none, would wait for them at EXECUTE.
func (s *session) prepare(st *statement) error {
	if st.Kind == workload.Other && !workload.IsRowless(st.SQL) {
		s.sendAsText(st)
		return nil
	}
	s.limit(s.run.clock.now())
	s.preparations++
	prepared, err := s.conn.Prepare(st.SQL)
	var server *mysql.MySQLError
	if errors.As(err, &server) && server.Number == unsupported {
		s.sendAsText(st)
		return nil
	}
	if err != nil {
		return err
	}
	st.prepared = prepared.(preparedStatement)
	return nil
}

// sendAsText records that a statement is not prepared.
func (s *session) sendAsText(st *statement) {
	st.textOnly = true
	if !slices.Contains(s.sentAsText, st.Type) {
		s.sentAsText = append(s.sentAsText, st.Type)
	}
}

// prepareAll prepares what has been declared, so that the clock need not.
func (s *session) prepareAll() error {
	for i := range s.statements {
		// A statement without SQL is sent by Raw.
		if st := &s.statements[i]; st.textOnly || st.SQL == "" {
			continue
		}
		if err := s.prepare(&s.statements[i]); err != nil {
			return fmt.Errorf("prepare %s: %w", s.statements[i].label(), newFault(err, s.wire.cause))
		}
	}
	return nil
}
