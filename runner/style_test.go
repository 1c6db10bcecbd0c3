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

// How long things may get, in lines: a file is one noun, a function does one
// thing. Past want a test says so, past most it fails. Tests are tables, so
// theirs may be longer.
const (
	wantFile, mostFile         = 400, 500
	wantFunction, mostFunction = 60, 80
	mostTest                   = 120
	mostColumns                = 100 // of comments; a tab counts as 4
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
	files := token.NewFileSet()
	tree, err := parser.ParseFile(files, filepath.Join("..", path), nil, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		t.Error(err)
		return
	}
	if ast.IsGenerated(tree) {
		return
	}
	for _, line := range longComments(files, tree) {
		// A failure once all comments that are there keep to it.
		t.Logf("%s:%d: a comment has more than %d columns", path, line, mostColumns)
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

// longComments returns the lines at which comments go past mostColumns.
// Directives to the compiler, which cannot be broken, may.
func longComments(files *token.FileSet, tree *ast.File) []int {
	var found []int
	for _, group := range tree.Comments {
		for _, comment := range group.List {
			if strings.HasPrefix(comment.Text, "//go:") {
				continue
			}
			start := files.Position(comment.Pos())
			before := start.Column - 1
			for i, line := range strings.Split(comment.Text, "\n") {
				if i > 0 {
					before = 0
				}
				if before+utf8.RuneCountInString(line)+3*strings.Count(line, "\t") > mostColumns {
					found = append(found, start.Line+i)
				}
			}
		}
	}
	return found
}

// TestLongComments shows that the net catches what it is for.
func TestLongComments(t *testing.T) {
	long := "// " + strings.Repeat("x", mostColumns-2)
	source := "package p\n\n" + long + "\n\n//go:generate " + long + "\n" + long[:mostColumns] + "\n/* short\n" + long + " */\nvar x = 1 " + long[:mostColumns-9] + "\n"
	files := token.NewFileSet()
	tree, err := parser.ParseFile(files, "p.go", source, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	if got := longComments(files, tree); !slices.Equal(got, []int{3, 8, 9}) {
		t.Errorf("long comments at lines %v, want 3, 8 and 9", got)
	}
}
