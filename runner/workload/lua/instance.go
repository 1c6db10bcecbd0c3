package lua

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"time"

	vm "github.com/yuin/gopher-lua"

	"github.com/mysweep/mysweep/runner/workload"
)

// environment is what an instance needs of its surroundings.
type environment struct {
	// command is run, prepare, cleanup, help or one of the script's own; "" while options are read.
	command         string
	thread, threads int // thread is -1 outside of threads
	database        string
	connect         func() (link, error)
	sleep           func(time.Duration) error
	print           func(string)
	ended           func() error // why the script has to stop, nil as long as it may go on
	rand            *rand.Rand
}

// instance is one interpreter with the script loaded: a thread's, or the one
// that runs a command.
type instance struct {
	environment
	script *Script
	state  *vm.LState
	draws  map[string]workload.Draw

	connections []*connection
	legacy      *connection          // of the db_* functions
	exported    map[string]vm.LValue // options that are global variables
	ticks       int
	failed      error // the latest error of a connection
	over        error // why nothing can be sent any more
	ignored     map[int]bool
}

// Limits of an interpreter's memory: stacks begin small, as there may be a
// thousand of them, and grow.
const (
	firstRegisters, mostRegisters = 256, 1 << 20
	registersStep                 = 512
	callDepth                     = 200
)

// newInstance makes an interpreter and runs the script's main chunk.
func newInstance(script *Script, env environment) (*instance, error) {
	in := &instance{environment: env, script: script, exported: map[string]vm.LValue{}}
	in.state = vm.NewState(vm.Options{SkipOpenLibs: true, CallStackSize: callDepth, RegistrySize: firstRegisters,
		RegistryMaxSize: mostRegisters, RegistryGrowStep: registersStep, MinimizeStackMemory: true})
	var err error
	if in.draws, err = script.draws(); err != nil {
		return nil, err
	}
	if in.ignored, err = script.ignoredErrors(); err != nil {
		return nil, err
	}
	in.openLibraries()
	in.openSysbench()
	in.openLegacy()
	in.openFFI()
	if err := in.exportOptions(); err != nil {
		return nil, err
	}
	if err := in.run(script.main); err != nil {
		return nil, err
	}
	// The script may have declared options: those were unknown until now.
	return in, in.exportOptions()
}

// run runs a compiled file.
func (in *instance) run(proto *vm.FunctionProto) error {
	return in.protected(in.state.NewFunctionFromProto(proto), 0)
}

// function is a global function of the script, nil if there is none.
func (in *instance) function(name string) *vm.LFunction {
	f, _ := in.state.GetGlobal(name).(*vm.LFunction)
	return f
}

// callIfDefined calls a global function with the thread's number, if the
// script has it.
func (in *instance) callIfDefined(name string) error {
	f := in.function(name)
	if f == nil {
		return nil
	}
	if in.thread < 0 {
		return in.protected(f, 0)
	}
	return in.protected(f, 0, vm.LNumber(in.thread))
}

// protected calls a function and leaves results on the stack. Its error is the
// connection's where that ended the call, else the script's.
func (in *instance) protected(f *vm.LFunction, results int, args ...vm.LValue) error {
	err := in.state.CallByParam(vm.P{Fn: f, NRet: results, Protect: true}, args...)
	if err == nil {
		return nil
	}
	return in.cause(err)
}

// cause tells what a failed call was about: a connection's error, an event to
// be restarted, or a fault of the script.
func (in *instance) cause(err error) error {
	if in.over != nil {
		return in.over
	}
	var lua *vm.ApiError
	if !errors.As(err, &lua) {
		return &workload.BrokenError{Err: err}
	}
	switch object := lua.Object.(type) {
	case *vm.LTable:
		if n, ok := object.RawGetString("errcode").(vm.LNumber); ok && n == restartEvent && in.failed != nil {
			return &restart{table: object, RestartError: workload.RestartError{Err: in.failed}}
		}
	case vm.LString:
		if in.failed != nil && strings.Contains(string(object), "SQL error, errno = ") {
			return in.failed
		}
		return &workload.BrokenError{Err: fmt.Errorf("%s", in.relative(string(object)))}
	}
	return &workload.BrokenError{Err: fmt.Errorf("%s: %s", filepath.Base(in.script.path), in.state.ToStringMeta(lua.Object))}
}

// restart is an event to be run again, with the descriptor that the hook gets.
type restart struct {
	table *vm.LTable
	workload.RestartError
}

func (r *restart) Unwrap() error { return &r.RestartError }

// relative takes the script's folder off the names of files in a message.
func (in *instance) relative(message string) string {
	return strings.ReplaceAll(message, filepath.Dir(in.script.path)+string(filepath.Separator), "")
}

// tickEvery is how many passes of loops go by between two looks at the trial.
const tickEvery = 4096

// tick is called by each pass of each loop of the script.
func (in *instance) tick(l *vm.LState) int {
	in.ticks++
	if in.over != nil {
		l.RaiseError("%v", in.over)
	}
	if in.ticks%tickEvery == 0 && in.ended != nil {
		if err := in.ended(); err != nil {
			in.over = err
			l.RaiseError("%v", err)
		}
	}
	return 0
}

// wait sleeps, for usleep and its like.
func (in *instance) wait(l *vm.LState, d time.Duration) {
	if err := in.sleep(d); err != nil {
		in.over = err
		l.RaiseError("%v", err)
	}
}

// close closes the connections.
func (in *instance) close() error {
	var errs []error
	for _, c := range in.connections {
		if !c.closed {
			errs = append(errs, c.link.close())
		}
	}
	in.state.Close()
	return errors.Join(errs...)
}
