package testbed

import (
	"testing"

	"github.com/mysweep/mysweep/runner/plan"
	"github.com/mysweep/mysweep/runner/server"
)

// A server is taken to be on another machine when --server-ssh names one, unless its process was
// seen here.
func TestNamedMachine(t *testing.T) {
	e := &server.Endpoint{Host: "127.0.0.1", Port: 3307}
	for _, row := range []struct {
		about    string
		ssh      string
		location server.Location
		want     string
	}{
		{"its process is here", "dba@db3", server.Location{Place: server.Here, Seen: true}, ""},
		{"a tunnel to a machine of the same name", "dba@db3", server.Location{Place: server.Here}, "dba@db3"},
		{"a tunnel to a machine of another name", "dba@db3", server.Location{Place: server.Unsure}, "dba@db3"},
		{"another machine", "dba@db3", server.Location{Place: server.Elsewhere}, "dba@db3"},
		{"none is named", "", server.Location{Place: server.Here}, ""},
	} {
		p := plan.Plan{Server: plan.Server{SSH: row.ssh}}
		s := &Site{plan: p, endpoints: Endpoints{"a": e}, locations: Locations{e.Name(): row.location}}
		c := plan.Case{Name: "a"}
		if got := s.sshOf(c); got != row.want || s.shared(c) != (row.location.Place == server.Here && row.want == "") {
			t.Errorf("%s: %q, want %q; shared %t", row.about, got, row.want, s.shared(c))
		}
	}
}
