package testbed

import (
	"context"
	"fmt"
	"maps"

	"github.com/mysweep/mysweep/runner/result"
	"github.com/mysweep/mysweep/runner/server"
)

// outage is what is noted of a server that could not be left as it was found, mostly as it did not
// answer. The notes hold until it has come back and is cleaned up.
type outage struct {
	notUndone, leftBehind []result.Note
	loaded                map[string]bool // workloads whose tables were left there
}

// noteOutage notes what could not be undone on a server that does not answer.
func (b *Bed) noteOutage(why error) {
	if len(b.undo) > 0 {
		b.noteNotUndone("the server does not answer, so what case %s has set there is still set, until the next run on it or: %s", b.Name, server.UndoByHand(b.undo))
	}
	b.noteLeftBehind("what was made in schema %s is still there, the server does not answer: %v: mysweep cleanup removes it", b.site.plan.Server.Database, why)
}

// noteNotUndone notes that variables could not be put back.
func (b *Bed) noteNotUndone(format string, args ...any) {
	o := b.site.outages[b.identity]
	o.notUndone = append(o.notUndone, b.site.noted("not-undone", format, args...))
	b.site.outages[b.identity] = o
}

// noteLeftBehind notes that the tables of the bed could not be dropped.
func (b *Bed) noteLeftBehind(format string, args ...any) {
	o := b.site.outages[b.identity]
	if o.loaded == nil {
		o.loaded = map[string]bool{}
	}
	maps.Copy(o.loaded, b.loaded)
	o.leftBehind = append(o.leftBehind, b.site.noted("left-behind", format, args...))
	b.site.outages[b.identity] = o
}

// noted notes what holds for the run and returns the note.
func (s *Site) noted(code, format string, args ...any) result.Note {
	n := result.Note{Code: code, Text: fmt.Sprintf(format, args...)}
	s.report.Note(code, "%s", n.Text)
	return n
}

// undone withdraws the notes on variables, which were put back on the server.
func (s *Site) undone(identity string) {
	o := s.outages[identity]
	for _, n := range o.notUndone {
		s.report.Withdraw(n)
	}
	o.notUndone = nil
	s.outages[identity] = o
}

// removed withdraws the notes on tables, which were dropped on the server.
func (s *Site) removed(identity string) {
	o := s.outages[identity]
	for _, n := range o.leftBehind {
		s.report.Withdraw(n)
	}
	o.leftBehind, o.loaded = nil, nil
	s.outages[identity] = o
}

// CleanUp leaves the existing servers on which a resumed run had nothing more to do as they were
// found: the run may have been killed after their trials, with its tables and variables there.
func (s *Site) CleanUp(ctx context.Context) error {
	if !s.resumed {
		return nil
	}
	for _, c := range s.plan.Cases {
		if s.endpoint(c) == nil || s.answered[s.keyOf(c)] {
			continue
		}
		if s.bed != nil {
			s.bed.makeWay(ctx) // it may be the same server by another address
		}
		c.Restart, c.Start = nil, "" // nothing is measured
		b, err := s.reach(ctx, c)
		switch {
		case err == nil:
			b.release()
		case ctx.Err() != nil || EndsRun(err):
			return err
		default:
			s.noted("left-behind", "whether the run left anything on the server of case %s is unknown: %v: mysweep cleanup removes it", c.Name, err)
		}
	}
	return nil
}
