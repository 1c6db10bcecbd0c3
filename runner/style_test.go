package runner_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// Limits in lines: a file is one noun, a function does one thing. The test logs what is longer than
// want and fails for what is longer than most. Test functions may be longer: they hold tables.
const (
	wantFile, mostFile         = 400, 500
	wantFunction, mostFunction = 60, 80
	mostTest                   = 120
	mostColumns                = 100 // of lines with comments; a tab counts as 4
)

func TestLengths(t *testing.T) {
	root := os.DirFS("..")
	err := fs.WalkDir(root, ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() {
			name := entry.Name()
			if path != "." && (name == "testdata" || name == "build" || name == "bin" || strings.HasPrefix(name, ".")) {
				return fs.SkipDir
			}
			return nil
		}
		if strings.HasSuffix(path, ".go") {
			checkLengths(t, path)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func checkLengths(t *testing.T, path string) {
	t.Helper()
	source, err := os.ReadFile(filepath.Join("..", path))
	if err != nil {
		t.Error(err)
		return
	}
	files := token.NewFileSet()
	tree, err := parser.ParseFile(files, path, source, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		t.Error(err)
		return
	}
	if ast.IsGenerated(tree) {
		return
	}
	for _, line := range longComments(files, tree, string(source)) {
		t.Errorf("%s:%d: comment goes past column %d", path, line, mostColumns)
	}
	judge(t, path, files.File(tree.Pos()).LineCount(), wantFile, mostFile)
	for _, declaration := range tree.Decls {
		function, ok := declaration.(*ast.FuncDecl)
		if !ok || function.Body == nil {
			continue
		}
		lines := files.Position(function.End()).Line - files.Position(function.Pos()).Line + 1
		if strings.HasSuffix(path, "_test.go") {
			judge(t, path+": "+function.Name.Name, lines, mostTest, mostTest)
		} else {
			judge(t, path+": "+function.Name.Name, lines, wantFunction, mostFunction)
		}
	}
}

func judge(t *testing.T, what string, lines, want, most int) {
	t.Helper()
	switch {
	case lines > most:
		t.Errorf("%s has %d lines: more than %d; it is two things", what, lines, most)
	case lines > want:
		t.Logf("%s has %d lines: more than %d", what, lines, want)
	}
}

// longComments returns the lines at which comments go past mostColumns. Compiler directives are
// exempt: they cannot be wrapped.
func longComments(files *token.FileSet, tree *ast.File, source string) []int {
	var found []int
	lines := strings.Split(source, "\n")
	for _, group := range tree.Comments {
		for _, comment := range group.List {
			if strings.HasPrefix(comment.Text, "//go:") {
				continue
			}
			first, last := files.Position(comment.Pos()).Line, files.Position(comment.End()).Line
			for n := first; n <= last; n++ {
				line := lines[n-1]
				if utf8.RuneCountInString(line)+3*strings.Count(line, "\t") > mostColumns {
					found = append(found, n)
				}
			}
		}
	}
	return found
}

// TestLongComments checks the check itself.
func TestLongComments(t *testing.T) {
	long := "// " + strings.Repeat("x", mostColumns-2)
	source := "package p\n\n" + long + "\n\n//go:generate " + long + "\n" + long[:mostColumns] + "\n/* short\n" + long + " */\nvar x = 1 " + long[:mostColumns-9] + "\n"
	files := token.NewFileSet()
	tree, err := parser.ParseFile(files, "p.go", source, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	if got := longComments(files, tree, source); !slices.Equal(got, []int{3, 8, 9}) {
		t.Errorf("long comments at lines %v, want 3, 8 and 9", got)
	}
}
