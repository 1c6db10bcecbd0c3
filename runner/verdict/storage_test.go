package verdict

import (
	"fmt"
	"testing"

	"github.com/mysweep/mysweep/hwinfo"
	"github.com/mysweep/mysweep/runner/plan"
	"github.com/mysweep/mysweep/runner/result"
)

// What cases and runs differ in of their storage is asked for where the plan puts the data in
// different places, and a reason not to rank them where it does not.
func TestStorageDifferences(t *testing.T) {
	storage := func(filesystem, options, transport string) *hwinfo.Facts {
		f := &hwinfo.Facts{}
		f.Add("datadir.filesystem", filesystem, "")
		f.Add("datadir.options", options, "")
		f.Add("datadir.transport", transport, "")
		return f
	}
	run := func(parent string, f *hwinfo.Facts) *result.Run {
		r := quietRun()
		r.Cases[0].Datadir = f
		r.Plan.Private.DatadirParent = parent
		// The client's is of a folder there, not of the data.
		r.Client.Add("datadir.filesystem", "xfs of "+parent, "")
		return r
	}
	ext4, noatime, tmpfs, small := storage("ext4", "rw", "sata"), storage("ext4", "rw,noatime", "sata"), storage("tmpfs", "size=2g", "memory"), storage("tmpfs", "size=1g", "memory")
	overlay, other := storage("overlay", "lowerdir=/1", ""), storage("overlay", "lowerdir=/2", "")
	for _, c := range []struct {
		name        string
		base, fresh *result.Run
		want        string
	}{
		{"the same", run("/a", ext4), run("/a", ext4), "[]"},
		{"mount options", run("/a", ext4), run("/a", noatime), "[{server datadir.options rw rw,noatime false false}]"},
		{"moved by the plan", run("/a", ext4), run("/b", tmpfs), "[{server datadir.filesystem ext4 tmpfs true false} {server datadir.transport sata memory true false} {server datadir.options rw size=2g true false}]"},
		{"sizes of memory", run("/a", tmpfs), run("/a", small), "[]"},
		{"containers", run("/a", overlay), run("/a", other), "[]"},
		{"an archive of before", run("/a", ext4), run("/a", nil), "[]"},
	} {
		if got := fmt.Sprint(RunDifferences(c.base, c.fresh)); got != c.want {
			t.Errorf("%s: %s; want %s", c.name, got, c.want)
		}
	}
	two := quietRun()
	name := two.Cases[0].Name
	second := two.Cases[0]
	second.Name, second.Datadir, two.Cases[0].Datadir = "b", tmpfs, ext4
	two.Cases = append(two.Cases, second)
	two.Plan.Cases = []plan.Case{{Name: name}, {Name: "b", DatadirParent: "/dev/shm"}}
	if got := CaseDifferences(two, name, "b"); len(got) != 3 || !got[0].Asked || got[0].What != "server datadir.filesystem" {
		t.Errorf("%v; want three differences that the plan asked for", got)
	}
}
