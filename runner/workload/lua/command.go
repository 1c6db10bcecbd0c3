package lua

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"sync"
	"time"

	vm "github.com/yuin/gopher-lua"

	"github.com/mysweep/mysweep/runner/workload"
)

// ErrNoCommand says that a script does not have the command.
var ErrNoCommand = errors.New("the script has no such command")

// Command runs a command of the script, e.g. prepare: once, or for each thread
// at the same time where the script says so.
func (s *Script) Command(ctx context.Context, name string, o workload.Outside) error {
	o.Print = oneAtATime(o.Print)
	in, err := s.outside(ctx, name, -1, o.Clients, o)
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
	errs := make([]error, o.Threads)
	var all sync.WaitGroup
	for thread := range errs {
		all.Go(func() {
			err := s.inThread(ctx, name, thread, o)
			if err != nil && ctx.Err() == nil { // not one that another thread has ended
				errs[thread] = err
			}
			if err != nil {
				cancel(err)
			}
		})
	}
	all.Wait()
	return errors.Join(errs...)
}

// inThread runs a parallel command in one thread.
func (s *Script) inThread(ctx context.Context, name string, thread int, o workload.Outside) error {
	in, err := s.outside(ctx, name, thread, o.Threads, o)
	if err != nil {
		return err
	}
	return finished(in, in.runCommand(in.commands()[name]))
}

// hook calls a global function of the script, if it has it.
func (s *Script) hook(ctx context.Context, name string, o workload.Outside) error {
	if !s.defined[name] {
		return nil
	}
	in, err := s.outside(ctx, "run", -1, o.Clients, o)
	if err != nil {
		return err
	}
	if err = in.callIfDefined(name); err != nil {
		err = fmt.Errorf("%s: %w", name, err)
	}
	return finished(in, err)
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

// outside is an instance that speaks to the server outside of trials. threads is what the script
// reads as sysbench.opt.threads.
func (s *Script) outside(ctx context.Context, command string, thread, threads int, o workload.Outside) (*instance, error) {
	return newInstance(s, environment{
		command: command, thread: thread, threads: max(threads, 1), database: s.Database,
		connect: func() (link, error) {
			conn, err := o.Open(ctx)
			if err != nil {
				return nil, err
			}
			return &connLink{ctx: ctx, open: o.Open, conn: conn, sent: o.Sent}, nil
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
		print: o.Print,
		rand:  rand.New(rand.NewPCG(o.Seed, uint64(thread+1))),
	})
}

// oneAtATime keeps several threads from printing at once.
func oneAtATime(say func(string)) func(string) {
	if say == nil {
		return nil
	}
	var mu sync.Mutex
	return func(text string) {
		mu.Lock()
		defer mu.Unlock()
		say(text)
	}
}

// Fill implements workload.Filler by the script's prepare. A script without
// one finds its tables there.
func (s *Script) Fill(ctx context.Context, o workload.Outside) error {
	if !slices.Contains(s.names, "prepare") {
		return nil
	}
	return s.Command(ctx, "prepare", o)
}

// Fingerprint implements workload.Filler: the script's file and its options.
func (s *Script) Fingerprint() string {
	sum := sha256.Sum256([]byte(s.source + s.optionsText()))
	return hex.EncodeToString(sum[:8])
}

// BeforeEach implements workload.Surrounder by the script's init.
func (s *Script) BeforeEach(ctx context.Context, o workload.Outside) error {
	s.unique.Store(0)
	return s.hook(ctx, "init", o)
}

// AfterEach implements workload.Surrounder by the script's done.
func (s *Script) AfterEach(ctx context.Context, o workload.Outside) error {
	return s.hook(ctx, "done", o)
}
