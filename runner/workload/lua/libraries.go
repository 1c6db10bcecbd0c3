package lua

import (
	"bufio"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"

	vm "github.com/yuin/gopher-lua"
)

// openLibraries opens Lua's own libraries, less what reaches out of the
// program: a script comes from somebody else. Scripts that need os.execute and
// the like run with --allow-commands.
func (in *instance) openLibraries() {
	l := in.state
	for name, open := range map[string]vm.LGFunction{"": vm.OpenBase, vm.TabLibName: vm.OpenTable, vm.StringLibName: vm.OpenString,
		vm.MathLibName: vm.OpenMath, vm.CoroutineLibName: vm.OpenCoroutine} {
		l.Push(l.NewFunction(open))
		l.Push(vm.LString(name))
		l.Call(1, 0)
	}
	in.openPackages()
	in.openSystem()
	l.SetField(l.GetGlobal("string"), "format", l.NewFunction(format))
	l.SetGlobal("bit", l.SetFuncs(l.NewTable(), bitLibrary))
	l.SetGlobal("print", l.NewFunction(in.luaPrint))
	l.SetGlobal(tickName, l.NewFunction(in.tick))
	for name, f := range map[string]vm.LGFunction{"dofile": in.dofile, "loadfile": in.loadfile, "loadstring": in.loadstring, "load": in.load} {
		l.SetGlobal(name, l.NewFunction(f))
	}
	in.openRandom(l.GetGlobal("math").(*vm.LTable))
	jit := l.NewTable()
	l.SetField(jit, "version", vm.LString("mysweep"))
	l.SetField(jit, "os", vm.LString("Linux"))
	for _, name := range []string{"on", "off", "flush"} {
		l.SetField(jit, name, l.NewFunction(func(*vm.LState) int { return 0 }))
	}
	l.SetGlobal("jit", jit)
}

// openRandom draws math.random from the thread's own generator, so that a seed
// gives the same statements again.
func (in *instance) openRandom(math *vm.LTable) {
	l := in.state
	l.SetField(math, "randomseed", l.NewFunction(func(*vm.LState) int { return 0 }))
	l.SetField(math, "random", l.NewFunction(func(l *vm.LState) int {
		switch l.GetTop() {
		case 0:
			l.Push(vm.LNumber(in.rand.Float64()))
		case 1:
			l.Push(vm.LNumber(1 + in.rand.Int64N(atLeastOne(l, 1, int64(toNumber(l, 1))))))
		default:
			low := int64(toNumber(l, 1))
			l.Push(vm.LNumber(low + in.rand.Int64N(atLeastOne(l, 2, int64(toNumber(l, 2))-low+1))))
		}
		return 1
	}))
}

func atLeastOne(l *vm.LState, arg int, n int64) int64 {
	if n < 1 || n == math.MaxInt64 {
		l.ArgError(arg, "interval is empty")
	}
	return n
}

// luaPrint is print.
func (in *instance) luaPrint(l *vm.LState) int {
	words := make([]string, l.GetTop())
	for i := range words {
		words[i] = l.ToStringMeta(l.Get(i + 1)).String()
	}
	in.say(strings.Join(words, "\t") + "\n")
	return 0
}

func (in *instance) say(text string) {
	if in.print != nil {
		in.print(text)
	}
}

// openPackages makes require look in the script's folder, in LUA_PATH and where
// sysbench keeps its own scripts.
func (in *instance) openPackages() {
	l := in.state
	loaded := l.NewTable()
	packages := l.NewTable()
	l.SetField(packages, "loaded", loaded)
	l.SetField(packages, "preload", l.NewTable())
	l.SetField(packages, "path", vm.LString(strings.Join(in.script.paths(), ";")))
	l.SetField(packages, "cpath", vm.LString(""))
	l.SetField(packages, "loadlib", l.NewFunction(forbidden("package.loadlib")))
	l.SetGlobal("package", packages)
	l.SetGlobal("require", l.NewFunction(func(l *vm.LState) int { return in.require(l, packages, loaded) }))
	l.SetField(packages, "seeall", l.NewFunction(func(l *vm.LState) int {
		meta := l.NewTable()
		meta.RawSetString("__index", l.Get(vm.GlobalsIndex))
		l.SetMetatable(l.CheckTable(1), meta)
		return 0
	}))
}

// require loads a module once. package.path is the script's to extend, but
// files are read only where read allows it.
func (in *instance) require(l *vm.LState, packages, loaded *vm.LTable) int {
	name := l.CheckString(1)
	switch name {
	case "ffi", "bit", "jit", "string", "table", "math", "io", "os", "coroutine":
		l.Push(l.GetGlobal(name))
		return 1
	}
	if v := l.GetField(loaded, name); v != vm.LNil {
		l.Push(v)
		return 1
	}
	if f, ok := l.GetField(l.GetField(packages, "preload"), name).(*vm.LFunction); ok {
		return in.keepModule(l, loaded, name, f)
	}
	file := strings.ReplaceAll(name, ".", "/")
	var tried []string
	for pattern := range strings.SplitSeq(l.GetField(packages, "path").String(), ";") {
		if pattern == "" {
			continue
		}
		path := in.resolve(strings.ReplaceAll(pattern, "?", file))
		if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() || !in.readable(path) {
			tried = append(tried, "\n\tno file '"+path+"'")
			continue
		}
		proto, err := in.script.library.load(path)
		if err != nil {
			l.RaiseError("%v", err)
		}
		return in.keepModule(l, loaded, name, l.NewFunctionFromProto(proto))
	}
	l.RaiseError("module '%s' not found:%s", name, strings.Join(tried, ""))
	return 0
}

