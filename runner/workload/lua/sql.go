package lua

import (
	"errors"
	"fmt"
	"strings"

	vm "github.com/yuin/gopher-lua"

	"github.com/mysweep/mysweep/runner/workload"
)

// Names of the metatables of the SQL API's objects.
const (
	driverType     = "<sql_driver>"
	connectionType = "<sql_connection>"
	statementType  = "<sql_statement>"
	paramType      = "<sql_param>"
	resultType     = "<sql_result>"
)

// Numbers of column types, as sysbench.sql.type has them.
const (
	sqlNone = iota
	sqlTinyint
	sqlSmallint
	sqlInt
	sqlBigint
	sqlFloat
	sqlDouble
	sqlTime
	sqlDate
	sqlDatetime
	sqlTimestamp
	sqlChar
	sqlVarchar
)

var sqlTypes = map[string]int{"NONE": sqlNone, "TINYINT": sqlTinyint, "SMALLINT": sqlSmallint, "INT": sqlInt, "BIGINT": sqlBigint,
	"FLOAT": sqlFloat, "DOUBLE": sqlDouble, "TIME": sqlTime, "DATE": sqlDate, "DATETIME": sqlDatetime, "TIMESTAMP": sqlTimestamp,
	"CHAR": sqlChar, "VARCHAR": sqlVarchar}

// connection is a connection as the script has it.
type connection struct {
	link   link
	object *vm.LUserData
	closed bool
	result *result // of the latest statement
	bulk   *bulk   // under way, nil if none
}

// sqlLibrary is sysbench.sql.
func (in *instance) sqlLibrary() *vm.LTable {
	l := in.state
	library := l.NewTable()
	l.SetField(library, "type", numbers(l, sqlTypes))
	l.SetField(library, "error", numbers(l, map[string]int{"NONE": 0, "IGNORABLE": 1, "FATAL": 2}))
	l.SetField(library, "driver", l.NewFunction(func(l *vm.LState) int {
		if name := l.OptString(1, "mysql"); name != "mysql" {
			in.say(fmt.Sprintf("FATAL: invalid database driver name: '%s'\n", name))
			raise(l, 1, "failed to initialize the DB driver")
		}
		l.Push(in.object(driverType, nil))
		return 1
	}))
	return library
}

// object is a value of one of the API's types.
func (in *instance) object(typ string, value any) *vm.LUserData {
	u := in.state.NewUserData()
	u.Value = value
	u.Metatable = in.state.GetTypeMetatable(typ)
	return u
}

// openSQLTypes makes the metatables.
func (in *instance) openSQLTypes() {
	in.newType(driverType, map[string]vm.LGFunction{
		"name": func(l *vm.LState) int { l.Push(vm.LString("mysql")); return 1 },
		"connect": func(l *vm.LState) int {
			l.Push(in.connectTo(l).object)
			return 1
		},
	})
	in.newType(connectionType, map[string]vm.LGFunction{
		"query": in.onConnection(func(l *vm.LState, c *connection) int {
			return in.query(l, c, l.CheckString(2))
		}),
		"query_row":        in.onConnection(in.queryRow),
		"prepare":          in.onConnection(in.prepare),
		"bulk_insert_init": in.onConnection(in.bulkInit),
		"bulk_insert_next": in.onConnection(in.bulkNext),
		"bulk_insert_done": in.onConnection(in.bulkDone),
		"reconnect": in.onConnection(func(l *vm.LState, c *connection) int {
			in.check(l, c, c.link.reconnect(), "reconnect")
			l.Push(vm.LNumber(0))
			return 1
		}),
		"next_result": in.onConnection(func(l *vm.LState, c *connection) int { return nextResult(l, in, c) }),
		"disconnect":  in.disconnect,
	})
	in.newType(statementType, in.statementMethods())
	in.newType(paramType, in.paramMethods())
	in.newResultType()
}

// newType makes a type with methods, whose values print as its name.
func (in *instance) newType(name string, methods map[string]vm.LGFunction) *vm.LTable {
	l := in.state
	meta := l.NewTypeMetatable(name)
	l.SetField(meta, "__index", l.SetFuncs(l.NewTable(), methods))
	l.SetField(meta, "__tostring", l.NewFunction(func(l *vm.LState) int { l.Push(vm.LString(name)); return 1 }))
	return meta
}

