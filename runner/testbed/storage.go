package testbed

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/mysweep/mysweep/hwinfo"
	"github.com/mysweep/mysweep/runner/result"
)

// probeTime is how long appends with fsync are measured in the data directory.
const probeTime = 200 * time.Millisecond

// describeStorage completes the facts of the case's data directory, which readMachine began: how
// long a flush takes there. On another machine that is unknown.
func (b *Bed) describeStorage(ctx context.Context, c *result.Case, datadir string) {
	if c.Datadir == nil || !b.shared {
		return
	}
	if b.elsewhere(datadir) {
		c.Datadir = nil
		c.Notes = append(c.Notes, result.Note{Code: "server-unseen", Text: fmt.Sprintf(
			"the server of case %s has its own file system (a container): on which disk its data directory %s is, is unknown", b.Name, datadir)})
		return
	}
	dir := datadir
	if b.private != nil {
		dir = b.private.Folder()
	}
	probes, measured := b.data.fsync[dir]
	if !measured {
		probes, _ = hwinfo.FsyncProbe(ctx, dir, probeTime) // unknown where we may not write
		b.data.fsync[dir] = probes
	}
	if len(probes) > 0 {
		c.Datadir.AddFsync(probes, dir)
		c.FsyncP50, c.FsyncMean = probes[0].P50, probes[0].Mean()
	}
}

// elsewhere reports whether the path of the data directory names another directory for the server's
// process than for this one.
func (b *Bed) elsewhere(datadir string) bool {
	pid, err := b.serverPID()
	if err != nil || b.private != nil {
		return false
	}
	theirs, err := os.Stat(filepath.Join("/proc", fmt.Sprint(pid), "root", datadir))
	if err != nil {
		return false // not ours to read
	}
	ours, err := os.Stat(datadir)
	return err != nil || !os.SameFile(ours, theirs)
}
