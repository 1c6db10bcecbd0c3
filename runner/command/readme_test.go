package command_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/mysweep/mysweep/runner/server/servertest"
)

// TestReadme holds the README to its word. Its console blocks are run; what it
// would run against servers that are not here, and its plan file, must make a
// plan.
func TestReadme(t *testing.T) {
	servertest.Needed(t)
	text, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	var ran, planned int
	for _, block := range fenced(string(text)) {
		if block.language == "yaml" {
			if err := os.WriteFile(filepath.Join(dir, "plan.yaml"), []byte(block.text), 0o644); err != nil {
				t.Fatal(err)
			}
			shell(t, dir, "mysweep plan plan.yaml")
			planned++
		}
		for line := range strings.Lines(block.text) {
			line = strings.TrimSpace(line)
			if command, ok := strings.CutPrefix(line, "$ "); ok {
				shell(t, dir, command)
				ran++
			} else if command := asPlan(line); command != "" && block.language != "yaml" {
				shell(t, dir, command)
				planned++
			}
		}
	}
	if ran < 5 || planned < 5 {
		t.Errorf("ran %d commands and planned %d: the README has more", ran, planned)
	}
}

var (
	runs       = regexp.MustCompile(`mysweep run [^&#)]*`)
	outputFlag = regexp.MustCompile(`--(quiet|(archive|out|ssl-ca|defaults-file|mail-to|mail-on|mail-from|textfile) \S+)`)
)

// asPlan is the plan command for a line of a shell or crontab that runs
// mysweep, "" for another one.
func asPlan(line string) string {
	command := runs.FindString(line)
	if command == "" || strings.HasPrefix(line, "make ") {
		return ""
	}
	command = outputFlag.ReplaceAllString(command, "") // files that are not here
	command = strings.ReplaceAll(command, `\%`, "%")   // crontab's way to write it
	return strings.Replace(command, "mysweep run", "mysweep plan", 1)
}

func shell(t *testing.T, dir, command string) {
	t.Helper()
	sh := exec.Command("sh", "-c", command)
	sh.Dir = dir
	sh.Env = append(os.Environ(), "HOME="+dir)
	if out, err := sh.CombinedOutput(); err != nil {
		t.Errorf("README: %s: %v\n%s", command, err, out)
	}
}

type fence struct{ language, text string }

// fenced returns the code blocks of a Markdown text.
func fenced(text string) []fence {
	var blocks []fence
	inside := false
	for line := range strings.Lines(text) {
		language, mark := strings.CutPrefix(line, "```")
		switch {
		case mark && !inside:
			blocks = append(blocks, fence{language: strings.TrimSpace(language)})
			inside = true
		case mark:
			inside = false
		case inside:
			blocks[len(blocks)-1].text += line
		}
	}
	return blocks
}
