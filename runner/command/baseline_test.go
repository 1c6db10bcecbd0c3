package command

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/mysweep/mysweep/charts/sample"
	"github.com/mysweep/mysweep/runner/plan"
	"github.com/mysweep/mysweep/runner/result"
)

// night writes a run into the archive whose rates are factor times those of the
// sample, and concludes it as run does.
func night(t *testing.T, root string, n int, factor float64, baseline string) (output, answer) {
	t.Helper()
	a := sample.Archive([]int{1, 2, 4}, []int{10}, 3)
	a.Run.ID, a.Run.Name = fmt.Sprintf("night-%02d", n), "nightly"
	a.Run.StartedAt = a.Run.StartedAt.Add(time.Duration(n) * 24 * time.Hour)
	a.Run.Plan.Require, a.Run.Plan.Baseline, a.Run.Plan.FailAbove = nil, baseline, 0.05
	a.Run.Plan.Tags = map[string]string{"n": fmt.Sprint(n)}
	out := output{dir: filepath.Join(root, "db3", a.Run.StartedAt.Format("2006-01-02T15-04-05Z")), root: root}
	if err := os.MkdirAll(out.dir, 0o750); err != nil {
		t.Fatal(err)
	}
	if err := result.WriteRun(out.dir, &a.Run); err != nil {
		t.Fatal(err)
	}
	journal, err := result.OpenJournal(out.dir)
	if err != nil {
		t.Fatal(err)
	}
	busy := 0.01 // nobody else uses the client's machine
	for i := range a.Trials {
		x := &a.Trials[i]
		x.Measure.Elapsed /= factor
		x.Evidence.Client.BusyRatio = &busy
		if err := journal.Append(x); err != nil {
			t.Fatal(err)
		}
	}
	if err := journal.Close(); err != nil {
		t.Fatal(err)
	}
	if err := keepBaseline(out); err != nil {
		t.Fatal(err)
	}
	said, err := derive(out.dir)
	if err != nil {
		t.Fatal(err)
	}
	return out, said
}

// lines are the first lines of a summary, which a reader sees first.
func firstLines(said answer) string {
	text, err := said.text("text")
	if err != nil {
		return err.Error()
	}
	return strings.Join(strings.SplitN(string(text), "\n", 6)[:5], "\n")
}

// What becomes of a gate from its first night on.
func TestGateOverNights(t *testing.T) {
	root := t.TempDir()
	_, said := night(t, root, 1, 1, "last")
	if said.refused || !strings.Contains(firstLines(said), "UNDECIDED") || !strings.Contains(firstLines(said), "no earlier run of this name") {
		t.Errorf("first night: %v\n%s", said.refused, firstLines(said))
	}
	_, said = night(t, root, 2, 0.9, "last")
	if said.refused || said.stuck || !strings.Contains(firstLines(said), "beyond −15 %") {
		t.Errorf("second night, 10 %% less: %v\n%s", said.refused, firstLines(said))
	}
	_, said = night(t, root, 3, 0.81, "last")
	if said.refused || !said.stuck || !strings.Contains(firstLines(said), "3 runs in a row") {
		t.Errorf("third undecided night: %v %v\n%s", said.refused, said.stuck, firstLines(said))
	}
	_, said = night(t, root, 4, 0.3, "last")
	if !said.refused || !strings.Contains(firstLines(said), "WORSE (peak −63 %)") || !strings.Contains(firstLines(said), "Regression: peak") {
		t.Errorf("a loss of 63 %%: %v\n%s", said.refused, firstLines(said))
	}
	_, said = night(t, root, 5, 0.3, "tag:n=99")
	if !said.refused || !strings.Contains(firstLines(said), "cannot compare: no earlier run has the tag") {
		t.Errorf("no such tag: %v\n%s", said.refused, firstLines(said))
	}
}

// The stable baseline are the runs since the level changed.
func TestStableRuns(t *testing.T) {
	root := t.TempDir()
	var out output
	factors := []float64{1, 1.01, 0.99, 1, 1.01, 0.99, 0.8, 0.81, 0.79, 0.8}
	for i, f := range factors {
		out, _ = night(t, root, i+1, f, "")
	}
	run := result.Run{ID: "next", Name: "nightly", StartedAt: time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC), Plan: plan.Plan{}}
	base, err := baselineRuns("stable", out, &run)
	if err != nil {
		t.Fatal(err)
	}
	var ids []string
	for _, a := range base {
		ids = append(ids, a.Run.ID)
	}
	if got := strings.Join(ids, " "); got != "night-07 night-08 night-09 night-10" {
		t.Errorf("the baseline is %s", got)
	}
}
