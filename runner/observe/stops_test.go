package observe

import (
	"testing"
	"time"
)

// TestStoppedSince tells a process that was stopped from one that was slow.
func TestStoppedSince(t *testing.T) {
	const ms = time.Millisecond
	for _, row := range []struct {
		name    string
		passed  instant
		stopped time.Duration
	}{
		{"a tick", instant{monotonic: 100 * ms, boot: 100 * ms, cpu: 10 * ms}, 0},
		{"a late tick", instant{monotonic: 400 * ms, boot: 400 * ms}, 0},
		{"stopped by a signal", instant{monotonic: 3100 * ms, boot: 3100 * ms, cpu: ms}, 3000 * ms},
		{"computer suspended", instant{monotonic: 100 * ms, boot: 60100 * ms, cpu: 2 * ms}, 60000 * ms},
		{"a third of a CPU", instant{monotonic: 900 * ms, boot: 900 * ms, cpu: 300 * ms}, 0},
		{"no boot clock", instant{monotonic: 3100 * ms}, 3000 * ms},
	} {
		begin := instant{monotonic: time.Hour, boot: 2 * time.Hour, cpu: time.Minute}
		end := instant{begin.monotonic + row.passed.monotonic, begin.boot + row.passed.boot, begin.cpu + row.passed.cpu}
		if got := end.stoppedSince(begin); got != row.stopped {
			t.Errorf("%s: stopped for %s; want %s", row.name, got, row.stopped)
		}
	}
}
