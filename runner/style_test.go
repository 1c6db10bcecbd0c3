package runner_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// How long things may get, in lines: a file is one noun, a function does one
// thing. Past want a test says so, past most it fails. Tests are tables, so
// theirs may be longer.
const (
	wantFile, mostFile         = 400, 500
	wantFunction, mostFunction = 60, 80
	mostTest                   = 120
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
