package lua

import (
	"maps"
	"time"

	vm "github.com/yuin/gopher-lua"
)

// sysbench.error: what an event that is to be run again throws.
const restartEvent = 1

// version is the sysbench whose API this is.
const version = "1.0.20"

// openSysbench makes the table sysbench, except for sysbench.opt.
func (in *instance) openSysbench() {
	l := in.state
	table := l.NewTable()
	l.SetGlobal("sysbench", table)
	l.SetField(table, "version", vm.LString(version))
	l.SetField(table, "version_string", vm.LString("sysbench "+version+" (mysweep)"))
	if in.thread >= 0 {
		l.SetField(table, "tid", vm.LNumber(in.thread))
	}
	l.SetField(table, "opt", l.NewTable())
	l.SetField(table, "rand", in.randLibrary())
	l.SetField(table, "sql", in.sqlLibrary())
	l.SetField(table, "hooks", l.NewTable())
	l.SetField(table, "error", numbers(l, map[string]int{"NONE": 0, "RESTART_EVENT": restartEvent}))
	l.SetField(table, "cmdline", in.cmdline())
	l.SetField(table, "histogram", in.histogramLibrary())
	for _, name := range reports {
		l.SetField(table, name, l.NewFunction(noReport))
	}
	in.openSQLTypes()
}

// cmdline is sysbench.cmdline. command is nil while only the script's options
// are read, as sysbench has it for a script without a command.
func (in *instance) cmdline() *vm.LTable {
	l := in.state
	table := l.NewTable()
	if in.command != "" {
		l.SetField(table, "command", vm.LString(in.command))
	}
	l.SetField(table, "script_path", vm.LString(in.script.path))
	l.SetField(table, "options", l.NewTable())
	l.SetField(table, "commands", l.NewTable())
	l.SetField(table, "PARALLEL_COMMAND", vm.LTrue)
	for name, n := range argNames {
		l.SetField(table, name, vm.LNumber(n))
	}
	return table
}

func numbers(l *vm.LState, values map[string]int) *vm.LTable {
	table := l.NewTable()
	for name, n := range values {
		l.SetField(table, name, vm.LNumber(n))
	}
	return table
}

// options are the options that the script declares.
func (in *instance) options() ([]Option, error) {
	table, ok := in.state.GetField(in.cmdlineTable(), "options").(*vm.LTable)
	if !ok {
		return nil, nil
	}
	return declared(table)
}

func (in *instance) cmdlineTable() vm.LValue {
	return in.state.GetField(in.state.GetGlobal("sysbench"), "cmdline")
}

// exportOptions fills sysbench.opt, and global variables of the same names
// where the script has none: 0.4's and 0.5's scripts read those.
func (in *instance) exportOptions() error {
	l := in.state
	options, err := in.options()
	if err != nil {
		return err
	}
	set := in.script.Set
	opt := l.GetField(l.GetGlobal("sysbench"), "opt")
	put := func(name string, value vm.LValue) {
		l.SetField(opt, name, value)
		if was := l.GetGlobal(name); was == vm.LNil || was == in.exported[name] {
			l.SetGlobal(name, value)
			in.exported[name] = value
		}
	}
	for _, o := range append(append([]Option(nil), general...), options...) {
		text, given := set[o.Name]
		if !given {
			text = o.Default
		}
		if !given && o.unset {
			l.SetField(opt, o.Name, vm.LNil)
			continue
		}
		value, err := o.value(l, text)
		if err != nil {
			return err
		}
		put(o.Name, value)
	}
	for name, text := range maps.All(set) {
		_, isGeneral := findOption(general, name)
		if _, declared := findOption(options, name); !declared && !isGeneral {
			put(name, guessed(text)) // of an old script, which declares none
		}
	}
	for _, name := range []string{"threads", "num_threads"} {
		l.SetField(opt, name, vm.LNumber(in.threads))
		l.SetGlobal(name, vm.LNumber(in.threads))
	}
	for name, text := range map[string]string{"mysql_db": in.database, "mysql_host": "", "mysql_user": "", "mysql_socket": ""} {
		put(name, vm.LString(text))
	}
	for _, name := range []string{"time", "events", "rate"} {
		l.SetField(opt, name, vm.LNumber(0))
	}
	return nil
}

// guessed is the value of an option without a declaration: a number where the
// text is one to the letter.
func guessed(text string) vm.LValue {
	if n := vm.LVAsNumber(vm.LString(text)); n.String() == text {
		return n
	}
	return vm.LString(text)
}

// commands are the script's own commands.
func (in *instance) commands() map[string]command {
	list := map[string]command{}
	for name := range builtinCommands {
		if f := in.function(name); f != nil {
			list[name] = command{function: f}
		}
	}
	table, ok := in.state.GetField(in.cmdlineTable(), "commands").(*vm.LTable)
	if !ok {
		return list
	}
	table.ForEach(func(name, value vm.LValue) {
		definition, ok := value.(*vm.LTable)
		if !ok {
			return
		}
		if f, ok := definition.RawGetInt(1).(*vm.LFunction); ok {
			list[name.String()] = command{function: f, parallel: vm.LVAsBool(definition.RawGetInt(2))}
		}
	})
	return list
}

// builtinCommands are commands by global functions of these names.
var builtinCommands = map[string]bool{"prepare": true, "cleanup": true, "help": true}

// command is a function of the script that runs outside of trials.
type command struct {
	function *vm.LFunction
	parallel bool // once for each thread, with sysbench.tid
}

// hook is a function that the script put into sysbench.hooks, nil if none.
func (in *instance) hook(name string) *vm.LFunction {
	f, _ := in.state.GetField(in.state.GetField(in.state.GetGlobal("sysbench"), "hooks"), name).(*vm.LFunction)
	return f
}

// seconds is a time given in units by a script.
func seconds(n vm.LNumber, unit time.Duration) time.Duration {
	return time.Duration(float64(n) * float64(unit))
}
