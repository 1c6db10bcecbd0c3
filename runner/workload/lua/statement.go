package lua

import (
	"fmt"
	"slices"

	vm "github.com/yuin/gopher-lua"

	"github.com/mysweep/mysweep/runner/workload"
)

// statement is a prepared statement of the script.
type statement struct {
	connection *connection
	sql        string
	prepared   int
	params     []*param
	args       workload.Args
	bound      *vm.LTable // of the old API: values are read when it is executed
}

// param is a place for a value, bound to statements.
type param struct {
	typ       int
	maxLength int
	arg       workload.Arg
}

func (in *instance) prepare(l *vm.LState, c *connection) int {
	sql := l.CheckString(2)
	prepared, err := c.link.prepare(sql)
	in.check(l, c, err, sql)
	l.Push(in.object(statementType, &statement{connection: c, sql: sql, prepared: prepared}))
	return 1
}

func (in *instance) statementMethods() map[string]vm.LGFunction {
	return map[string]vm.LGFunction{
		"bind_create": in.bindCreate,
		"bind_param":  bindParam,
		"execute": onStatement(func(l *vm.LState, s *statement) int {
			for i, p := range s.params {
				s.args[i] = p.arg
			}
			return in.execute(l, s)
		}),
		"next_result": onStatement(func(l *vm.LState, s *statement) int { return nextResult(l, in, s.connection) }),
		// The server's statement is kept for when the text is prepared again,
		// and goes with the connection.
		"close": onStatement(func(*vm.LState, *statement) int { return 0 }),
	}
}

func (in *instance) execute(l *vm.LState, s *statement) int {
	c := s.connection
	if c.closed {
		in.say("ALERT: attempt to use an already closed connection\n")
		raise(l, 1, "SQL API error")
	}
	in.check(l, c, c.link.execute(s.prepared, s.args), "<prepared statement>")
	return in.pushResult(l, c, s)
}

func onStatement(f func(*vm.LState, *statement) int) vm.LGFunction {
	return func(l *vm.LState) int {
		s, ok := l.CheckUserData(1).Value.(*statement)
		if !ok {
			l.ArgError(1, "expected a prepared statement")
		}
		return f(l, s)
	}
}

// bindCreate makes a parameter of a type; texts have a largest length.
func (in *instance) bindCreate(l *vm.LState) int {
	p := &param{}
	switch typ := l.CheckInt(2); typ {
	case sqlTinyint, sqlSmallint, sqlInt, sqlBigint:
		p.typ, p.arg = sqlBigint, workload.Arg{Form: workload.Integer}
	case sqlFloat, sqlDouble:
		p.typ, p.arg = sqlDouble, workload.Arg{Form: workload.Real}
	case sqlChar, sqlVarchar:
		p.typ, p.arg = sqlVarchar, workload.Arg{Form: workload.Text}
		p.maxLength = l.CheckInt(3)
	default:
		raise(l, 1, fmt.Sprintf("Unsupported argument type: %d", typ))
	}
	l.Push(in.object(paramType, p))
	return 1
}

// bindParam binds parameters to a statement, in the order of its ?.
func bindParam(l *vm.LState) int {
	s, ok := l.CheckUserData(1).Value.(*statement)
	if !ok {
		l.ArgError(1, "expected a prepared statement")
	}
	if l.GetTop() == 1 {
		l.Push(vm.LNil)
		return 1
	}
	s.params = nil
	for i := 2; i <= l.GetTop(); i++ {
		p, ok := l.CheckUserData(i).Value.(*param)
		if !ok {
			l.ArgError(i, "expected a parameter of bind_create")
		}
		s.params = append(s.params, p)
	}
	s.args = make(workload.Args, len(s.params))
	l.Push(vm.LNumber(0))
	return 1
}

func (in *instance) paramMethods() map[string]vm.LGFunction {
	return map[string]vm.LGFunction{"set": setParam, "set_rand_str": func(l *vm.LState) int {
		p := checkParam(l)
		if p.typ != sqlVarchar {
			raise(l, 1, fmt.Sprintf("Unsupported argument type: %d", p.typ))
		}
		p.setText(string(in.appendTemplate(nil, l.CheckString(2))))
		return 0
	}}
}

// setParam is param:set(value).
func setParam(l *vm.LState) int {

	p := checkParam(l)
	switch v := l.Get(2); {
	case v == vm.LNil:
		p.arg = workload.Arg{}
	case p.typ == sqlBigint:
		p.arg = workload.Arg{Form: workload.Integer, Int: int64(toNumber(l, 2))}
	case p.typ == sqlDouble:
		p.arg = workload.Arg{Form: workload.Real, Float: float64(toNumber(l, 2))}
	default:
		p.setText(l.CheckString(2))
	}
	return 0
}

func checkParam(l *vm.LState) *param {
	p, ok := l.CheckUserData(1).Value.(*param)
	if !ok {
		l.ArgError(1, "expected a parameter")
	}
	return p
}

func (p *param) setText(text string) {
	p.arg = workload.Arg{Form: workload.Text, Text: text[:min(len(text), p.maxLength)]}
}

// result is the result set of a connection's latest statement. The next
// statement of the connection ends it.
type result struct {
	connection *connection
	set, row   int
	freed      bool
}

