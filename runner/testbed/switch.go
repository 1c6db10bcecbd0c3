package testbed

import (
	"context"
	"maps"
	"slices"

	"github.com/mysweep/mysweep/runner/plan"
	"github.com/mysweep/mysweep/runner/server"
)

// switchTo sets the bed up for another case that shares its server: what can be
// set while the server runs is set, for all else a private one is restarted.
// What the case before had set is undone first.
func (b *Bed) switchTo(ctx context.Context, c plan.Case) error {
	if err := b.restore(ctx); err != nil {
		return err
	}
	b.site.report.Progress("making the server case %s", c.Name)
	b.Case = c
	if err := b.apply(ctx); err != nil {
		if b.private == nil && !b.Alive(ctx) {
			b.Close()
		} else {
			b.pause() // its data are good for other cases
		}
		return err
	}
	if err := b.describe(ctx); err != nil {
		return err
	}
	return b.site.report.Save()
}

// apply sets up the running server for the bed's new case.
func (b *Bed) apply(ctx context.Context) error {
	if b.private == nil {
		if err := b.begin(ctx, b.Case); err != nil {
			return err
		}
		return b.shape(ctx)
	}
	options := differing(b.started, b.Options)
	if len(missing(b.started, b.Options)) == 0 && !b.FreshStart() && b.setWhileRunning(ctx, options) {
		return nil
	}
	if len(options) == 0 && len(missing(b.started, b.Options)) == 0 {
		b.warm = map[string]bool{} // cacheState starts it again
		return nil
	}
	if err := b.restart(ctx, b.Case, func(ctx context.Context) error { return b.private.Restart(ctx, nil) }); err != nil {
		return err
	}
	return b.shape(ctx)
}

// setWhileRunning sets options as global variables and says whether the server
// took them all. What it refuses is left to a restart, whose error log tells
// more.
func (b *Bed) setWhileRunning(ctx context.Context, options []server.Option) bool {
	if slices.ContainsFunc(options, func(option server.Option) bool { return option.NoValue || resizes(option.Name) }) {
		return false
	}
	changes, err := b.target.PlanGlobals(ctx, options)
	if err != nil || b.target.SetGlobals(ctx, changes) != nil {
		return false
	}
	b.undo = append(b.undo, changes...)
	return true
}

// resizes names variables that a server takes at once and follows only in the
// background, so that a trial would see both sizes.
func resizes(name string) bool {
	return slices.Contains([]string{"innodb_buffer_pool_size", "innodb_log_file_size", "innodb_redo_log_capacity"}, plainName(name))
}

// differing are the options that now has otherwise than before.
func differing(before, now plan.Options) []server.Option {
	var list []server.Option
	for _, name := range slices.Sorted(maps.Keys(now)) {
		if value, ok := before[name]; !ok || value != now[name] {
			list = append(list, server.Option{Name: name, Value: now[name], NoValue: now[name] == ""})
		}
	}
	return list
}

// missing are the options of before that now does not have: only a restart
// takes an option away.
func missing(before, now plan.Options) []string {
	var names []string
	for _, name := range slices.Sorted(maps.Keys(before)) {
		if _, ok := now[name]; !ok {
			names = append(names, name)
		}
	}
	return names
}
