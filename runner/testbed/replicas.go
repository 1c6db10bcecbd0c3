package testbed

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/mysweep/mysweep/runner/result"
	"github.com/mysweep/mysweep/runner/server"
)

// catchUpWithin bounds the wait for a replica after a case.
const catchUpWithin = 2 * time.Minute

// replica follows the server of a bed.
type replica struct {
	name    string
	target  *server.Target
	private *server.Server // nil when it exists without us
	maxLag  *float64       // seconds, since it was last compared
}

// startReplicas starts the private replicas of a private server.
func (b *Bed) startReplicas(ctx context.Context) error {
	if b.Replicas == 0 {
		return nil
	}
	b.site.report.Progress("starting %d replicas", b.Replicas)
	c := b.Case
	c.Replicas, c.Transport = 0, "socket"
	private, err := privateServer(&b.site.plan, c, b.site.reconnects(), b.site.allowed)
	if err != nil {
		return err
	}
	private.CPUs = b.site.otherCPUs(b.cpus)
	started, err := server.StartReplicas(ctx, b.private, b.Replicas, private)
	if err != nil {
		return err
	}
	for i, r := range started {
		b.replicas = append(b.replicas, &replica{name: fmt.Sprintf("private replica %d", i+1), target: r.Target, private: r})
	}
	return nil
}

// reachReplicas logs in to the replicas that the plan names: they are those of
// the plan's server, and not of a case's own one.
func (b *Bed) reachReplicas(ctx context.Context) error {
	if b.Server != nil {
		return nil
	}
	for i, dsn := range b.site.plan.Replicas {
		target, err := server.Open(ctx, server.Endpoint{DSN: dsn})
		if err != nil {
			return fmt.Errorf("replica: %w", err)
		}
		name := target.Endpoint.Name()
		if b.site.redact {
			name = fmt.Sprintf("replica %d", i+1)
		}
		b.replicas = append(b.replicas, &replica{name: name, target: target})
	}
	return nil
}

// resume starts a paused replica, which does not replicate by itself then.
func (r *replica) resume(ctx context.Context) error {
	if r.private == nil {
		return nil
	}
	if err := r.private.Resume(ctx); err != nil {
		return err
	}
	return r.private.StartReplication(ctx)
}

func (r *replica) pause() {
	if r.private != nil {
		r.private.Pause()
	}
}

func (r *replica) close() error {
	if r.private != nil {
		return r.private.Stop()
	}
	return r.target.Close()
}

// Lagged keeps how far each replica was behind at most.
func (b *Bed) Lagged(samples []result.LagSample) {
	for _, sample := range samples {
		for _, r := range b.replicas {
			if r.name == sample.Replica {
				r.maxLag = larger(r.maxLag, sample.Seconds)
			}
		}
	}
}

// larger of two figures, either of which may be unknown.
func larger(a, b *float64) *float64 {
	if a == nil || b != nil && *b > *a {
		return b
	}
	return a
}

// checkReplicas waits until each replica of the bed has caught up, and
// compares the tables.
func (b *Bed) checkReplicas(ctx context.Context) error {
	if len(b.replicas) == 0 || len(b.data.tables) == 0 {
		return nil
	}
	b.site.report.Progress("waiting for the replicas of case %s", b.Name)
	position, err := b.target.Position(ctx)
	if err != nil {
		b.site.report.Note("replicas-unknown", "case %s: %v", b.Name, err)
		return nil
	}
	var tables []string
	for _, t := range b.data.tables {
		tables = append(tables, t.Name)
	}
	var want map[string]server.TableSum
	facts := b.site.report.Case(b.Name)
	for _, r := range b.replicas {
		seconds, err := r.target.AwaitPosition(ctx, position, catchUpWithin)
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		found := result.Replica{Name: r.name, MaxLagSeconds: r.maxLag}
		r.maxLag = nil // the next trials may be another case's
		if err == nil {
			found.CatchUpSeconds = &seconds
			if want == nil {
				want, err = b.target.Sums(ctx, b.site.plan.Server.Database, tables)
			}
		}
		if err == nil {
			err = r.compare(ctx, want, b.site.plan.Server.Database, tables, &found)
		}
		if err != nil {
			found.Error = err.Error()
		}
		addReplica(facts, found)
	}
	return b.site.report.Save()
}

// addReplica writes down what was found at a replica. A case that ran in several
// turns keeps the worst of them.
func addReplica(c *result.Case, found result.Replica) {
	i := slices.IndexFunc(c.Replicas, func(r result.Replica) bool { return r.Name == found.Name })
	if i < 0 {
		c.Replicas = append(c.Replicas, found)
		return
	}
	before := &c.Replicas[i]
	found.CatchUpSeconds = larger(before.CatchUpSeconds, found.CatchUpSeconds)
	found.MaxLagSeconds = larger(before.MaxLagSeconds, found.MaxLagSeconds)
	if before.Same != nil && !*before.Same {
		found.Same, found.Differences = before.Same, before.Differences
	}
	if found.Error == "" {
		found.Error = before.Error
	}
	*before = found
}

// compare sets Same and Differences.
func (r *replica) compare(ctx context.Context, want map[string]server.TableSum, database string, tables []string, found *result.Replica) error {
	got, err := r.target.Sums(ctx, database, tables)
	if err != nil {
		return err
	}
	differs := server.CompareSums(want, got)
	same := differs == nil
	found.Same = &same
	if !same {
		found.Differences = strings.Split(differs.Error(), "\n")
	}
	return nil
}

// closeReplicas ends the private ones and leaves the others.
func (b *Bed) closeReplicas() error {
	var faults []error
	for _, r := range b.replicas {
		faults = append(faults, r.close())
	}
	b.replicas = nil
	return errors.Join(faults...)
}
