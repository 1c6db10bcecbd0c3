package sweep

import (
	"encoding/csv"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mysweep/mysweep/charts/table"
	"github.com/mysweep/mysweep/runner/plan"
	"github.com/mysweep/mysweep/runner/result"
	"github.com/mysweep/mysweep/runner/server"
)

// Each case has the facts of its own data directory: private ones on a disk and in memory, an
// existing server's in memory, and none for a server that did not start.
func TestStorageOfCases(t *testing.T) {
	disk, memory := folder(t, "/var/tmp"), memoryFolder(t)
	existing := stand(t, server.Private{DatadirParent: memory, AllowMemory: true})
	job := smallJob(t, "select-key", plan.Options{"rows": "300"})
	job.Plan.Threads, job.Plan.Queries, job.Plan.Repeat, job.Plan.Confirm = plan.Ints{2}, plan.Ints{5}, 1, 0
	job.Plan.Private.AllowTmpfs = true
	job.Plan.Cases = []plan.Case{
		{Name: "disk", DatadirParent: disk}, {Name: "memory", DatadirParent: memory}, {Name: "existing", Server: existing.own()},
		{Name: "broken", DatadirParent: memory, Options: plan.Options{"no_such_option": "1"}},
	}
	job.Endpoints = map[string]*server.Endpoint{"existing": &existing.endpoint}
	if _, err := Go(t.Context(), job); !errors.Is(err, ErrTrials) {
		t.Fatalf("%v; want %v", err, ErrTrials)
	}
	a, err := result.Read(job.Dir)
	if err != nil {
		t.Fatal(err)
	}
	rows := factRows(t, &a.Run)
	cases := map[string]*result.Case{}
	for i := range a.Run.Cases {
		cases[a.Run.Cases[i].Name] = &a.Run.Cases[i]
	}
	for name, want := range map[string]struct{ filesystem, below string }{
		"disk": {fileSystem(t, disk), disk}, "memory": {"tmpfs", memory}, "existing": {"tmpfs", memory},
	} {
		c := cases[name]
		if c.Datadir == nil {
			t.Fatalf("case %s has no facts of its data directory: %s", c.Name, c.Error)
		}
		if got := c.Datadir.String("datadir.filesystem"); got != want.filesystem || rows["case:"+c.Name+" datadir.filesystem"] != want.filesystem {
			t.Errorf("case %s: file system %q, in facts.csv %q; want %q", c.Name, got, rows["case:"+c.Name+" datadir.filesystem"], want.filesystem)
		}
		if path := c.Datadir.String("datadir.path"); !strings.HasPrefix(path, want.below) {
			t.Errorf("case %s: data directory %s; want it below %s", c.Name, path, want.below)
		}
		p50, ok := c.Datadir.Float("datadir.fsync_4k_p50_seconds")
		if !ok || p50 <= 0 || c.FsyncP50 == nil || *c.FsyncP50 != p50 {
			t.Errorf("case %s: a write and fsync took %v s (%t), %v; want one time above 0", c.Name, p50, ok, c.FsyncP50)
		}
		for _, key := range []string{"datadir.options", "datadir.transport", "datadir.models"} {
			if !c.Datadir.Has(key) {
				t.Errorf("case %s has no %s", c.Name, key)
			}
		}
		if left, _ := filepath.Glob(filepath.Join(path(c), ".mysweep-fsync-*")); len(left) > 0 {
			t.Errorf("case %s: %v is left", c.Name, left)
		}
	}
	if broken := cases["broken"]; !broken.Private || broken.Datadir != nil {
		t.Errorf("case broken is private: %t, with facts %v; want a private server without facts", broken.Private, broken.Datadir)
	}
}

func path(c *result.Case) string { return c.Datadir.String("datadir.path") }

// factRows are the values of facts.csv by role and key.
func factRows(t *testing.T, run *result.Run) map[string]string {
	t.Helper()
	var text strings.Builder
	if err := table.Facts(&text, run); err != nil {
		t.Fatal(err)
	}
	lines, err := csv.NewReader(strings.NewReader(text.String())).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	rows := map[string]string{}
	for _, line := range lines {
		rows[line[0]+" "+line[1]] = line[2]
	}
	return rows
}

// memoryFolder is a folder on a tmpfs.
func memoryFolder(t *testing.T) string {
	t.Helper()
	if _, err := os.Stat("/dev/shm"); err != nil || fileSystem(t, "/dev/shm") != "tmpfs" {
		t.Skipf("no tmpfs at /dev/shm: %v", err)
	}
	return folder(t, "/dev/shm")
}

// folder is a folder that servers may use, below a parent.
func folder(t *testing.T, parent string) string {
	t.Helper()
	dir, err := os.MkdirTemp(parent, "mysweep-test-*")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	return dir
}

// fileSystem is the type of the file system of a folder, as findmnt says.
func fileSystem(t *testing.T, dir string) string {
	t.Helper()
	out, err := exec.Command("findmnt", "-n", "-o", "FSTYPE", "-T", dir).Output()
	if err != nil {
		t.Skipf("findmnt: %v", err)
	}
	lines := strings.Fields(string(out))
	return lines[len(lines)-1] // the last of those mounted at one place
}