// newResultType makes the metatable of result sets, with the fields nrows and
// nfields and the methods fetch_row and free.
func (in *instance) newResultType() {
	methods := in.state.SetFuncs(in.state.NewTable(), map[string]vm.LGFunction{
		"fetch_row": func(l *vm.LState) int {
			r := checkResult(l)
			rows := r.rows(l, in)
			if rows == nil || rows.Sets() <= r.set || r.row >= rows.Rows(r.set) {
				l.Push(vm.LNil)
				return 1
			}
			table := l.CreateTable(rows.Columns(r.set), 0)
			for column := range rows.Columns(r.set) {
				table.RawSetInt(column+1, value(rows, r.set, r.row, column))
			}
			r.row++
			l.Push(table)
			return 1
		},
		"free": func(l *vm.LState) int {
			r := checkResult(l)
			if r.rows(l, in) == nil {
				raise(l, 1, "db_free_results() failed")
			}
			r.freed = true
			l.Push(vm.LTrue)
			return 1
		},
	})
	meta := in.newType(resultType, nil)
	in.state.SetField(meta, "__index", in.state.NewFunction(func(l *vm.LState) int {
		r, name := checkResult(l), l.CheckString(2)
		switch name {
		case "nrows", "nfields":
			l.Push(vm.LNumber(r.size(name)))
		default:
			l.Push(methods.RawGetString(name))
		}
		return 1
	}))
}

func checkResult(l *vm.LState) *result {
	r, ok := l.CheckUserData(1).Value.(*result)
	if !ok {
		l.ArgError(1, "expected a result set")
	}
	return r
}

// rows are the rows of a result set that is still good, else nil.
func (r *result) rows(l *vm.LState, in *instance) *workload.Results {
	if r.freed || r.connection.result != r || r.connection.closed || r.connection.link.results().Sets() == 0 {
		in.say("ALERT: attempt to free an invalid result set\n")
		return nil
	}
	return r.connection.link.results()
}

// size is the number of rows or fields. A statement that returns no rows has
// the number of rows that it changed as nrows.
func (r *result) size(name string) int64 {
	rows := r.connection.link.results()
	switch {
	case r.connection.result != r:
		return 0
	case rows.Sets() <= r.set:
		if name == "nrows" {
			return r.connection.link.affected()
		}
		return 0
	case name == "nrows":
		return int64(rows.Rows(r.set))
	}
	return int64(rows.Columns(r.set))
}

// pushResult pushes the result set of the statement that was just answered. A
// text without one gives nil; a prepared statement gives an empty one, as in
// sysbench.
func (in *instance) pushResult(l *vm.LState, c *connection, s *statement) int {
	if c.link.results().Sets() == 0 && s == nil {
		c.result = nil
		l.Push(vm.LNil)
		return 1
	}
	c.result = &result{connection: c}
	l.Push(in.object(resultType, c.result))
	return 1
}

// nextResult pushes the next result set of the latest statement, nil after the
// last one.
func nextResult(l *vm.LState, in *instance, c *connection) int {
	r := c.result
	if r == nil || r.set+1 >= c.link.results().Sets() {
		l.Push(vm.LNil)
		return 1
	}
	c.result = &result{connection: c, set: r.set + 1}
	l.Push(in.object(resultType, c.result))
	return 1
}

// bulk is a long INSERT under way: sysbench's bulk_insert_*.
type bulk struct {
	start string // INSERT INTO t (...) VALUES
	text  []byte
	rows  int
}

// bulkBytes is the longest INSERT of a bulk load, as in sysbench.
const bulkBytes = 512 << 10

// bulkInit begins a bulk load. sysbench drops the rows of one that is still under way; here they
// are sent first.
func (in *instance) bulkInit(l *vm.LState, c *connection) int {
	start := l.CheckString(2)
	if c.bulk != nil {
		in.flush(l, c)
	}
	c.bulk = &bulk{start: start, text: append(make([]byte, 0, bulkBytes+4096), start...)}
	l.Push(vm.LNumber(0))
	return 1
}

func (in *instance) bulkNext(l *vm.LState, c *connection) int {
	row := l.CheckString(2)
	b := c.bulk
	if b == nil {
		in.say("ALERT: attempt to call bulk_insert_next() before bulk_insert_init()\n")
		raise(l, 1, "db_bulk_insert_next() failed")
	}
	if b.rows > 0 && len(b.text)+len(row) > bulkBytes {
		in.flush(l, c)
	}
	if b.rows > 0 {
		b.text = append(b.text, ',')
	} else {
		b.text = append(b.text, ' ')
	}
	b.text, b.rows = append(b.text, row...), b.rows+1
	l.Push(vm.LNumber(0))
	return 1
}

func (in *instance) bulkDone(l *vm.LState, c *connection) int {
	if c.bulk != nil {
		in.flush(l, c)
		c.bulk = nil
	}
	l.Push(vm.LNumber(0))
	return 1
}

// flush sends the rows that were gathered.
func (in *instance) flush(l *vm.LState, c *connection) {
	b := c.bulk
	if b.rows == 0 {
		return
	}
	sql := string(b.text)
	b.text, b.rows = append(b.text[:0], b.start...), 0
	err := c.link.query(sql)
	if err != nil { // the load goes on with the next rows
		sql = sql[:min(len(sql), 200)] + "..."
	}
	in.check(l, c, err, sql)
}

// appendBound takes values in a statement's order from a table that the old
// API bound; see legacy.go.
func appendBound(args workload.Args, table *vm.LTable) workload.Args {
	args = slices.Grow(args[:0], table.Len())
	for i := 1; i <= table.Len(); i++ {
		switch v := table.RawGetInt(i).(type) {
		case vm.LNumber:
			if float64(v) == float64(int64(v)) {
				args = append(args, workload.Arg{Form: workload.Integer, Int: int64(v)})
			} else {
				args = append(args, workload.Arg{Form: workload.Real, Float: float64(v)})
			}
		case vm.LString:
			args = append(args, workload.Arg{Form: workload.Text, Text: string(v)})
		case vm.LBool:
			n := int64(0)
			if v {
				n = 1
			}
			args = append(args, workload.Arg{Form: workload.Integer, Int: n})
		default:
			args = append(args, workload.Arg{})
		}
	}
	return args
}