// connectTo opens a connection.
func (in *instance) connectTo(l *vm.LState) *connection {
	link, err := in.connect()
	if err != nil {
		in.failed = err
		if over(err) {
			in.over = err
		}
		raise(l, 1, "connection creation failed: "+err.Error())
	}
	c := &connection{link: link}
	c.object = in.object(connectionType, c)
	in.connections = append(in.connections, c)
	return c
}

// over tells an error that leaves nothing to be done in this trial.
func over(err error) bool {
	var server *workload.ServerError
	return !errors.As(err, &server)
}

// onConnection is a method of connections that are open.
func (in *instance) onConnection(f func(*vm.LState, *connection) int) vm.LGFunction {
	return func(l *vm.LState) int {
		c, ok := l.CheckUserData(1).Value.(*connection)
		if !ok {
			l.ArgError(1, "expected a connection")
		}
		if c.closed {
			in.say("ALERT: attempt to use an already closed connection\n")
			raise(l, 1, "SQL API error")
		}
		return f(l, c)
	}
}

func (in *instance) disconnect(l *vm.LState) int {
	c, ok := l.CheckUserData(1).Value.(*connection)
	if !ok {
		l.ArgError(1, "expected a connection")
	}
	if c.closed {
		in.say("ALERT: attempt to close an already closed connection\n")
		l.Push(vm.LTrue)
		return 1
	}
	in.closeConnection(c)
	l.Push(vm.LTrue)
	return 1
}

func (in *instance) closeConnection(c *connection) {
	c.closed = true
	c.link.close() // the server drops what is left
	for i := range in.connections {
		if in.connections[i] == c {
			in.connections = append(in.connections[:i], in.connections[i+1:]...)
			return
		}
	}
}

// query sends a text and pushes its result set, nil if it has none.
func (in *instance) query(l *vm.LState, c *connection, sql string) int {
	in.check(l, c, c.link.query(sql), sql)
	return in.pushResult(l, c, nil)
}

// queryRow pushes the values of the first row, nil without one.
func (in *instance) queryRow(l *vm.LState, c *connection) int {
	sql := l.CheckString(2)
	in.check(l, c, c.link.query(sql), sql)
	rows := c.link.results()
	if rows.Sets() == 0 || rows.Rows(0) == 0 {
		l.Push(vm.LNil)
		return 1
	}
	for column := range rows.Columns(0) {
		l.Push(value(rows, 0, 0, column))
	}
	return rows.Columns(0)
}

// value is a value of a result as the script sees it: NULL is nil.
func value(rows *workload.Results, set, row, column int) vm.LValue {
	text, ok := rows.Value(set, row, column)
	if !ok {
		return vm.LNil
	}
	return vm.LString(text)
}

// check throws what a statement's error means for the script: the event again,
// if the error may be ignored, else a message with error number and state.
func (in *instance) check(l *vm.LState, c *connection, err error, sql string) {
	if err == nil {
		return
	}
	in.failed = err
	var server *workload.ServerError
	if !errors.As(err, &server) {
		in.over = err // the connection is dead, or the trial is over
		raise(l, 1, err.Error())
	}
	in.say(fmt.Sprintf("FATAL: the server returned error %d (%s) for query '%s'\n", server.Number, server.Message, sql))
	descriptor := l.NewTable()
	for name, v := range map[string]vm.LValue{
		"connection": c.object, "query": vm.LString(sql), "sql_errno": vm.LNumber(server.Number),
		"sql_state": vm.LString(server.State), "sql_errmsg": vm.LString(server.Message),
	} {
		l.SetField(descriptor, name, v)
	}
	if in.ignorable(l, server, descriptor) {
		l.SetField(descriptor, "errcode", vm.LNumber(restartEvent))
		l.Error(descriptor, 1)
	}
	raise(l, 1, fmt.Sprintf("SQL error, errno = %d, state = '%s': %s", server.Number, server.State, server.Message))
}

// ignorable asks --mysql-ignore-errors and the script's hook.
func (in *instance) ignorable(l *vm.LState, server *workload.ServerError, descriptor *vm.LTable) bool {
	if in.ignored[server.Number] || in.ignored[ignoreAll] {
		return true
	}
	hook := in.hook("sql_error_ignorable")
	if hook == nil {
		return false
	}
	l.Push(hook)
	l.Push(descriptor)
	l.Call(1, 1)
	yes := vm.LVAsBool(l.Get(-1))
	l.Pop(1)
	return yes
}

// raise throws a message with the place of the script that made the call.
func raise(l *vm.LState, level int, message string) {
	l.Error(vm.LString(strings.TrimSpace(l.Where(level)+" "+message)), 0)
}
