package testbed

import (
	"testing"

	"github.com/mysweep/mysweep/runner/result"
)

// A case that runs in several turns keeps the worst that was found at a replica.
func TestAddReplica(t *testing.T) {
	no, yes, one, two := false, true, 1.0, 2.0
	c := result.Case{}
	addReplica(&c, result.Replica{Name: "r", CatchUpSeconds: &two, Same: &no, Differences: []string{"d"}})
	addReplica(&c, result.Replica{Name: "r", CatchUpSeconds: &one, MaxLagSeconds: &one, Same: &yes})
	addReplica(&c, result.Replica{Name: "s"})
	r := c.Replicas[0]
	if len(c.Replicas) != 2 || *r.CatchUpSeconds != 2 || *r.MaxLagSeconds != 1 || *r.Same || len(r.Differences) != 1 {
		t.Errorf("%+v", c.Replicas)
	}
}
