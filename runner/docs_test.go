package runner_test

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

// TestDependenciesAreArgued: CONTRIBUTING.md lists the modules that our code,
// tests and tools use directly, and no others.
func TestDependenciesAreArgued(t *testing.T) {
	text, err := os.ReadFile("../CONTRIBUTING.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, found := strings.Cut(string(text), "## Direct dependencies")
	if !found {
		t.Fatal("CONTRIBUTING.md has no section of direct dependencies")
	}
	argued := map[string]bool{}
	for line := range strings.Lines(table) {
		if fields := strings.Split(line, "|"); len(fields) == 4 && strings.Contains(fields[1], ".") {
			argued[strings.TrimSpace(fields[1])] = true
		}
	}
	used := directModules(t)
	for module := range used {
		if !argued[module] {
			t.Errorf("%s is used, but CONTRIBUTING.md does not say why", module)
		}
	}
	for module := range argued {
		if !used[module] {
			t.Errorf("CONTRIBUTING.md says why %s is used, but it is not", module)
		}
	}
}

// directModules returns the modules of the packages that ours import, in
// tests too, and those of the tools.
func directModules(t *testing.T) map[string]bool {
	t.Helper()
	imports := strings.Fields(golist(t, "-f", `{{join .Imports "\n"}}
{{join .TestImports "\n"}}
{{join .XTestImports "\n"}}`, "./..."))
	modules := map[string]bool{}
	query := []string{"-f", "{{with .Module}}{{.Path}}{{end}}"}
	for _, path := range imports {
		if strings.Contains(path, ".") {
			query = append(query, path)
		}
	}
	for _, path := range strings.Fields(golist(t, query...)) {
		if path != module {
			modules[path] = true
		}
	}
	modules["honnef.co/go/tools"] = true // a tool: imported by nobody
	return modules
}

func golist(t *testing.T, arguments ...string) string {
	t.Helper()
	command := exec.Command("go", append([]string{"list"}, arguments...)...)
	command.Dir = ".."
	var complaint strings.Builder
	command.Stderr = &complaint
	out, err := command.Output()
	if err != nil {
		t.Fatalf("go list %s: %v\n%s", arguments[:2], err, complaint.String())
	}
	return string(out)
}
