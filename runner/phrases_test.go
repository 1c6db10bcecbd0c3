package runner_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// quaint are phrases that a DBA would not say, each with what to write instead. They are found
// whole, whatever their case and however lines are broken.
var quaint = map[string]string{
	"is no whole number":                    "invalid integer",
	"there are 1 to":                        "must be between 1 and N",
	"is no time span":                       "invalid duration",
	"is no share":                           "invalid percentage",
	"stands behind an argument":             "flags must come before arguments",
	"a trial has two ends":                  "mutually exclusive",
	"stands in the plan twice":              "duplicate case name",
	"there are no event loops else":         "requires --loadgen loop",
	"all the same by --private":             "use --private to start one anyway",
	"until this time is full":               "for at least this long",
	"after so many rounds in all instead":   "end each trial after N rounds in total",
	"let that folder be in memory":          "allow a data directory on tmpfs",
	"its program; user name there":          "server binary; MySQL user",
	"of the one machine limit it":           "limited by CPU: client and server share this machine",
	"what weakens these figures":            "caveats",
	"deeper looks":                          "traces",
	"nobody asked":                          "not varied by the plan",
	"let one expect":                        "worse than expected from earlier runs",
	"counted apart, in no rate":             "excluded from rates",
	"everybody may write to it":             "world-writable",
	"hold slips":                            "contain mistakes",
	"more threads bring more":               "throughput still increases at the highest thread count tested",
	"has its stock size":                    "at its default size",
	"reads from the disk were not tested":   "disk reads not exercised",
	"the load average said":                 "runnable tasks peaked at N (load average: N)",
	"or hope":                               "connection lost, or too many failures",
	"from on something counts as used up":   "saturation threshold",
	"that is what it is about":              "say it directly",
	"there are none else":                   "no others exist",
	"their standard deviation is":           "noisy: coefficient of variation N % over N trials",
	"the machine was busy when the run beg": "machine not idle at start",
}

// TestNoQuaintPhrases looks for them in all that a user reads: documents, examples, templates, and
// the texts in the code.
func TestNoQuaintPhrases(t *testing.T) {
	searched := 0
	check := func(place, text string) {
		text = strings.ToLower(strings.Join(strings.Fields(text), " "))
		for phrase, instead := range quaint {
			if strings.Contains(text, phrase) {
				t.Errorf("%s: %q: write %q, or what a DBA would say", place, phrase, instead)
			}
		}
		searched++
	}
	err := filepath.WalkDir("..", func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := entry.Name()
		if entry.IsDir() {
			if strings.HasPrefix(name, ".") && name != ".." || name == "testdata" || name == "build" || name == "bin" || name == "echarts" {
				return filepath.SkipDir
			}
			return nil
		}
		switch ext := filepath.Ext(name); {
		case strings.HasSuffix(name, "_test.go"):
		case ext == ".go":
			return eachText(path, check)
		case ext == ".md", ext == ".html", ext == ".txt", ext == ".yaml", ext == ".yml", strings.Contains(path, "/examples/") && ext != ".png":
			text, err := os.ReadFile(path)
			check(path, string(text))
			return err
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if searched < 1000 {
		t.Errorf("%d texts were searched: too few to be all", searched)
	}
}

// eachText calls check for each string literal of a Go file.
func eachText(path string, check func(place, text string)) error {
	files := token.NewFileSet()
	tree, err := parser.ParseFile(files, path, nil, parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	ast.Inspect(tree, func(n ast.Node) bool {
		if literal, ok := n.(*ast.BasicLit); ok && literal.Kind == token.STRING {
			if text, err := strconv.Unquote(literal.Value); err == nil {
				check(files.Position(literal.Pos()).String(), text)
			}
		}
		return true
	})
	return nil
}
