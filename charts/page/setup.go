package page

import (
	"slices"
	"strings"

	"github.com/mysweep/mysweep/charts"
	"github.com/mysweep/mysweep/hwinfo"
	"github.com/mysweep/mysweep/runner/plan"
	"github.com/mysweep/mysweep/runner/result"
)

// setup is how the cases are set up and where their data are.
type setup struct {
	Differing *grid  // a column per case; nil where the cases do not differ
	Same      string // what holds for all cases
}

// newSetup compares the set-up of the cases of a run; nil for a single case, whose table has it.
func newSetup(run *result.Run) *setup {
	if len(run.Cases) < 2 {
		return nil
	}
	names, values := []string{}, map[string][]string{}
	for i := range run.Cases {
		for _, p := range setupOf(run, &run.Cases[i]) {
			if !contains(names, p.Name) {
				names = append(names, p.Name)
				values[p.Name] = make([]string, len(run.Cases))
			}
			values[p.Name][i] = p.Value
		}
	}
	s := &setup{}
	t := grid{Columns: []string{"what"}}
	for _, c := range run.Cases {
		t.Columns = append(t.Columns, c.Name)
	}
	var same []string
	for _, name := range names {
		if len(slices.Compact(slices.Clone(values[name]))) == 1 {
			same = append(same, name+" "+values[name][0])
			continue
		}
		t.Rows = append(t.Rows, row{Fields: append([]string{name}, dashed(values[name])...)})
	}
	if len(t.Rows) > 0 {
		s.Differing = &t
	}
	if s.Same = strings.Join(same, "; "); s.Same != "" {
		s.Same = "The same in all cases: " + s.Same + "."
	}
	return s
}

// dashed shows what a case does not have.
func dashed(values []string) []string {
	for i, v := range values {
		if v == "" {
			values[i] = "–"
		}
	}
	return values
}

// setupOf is where the data of a case are, and what the plan sets in it.
func setupOf(run *result.Run, c *result.Case) []pair {
	rows := []pair{{Name: "server", Value: kind(run, c)}}
	rows = append(rows, storageRows(c)...)
	rows = append(rows, pair{Name: "CPUs", Value: c.CPUs})
	if i := slices.IndexFunc(run.Plan.Cases, func(asked plan.Case) bool { return asked.Name == c.Name }); i >= 0 {
		for _, s := range run.Plan.Cases[i].Settings() {
			if s.Name != "cpus" || c.CPUs == "" {
				rows = append(rows, pair{Name: s.Name, Value: s.Value})
			}
		}
	}
	return slices.DeleteFunc(rows, func(p pair) bool { return p.Value == "" })
}

// storageRows describe the storage of a case's data directory, as far as it is known.
func storageRows(c *result.Case) []pair {
	f := c.Datadir
	if f == nil {
		f = &hwinfo.Facts{}
	}
	of := func(key string) string { return f.String("datadir." + key) }
	rows := []pair{
		{Name: "file system", Value: of("filesystem")}, {Name: "mounted at", Value: of("mount")},
		{Name: "mount options", Value: strings.ReplaceAll(of("options"), ",", ", ")},
		{Name: "devices", Value: of("stack")}, {Name: "disk", Value: disks(f)}, {Name: "disk transport", Value: of("transport")},
	}
	if c.FsyncP50 != nil {
		text := charts.Milliseconds(c.FsyncP50) + " ms median"
		if p99, ok := f.Float("datadir.fsync_4k_p99_seconds"); ok {
			text += ", " + charts.Milliseconds(&p99) + " ms p99"
		}
		rows = append(rows, pair{Name: "write + fsync of 4 KiB", Value: text})
	}
	return rows
}

// kind says whether the server of a case is mysweep's own.
func kind(run *result.Run, c *result.Case) string {
	private := c.Private
	if i := slices.IndexFunc(run.Plan.Cases, func(asked plan.Case) bool { return asked.Name == c.Name }); i >= 0 && c.Version == "" {
		// Archives of earlier versions do not know a case whose server did not start.
		private = private || !run.Plan.Existing(run.Plan.Cases[i])
	}
	if private {
		return "private, started by mysweep"
	}
	return "existing"
}

// ownStorage reports whether cases have facts of their own data directory.
func ownStorage(run *result.Run) bool {
	return slices.ContainsFunc(run.Cases, func(c result.Case) bool { return c.Datadir != nil })
}
