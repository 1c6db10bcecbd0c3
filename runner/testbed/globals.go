package testbed

import (
	"context"
	"fmt"
	"maps"

	"github.com/mysweep/mysweep/runner/plan"
)

// shape makes the server what the case says: global variables, then the
// statements after the start. A restart loses both, so it comes after each.
func (b *Bed) shape(ctx context.Context) error {
	if err := b.setGlobals(ctx); err != nil {
		return err
	}
	for _, statement := range b.AfterStart {
		if err := b.execBare(ctx, statement); err != nil {
			return fmt.Errorf("after_start: %s: %w", statement, err)
		}
	}
	return nil
}

// setGlobals sets the case's global variables; on an existing server its
// options are such as well. What they were is written down first there, so that
// even a run that is killed can be undone.
func (b *Bed) setGlobals(ctx context.Context) error {
	wanted := plan.Options{}
	maps.Copy(wanted, b.SetGlobal)
	if b.private == nil {
		maps.Copy(wanted, b.Options)
	}
	if len(wanted) == 0 {
		return nil
	}
	changes, err := b.target.PlanGlobals(ctx, differing(nil, wanted))
	if err != nil {
		return err
	}
	if b.private == nil {
		if err := rememberUndo(b.key.address, LockName(&b.site.plan), changes); err != nil {
			return err
		}
	}
	if err := b.target.SetGlobals(ctx, changes); err != nil {
		return err
	}
	b.undo = append(b.undo, changes...)
	return nil
}

// restore puts back the global variables that were set for the case.
func (b *Bed) restore(ctx context.Context) error {
	if len(b.undo) == 0 {
		return nil
	}
	if err := b.target.RestoreGlobals(ctx, b.undo); err != nil {
		b.noteNotUndone("%v", err)
		return err
	}
	b.undo = nil
	if b.private == nil {
		forgetUndo(b.key.address, LockName(&b.site.plan))
		b.site.undone(b.identity)
	}
	return nil
}
