package testbed

import (
	"strings"
	"testing"

	"github.com/mysweep/mysweep/runner/plan"
	"github.com/mysweep/mysweep/runner/server"
)

// Our own connections count too, and only a limit that was asked for holds.
func TestCapacity(t *testing.T) {
	most := 3000
	c := capacity{connections: server.ConnectionLimit{Most: 20, Name: "max_connections"}, prepared: &most}
	for _, row := range []struct {
		threads, statements int
		want                string
	}{
		{17, 0, ""},
		{18, 0, "needs 18 connections, limit 20 (max_connections, 3 of them for mysweep itself)"},
		{32, 0, "needs 32 connections, limit 20"},
		{10, 300, ""},
		{10, 301, "needs 3010 prepared statements (10 threads with 301 each), limit 3000"},
	} {
		err := c.fits(row.threads, row.statements)
		if (err == nil) != (row.want == "") || err != nil && !strings.HasPrefix(err.Error(), row.want) {
			t.Errorf("%d threads, %d statements: %v; want %q", row.threads, row.statements, err, row.want)
		}
	}
	c.files = 80
	if err := c.fits(17, 0); err == nil || !strings.HasPrefix(err.Error(), "needs 81 file descriptors, limit 80") {
		t.Errorf("more connections than open files: %v", err)
	}
	if err := c.fits(16, 0); err != nil {
		t.Errorf("as many connections as open files: %v", err)
	}
	c.prepared, c.files = nil, 0
	if err := c.fits(10, 301); err != nil {
		t.Errorf("a limit that is not known: %v", err)
	}
}

func TestCaseThatRaisesALimit(t *testing.T) {
	for _, c := range []plan.Case{{SetGlobal: plan.Options{"max_connections": "500"}}, {Options: plan.Options{"loose-max-connections": "500"}}} {
		if !raises(c) {
			t.Errorf("%+v", c)
		}
	}
	if raises(plan.Case{SetGlobal: plan.Options{"max_connect_errors": "5"}}) {
		t.Error("max_connect_errors is no limit on connections")
	}
}
