package smack

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/mysweep/mysweep/runner/workload"
	"github.com/mysweep/mysweep/runner/workload/syntax"
)

// query is a query that is ready to be sent by any thread.
type query struct {
	statement workload.Statement
	rows      bool    // rows may come back
	pieces    []piece // of a parsed query
	// bound says that every word is sent as an argument, because each is alone
	// between single quotes. Otherwise the text is assembled for each call.
	bound bool
}

// piece is a text and the number of the dictionary whose word follows, -1 at the end.
type piece struct {
	before string
	words  int
	quote  byte // the quote around the word, 0 for none
}

// query makes a query of its section.
func (c *compiler) query(q *Query) (*query, error) {
	if !q.SQL.Set() || strings.TrimSpace(q.SQL.Text) == "" {
		return nil, syntax.Errorf(q.At, "query %s has no query: add query \"select ...\";", q.Name)
	}
	sql := q.SQL.Text
	compiled := &query{statement: workload.Statement{Type: q.Type.Text, Name: q.Name, SQL: sql, Kind: workload.KindOf(sql)}}
	if q.Type.Text == "" {
		compiled.statement.Type = q.Name
	}
	compiled.rows = yes(q.HasResultSet) || compiled.statement.Kind == workload.Read
	if !yes(q.Parsed) {
		if strings.Contains(sql, "?") {
			compiled.pieces = []piece{{sql, -1, 0}}
		}
		return compiled, nil
	}
	if err := c.cut(q, compiled); err != nil {
		return nil, err
	}
	compiled.bind()
	return compiled, nil
}

// yes parses "y" or "n" by the first letter, as the original does.
func yes(v Value) bool { return strings.HasPrefix(strings.ToLower(v.Text), "y") }

// cut finds the $dictionaries of a parsed query. \$ is a dollar sign.
func (c *compiler) cut(q *Query, compiled *query) error {
	sql := q.SQL.Text
	var before []byte
	var quote byte
	for i := 0; i < len(sql); {
		n := span(sql[i+1:], isWord)
		switch {
		case strings.HasPrefix(sql[i:], `\$`):
			before = append(before, '$')
			i += 2
			continue
		case sql[i] == '$' && n > 0:
			name := sql[i+1 : i+1+n]
			words, ok := c.dictionary[name]
			if !ok {
				return syntax.Errorf(q.SQL.token.inside(i), "query %s: there is no dictionary %s%s", q.Name, name, hint(name, names(c.file.Dictionaries)))
			}
			compiled.pieces = append(compiled.pieces, piece{string(before), words, quote})
			before = before[:0]
			i += 1 + n
			continue
		case sql[i] == '\\' && quote != 0 && quote != '`' && i+1 < len(sql):
			before = append(before, sql[i])
			i++
		case quote == 0 && strings.IndexByte("'\"`", sql[i]) >= 0:
			quote = sql[i]
		case sql[i] == quote:
			quote = 0
		}
		before = append(before, sql[i])
		i++
	}
	compiled.pieces = append(compiled.pieces, piece{string(before), -1, quote})
	return nil
}

// bind turns '$word' into an argument where possible, so that quoting is correct
// under every sql_mode and the prepared protocol can be used.
func (q *query) bind() {
	var sql strings.Builder
	for i, p := range q.pieces {
		text := p.before
		if strings.Contains(text, "?") {
			return
		}
		if i > 0 {
			if !strings.HasPrefix(text, "'") || strings.HasPrefix(text, "''") {
				return
			}
			text = text[1:]
		}
		if p.words >= 0 {
			if p.quote != '\'' || !strings.HasSuffix(text, "'") || strings.HasSuffix(text, "''") {
				return
			}
			text = text[:len(text)-1] + "?"
		}
		sql.WriteString(text)
	}
	q.bound = true
	q.statement.SQL = sql.String()
}

// call is a query as one thread sends it.
type call struct {
	*query
	handle  workload.Handle
	args    workload.Args
	buffer  []byte
	readers []*reader // of the thread, by dictionary
}

func newCall(s workload.Session, q *query, readers []*reader) *call {
	c := &call{query: q, readers: readers}
	statement := q.statement
	switch {
	case q.bound:
		c.args = make(workload.Args, len(q.pieces)-1)
	case len(q.pieces) > 0:
		statement.SQL = "" // the text differs in each call, see Raw
	}
	c.handle = s.Declare(statement)
	return c
}

func (c *call) send(s workload.Session) error {
	var err error
	switch {
	case len(c.pieces) > 0 && !c.bound:
		_, err = s.Raw(c.handle, c.text(s))
	case c.rows:
		c.draw(s)
		_, err = s.Query(c.handle, c.args)
	default:
		c.draw(s)
		_, err = s.Exec(c.handle, c.args)
	}
	if err != nil {
		return fmt.Errorf("query %s: %w", c.statement.Name, err)
	}
	return nil
}

func (c *call) draw(s workload.Session) {
	for i := range c.args {
		c.args.SetText(i, c.readers[c.pieces[i].words].next(s.Rand()))
	}
}

// text is the query with words in it.
func (c *call) text(s workload.Session) string {
	c.buffer = c.appendText(c.buffer[:0], c.readers, s.Rand())
	return string(c.buffer)
}

func (q *query) appendText(b []byte, readers []*reader, r *rand.Rand) []byte {
	for _, p := range q.pieces {
		b = append(b, p.before...)
		if p.words >= 0 {
			b = appendQuoted(b, readers[p.words].next(r), p.quote)
		}
	}
	return b
}

// appendQuoted writes a word so that it does not end the quotes around it.
func appendQuoted(b []byte, word string, quote byte) []byte {
	for i := range len(word) {
		if quote != 0 && (word[i] == quote || word[i] == '\\' && quote != '`') {
			b = append(b, word[i])
		}
		b = append(b, word[i])
	}
	return b
}
