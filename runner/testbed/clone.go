package testbed

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/mysweep/mysweep/runner/plan"
	"github.com/mysweep/mysweep/runner/result"
	"github.com/mysweep/mysweep/runner/server"
)

// cloneTables loads the tables of all workloads into a private server that was just started, if
// other cases can have them, and copies its datadir for those: loaded once, the
// same for all, and before any trial has changed it. Files share their blocks
// where the file system can.
func (b *Bed) cloneTables(ctx context.Context) error {
	targets := b.site.cloneTargets(b)
	if len(targets) == 0 {
		return nil
	}
	for _, w := range b.site.plan.Workloads {
		if err := b.loadTables(ctx, w); err != nil {
			return fmt.Errorf("workload %s: %w", w.Label(), err)
		}
		b.loaded[w.Label()] = true
	}
	b.private.Pause()
	for _, c := range targets {
		if err := b.site.clone(ctx, b, c); err != nil && ctx.Err() == nil {
			b.site.refused[c.Name] = err
			b.site.fail(ctx, c, err)
		}
	}
	if err := b.private.Resume(ctx); err != nil {
		return err
	}
	return b.shape(ctx)
}

// cloneTargets are the cases with a server of their own that has not been started and
// whose datadir would be the same as the bed's.
func (s *Site) cloneTargets(b *Bed) []plan.Case {
	if b.private == nil || len(b.loaded) > 0 || s.plan.ExistingTables {
		return nil
	}
	var list []plan.Case
	for _, c := range s.plan.Cases {
		own := serverKey{caseName: c.Name}
		known := s.paused[own] != nil || s.refused[c.Name] != nil || own == b.key
		if !known && s.keyOf(c) == own && sameDatadir(s.ownerOf(b.Case), c) {
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

// clone makes a paused bed for a case, on a copy of the datadir of b.
func (s *Site) clone(ctx context.Context, b *Bed, c plan.Case) error {
	s.report.Progress("copying the tables for case %s", c.Name)
	private, err := privateServer(&s.plan, c, s.reconnects(), s.allowed)
	if err != nil {
		return err
	}
	private.CopyDatadirFrom = b.private.Datadir()
	clone := s.newBed(c)
	clone.started, clone.cpus, clone.loaded = c.Options, private.CPUs, maps.Clone(b.loaded)
	if clone.private, err = server.PreparePrivate(ctx, private); err != nil {
		return err
	}
	clone.target = clone.private.Target
	copied := clone.private.Copied
	clone.data.tables = slices.Clone(b.data.tables)
	clone.data.notes = []result.Note{{Code: "copied", Text: fmt.Sprintf(
		"the tables were loaded once, by case %s, and copied in %.1f s (%.0f MB, %d of %d files by reflink)",
		b.Name, copied.Seconds, float64(copied.Bytes)/1e6, copied.Reflinks, copied.Files)}}
	s.paused[clone.key] = clone
	return nil
}
