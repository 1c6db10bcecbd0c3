package command

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Every command and every flag is in the completions and in the manual page, and nobody has to know
// of the commands that are hidden.
func TestCompletionsAndManual(t *testing.T) {
	bash, zsh, fish := said(t, "completion", "bash"), said(t, "completion", "zsh"), said(t, "completion", "fish")
	manual := said(t, "manual")
	for _, c := range newApp(Env{}).Commands {
		if c.Hidden {
			if strings.Contains(bash+zsh+fish+said(t, "help"), c.Name+" ") {
				t.Errorf("%s is hidden, but shown", c.Name)
			}
			continue
		}
		_, flags, _ := strings.Cut(bash, "\t"+c.Name+") flags='")
		flags, _, _ = strings.Cut(flags, "'")
		words := strings.Fields(flags)
		_, section, _ := strings.Cut(zsh, "\t"+c.Name+")\n")
		section, _, _ = strings.Cut(section, ";;")
		for _, f := range c.Flags {
			name := f.Names()[0]
			if !slices.Contains(words, "--"+name) {
				t.Errorf("bash: mysweep %s has no --%s", c.Name, name)
			}
			if !strings.Contains(section, "'*--"+name+"[") {
				t.Errorf("zsh: mysweep %s has no --%s", c.Name, name)
			}
			if !strings.Contains(fish, "__fish_seen_subcommand_from "+c.Name+"' -l "+name+" ") {
				t.Errorf("fish: mysweep %s has no --%s", c.Name, name)
			}
			if !strings.Contains(manual, `\fB\-\-`+strings.ReplaceAll(name, "-", `\-`)) {
				t.Errorf("the manual has no --%s", name)
			}
		}
	}
}

// The shells take the scripts, and bash completes with its own.
func TestCompletionsWork(t *testing.T) {
	dir := t.TempDir()
	for _, shell := range []string{"bash", "zsh", "fish"} {
		file := filepath.Join(dir, shell)
		if err := os.WriteFile(file, []byte(said(t, "completion", shell)), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := exec.LookPath(shell); err != nil {
			t.Logf("not checked: %s is missing", shell)
			continue
		}
		if out, err := exec.Command(shell, "-n", file).CombinedOutput(); err != nil || len(out) > 0 {
			t.Errorf("%s -n: %v %s", shell, err, out)
		}
	}
	for line, want := range map[string]string{
		"ru":                    "run",
		"run --thr":             "--threads",
		"run --mail-on pro":     "problem",
		"plan --workload tp":    "tpcb",
		"cleanup --storage-eng": "", // it does not act there
	} {
		script := "source " + filepath.Join(dir, "bash") + "; COMP_WORDS=(mysweep " + line + "); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _mysweep; echo ${COMPREPLY[@]}"
		out, err := exec.Command("bash", "-c", script).CombinedOutput()
		if got := strings.TrimSpace(string(out)); err != nil || got != want {
			t.Errorf("mysweep %s: %q, want %q (%v)", line, got, want, err)
		}
	}
}

// man formats the manual page without a warning.
func TestManualIsClean(t *testing.T) {
	if _, err := exec.LookPath("man"); err != nil {
		t.Skip("man is missing")
	}
	file := filepath.Join(t.TempDir(), "mysweep.1")
	if err := os.WriteFile(file, []byte(said(t, "manual")), 0o644); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("man", "--warnings", "-E", "UTF-8", "-l", "-Tutf8", "-Z", file)
	cmd.Env = append(os.Environ(), "MANROFFSEQ=", "MANWIDTH=80")
	var warnings strings.Builder
	cmd.Stderr = &warnings
	if err := cmd.Run(); err != nil || warnings.Len() > 0 {
		t.Errorf("man: %v\n%s", err, warnings.String())
	}
}
