package lua

import (
	vm "github.com/yuin/gopher-lua"
)

// openLegacy makes the functions of sysbench 0.4 and 0.5 that 1.0 still has.
// They share one connection of the thread.
func (in *instance) openLegacy() {
	l := in.state
	l.SetGlobal("thread_id", vm.LNumber(max(in.thread, 0)))
	for name, n := range map[string]int{"DB_ERROR_NONE": 0, "DB_ERROR_DEADLOCK": 1, "DB_ERROR_FAILED": 2, "DB_ERROR_RESTART_TRANSACTION": 1} {
		l.SetGlobal(name, vm.LNumber(n))
	}
	random := l.GetField(l.GetGlobal("sysbench"), "rand")
	for name, of := range map[string]string{"sb_rand": "default", "sb_rand_uniform": "uniform", "sb_rand_gaussian": "gaussian",
		"sb_rand_special": "special", "sb_rand_pareto": "pareto", "sb_rand_zipfian": "zipfian", "sb_rand_uniq": "unique",
		"sb_rand_str": "string"} {
		l.SetGlobal(name, l.GetField(random, of))
	}
	l.SetGlobal("sb_rnd", l.NewFunction(func(l *vm.LState) int { l.Push(vm.LNumber(in.rand.Int64N(1 << 31))); return 1 }))
	functions := map[string]vm.LGFunction{
		"db_connect": func(l *vm.LState) int {
			in.legacyConnection(l)
			l.Push(vm.LNumber(0))
			return 1
		},
		"db_disconnect": func(l *vm.LState) int {
			if in.legacy != nil {
				in.closeConnection(in.legacy)
				in.legacy = nil
			}
			return 0
		},
		"db_query":            in.onLegacy(func(l *vm.LState, c *connection) int { return in.query(l, c, l.CheckString(2)) }),
		"db_bulk_insert_init": in.onLegacy(in.bulkInit),
		"db_bulk_insert_next": in.onLegacy(in.bulkNext),
		"db_bulk_insert_done": in.onLegacy(in.bulkDone),
		"db_prepare":          in.onLegacy(in.prepare),
		"db_bind_param":       legacyBind,
		"db_bind_result":      func(*vm.LState) int { return 0 },
		"db_execute":          in.legacyExecute,
		"db_close":            func(*vm.LState) int { return 0 },
		"db_store_results":    func(*vm.LState) int { return 0 }, // they are stored already
		"db_free_results":     func(*vm.LState) int { return 0 },
	}
	for name, f := range functions {
		l.SetGlobal(name, l.NewFunction(f))
	}
	old := l.NewTable()
	for name, f := range functions {
		l.SetField(old, name[len("db_"):], l.NewFunction(f))
	}
	l.SetField(l.GetGlobal("sysbench"), "db", old)
}

func (in *instance) legacyConnection(l *vm.LState) *connection {
	if in.legacy == nil || in.legacy.closed {
		in.legacy = in.connectTo(l)
	}
	return in.legacy
}

// onLegacy is a method of connections as a function without one.
func (in *instance) onLegacy(f func(*vm.LState, *connection) int) vm.LGFunction {
	return func(l *vm.LState) int {
		c := in.legacyConnection(l)
		l.Insert(c.object, 1)
		return f(l, c)
	}
}

// legacyBind keeps the table of a statement's values, which are read when it is
// executed.
func legacyBind(l *vm.LState) int {
	s, ok := l.CheckUserData(1).Value.(*statement)
	if !ok {
		l.ArgError(1, "expected a prepared statement")
	}
	s.bound = l.CheckTable(2)
	return 0
}

func (in *instance) legacyExecute(l *vm.LState) int {
	s, ok := l.CheckUserData(1).Value.(*statement)
	if !ok {
		l.ArgError(1, "expected a prepared statement")
	}
	if s.bound != nil {
		s.args = appendBound(s.args, s.bound)
	}
	return in.execute(l, s)
}
