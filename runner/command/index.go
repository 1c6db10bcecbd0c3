package command

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/urfave/cli/v2"

	"github.com/mysweep/mysweep/charts/document"
	"github.com/mysweep/mysweep/charts/page"
	"github.com/mysweep/mysweep/charts/table"
	"github.com/mysweep/mysweep/charts/words"
	"github.com/mysweep/mysweep/runner/plan"
	"github.com/mysweep/mysweep/runner/result"
	"github.com/mysweep/mysweep/runner/result/folder"
	"github.com/mysweep/mysweep/runner/verdict"
)

func indexCommand(env Env) *cli.Command {
	return &cli.Command{
		Name:      "index",
		Usage:     "write index.html: the trend of all runs of an archive",
		ArgsUsage: "ARCHIVE",
		Flags: localFlags(plan.Flag{Name: "format", Group: plan.GroupOutput, Choices: []string{"html", "json"}, Default: "html",
			Help: "write the page, or print the runs as JSON"}),
		Action: func(c *cli.Context) error {
			if c.Args().Len() != 1 {
				return usage("name one archive: mysweep index ARCHIVE")
			}
			if format := c.String("format"); format != "html" && format != "json" {
				return usage("invalid --format %q: expected html or json", format)
			}
			root, err := filepath.Abs(c.Args().First())
			if err != nil {
				return err
			}
			runs, err := findRuns(root)
			if err != nil {
				return err
			}
			if len(runs) == 0 {
				return usage("no run found in %s", root)
			}
			if c.String("format") == "json" {
				return document.Index(env.Stdout, runs)
			}
			return writeIndex(env, root, runs)
		},
	}
}

func writeIndex(env Env, root string, runs []verdict.Past) error {
	var b bytes.Buffer
	if err := page.Index(&b, verdict.Trends(runs), page.LinkBelow(root), Version()); err != nil {
		return fmt.Errorf("index of %s: %w", root, err)
	}
	path := filepath.Join(root, "index.html")
	if err := result.WriteFile(path, b.Bytes()); err != nil {
		return err
	}
	fmt.Fprintln(env.Stdout, path)
	return nil
}

// findRuns reads run.json and cells.csv of all runs below root. A folder that
// cannot be read, or whose run has no cells yet, is left out: an index over
// hundreds of runs must not fail for one.
func findRuns(root string) ([]verdict.Past, error) {
	if _, err := os.ReadDir(root); err != nil {
		return nil, usage("archive %s: %w", root, cause(err))
	}
	found := &runFinder{seen: map[string]bool{}, before: map[[2]string]*result.Run{}}
	found.walk(root, 0, false)
	return found.runs, nil
}

// linkedDepth is the depth below an archive down to which links are followed:
// folders of hosts and runs may be links to other disks. Deeper links are not
// part of the archive.
const linkedDepth = 2

// runFinder collects the runs below a folder, each of them once.
type runFinder struct {
	runs []verdict.Past
	seen map[string]bool // folders without links in their paths
	// before holds the latest run by host and name: folders are sorted by time.
	before map[[2]string]*result.Run
}

func (f *runFinder) walk(dir string, depth int, linked bool) {
	real, err := filepath.EvalSymlinks(dir)
	if err != nil || f.seen[real] {
		return
	}
	f.seen[real] = true
	entries, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	for _, e := range entries {
		path := filepath.Join(dir, e.Name())
		switch isLink := e.Type()&fs.ModeSymlink != 0; {
		case e.Name() == result.RunFile:
			f.add(dir)
		case e.IsDir() && !linked, (e.IsDir() || isLink) && depth < linkedDepth:
			f.walk(path, depth+1, linked || isLink)
		}
	}
}

// add adds the run of a folder, with what was changed since the run before it.
func (f *runFinder) add(dir string) {
	past, run, ok := readPast(dir)
	if !ok {
		return
	}
	key := [2]string{past.Host, past.Name}
	if before := f.before[key]; before != nil && before.StartedAt.Before(run.StartedAt) {
		for _, d := range verdict.RunDifferences(before, run) {
			past.Changed = append(past.Changed, words.Variation(d))
		}
	}
	f.before[key] = run
	f.runs = append(f.runs, past)
}

func pastRun(dir string) (past verdict.Past, ok bool) {
	past, _, ok = readPast(dir)
	return past, ok
}

func readPast(dir string) (past verdict.Past, run *result.Run, ok bool) {
	archive, err := folder.Open(dir)
	if err != nil {
		return past, nil, false
	}
	defer archive.Close()
	raw, err := archive.ReadFile(result.RunFile)
	if err != nil || json.Unmarshal(raw, &run) != nil || run == nil {
		return past, nil, false
	}
	past = verdict.Past{
		Dir: dir, RunID: run.ID, Host: run.ServerHost, Name: run.Name, StartedAt: run.StartedAt, Status: run.Status, Version: run.Version,
		Tags: run.Tags(), Note: run.Plan.Note,
	}
	if len(run.Cases) > 0 {
		past.ServerVersion = run.Cases[0].Version
	}
	cells, err := archive.OpenFile("cells.csv", os.O_RDONLY, 0)
	if err != nil {
		return past, nil, false
	}
	defer cells.Close()
	past.Cells, past.PastAnswer, err = table.ReadCells(cells)
	return past, run, err == nil
}
