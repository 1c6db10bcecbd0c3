package sweep

import (
	"context"
	"maps"
	"slices"

	"github.com/mysweep/mysweep/runner/plan"
	"github.com/mysweep/mysweep/runner/server"
)

// become makes the open server another case that lives on it: what can be set
// while it runs is set, for all else a private server is restarted. What the
// case before had set is undone first.
func (s *sweep) become(ctx context.Context, c plan.Case) error {
	if err := s.checkData(ctx); err != nil {
		return err
	}
	o := s.open
	if err := s.restore(ctx, o); err != nil {
		return err
	}
	s.doing("making the server case %s", c.Name)
	o.Case = c
	if err := s.apply(ctx, o); err != nil {
		if o.private == nil && !s.alive(ctx) {
			s.closeCase()
		} else {
			s.setAside() // its data are good for other cases
		}
		return err
	}
	if err := s.describe(ctx, o); err != nil {
		return err
	}
	return s.saveRun()
}

func (s *sweep) apply(ctx context.Context, o *opened) error {
	if o.private == nil {
		if err := s.begin(ctx, o, o.Case); err != nil {
			return err
		}
		return s.shape(ctx)
	}
	options := differing(o.given, o.Options)
	fresh := o.Start == "cold" || o.Start == "restart"
	if len(missing(o.given, o.Options)) == 0 && !fresh && s.setWhileRunning(ctx, o, options) {
		return nil
	}
	if len(options) == 0 && len(missing(o.given, o.Options)) == 0 {
		o.warm = map[string]bool{} // cacheState starts it anew
		return nil
	}
	if err := s.restart(ctx, o, o.Case, func(ctx context.Context) error { return o.private.Restart(ctx, nil) }); err != nil {
		return err
	}
	return s.shape(ctx)
}

// setWhileRunning sets options as global variables and says whether the server
// took them all. What it refuses is left to a restart, whose error log tells
// more.
func (s *sweep) setWhileRunning(ctx context.Context, o *opened, options []server.Option) bool {
	if slices.ContainsFunc(options, func(option server.Option) bool { return option.NoValue || resizes(option.Name) }) {
		return false
	}
	changes, err := o.target.PlanGlobals(ctx, options)
	if err != nil || o.target.SetGlobals(ctx, changes) != nil {
		return false
	}
	o.undo = append(o.undo, changes...)
	return true
}

// resizes names variables that a server takes at once and follows only in the
// background, so that a trial would see both sizes.
func resizes(name string) bool {
	return slices.Contains([]string{"innodb_buffer_pool_size", "innodb_log_file_size", "innodb_redo_log_capacity"}, plainName(name))
}

// restart gives the private server the options of a case and starts it by how.
func (s *sweep) restart(ctx context.Context, o *opened, c plan.Case, how func(context.Context) error) error {
	private, err := privateServer(&s.Plan, c, s.allowed)
	if err != nil {
		return err
	}
	if err := o.private.SetOptions(private.Options); err != nil {
		return err
	}
	o.undo, o.warm = nil, map[string]bool{}
	o.Case, o.given = c, c.Options
	return how(ctx)
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
