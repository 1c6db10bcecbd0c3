package runner_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// effects are what only runner/command and main.go may do: by import path,
// the names that are meant; an empty list means the whole package.
var effects = map[string][]string{
	"os/signal": {},
	"log":       {},
	"log/slog":  {},
	"fmt":       {"Print", "Printf", "Println"},
	"os":        {"Stdout", "Stderr", "Stdin", "Getenv", "LookupEnv", "Environ", "Exit"},
}

// excused lists, by file and name, the effects that a package below the
// command line has all the same, each with its reason.
var excused = map[string]string{
	"runner/server/environment.go: os.Environ": childEnvironment,
}

const childEnvironment = "a program that it starts gets our environment, less what would set or tell it something; nothing in it is read"

// TestNoEffectsBelowCommand: packages return; only the command line prints,
// reads the environment, handles signals and exits.
func TestNoEffectsBelowCommand(t *testing.T) {
	used := map[string]bool{}
	for _, p := range ours(t) {
		if p.name() == "main" || below(p.name(), "runner/command", "bench") {
			continue
		}
		for _, file := range p.GoFiles {
			tree, err := parser.ParseFile(token.NewFileSet(), filepath.Join(p.Dir, file), nil, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			for _, effect := range effectsOf(tree) {
				use := p.name() + "/" + file + ": " + effect
				if excused[use] == "" {
					t.Errorf("%s: only runner/command may do that", use)
				}
				used[use] = true
			}
		}
	}
	for use := range excused {
		if !used[use] {
			t.Errorf("excused, but no longer there: %s", use)
		}
	}
}

// effectsOf returns the effects that a file names, such as "os.Stdout", each
// once.
func effectsOf(file *ast.File) []string {
	var found []string
	names := map[string]string{} // local name of an import: its path
	for _, spec := range file.Imports {
		path := strings.Trim(spec.Path.Value, `"`)
		meant, watched := effects[path]
		if !watched {
			continue
		}
		if len(meant) == 0 {
			found = append(found, path)
			continue
		}
		name := path[strings.LastIndex(path, "/")+1:]
		if spec.Name != nil {
			name = spec.Name.Name
		}
		names[name] = path
	}
	ast.Inspect(file, func(node ast.Node) bool {
		switch node := node.(type) {
		case *ast.SelectorExpr:
			if base, ok := node.X.(*ast.Ident); ok && slices.Contains(effects[names[base.Name]], node.Sel.Name) {
				found = append(found, names[base.Name]+"."+node.Sel.Name)
			}
		case *ast.CallExpr:
			if name, ok := node.Fun.(*ast.Ident); ok && (name.Name == "print" || name.Name == "println") {
				found = append(found, name.Name)
			}
		}
		return true
	})
	slices.Sort(found)
	return slices.Compact(found)
}

// TestEffectsOf shows that the net catches what it is for.
func TestEffectsOf(t *testing.T) {
	source := `package p
import ("fmt"; system "os"; "os/signal"; "log")
func f() { fmt.Println(system.Getenv("A"), fmt.Sprint(1)); println(2); fmt.Fprintln(system.Stderr) }`
	file, err := parser.ParseFile(token.NewFileSet(), "p.go", source, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"fmt.Println", "log", "os.Getenv", "os.Stderr", "os/signal", "println"}
	if got := effectsOf(file); !slices.Equal(got, want) {
		t.Errorf("effectsOf = %v, want %v", got, want)
	}
}
