package server

import (
	"context"
	"fmt"
	"os/exec"
	"runtime"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// process is a server process that cannot outlive us.
type process struct {
	cmd  *exec.Cmd
	pid  int
	done chan struct{} // closed when it has ended and was waited for
	err  error         // how it ended; read after done
}

// killWait bounds how long the kernel may take to end what it was told to kill.
const killWait = 5 * time.Second

// startProcess forks from an OS thread of its own, which lives until the
// process has ended: the kernel ties Pdeathsig to the thread that forked, and
// children inherit the thread's CPUs.
func startProcess(cmd *exec.Cmd, owner account, cpus []int) (*process, error) {
	cmd.SysProcAttr = &syscall.SysProcAttr{
		Credential: owner.credential(),
		Pdeathsig:  syscall.SIGKILL,
		Setpgid:    true, // so that a Ctrl-C at the terminal is ours to handle
	}
	if cmd.SysProcAttr.Credential != nil && mayNice() {
		// For numactl and chrt in front of the server, and its own thread priorities.
		cmd.SysProcAttr.AmbientCaps = []uintptr{unix.CAP_SYS_NICE}
	}
	p := &process{cmd: cmd, done: make(chan struct{})}
	started := make(chan error)
	go p.live(cpus, started)
	if err := <-started; err != nil {
		return nil, err
	}
	return p, nil
}

// live never unlocks its thread, so that Go ends it together with the goroutine.
func (p *process) live(cpus []int, started chan<- error) {
	runtime.LockOSThread()
	if err := onCPUs(cpus, p.cmd.Start); err != nil {
		started <- err
		return
	}
	p.pid = p.cmd.Process.Pid
	started <- nil
	p.err = p.cmd.Wait()
	// A wrapper script may leave the server behind. Only now is the group surely
	// still ours: later its number may be another's.
	syscall.Kill(-p.pid, syscall.SIGKILL)
	close(p.done)
}

// mayNice says whether we hold CAP_SYS_NICE and so can pass it on; root in a
// container may not.
func mayNice() bool {
	header := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	var data [2]unix.CapUserData
	if unix.Capget(&header, &data[0]) != nil {
		return false
	}
	return data[0].Permitted&(1<<unix.CAP_SYS_NICE) != 0
}

// onCPUs does something on a thread that has these CPUs, nil for its own, and
// gives the thread its own back: it may be the main one, which lives as long as
// the process, and by which everybody asks which CPUs a process may use.
func onCPUs(cpus []int, do func() error) error {
	if len(cpus) == 0 {
		return do()
	}
	runtime.LockOSThread()
	var own unix.CPUSet
	if err := unix.SchedGetaffinity(0, &own); err != nil {
		return fmt.Errorf("CPUs %v: %w", cpus, err)
	}
	defer func() {
		if unix.SchedSetaffinity(0, &own) == nil {
			runtime.UnlockOSThread() // else nobody else gets this thread
		}
	}()
	if err := pinThread(cpus); err != nil {
		return err
	}
	return do()
}

func pinThread(cpus []int) error {
	var set unix.CPUSet
	for _, cpu := range cpus {
		set.Set(cpu)
	}
	if set.Count() != len(cpus) {
		return fmt.Errorf("CPUs %v: duplicate or too large CPU numbers", cpus)
	}
	if err := unix.SchedSetaffinity(0, &set); err != nil {
		return fmt.Errorf("CPUs %v: %w (none of them is online, or this container may not use them)", cpus, err)
	}
	// The kernel silently leaves out those that are offline or not ours.
	var got unix.CPUSet
	if err := unix.SchedGetaffinity(0, &got); err != nil {
		return fmt.Errorf("CPUs %v: %w", cpus, err)
	}
	if got.Count() != len(cpus) {
		return fmt.Errorf("CPUs %v: only %d of them are online and available to this process", cpus, got.Count())
	}
	return nil
}

// checkCPUs tries them, as only the kernel knows what a container allows.
func checkCPUs(cpus []int) error { return onCPUs(cpus, func() error { return nil }) }

// run starts a command and waits for its end or that of the context.
func run(ctx context.Context, cmd *exec.Cmd, owner account, cpus []int) error {
	p, err := startProcess(cmd, owner, cpus)
	if err != nil {
		return err
	}
	select {
	case <-p.done:
		return p.err
	case <-ctx.Done():
		p.kill()
		return context.Cause(ctx)
	}
}

func (p *process) ended() bool {
	select {
	case <-p.done:
		return true
	default:
		return false
	}
}

// wait says whether the process ended in time.
func (p *process) wait(limit time.Duration) bool {
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case <-p.done:
		return true
	case <-timer.C:
		return false
	}
}

// terminate asks with SIGTERM and then insists with SIGKILL. The whole group is
// meant: a wrapper script may have the server as its child.
func (p *process) terminate(limit time.Duration) {
	p.signal(syscall.SIGTERM)
	if !p.wait(limit) {
		p.kill()
	}
}

func (p *process) kill() {
	p.signal(syscall.SIGKILL)
	p.wait(killWait)
}

func (p *process) signal(signal syscall.Signal) {
	if !p.ended() {
		syscall.Kill(-p.pid, signal)
	}
}

// exitText is how it ended, in words.
func (p *process) exitText() string {
	if p.err == nil {
		return "it ended with status 0"
	}
	return "it ended with " + strings.TrimPrefix(p.err.Error(), "exit ")
}
