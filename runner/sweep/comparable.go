package sweep

import (
	"context"
	"fmt"
	"os"

	"mysweep/hwinfo"
	"mysweep/runner/result"
	"mysweep/runner/server"
)

// Comparable refuses to go on with an archive on another machine or another
// server version: half a run of each would be neither.
func Comparable(ctx context.Context, a *result.Archive, e *server.Endpoint) error {
	if host, err := os.Hostname(); err == nil && host != a.Run.ClientHost && !a.Run.Redacted {
		return fmt.Errorf("it was begun on %s, this is %s", a.Run.ClientHost, host)
	}
	now := hwinfo.Read(ctx, hwinfo.Options{})
	for _, key := range []string{"cpu.model", "cpu.online", "memory.total_bytes", "kernel.release"} {
		if before, after := a.Run.Client.String(key), now.String(key); before != after {
			return fmt.Errorf("%s was %q, now it is %q", key, before, after)
		}
	}
	return sameServer(ctx, a, e)
}

func sameServer(ctx context.Context, a *result.Archive, e *server.Endpoint) error {
	version := ""
	if e != nil {
		target, err := server.Open(ctx, *e)
		if err != nil {
			return err
		}
		defer target.Close()
		version = target.Version
	}
	for _, c := range a.Run.Cases {
		if version != "" && c.Version != "" && !hasVersion(c.Version, version) {
			return fmt.Errorf("the server of case %s was %s, now it is %s", c.Name, c.Version, version)
		}
	}
	return nil
}

// hasVersion says whether the full text of a version begins with a number.
func hasVersion(full, number string) bool {
	return len(full) >= len(number) && full[:len(number)] == number
}
