package command

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/mysweep/mysweep/charts/words"
	"github.com/mysweep/mysweep/runner/result"
	"github.com/mysweep/mysweep/runner/verdict"
)

// keepBaseline finds the runs to compare with and stores their figures in the run,
// so that the archive is complete without them. Having nothing to compare with is
// a note and not an error, since every history has a first run.
func keepBaseline(out output) error {
	a, err := result.Read(out.dir)
	if err != nil || a.Run.Plan.Baseline == "" || a.Run.Baseline != nil {
		return err
	}
	base, err := baselineRuns(a.Run.Plan.Baseline, out, &a.Run)
	if err != nil {
		return err
	}
	if a.Run.UndecidedBefore, err = undecidedBefore(out, &a.Run); err != nil {
		return err
	}
	if len(base) == 0 {
		a.Run.Notes = append(a.Run.Notes, result.Note{Code: "no-baseline",
			Text: fmt.Sprintf("there is no earlier run to compare with (--baseline %s)", a.Run.Plan.Baseline)})
		return result.WriteRun(out.dir, &a.Run)
	}
	baseline, left := verdict.NewBaseline(base, &a.Run)
	kept := words.Baseline(&baseline)
	a.Run.Baseline = &kept
	for _, why := range left {
		a.Run.Notes = append(a.Run.Notes, result.Note{Code: "baseline-left-out", Text: fmt.Sprintf("not compared with run %s: %s", why.RunID, words.Difference(why.Difference))})
	}
	return result.WriteRun(out.dir, &a.Run)
}

// checkBaseline refuses an invalid --baseline before anything runs; archived says that the run is
// one of an archive.
func checkBaseline(text string, archived bool) error {
	switch _, err := strconv.Atoi(text); {
	case text == "":
		return nil
	case text == "last", text == stable, strings.HasPrefix(text, "tag:"), err == nil:
		if !archived {
			return usage("--baseline %s looks into an archive: give --archive instead of --out, or name a folder", text)
		}
		return nil
	case !result.IsArchive(text):
		return usage("invalid --baseline %q: expected last, a number of runs, stable, tag:X or the folder of a run", text)
	}
	return nil
}

// stable is the baseline of the runs since the last change of their level.
const (
	stable     = "stable"
	mostStable = 30 // of them, the latest
)

// baselineRuns reads the runs of --baseline, the oldest first.
func baselineRuns(text string, out output, run *result.Run) ([]*result.Archive, error) {
	if result.IsArchive(text) {
		a, err := result.Read(text)
		return []*result.Archive{a}, err
	}
	if text == stable {
		return stableRuns(out, run)
	}
	most := 1
	if n, err := strconv.Atoi(text); err == nil {
		most = n
	}
	tag, tagged := strings.CutPrefix(text, "tag:")
	return earlierRuns(out, run, most, func(other *result.Run) bool {
		if tagged {
			return hasTag(other, tag)
		}
		return other.Name == run.Name
	})
}

// earlierRuns reads the latest runs before this one that ended well, the oldest first.
func earlierRuns(out output, run *result.Run, most int, wanted func(*result.Run) bool) ([]*result.Archive, error) {
	dirs, err := runFolders(filepath.Dir(out.dir))
	if err != nil {
		return nil, err
	}
	var base []*result.Archive
	for _, dir := range slices.Backward(dirs) { // the newest first
		if len(base) == most {
			break
		}
		a, err := result.Read(dir)
		if err != nil || a.Run.ID == run.ID || a.Run.Status != result.OK || !a.Run.StartedAt.Before(run.StartedAt) || !wanted(&a.Run) {
			continue
		}
		base = append(base, a)
	}
	slices.Reverse(base)
	return base, nil
}

// stableRuns reads the runs of this name since the last change of their level,
// as the index shows it.
func stableRuns(out output, run *result.Run) ([]*result.Archive, error) {
	dirs, err := runFolders(filepath.Dir(out.dir))
	if err != nil {
		return nil, err
	}
	var past []verdict.Past
	for _, dir := range dirs {
		if p, ok := pastRun(dir); ok && p.Name == run.Name && p.RunID != run.ID && p.StartedAt.Before(run.StartedAt) {
			past = append(past, p)
		}
	}
	level := verdict.Stable(verdict.Trends(past))
	var base []*result.Archive
	for _, p := range level[max(0, len(level)-mostStable):] {
		if a, err := result.Read(p.Dir); err == nil {
			base = append(base, a)
		}
	}
	return base, nil
}

// undecidedBefore is how many of the runs of this name directly before it were
// undecided, in a row.
func undecidedBefore(out output, run *result.Run) (int, error) {
	before, err := earlierRuns(out, run, 1, func(other *result.Run) bool { return other.Name == run.Name })
	if err != nil || len(before) == 0 {
		return 0, err
	}
	if v := verdict.Of(before[0]); v.Gate != nil && v.Gate.Decision == verdict.Undecided && v.Gate.Limits.Any() {
		return v.Gate.Row, nil
	}
	return 0, nil
}

// runFolders lists the folders of runs directly below dir by name, and so by time.
func runFolders(dir string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var dirs []string
	for _, e := range entries {
		if path := filepath.Join(dir, e.Name()); result.IsArchive(path) {
			dirs = append(dirs, path)
		}
	}
	return dirs, nil
}

// hasTag reports whether a run has the tag k=v, or any value of the tag k.
func hasTag(run *result.Run, tag string) bool {
	k, v, exact := strings.Cut(tag, "=")
	has, ok := run.Tags()[k]
	return ok && (!exact || has == v)
}
