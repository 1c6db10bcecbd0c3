package sweep

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/mysweep/mysweep/runner/plan"
	"github.com/mysweep/mysweep/runner/result"
	"github.com/mysweep/mysweep/runner/server"
)

// share loads the tables of all workloads into the open private server, if
// other cases can have them, and copies its datadir for those: loaded once, the
// same for all, and before any trial has changed it. Files share their blocks
// where the file system can.
func (s *sweep) share(ctx context.Context) error {
	o := s.open
	heirs := s.heirs(o)
	if len(heirs) == 0 {
		return nil
	}
	for _, w := range s.Plan.Workloads {
		if err := s.loadTables(ctx, w); err != nil {
			return fmt.Errorf("workload %s: %w", w.Label(), err)
		}
		o.loaded[w.Label()] = true
	}
	o.private.Pause()
	for _, c := range heirs {
		if err := s.inherit(ctx, o, c); err != nil && ctx.Err() == nil {
			s.refused[c.Name] = err
			s.failed(ctx, c, err)
		}
	}
	if err := o.private.Resume(ctx); err != nil {
		return err
	}
	return s.shape(ctx)
}

// heirs are the cases with a server of their own that has not been started and
// whose datadir would be the same as the open one's.
func (s *sweep) heirs(o *opened) []plan.Case {
	if o.private == nil || len(o.loaded) > 0 || s.Plan.ExistingTables {
		return nil
	}
	var list []plan.Case
	for _, c := range s.Plan.Cases {
		own := home{kase: c.Name}
		known := s.paused[own] != nil || s.refused[c.Name] != nil || own == o.home
		if !known && s.homeOf(c) == own && sameDatadir(s.homeCase(o.Case), c) {
			list = append(list, c)
		}
	}
	return list
}

// sameDatadir reports whether two cases make the same datadir.
func sameDatadir(a, b plan.Case) bool {
	if a.Mysqld != b.Mysqld || a.OptionsFile != b.OptionsFile || a.CopyDatadirFrom != b.CopyDatadirFrom || a.Replicas+b.Replicas > 0 || a.SMT != b.SMT {
		return false
	}
	shaping := func(c plan.Case) plan.Options {
		options := plan.Options{}
		for name, value := range c.Options {
			if server.ShapesDatadir(name) {
				options[plainName(name)] = value
			}
		}
		return options
	}
	return maps.Equal(shaping(a), shaping(b))
}

// inherit makes a paused server for a case, on a copy of the datadir of o.
func (s *sweep) inherit(ctx context.Context, o *opened, c plan.Case) error {
	s.doing("copying the tables for case %s", c.Name)
	private, err := privateServer(&s.Plan, c, s.allowed)
	if err != nil {
		return err
	}
	private.CopyDatadirFrom = o.private.Datadir()
	heir := &opened{Case: c, home: home{kase: c.Name}, given: c.Options, cpus: private.CPUs, loaded: maps.Clone(o.loaded),
		warm: map[string]bool{}, written: map[string]bool{}}
	if heir.private, err = server.PreparePrivate(ctx, private); err != nil {
		return err
	}
	heir.target = heir.private.Target
	copied := heir.private.Copied
	heir.data.tables = slices.Clone(o.data.tables)
	heir.data.notes = []result.Note{{Code: "copied", Text: fmt.Sprintf(
		"the tables were loaded once, by case %s, and copied in %.1f s (%.0f MB, %d of %d files by reflink)",
		o.Name, copied.Seconds, float64(copied.Bytes)/1e6, copied.Reflinks, copied.Files)}}
	s.paused[heir.home] = heir
	return nil
}
