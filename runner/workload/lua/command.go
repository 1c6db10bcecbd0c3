package lua

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"sync"
	"time"

	vm "github.com/yuin/gopher-lua"

	"github.com/mysweep/mysweep/runner/workload"
)

// Runner runs a script's commands outside of trials.
type Runner struct {
	// Open makes a connection to the schema of the script.
	Open func(context.Context) (workload.Conn, error)
	// Threads is how many threads a parallel command gets.
	Threads int
	// Seed is of the random numbers; thread numbers make them differ.
	Seed uint64
	// Print is told what the script prints; nil = nobody. It is called from
	// several goroutines, one at a time.
	Print func(string)
	// Sent is told each statement that succeeded; nil = nobody.
	Sent func(sql string)

	mu sync.Mutex
}

// ErrNoCommand says that a script does not have the command.
var ErrNoCommand = errors.New("the script has no such command")

// Command runs a command of the script, e.g. prepare: once, or for each thread
// at the same time where the script says so.
func (s *Script) Command(ctx context.Context, name string, r *Runner) error {
	in, err := s.outside(ctx, name, -1, r)
	if err != nil {
		return err
	}
	c, ok := in.commands()[name]
	if !ok {
		in.close()
		return fmt.Errorf("%s: %s: %w", filepath.Base(s.path), name, ErrNoCommand)
	}
	if !c.parallel {
		return finished(in, in.runCommand(c))
	}
	in.close()
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	errs := make([]error, r.Threads)
	var all sync.WaitGroup
	for thread := range errs {
		all.Go(func() {
			if errs[thread] = s.inThread(ctx, name, thread, r); errs[thread] != nil {
				cancel(errs[thread])
			}
		})
	}
	all.Wait()
	return errors.Join(errs...)
}

// inThread runs a parallel command in one thread.
func (s *Script) inThread(ctx context.Context, name string, thread int, r *Runner) error {
	in, err := s.outside(ctx, name, thread, r)
	if err != nil {
		return err
	}
	return finished(in, in.runCommand(in.commands()[name]))
}

// Hook calls a global function of the script around a trial: init before it,
// done after it. A script without it is content.
func (s *Script) Hook(ctx context.Context, name string, r *Runner) error {
	in, err := s.outside(ctx, "run", -1, r)
	if err != nil {
		return err
	}
	err = in.callIfDefined(name)
	if err != nil {
		err = fmt.Errorf("%s: %w", name, err)
	}
	return finished(in, err)
}

// Has tells whether the script defines a global function.
func (s *Script) Has(name string) bool {
	in, err := s.loaded(environment{command: "help", thread: -1, threads: 1})
	if err != nil {
		return false
	}
	defer in.close()
	return in.function(name) != nil
}

func finished(in *instance, err error) error {
	closing := in.close()
	if err != nil {
		return err
	}
	return closing
}

func (in *instance) runCommand(c command) error {
	if err := in.protected(c.function, 1); err != nil {
		return fmt.Errorf("%s: %w", in.command, err)
	}
	failed := in.state.Get(-1) == vm.LFalse
	in.state.Pop(1)
	if failed {
		return fmt.Errorf("%s: %s returned false", filepath.Base(in.script.path), in.command)
	}
	return nil
}

// outside is an instance that speaks to the server outside of trials.
func (s *Script) outside(ctx context.Context, command string, thread int, r *Runner) (*instance, error) {
	return newInstance(s, environment{
		command: command, thread: thread, threads: r.Threads, database: s.Database,
		connect: func() (link, error) {
			conn, err := r.Open(ctx)
			if err != nil {
				return nil, err
			}
			return &connLink{ctx: ctx, open: r.Open, conn: conn, sent: r.Sent}, nil
		},
		sleep: func(d time.Duration) error {
			select {
			case <-ctx.Done():
				return context.Cause(ctx)
			case <-time.After(d):
				return nil
			}
		},
		ended: func() error { return context.Cause(ctx) },
		print: r.say,
		rand:  rand.New(rand.NewPCG(r.Seed, uint64(thread+1))),
	})
}

func (r *Runner) say(text string) {
	if r.Print == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.Print(text)
}

func numberOf(n int) vm.LValue { return vm.LNumber(n) }

func truthy(v vm.LValue) bool { return vm.LVAsBool(v) }
