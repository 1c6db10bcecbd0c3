package testbed

import (
	"context"
	"fmt"
	"os"

	"github.com/mysweep/mysweep/hwinfo"
	"github.com/mysweep/mysweep/runner/result"
	"github.com/mysweep/mysweep/runner/server"
)

// Comparable refuses to go on with an archive on another machine or another
// server version: half a run of each would be neither.
func Comparable(ctx context.Context, a *result.Archive, endpoints map[string]*server.Endpoint) error {
	if host, err := os.Hostname(); err == nil && host != a.Run.ClientHost && !a.Run.Redacted {
		return fmt.Errorf("it was started on %s, this machine is %s", a.Run.ClientHost, host)
	}
	now := hwinfo.Read(ctx, hwinfo.Options{})
	for _, key := range []string{"cpu.model", "cpu.online", "memory.total_bytes", "kernel.release"} {
		if before, after := a.Run.Client.String(key), now.String(key); before != after {
			return fmt.Errorf("%s was %q, now it is %q", key, before, after)
		}
	}
	return sameServers(ctx, a, endpoints)
}

// sameServers compares the versions of existing servers with what the archive
// has. Among several, one that does not answer is left to its cases.
func sameServers(ctx context.Context, a *result.Archive, endpoints map[string]*server.Endpoint) error {
	versions := map[string]string{}
	for _, e := range endpoints {
		if _, asked := versions[e.Name()]; asked {
			continue
		}
		target, err := server.Open(ctx, *e)
		if err != nil && onlyOne(endpoints, len(a.Run.Plan.Cases)) {
			return err
		}
		versions[e.Name()] = ""
		if err == nil {
			versions[e.Name()] = target.Version
			target.Close()
		}
	}
	for _, c := range a.Run.Cases {
		e := endpoints[c.Name]
		if e == nil || c.Version == "" {
			continue
		}
		if version := versions[e.Name()]; !hasVersion(c.Version, version) {
			return fmt.Errorf("the server of case %s was %s, now it is %s", c.Name, c.Version, version)
		}
	}
	return nil
}

// onlyOne reports whether all cases of a plan are on one existing server.
func onlyOne(endpoints map[string]*server.Endpoint, cases int) bool {
	names := map[string]bool{}
	for _, e := range endpoints {
		names[e.Name()] = true
	}
	return len(names) == 1 && len(endpoints) == cases
}

// hasVersion says whether the full text of a version begins with a number.
func hasVersion(full, number string) bool {
	return len(full) >= len(number) && full[:len(number)] == number
}
