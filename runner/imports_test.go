package runner_test

import (
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/mysweep/mysweep"

// driver names the packages that speak to a server.
var driver = []string{"database/sql", "github.com/go-sql-driver/mysql"}

// runSide names the packages that can start a server, put load on one or
// observe one. They may reach the driver.
var runSide = []string{"runner/server", "runner/testbed", "runner/load", "runner/observe", "runner/sweep"}

// readSide names the packages that are functions of an archive.
var readSide = []string{"runner/verdict", "charts", "templates"}

// pkg is what go list says of a package, its tests left out.
type pkg struct {
	ImportPath string
	Imports    []string // what its files name
	Deps       []string // all that it reaches
	Dir        string
	GoFiles    []string
}

// name is the path below the module, "main" for the program itself.
func (p pkg) name() string {
	if p.ImportPath == module {
		return "main"
	}
	return strings.TrimPrefix(p.ImportPath, module+"/")
}

// reaches returns those of the paths (and of what is below them) that p
// depends on, directly or through others.
func (p pkg) reaches(paths ...string) []string {
	var found []string
	for _, dep := range p.Deps {
		if below(strings.TrimPrefix(dep, module+"/"), paths...) {
			found = append(found, dep)
		}
	}
	return found
}

// below reports whether path is one of the folders or lies in one.
func below(path string, folders ...string) bool {
	return slices.ContainsFunc(folders, func(folder string) bool {
		return path == folder || strings.HasPrefix(path, folder+"/")
	})
}

// ours returns the packages of this module, by go list.
func ours(t *testing.T) []pkg {
	t.Helper()
	command := exec.Command("go", "list", "-deps", "-json=ImportPath,Imports,Deps,Dir,GoFiles", "./...")
	command.Dir = ".."
	out, err := command.Output()
	if err != nil {
		var exit *exec.ExitError
		if errors.As(err, &exit) {
			t.Fatalf("go list: %v\n%s", err, exit.Stderr)
		}
		t.Fatalf("go list: %v", err)
	}
	var packages []pkg
	for decoder := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p pkg
		err := decoder.Decode(&p)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatalf("go list: %v", err)
		}
		if p.ImportPath == module || strings.HasPrefix(p.ImportPath, module+"/") {
			packages = append(packages, p)
		}
	}
	if len(packages) < 4 {
		t.Fatalf("go list found %d packages of this module: too few to be true", len(packages))
	}
	return packages
}

