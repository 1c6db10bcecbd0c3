package command_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"

	"github.com/mysweep/mysweep/runner/server/servertest"
)

// TestCIExamples reads the examples for CI systems as these do, and runs their mysweep commands,
// scaled down, one after the other in a folder. The comparison of two short runs of the same
// server may say anything but that it is no comparison.
func TestCIExamples(t *testing.T) {
	servertest.Needed(t)
	var github struct {
		Jobs map[string]struct {
			RunsOn string `yaml:"runs-on"`
			Steps  []struct{ Uses, Run string }
		}
	}
	var gitlab struct {
		Benchmark struct {
			Stage, Image string
			Script       []string
		}
	}
	for name, to := range map[string]any{"ci/github.yml": &github, "ci/gitlab.yml": &gitlab} {
		if err := yaml.Unmarshal([]byte(exampleText(t, name)), to); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
	}
	var steps []string
	for _, s := range github.Jobs["benchmark"].Steps {
		if (s.Uses == "") == (s.Run == "") {
			t.Errorf("a step has either uses or run: %+v", s)
		}
		steps = append(steps, s.Run)
	}
	if github.Jobs["benchmark"].RunsOn == "" || gitlab.Benchmark.Image == "" {
		t.Errorf("no machine: %+v %+v", github, gitlab)
	}
	summary := runCommands(t, steps)
	for _, want := range []string{"· base: ", "· new: ", "| peak |", "| threads | base | new | change |"} {
		if !strings.Contains(summary, want) {
			t.Errorf("%q is not in the job summary:\n%s", want, summary)
		}
	}
	runCommands(t, gitlab.Benchmark.Script)
}

// runCommands runs those lines of a job that begin with mysweep, and returns the job summary.
func runCommands(t *testing.T, steps []string) string {
	t.Helper()
	dir := t.TempDir()
	summary := filepath.Join(dir, "summary.md")
	ran := 0
	for line := range strings.Lines(strings.Join(steps, "\n")) {
		line = strings.TrimSpace(line)
		if !strings.HasPrefix(line, "mysweep ") {
			continue
		}
		line = strings.NewReplacer("--mysqld server-base/bin/mariadbd", "", "--mysqld server-new/bin/mariadbd", "").Replace(line)
		line = strings.Replace(line, "--threads 1,4,16 --time 10s", "--threads 1,2 --time 300ms --repeat 2 --confirm 0 --warmup 0s --tables 1 --table-size 200", 1)
		sh := exec.Command("sh", "-e", "-c", line)
		sh.Dir, sh.Env = dir, append(os.Environ(), "HOME="+dir, "GITHUB_STEP_SUMMARY="+summary)
		out, err := sh.CombinedOutput()
		if status := sh.ProcessState.ExitCode(); status != 0 && !(status == 4 && strings.Contains(line, "compare ") && !strings.Contains(string(out), "cannot compare")) {
			t.Fatalf("%s: %v\n%s", line, err, out)
		}
		ran++
	}
	if ran != 3 {
		t.Errorf("%d commands ran, want two runs and a comparison", ran)
	}
	text, _ := os.ReadFile(summary)
	return string(text)
}
