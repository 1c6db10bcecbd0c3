package load

import (
	"syscall"
	"time"

	"github.com/mysweep/mysweep/runner/result"
)

// usage is what the process has used so far (getrusage(2), RUSAGE_SELF).
type usage struct {
	user, system time.Duration
	voluntary    int64 // context switches
}

func processUsage() usage {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return usage{}
	}
	return usage{time.Duration(u.Utime.Nano()), time.Duration(u.Stime.Nano()), int64(u.Nvcsw)}
}

// addTo adds what was used since an earlier moment.
func (u usage) addTo(c *result.ClientCost, since usage) {
	c.UserSeconds += (u.user - since.user).Seconds()
	c.SystemSeconds += (u.system - since.system).Seconds()
	c.VoluntarySwitches += u.voluntary - since.voluntary
}
