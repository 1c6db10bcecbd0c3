package sqlfile

import (
	"slices"
	"strconv"

	"github.com/mysweep/mysweep/runner/workload"
)

// thread is the state of one thread.
type thread struct {
	session workload.Session
	kinds   []*kind
	total   float64 // of the weights
	buffer  []byte
}

// kind is one transaction as a thread runs it.
type kind struct {
	*transaction
	variables []*variable // that it uses, each once
	values    workload.Args
	calls     []*call
}

type call struct {
	*statement
	handle workload.Handle
	from   []int // for each argument, which of the kind's values it is
	args   workload.Args
}

func (t *thread) kind(s *script, tx *transaction) *kind {
	k := &kind{transaction: tx}
	var names []string
	for _, st := range tx.statements {
		c := &call{statement: st, args: make(workload.Args, len(st.names))}
		if st.verb == query || st.verb == exec {
			c.handle = t.session.Declare(st.Statement)
		}
		for _, name := range st.names {
			i := slices.Index(names, name)
			if i < 0 {
				i = len(names)
				names = append(names, name)
				k.variables = append(k.variables, s.variables[name])
			}
			c.from = append(c.from, i)
		}
		k.calls = append(k.calls, c)
	}
	k.values = make(workload.Args, len(names))
	return k
}

func (t *thread) round() error {
	k := t.choose()
	if len(t.kinds) > 1 {
		t.session.Interaction(k.name)
	}
	for i, v := range k.variables {
		v.draw(t.session.Rand(), &k.values[i])
	}
	for _, c := range k.calls {
		if err := t.send(c, k.values); err != nil {
			return err
		}
	}
	return nil
}

// choose draws a kind by its weight.
func (t *thread) choose() *kind {
	if len(t.kinds) == 1 {
		return t.kinds[0]
	}
	at := t.session.Rand().Float64() * t.total
	for _, k := range t.kinds {
		if at -= k.weight; at < 0 {
			return k
		}
	}
	return t.kinds[len(t.kinds)-1]
}

func (t *thread) send(c *call, values workload.Args) error {
	for i, from := range c.from {
		c.args[i] = values[from]
	}
	var err error
	switch {
	case c.verb == begin:
		return t.session.Begin()
	case c.verb == commit:
		return t.session.Commit()
	case c.verb == rollback:
		return t.session.Rollback()
	case c.texts != nil:
		_, err = t.session.Raw(c.handle, t.text(c))
	case c.verb == query:
		_, err = t.session.Query(c.handle, c.args)
	default:
		_, err = t.session.Exec(c.handle, c.args)
	}
	return err
}

// text inserts the values into a statement that contains a literal ?.
func (t *thread) text(c *call) string {
	b := t.buffer[:0]
	for i, text := range c.texts {
		b = append(b, text...)
		if i < len(c.args) {
			b = appendLiteral(b, c.args[i])
		}
	}
	t.buffer = b
	return string(b)
}

func appendLiteral(b []byte, a workload.Arg) []byte {
	if a.Form == workload.Integer {
		return strconv.AppendInt(b, a.Int, 10)
	}
	b = append(b, '\'')
	for i := range len(a.Text) {
		if c := a.Text[i]; c == '\'' || c == '\\' {
			b = append(b, c)
		}
		b = append(b, a.Text[i])
	}
	return append(b, '\'')
}
