package lua

import (
	"bufio"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"

	vm "github.com/yuin/gopher-lua"
)

// openSystem gives the script what of os and io does no harm: the clock, the
// environment of the interpreter's own making, and files to read. With
// --allow-commands it has the interpreter's full os and io instead.
func (in *instance) openSystem() {
	l := in.state
	for name, open := range map[string]vm.LGFunction{vm.OsLibName: vm.OpenOs, vm.IoLibName: vm.OpenIo} {
		l.Push(l.NewFunction(open))
		l.Push(vm.LString(name))
		l.Call(1, 0)
	}
	system, files := l.GetGlobal("os").(*vm.LTable), l.GetGlobal("io").(*vm.LTable)
	// These would end or stop the whole program, whoever wrote the script.
	l.SetField(system, "exit", l.NewFunction(func(l *vm.LState) int {
		l.RaiseError("os.exit: the script ended itself")
		return 0
	}))
	l.SetField(files, "write", l.NewFunction(in.ioWrite))
	l.SetField(files, "read", l.NewFunction(func(l *vm.LState) int { l.Push(vm.LNil); return 1 }))
	output := l.NewTable()
	for name, f := range map[string]vm.LGFunction{
		"write":   func(l *vm.LState) int { l.Remove(1); in.ioWrite(l); l.Push(output); return 1 },
		"flush":   func(*vm.LState) int { return 0 },
		"setvbuf": func(*vm.LState) int { return 0 },
		"close":   func(*vm.LState) int { return 0 },
	} {
		l.SetField(output, name, l.NewFunction(f))
	}
	for _, name := range []string{"stdout", "stderr"} {
		l.SetField(files, name, output)
	}
	l.SetField(files, "flush", l.NewFunction(func(*vm.LState) int { return 0 }))
	l.SetField(files, "stdin", vm.LNil)
	if in.script.AllowCommands {
		l.SetField(system, "execute", l.NewFunction(execute))
		return
	}
	l.SetField(system, "execute", l.NewFunction(in.sleepCommand))
	for _, name := range []string{"remove", "rename", "tmpname", "setenv"} {
		l.SetField(system, name, l.NewFunction(forbidden("os."+name)))
	}
	for _, name := range []string{"popen", "tmpfile", "output", "input"} {
		l.SetField(files, name, l.NewFunction(forbidden("io."+name)))
	}
	l.SetField(files, "open", l.NewFunction(in.ioOpen))
	l.SetField(files, "lines", l.NewFunction(func(l *vm.LState) int {
		f, err := in.open(l.CheckString(1))
		if err != nil {
			l.RaiseError("%v", err)
		}
		return in.lines(l, f)
	}))
}

// sleepCommand is os.execute for scripts that may run no commands: sleep, which
// several published scripts call, is done without one.
func (in *instance) sleepCommand(l *vm.LState) int {
	words := strings.Fields(l.OptString(1, ""))
	if len(words) == 2 && words[0] == "sleep" {
		if n, err := strconv.ParseFloat(words[1], 64); err == nil && n >= 0 {
			in.wait(l, seconds(vm.LNumber(n), time.Second))
			l.Push(vm.LNumber(0))
			return 1
		}
	}
	return forbidden("os.execute")(l)
}

// execute is os.execute with a limit: a command that hangs would hang the
// whole program.
func execute(l *vm.LState) int {
	command := exec.Command("/bin/sh", "-c", l.CheckString(1))
	command.WaitDelay = time.Second
	if err := command.Start(); err != nil {
		l.Push(vm.LNumber(-1))
		return 1
	}
	limit := time.AfterFunc(time.Minute, func() { command.Process.Kill() })
	defer limit.Stop()
	command.Wait() // its status is what counts
	l.Push(vm.LNumber(command.ProcessState.ExitCode()))
	return 1
}

// ioWrite is io.write.
func (in *instance) ioWrite(l *vm.LState) int {
	var text strings.Builder
	for i := 1; i <= l.GetTop(); i++ {
		text.WriteString(l.CheckString(i))
	}
	in.say(text.String())
	return 0
}

// ioOpen is io.open for reading.
func (in *instance) ioOpen(l *vm.LState) int {
	name, mode := l.CheckString(1), l.OptString(2, "r")
	if mode != "r" && mode != "rb" {
		return fails(l, name+": not opened for writing: allow it with --allow-commands")
	}
	f, err := in.open(name)
	if err != nil {
		return fails(l, err.Error())
	}
	l.Push(in.file(f))
	return 1
}

// file is a file as Lua sees it.
func (in *instance) file(f *os.File) *vm.LTable {
	l := in.state
	r := bufio.NewReader(f)
	methods := map[string]vm.LGFunction{
		"read":  func(l *vm.LState) int { return readFormats(l, r) },
		"lines": func(l *vm.LState) int { return in.lines(l, f) },
		"close": func(l *vm.LState) int { f.Close(); l.Push(vm.LTrue); return 1 },
		"seek": func(l *vm.LState) int {
			whence := map[string]int{"set": io.SeekStart, "cur": io.SeekCurrent, "end": io.SeekEnd}[l.OptString(2, "cur")]
			offset := l.OptInt64(3, 0)
			if whence == io.SeekCurrent {
				offset -= int64(r.Buffered())
			}
			at, err := f.Seek(offset, whence)
			if err != nil {
				return fails(l, err.Error())
			}
			r.Reset(f)
			l.Push(vm.LNumber(at))
			return 1
		},
	}
	return l.SetFuncs(l.NewTable(), methods)
}

// readFormats is file:read with its formats *l, *a, *n and a number of bytes.
func readFormats(l *vm.LState, r *bufio.Reader) int {
	formats := []vm.LValue{vm.LString("*l")}
	if l.GetTop() > 1 {
		formats = nil
		for i := 2; i <= l.GetTop(); i++ {
			formats = append(formats, l.Get(i))
		}
	}
	for _, f := range formats {
		l.Push(readFormat(r, f))
	}
	return len(formats)
}

func readFormat(r *bufio.Reader, format vm.LValue) vm.LValue {
	if n, ok := format.(vm.LNumber); ok {
		buffer := make([]byte, min(int(n), 16<<20))
		k, err := io.ReadFull(r, buffer)
		if k == 0 && err != nil {
			return vm.LNil
		}
		return vm.LString(buffer[:k])
	}
	switch strings.TrimPrefix(format.String(), "*") {
	case "a":
		all, _ := io.ReadAll(io.LimitReader(r, 1<<28)) // what was read before an error counts
		return vm.LString(all)
	case "n":
		word, _ := r.ReadString(' ')
		n, err := number(strings.TrimSpace(word))
		if err != nil {
			return vm.LNil
		}
		return vm.LNumber(n)
	}
	line, err := r.ReadString('\n')
	if err != nil && line == "" {
		return vm.LNil
	}
	return vm.LString(strings.TrimSuffix(line, "\n"))
}
