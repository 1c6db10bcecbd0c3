package lua

import (
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"

	vm "github.com/yuin/gopher-lua"

	"github.com/mysweep/mysweep/runner/workload"
)

// Spec describes a script as a workload, without opening it. Its name is the
// path as given; Open makes the workload.
func Spec(path string) workload.Spec {
	return workload.Spec{
		Name:    path,
		Summary: "the sysbench script " + filepath.Base(path),
		Family:  "sysbench",
		Sweep:   workload.Sweep{Time: "10s", Protocol: "prepared"},
	}
}

// Tables are none: the script's prepare makes them.
func (s *Script) Tables() []workload.Table { return nil }

// Thread makes a thread's interpreter, calls thread_init, and returns a round
// that calls event.
func (s *Script) Thread(session workload.Session) (workload.Round, error) {
	first := true
	in, err := newInstance(s, environment{
		command: "run", thread: session.Thread(), threads: session.Threads(), database: s.Database,
		connect: func() (link, error) {
			own := session
			if !first {
				another, err := session.Another()
				if err != nil {
					return nil, err
				}
				own = another
			}
			first = false
			return newSessionLink(own), nil
		},
		sleep: session.Sleep, ended: session.Ended, rand: session.Rand(),
	})
	if err != nil {
		return nil, err
	}
	if in.function("event") == nil {
		return nil, fmt.Errorf("%s: no function event()", filepath.Base(s.path))
	}
	if err := in.callIfDefined("thread_init"); err != nil {
		return nil, fmt.Errorf("thread_init: %w", err)
	}
	if in.function("thread_done") != nil {
		session.AtEnd(func() error { return in.callIfDefined("thread_done") })
	}
	return in.event, nil
}

// event is one round: event(), once more as long as its errors may be ignored.
// The load generator runs it again, so that it can count and end it.
func (in *instance) event() error {
	in.over, in.failed = nil, nil
	err := in.protected(in.function("event"), 1, vm.LNumber(in.thread))
	if err == nil {
		enough := vm.LVAsBool(in.state.Get(-1))
		in.state.Pop(1)
		if enough {
			return workload.ErrEnough
		}
		return nil
	}
	var again *restart
	if !errors.As(err, &again) {
		return in.named(err)
	}
	if hook := in.hook("before_restart_event"); hook != nil {
		if err := in.protected(hook, 0, again.table); err != nil {
			return in.named(err)
		}
	}
	return &again.RestartError
}

// named adds the thread to a fault of the script.
func (in *instance) named(err error) error {
	var broken *workload.BrokenError
	if errors.As(err, &broken) {
		return &workload.BrokenError{Err: fmt.Errorf("thread %d: %w", in.thread, broken.Err)}
	}
	return err
}

// Help is the script's options with their defaults, and its commands, as
// `sysbench FILE help` prints them.
func (s *Script) Help() string {
	text := filepath.Base(s.path) + " options:\n"
	for _, o := range s.declared {
		form := map[int]string{argInt: "=N", argDouble: "=N", argSize: "=SIZE", argString: "=STRING", argBool: "[=on|off]", argList: "=[LIST,...]",
			argFile: "=FILENAME"}[o.form]
		text += fmt.Sprintf("  --%s%s\n        %s", o.Name, form, o.Usage)
		if o.Default != "" {
			text += " [" + o.Default + "]"
		}
		text += "\n"
	}
	text += "commands: run"
	for _, name := range slices.Sorted(slices.Values(s.names)) {
		text += " " + name
	}
	return text + "\n"
}

// optionsText is the options that were given, in one order.
func (s *Script) optionsText() string {
	text := ""
	for _, name := range slices.Sorted(maps.Keys(s.Set)) {
		text += fmt.Sprintf(" --%s=%s", name, s.Set[name])
	}
	return text
}
