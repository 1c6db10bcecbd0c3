package smack

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/mysweep/mysweep/runner/workload"
)

// recorder is a Session that writes down what a thread does.
type recorder struct {
	workload.Session // what these workloads do not call
	statements       []workload.Statement
	log              []string
	random           *rand.Rand
	thread, threads  int
	atEnd            workload.Round
	fail             int // the call that fails, from 1
}

func record(thread, threads int) *recorder {
	return &recorder{random: rand.New(rand.NewPCG(1, uint64(thread))), thread: thread, threads: threads}
}

var errRefused = errors.New("refused")

func (r *recorder) note(line string) error {
	r.log = append(r.log, line)
	if len(r.log) == r.fail {
		return errRefused
	}
	return nil
}

func (r *recorder) text(h workload.Handle, args workload.Args) string {
	s := r.statements[h]
	shown := []string{s.Type, s.SQL}
	for _, a := range args {
		shown = append(shown, a.Text)
	}
	return strings.Join(shown, " | ")
}

func (r *recorder) Declare(s workload.Statement) workload.Handle {
	r.statements = append(r.statements, s)
	return workload.Handle(len(r.statements) - 1)
}
func (r *recorder) Query(h workload.Handle, args workload.Args) (int64, error) {
	return 1, r.note("query " + r.text(h, args))
}
func (r *recorder) Select(h workload.Handle, args workload.Args, _ func([]any) error) error {
	return r.note("select " + r.text(h, args))
}
func (r *recorder) Exec(h workload.Handle, args workload.Args) (workload.Outcome, error) {
	return workload.Outcome{}, r.note("exec " + r.text(h, args))
}
func (r *recorder) Raw(h workload.Handle, sql string) (int64, error) {
	return 0, r.note("raw " + r.statements[h].Type + " | " + sql)
}
func (r *recorder) Begin() error                { return r.note("begin") }
func (r *recorder) Commit() error               { return r.note("commit") }
func (r *recorder) Rollback() error             { return r.note("rollback") }
func (r *recorder) Sleep(d time.Duration) error { return r.note(fmt.Sprint("sleep ", d)) }
func (r *recorder) Think(d time.Duration) error { return r.note(fmt.Sprint("think ", d)) }
func (r *recorder) Interaction(string)          {}
func (r *recorder) AtEnd(end workload.Round)    { r.atEnd = end }
func (r *recorder) Reconnect() error            { return r.note("reconnect") }
func (r *recorder) Rand() *rand.Rand            { return r.random }
func (r *recorder) Thread() int                 { return r.thread }
func (r *recorder) Threads() int                { return r.threads }
