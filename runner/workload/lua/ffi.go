package lua

import (
	"time"

	vm "github.com/yuin/gopher-lua"
)

// Counters that scripts may raise: sysbench's SB_CNT_*.
var counters = []string{"SB_CNT_OTHER", "SB_CNT_READ", "SB_CNT_WRITE", "SB_CNT_EVENT", "SB_CNT_ERROR", "SB_CNT_RECONNECT"}

// openFFI makes what published scripts use of LuaJIT's ffi: cdef is accepted
// and not read, and ffi.C has the functions below. Anything else is an error
// that names it: there is no C to call.
func (in *instance) openFFI() {
	l := in.state
	c := l.NewTable()
	for i, name := range counters {
		l.SetField(c, name, vm.LNumber(i))
	}
	for name, f := range map[string]vm.LGFunction{
		"usleep": func(l *vm.LState) int {
			in.wait(l, seconds(toNumber(l, 1), time.Microsecond))
			l.Push(vm.LNumber(0))
			return 1
		},
		"sleep": func(l *vm.LState) int {
			in.wait(l, seconds(toNumber(l, 1), time.Second))
			l.Push(vm.LNumber(0))
			return 1
		},
		"printf": func(l *vm.LState) int {
			format(l)
			in.say(l.ToString(-1))
			return 0
		},
		"puts":                   func(l *vm.LState) int { in.say(l.CheckString(1) + "\n"); return 0 },
		"time":                   func(l *vm.LState) int { l.Push(vm.LNumber(time.Now().Unix())); return 1 },
		"getpid":                 func(l *vm.LState) int { l.Push(vm.LNumber(1)); return 1 },
		"fflush":                 func(*vm.LState) int { return 0 },
		"sb_counter_inc":         ignoreCounter,
		"sb_counter_add":         ignoreCounter,
		"sb_event_start":         func(*vm.LState) int { return 0 }, // the load generator's clock
		"sb_event_stop":          func(*vm.LState) int { return 0 },
		"sb_more_events":         func(l *vm.LState) int { l.Push(vm.LBool(in.ended == nil || in.ended() == nil)); return 1 },
		"sb_rand_default":        in.drawn("default"),
		"sb_rand_uniform":        in.drawn("uniform"),
		"sb_rand_gaussian":       in.drawn("gaussian"),
		"sb_rand_pareto":         in.drawn("pareto"),
		"sb_rand_zipfian":        in.drawn("zipfian"),
		"sb_rand_special":        in.drawn("special"),
		"sb_rand_unique":         in.unique,
		"sb_rand_uniform_uint64": func(l *vm.LState) int { l.Push(vm.LNumber(in.rand.Uint64())); return 1 },
		"sb_rand_uniform_double": func(l *vm.LState) int { l.Push(vm.LNumber(in.rand.Float64())); return 1 },
	} {
		l.SetField(c, name, l.NewFunction(f))
	}
	meta := l.NewTable()
	l.SetField(meta, "__index", l.NewFunction(func(l *vm.LState) int {
		l.RaiseError("ffi.C.%s is not available: mysweep runs scripts without C", l.CheckString(2))
		return 0
	}))
	l.SetMetatable(c, meta)

	ffi := l.NewTable()
	l.SetField(ffi, "C", c)
	l.SetField(ffi, "os", vm.LString("Linux"))
	l.SetField(ffi, "cdef", l.NewFunction(func(*vm.LState) int { return 0 }))
	l.SetField(ffi, "string", l.NewFunction(func(l *vm.LState) int {
		l.Push(vm.LString(l.ToStringMeta(l.Get(1)).String()))
		return 1
	}))
	missing := l.NewTable()
	l.SetField(missing, "__index", l.NewFunction(func(l *vm.LState) int {
		l.RaiseError("ffi.%s is not available: mysweep runs scripts without C", l.CheckString(2))
		return 0
	}))
	l.SetMetatable(ffi, missing)
	l.SetGlobal("ffi", ffi)
}

// ignoreCounter is sb_counter_inc: statements and events are counted by the load
// generator, whatever the script says.
func ignoreCounter(l *vm.LState) int {
	l.CheckInt(2)
	return 0
}
