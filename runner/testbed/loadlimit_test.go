package testbed

import (
	"strings"
	"testing"

	"github.com/mysweep/mysweep/runner/plan"
	"github.com/mysweep/mysweep/runner/server"
)

func TestLoadAbove(t *testing.T) {
	lag := 12.0
	look := loadLook{counters: server.Counters{"Threads_running": 51}, lags: map[string]*float64{"r1": &lag}}
	lost := loadLook{counters: look.counters, lags: map[string]*float64{"r1": nil}}
	for _, c := range []struct {
		look    loadLook
		limits  string
		unknown bool
		want    string // "" = not above
		fails   bool
	}{
		{look, "Threads_running=50", true, "Threads_running is 51, limit 50", false},
		{look, "threads_running=50", true, "threads_running is 51", false},
		{look, "Threads_running=51", true, "", false},
		{look, "Threads_running=60,replica_lag=10s", true, "r1 is 12 s behind, limit 10 s", false},
		{look, "replica_lag=12s", true, "", false},
		{lost, "replica_lag=12s", true, "the lag of r1 is unknown", false}, // unknown is not zero
		{lost, "replica_lag=12s", false, "", false},
		{look, "No_such=1", true, "", true},
	} {
		limits, err := plan.ParseLoadLimits(c.limits)
		if err != nil {
			t.Fatal(err)
		}
		what, err := c.look.above(limits, c.unknown), checkNames(&plan.Plan{MaxLoad: limits}, c.look)
		if (err != nil) != c.fails || (what == "") != (c.want == "") || !strings.Contains(what, c.want) {
			t.Errorf("%s: %q %v, want %q", c.limits, what, err, c.want)
		}
	}
}
