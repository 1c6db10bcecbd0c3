package login

import (
	"testing"
	"time"
)

// TestIdentity: what is not known is never the same.
func TestIdentity(t *testing.T) {
	now := time.Now()
	for _, c := range []struct {
		a, b Identity
		want bool
	}{
		{Identity{}, Identity{}, false},
		{Identity{uuid: "a"}, Identity{uuid: "a"}, true},
		{Identity{uuid: "a", host: "h", port: "1", started: now}, Identity{uuid: "b", host: "h", port: "1", started: now}, false},
		{Identity{host: "h", port: "1", started: now}, Identity{host: "h", port: "1", started: now.Add(time.Second)}, true},
		{Identity{host: "h", port: "1", started: now}, Identity{host: "h", port: "1", started: now.Add(time.Minute)}, false},
		{Identity{host: "h", port: "1", started: now}, Identity{host: "h", port: "2", started: now}, false},
		{Identity{host: "h", port: "1", started: now}, Identity{host: "h", port: "1"}, false},
	} {
		if got := c.a.Is(c.b); got != c.want || got && c.a.Differs(c.b) {
			t.Errorf("%+v and %+v: %v", c.a, c.b, got)
		}
	}
	a, b := Identity{uuid: "a"}, Identity{uuid: "b"}
	if !a.Differs(b) || a.Differs(Identity{}) || (Identity{}).Differs(a) {
		t.Error("only two that are known differ")
	}
}
