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
	Differing *grid  // nil where the cases do not differ
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
	var same, differing []string
	for _, name := range names {
		if value, ok := common(run, values[name]); ok {
			same = append(same, name+" "+value)
		} else {
			differing = append(differing, name)
		}
	}
	if len(differing) > 0 {
		s.Differing = sideBySide(run, differing, values)
	}
	if s.Same = strings.Join(same, "; "); s.Same != "" {
		s.Same = "The same in all cases: " + s.Same + "."
	}
	return s
}

// common is the value that all cases have. One whose server did not start has no storage: that is
// no difference.
func common(run *result.Run, values []string) (value string, ok bool) {
	for i, v := range values {
		switch {
		case v == "" && run.Cases[i].Version == "":
		case value == "" && !ok:
			value, ok = v, true
		case v != value:
			return "", false
		}
	}
	return value, ok
}

// mostSetupColumns is how many cases have a column each; more have a row each, as a page is higher
// than wide.
const mostSetupColumns = 4

// sideBySide is a table of what differs between cases.
func sideBySide(run *result.Run, names []string, values map[string][]string) *grid {
	t := &grid{Columns: []string{"what"}}
	if len(run.Cases) <= mostSetupColumns {
		for _, c := range run.Cases {
			t.Columns = append(t.Columns, c.Name)
		}
		for _, name := range names {
			t.Rows = append(t.Rows, row{Fields: append([]string{name}, dashed(values[name])...)})
		}
		return t
	}
	t.Columns = append([]string{"case"}, names...)
	for i, c := range run.Cases {
		fields := make([]string, len(names))
		for k, name := range names {
			fields[k] = values[name][i]
		}
		t.Rows = append(t.Rows, row{Fields: append([]string{c.Name}, dashed(fields)...)})
	}
	return t
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