// keepModule runs a module's chunk and keeps what it returned.
func (in *instance) keepModule(l *vm.LState, loaded *vm.LTable, name string, chunk *vm.LFunction) int {
	l.SetField(loaded, name, vm.LTrue) // ends a circle of requires
	l.Push(chunk)
	l.Push(vm.LString(name))
	l.Call(1, 1)
	if v := l.Get(-1); v != vm.LNil {
		l.SetField(loaded, name, v)
	}
	l.Pop(1)
	l.Push(l.GetField(loaded, name))
	return 1
}

// resolve makes a path of a script absolute: relative ones start from the
// script's folder.
func (in *instance) resolve(path string) string {
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(filepath.Dir(in.script.path), path)
}

// readable reports whether a script may read a file: one below its own folder,
// LUA_PATH or sysbench's folder, links followed. Modules may be in the folder
// above as well.
func (in *instance) readable(path string) bool {
	if in.script.AllowCommands {
		return true
	}
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return false
	}
	folders := in.script.folders()
	if filepath.Ext(real) == ".lua" {
		folders = append(folders, filepath.Dir(filepath.Dir(in.script.path)))
	}
	for _, folder := range folders {
		folder, err := filepath.EvalSymlinks(folder)
		if err != nil {
			continue
		}
		if inside, err := filepath.Rel(folder, real); err == nil && filepath.IsLocal(inside) {
			return true
		}
	}
	return false
}

// open checks that a script may read a file and opens it.
func (in *instance) open(path string) (*os.File, error) {
	path = in.resolve(path)
	if _, err := os.Lstat(path); err != nil {
		return nil, err
	}
	if !in.readable(path) {
		return nil, fmt.Errorf("%s: outside of the script's folder: allow it with --allow-commands", path)
	}
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s: not a regular file", path)
	}
	return os.Open(path)
}

func (in *instance) loadfile(l *vm.LState) int {
	path := in.resolve(l.CheckString(1))
	if !in.readable(path) {
		return fails(l, path+": not found below the script's folder")
	}
	proto, err := in.script.library.load(path)
	if err != nil {
		return fails(l, err.Error())
	}
	l.Push(l.NewFunctionFromProto(proto))
	return 1
}

func (in *instance) dofile(l *vm.LState) int {
	if in.loadfile(l) != 1 {
		l.RaiseError("%s", l.Get(-1))
	}
	top := l.GetTop()
	l.Call(0, vm.MultRet)
	return l.GetTop() - top + 1
}

func (in *instance) loadstring(l *vm.LState) int {
	source := l.CheckString(1)
	return in.compileText(l, source, l.OptString(2, source))
}

// load is load of Lua 5.1, which takes a function that returns pieces, and of
// 5.2, which takes a text.
func (in *instance) load(l *vm.LState) int {
	piece, ok := l.Get(1).(*vm.LFunction)
	if !ok {
		return in.loadstring(l)
	}
	var source strings.Builder
	for {
		l.Push(piece)
		l.Call(0, 1)
		text := l.Get(-1)
		l.Pop(1)
		if text == vm.LNil || text.String() == "" {
			return in.compileText(l, source.String(), l.OptString(2, "=(load)"))
		}
		source.WriteString(text.String())
	}
}

func (in *instance) compileText(l *vm.LState, source, name string) int {
	proto, err := compile(source, strings.TrimLeft(name, "=@"))
	if err != nil {
		return fails(l, err.Error())
	}
	l.Push(l.NewFunctionFromProto(proto))
	return 1
}

// fails returns nil and a message, as Lua's functions do that may fail.
func fails(l *vm.LState, message string) int {
	l.Push(vm.LNil)
	l.Push(vm.LString(message))
	return 2
}

// forbidden is a function that scripts may not call.
func forbidden(name string) vm.LGFunction {
	return func(l *vm.LState) int {
		l.RaiseError("%s is not allowed: the script may run commands and write files with --allow-commands", name)
		return 0
	}
}

// lines reads a file line by line.
func (in *instance) lines(l *vm.LState, f *os.File) int {
	scanner := bufio.NewScanner(f)
	scanner.Buffer(nil, 16<<20)
	l.Push(l.NewFunction(func(l *vm.LState) int {
		if !scanner.Scan() {
			f.Close()
			l.Push(vm.LNil)
			return 1
		}
		l.Push(vm.LString(scanner.Text()))
		return 1
	}))
	return 1
}

// toNumber is an argument that is a number, or a text that looks like one: the
// interpreter's own check refuses those, Lua takes them.
func toNumber(l *vm.LState, arg int) vm.LNumber {
	if text, ok := l.Get(arg).(vm.LString); ok {
		if n := vm.LVAsNumber(text); n != 0 || strings.Trim(string(text), "0. ") == "" {
			return n
		}
	}
	return l.CheckNumber(arg)
}