// TestImportDirections holds the one way that data flows: plan, facts and
// results are plain, the run side and the read side do not know each other,
// and only the command line sees both.
func TestImportDirections(t *testing.T) {
	rules := []struct {
		why       string
		of        []string
		forbidden []string // paths below the module, or full ones
		allowed   []string // of the forbidden, these all the same
	}{
		{
			why:       "a plan is pure data",
			of:        []string{"runner/plan"},
			forbidden: []string{"runner", "hwinfo", "charts", "templates"},
			allowed:   []string{"runner/plan"},
		},
		{
			why:       "facts of a machine know nothing of benchmarks",
			of:        []string{"hwinfo"},
			forbidden: []string{"runner", "charts", "templates"},
		},
		{
			why:       "results are plain data that may hold a plan and facts",
			of:        []string{"runner/result"},
			forbidden: []string{"runner", "hwinfo", "charts", "templates"},
			allowed:   []string{"runner/result", "runner/plan", "hwinfo"},
		},
		{
			why:       "results hold facts as plain data and gather none",
			of:        []string{"runner/result"},
			forbidden: append([]string{"hwinfo/remote"}, driver...),
		},
		{
			why:       "a workload is written against a Session, whoever implements it",
			of:        []string{"runner/workload"},
			forbidden: append(slices.Clone(runSide), driver...),
		},
		{
			why:       "a server knows nothing of who uses it",
			of:        []string{"runner/server"},
			forbidden: append([]string{"runner", "charts", "templates"}, "hwinfo/remote"),
			allowed:   []string{"runner/server", "runner/result/folder", "runner/login"},
		},
		{
			why:       "a login knows a connection and nothing of what it is for",
			of:        []string{"runner/login"},
			forbidden: []string{"runner", "hwinfo", "charts", "templates"},
			allowed:   []string{"runner/login"},
		},
		{
			why:       "the load generator gets an address, whoever made the server ready",
			of:        []string{"runner/load"},
			forbidden: []string{"runner/server", "runner/testbed", "runner/observe", "runner/sweep"},
		},
		{
			why:       "an observer gets a subject and knows neither cases nor load",
			of:        []string{"runner/observe"},
			forbidden: []string{"runner/testbed", "runner/load", "runner/sweep", "runner/workload"},
		},
		{
			why:       "a test bed knows neither the order of trials nor the journal",
			of:        []string{"runner/testbed"},
			forbidden: []string{"runner/sweep"},
		},
		{
			why:       "what is read from an archive needs no server",
			of:        readSide,
			forbidden: append(append([]string{}, runSide...), driver...),
		},
		{
			why:       "who runs does not judge or draw",
			of:        append([]string{"runner/workload", "hwinfo"}, runSide...),
			forbidden: readSide,
		},
		{
			why:       "nobody stands on the command line",
			of:        []string{"runner", "hwinfo", "charts", "templates"},
			forbidden: []string{"runner/command"},
			allowed:   []string{"runner/command"},
		},
	}
	packages := ours(t)
	for _, rule := range rules {
		for _, p := range packages {
			if !below(p.name(), rule.of...) || below(p.name(), "runner/command") {
				continue
			}
			for _, dep := range p.reaches(rule.forbidden...) {
				if !below(strings.TrimPrefix(dep, module+"/"), rule.allowed...) {
					t.Errorf("%s reaches %s, but %s", p.name(), dep, rule.why)
				}
			}
		}
	}
}

// TestBothSides: only the command line (and the program around it) sees the
// side that runs and the side that reads.
func TestBothSides(t *testing.T) {
	for _, p := range ours(t) {
		if p.name() == "main" || below(p.name(), "runner/command") {
			continue
		}
		run, read := p.reaches(runSide...), p.reaches(readSide...)
		if len(run) > 0 && len(read) > 0 {
			t.Errorf("%s reaches both sides: %v and %v", p.name(), run, read)
		}
	}
}

// maxSweepLines bounds runner/sweep, tests left out: it holds order, trials,
// journal, confirmation, knee and resume, and no details of servers.
const maxSweepLines = 1000

// TestSweepIsSmall: what concerns a server belongs into runner/testbed.
func TestSweepIsSmall(t *testing.T) {
	packages := ours(t)
	i := slices.IndexFunc(packages, func(p pkg) bool { return p.name() == "runner/sweep" })
	if i < 0 {
		t.Fatal("go list found no runner/sweep")
	}
	sweep := packages[i]
	for _, path := range sweep.Imports {
		if below(strings.TrimPrefix(path, module+"/"), append([]string{"runner/server"}, driver...)...) {
			t.Errorf("runner/sweep imports %s: servers are testbed's concern", path)
		}
	}
	lines := 0
	for _, name := range sweep.GoFiles {
		raw, err := os.ReadFile(filepath.Join(sweep.Dir, name))
		if err != nil {
			t.Fatal(err)
		}
		lines += strings.Count(string(raw), "\n")
	}
	if lines >= maxSweepLines {
		t.Errorf("runner/sweep has %d lines of Go beside its tests; want fewer than %d", lines, maxSweepLines)
	}
}

// TestHelpersOfTests: packages that help tests, named so, are imported by tests alone.
func TestHelpersOfTests(t *testing.T) {
	helpers := 0
	for _, p := range ours(t) {
		if strings.HasSuffix(p.name(), "test") {
			helpers++
			continue
		}
		for _, dep := range p.Deps {
			if strings.HasPrefix(dep, module+"/") && strings.HasSuffix(dep, "test") {
				t.Errorf("%s imports %s, which is for tests", p.name(), dep)
			}
		}
	}
	if helpers == 0 {
		t.Error("no package helps tests: the rule checks nothing")
	}
}
