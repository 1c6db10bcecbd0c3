package smack

import (
	"github.com/mysweep/mysweep/runner/workload"
)

// thread is the state of one thread of a client.
type thread struct {
	session workload.Session
	barrel  []action
	steps   []step
	calls   map[int]*call     // by number of the query
	handles []workload.Handle // by step, of those that send a query
	named   map[string]*call  // of run_save_result
	end     int               // the step after the last barrel
	at      int               // current step
	done    int               // rounds completed in that step
}

// thread returns the round of one thread of a client.
func (w *Workload) thread(s workload.Session, r *run) workload.Round {
	readers := w.readers()
	t := &thread{session: s, barrel: w.barrels[r.client.Name], steps: r.each,
		calls: map[int]*call{}, handles: make([]workload.Handle, len(r.each)), named: map[string]*call{}}
	for _, a := range t.barrel {
		if a.query >= 0 && t.calls[a.query] == nil {
			t.calls[a.query] = newCall(s, w.queries[a.query], readers)
		}
	}
	for i, step := range r.each {
		if step.rounds > 0 {
			t.end = i + 1
		}
		if step.sql != "" {
			t.handles[i] = s.Declare(workload.Statement{Type: "query", Name: "query in main", Kind: workload.KindOf(step.sql)})
		}
		for _, q := range w.queries {
			if step.query != "" && q.statement.Name == step.query && t.named[step.query] == nil {
				t.named[step.query] = newCall(s, q, readers)
			}
		}
	}
	if t.end < len(t.steps) {
		s.AtEnd(t.finish)
	}
	return t.round
}

// round unloads the barrel once, after the preceding steps of main.
func (t *thread) round() error {
	for t.steps[t.at].rounds == 0 {
		if err := t.other(t.at); err != nil {
			return err
		}
		t.at++
	}
	if err := t.unload(); err != nil {
		return err
	}
	if t.done++; t.done == t.steps[t.at].rounds {
		t.at, t.done = (t.at+1)%t.end, 0
	}
	return nil
}

// finish runs the steps of main after the last barrel.
func (t *thread) finish() error {
	for i := t.end; i < len(t.steps); i++ {
		if err := t.other(i); err != nil {
			return err
		}
	}
	return nil
}

// unload runs the barrel once.
func (t *thread) unload() error {
	for _, a := range t.barrel {
		if a.query < 0 {
			if err := t.session.Sleep(a.sleep); err != nil {
				return err
			}
			continue
		}
		call := t.calls[a.query]
		for range a.shots {
			if err := call.send(t.session); err != nil {
				return err
			}
		}
	}
	return nil
}

// other runs a step other than unload. The result of run_save_result is read and
// discarded, see Dialect.
func (t *thread) other(i int) error {
	s := t.steps[i]
	switch {
	case s.query != "":
		return t.named[s.query].send(t.session)
	case s.sql != "":
		_, err := t.session.Raw(t.handles[i], s.sql)
		return err
	case s.sleep > 0:
		return t.session.Sleep(s.sleep)
	}
	return nil
}
