package lua

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/mysweep/mysweep/runner/workload"
)

// link is one connection of a script. results are those of its latest
// statement, as in sysbench: the next one replaces them.
type link interface {
	// query sends a text.
	query(sql string) error
	// prepare makes a statement with ? for each argument known.
	prepare(sql string) (prepared int, err error)
	execute(prepared int, args workload.Args) error
	reconnect() error
	close() error
	results() *workload.Results
	// affected is the number of rows that the latest statement changed.
	affected() int64
}

// verbs are the reporting groups of statements, by their first word.
var verbs = []string{"select", "insert", "update", "delete", "replace", "begin", "start", "commit", "rollback", "set", "call",
	"create", "drop", "alter", "truncate", "load", "with", "lock", "unlock", "analyze", "show"}

// verb is the reporting group of a statement.
func verb(sql string) string {
	sql = strings.TrimLeft(sql, " \t\r\n(;")
	end := strings.IndexFunc(sql, func(r rune) bool { return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') })
	if end < 0 {
		end = len(sql)
	}
	for _, v := range verbs {
		if strings.EqualFold(sql[:end], v) {
			if v == "start" {
				return "begin"
			}
			return v
		}
	}
	return "other"
}

// statementOf is how a text is declared: its group and its kind.
func statementOf(sql string) workload.Statement {
	return workload.Statement{Type: verb(sql), Kind: workload.KindOf(sql)}
}

// sessionLink is a connection of a trial.
type sessionLink struct {
	session workload.Session
	handles map[workload.Statement]workload.Handle
	rows    workload.Results
	outcome workload.Outcome
}

func newSessionLink(s workload.Session) *sessionLink {
	return &sessionLink{session: s, handles: map[workload.Statement]workload.Handle{}}
}

func (l *sessionLink) declare(st workload.Statement) workload.Handle {
	h, ok := l.handles[st]
	if !ok {
		h = l.session.Declare(st)
		l.handles[st] = h
	}
	return h
}

func (l *sessionLink) query(sql string) error {
	return l.fetch(l.declare(statementOf(sql)), sql, nil)
}

// prepare declares a statement; the load generator prepares it on first use
// after each connect. The same text is prepared once.
func (l *sessionLink) prepare(sql string) (int, error) {
	st := statementOf(sql)
	st.SQL = sql
	return int(l.declare(st)), nil
}

func (l *sessionLink) execute(prepared int, args workload.Args) error {
	return l.fetch(workload.Handle(prepared), "", args)
}

func (l *sessionLink) fetch(h workload.Handle, sql string, args workload.Args) (err error) {
	l.rows.Reset()
	l.outcome, err = l.session.Fetch(h, sql, args, &l.rows)
	return err
}

func (l *sessionLink) reconnect() error           { return l.session.Reconnect() }
func (l *sessionLink) close() error               { return nil } // with the thread
func (l *sessionLink) results() *workload.Results { return &l.rows }
func (l *sessionLink) affected() int64            { return l.outcome.RowsAffected }

// connLink is a connection outside of trials. Prepared statements are sent as
// text there, with their arguments put in.
type connLink struct {
	ctx      context.Context
	open     func(context.Context) (workload.Conn, error)
	conn     workload.Conn
	rows     workload.Results
	outcome  workload.Outcome
	prepared []string
	sent     func(context.Context, string) error // receives each statement that succeeded
}

func (l *connLink) query(sql string) (err error) {
	l.rows.Reset()
	l.outcome, err = l.conn.Fetch(l.ctx, sql, &l.rows)
	if err == nil && l.sent != nil {
		err = l.sent(l.ctx, sql)
	}
	return err
}

func (l *connLink) prepare(sql string) (int, error) {
	l.prepared = append(l.prepared, sql)
	return len(l.prepared) - 1, nil
}

func (l *connLink) execute(prepared int, args workload.Args) error {
	sql, err := filledIn(l.prepared[prepared], args)
	if err != nil {
		return err
	}
	return l.query(sql)
}

func (l *connLink) reconnect() error {
	l.conn.Close() // it may be broken already
	conn, err := l.open(l.ctx)
	if err != nil {
		return err
	}
	l.conn = conn
	return nil
}

func (l *connLink) close() error               { return l.conn.Close() }
func (l *connLink) results() *workload.Results { return &l.rows }
func (l *connLink) affected() int64            { return l.outcome.RowsAffected }

// filledIn is a statement with its arguments in place of each ?. Question
// marks in strings, quoted names and comments stay.
func filledIn(sql string, args workload.Args) (string, error) {
	out := make([]byte, 0, len(sql)+16*len(args))
	next := 0
	for i := 0; i < len(sql); i++ {
		c := sql[i]
		if end := literalEnd(sql, i); end > i {
			out = append(out, sql[i:end]...)
			i = end - 1
			continue
		}
		if c != '?' {
			out = append(out, c)
			continue
		}
		if next == len(args) {
			return "", fmt.Errorf("prepared statement has more parameters than the %d that are bound: %s", len(args), sql)
		}
		out = appendLiteral(out, args[next])
		next++
	}
	return string(out), nil
}

// literalEnd is the end of a string, quoted name or comment that begins at i,
// else i.
func literalEnd(sql string, i int) int {
	rest := sql[i:]
	switch c := sql[i]; {
	case c == '\'' || c == '"' || c == '`':
		for k := 1; k < len(rest); k++ {
			if rest[k] == '\\' && c != '`' {
				k++
			} else if rest[k] == c {
				return i + k + 1
			}
		}
		return len(sql)
	case strings.HasPrefix(rest, "/*"):
		if end := strings.Index(rest, "*/"); end > 0 {
			return i + end + 2
		}
		return len(sql)
	case c == '#', strings.HasPrefix(rest, "-- "):
		if end := strings.IndexByte(rest, '\n'); end > 0 {
			return i + end
		}
		return len(sql)
	}
	return i
}

// appendLiteral appends an argument as SQL.
func appendLiteral(out []byte, a workload.Arg) []byte {
	switch a.Form {
	case workload.Integer:
		return strconv.AppendInt(out, a.Int, 10)
	case workload.Real:
		if math.IsNaN(a.Float) || math.IsInf(a.Float, 0) {
			return append(out, "NULL"...)
		}
		return strconv.AppendFloat(out, a.Float, 'g', -1, 64)
	case workload.Text:
		out = append(out, '\'')
		for i := 0; i < len(a.Text); i++ {
			switch c := a.Text[i]; c {
			case '\'', '\\':
				out = append(out, '\\', c)
			case 0:
				out = append(out, '\\', '0')
			default:
				out = append(out, c)
			}
		}
		return append(out, '\'')
	}
	return append(out, "NULL"...)
}
