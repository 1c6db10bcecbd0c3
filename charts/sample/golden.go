package sample

import (
	"os"
	"path/filepath"
	"testing"
)

// Golden compares a text with a file of the test's testdata, which update rewrites.
func Golden(t testing.TB, name, got string, update bool) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s differs from its golden file (look at the change, then go test -update); it is now\n%s", name, got)
	}
}
