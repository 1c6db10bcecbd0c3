package command

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/urfave/cli/v2"

	"github.com/mysweep/mysweep/charts/page"
	"github.com/mysweep/mysweep/charts/table"
	"github.com/mysweep/mysweep/runner/result"
	"github.com/mysweep/mysweep/runner/result/folder"
	"github.com/mysweep/mysweep/runner/verdict"
)

func indexCommand(w World) *cli.Command {
	return &cli.Command{
		Name:      "index",
		Usage:     "write index.html: the trend of all runs of an archive",
		ArgsUsage: "ARCHIVE",
		Action: func(c *cli.Context) error {
			if c.Args().Len() != 1 {
				return usage("name one archive: mysweep index ARCHIVE")
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
				return usage("there is no run in %s", root)
			}
			return writeIndex(w, root, runs)
		},
	}
}

func writeIndex(w World, root string, runs []verdict.Past) error {
	var b bytes.Buffer
	if err := page.Index(&b, verdict.Trends(runs), page.LinkBelow(root), Version()); err != nil {
		return fmt.Errorf("index of %s: %w", root, err)
	}
	path := filepath.Join(root, "index.html")
	if err := result.WriteFile(path, b.Bytes()); err != nil {
		return err
	}
	fmt.Fprintln(w.Stdout, path)
	return nil
}

// findRuns reads run.json and cells.csv of all runs below root. A folder that
// cannot be read, or whose run has no cells yet, is left out: an index over
// hundreds of runs must not fail for one.
func findRuns(root string) ([]verdict.Past, error) {
	if _, err := os.ReadDir(root); err != nil {
		return nil, usage("archive %s: %w", root, cause(err))
	}
	found := &runFinder{seen: map[string]bool{}}
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
			if run, ok := pastRun(dir); ok {
				f.runs = append(f.runs, run)
			}
		case e.IsDir() && !linked, (e.IsDir() || isLink) && depth < linkedDepth:
			f.walk(path, depth+1, linked || isLink)
		}
	}
}

func pastRun(dir string) (past verdict.Past, ok bool) {
	archive, err := folder.Open(dir)
	if err != nil {
		return past, false
	}
	defer archive.Close()
	raw, err := archive.ReadFile(result.RunFile)
	var run result.Run
	if err != nil || json.Unmarshal(raw, &run) != nil {
		return past, false
	}
	past = verdict.Past{
		Dir: dir, RunID: run.ID, Host: run.ServerHost, Name: run.Name, StartedAt: run.StartedAt, Status: run.Status, Version: run.Version,
	}
	if len(run.Cases) > 0 {
		past.ServerVersion = run.Cases[0].Version
	}
	cells, err := archive.OpenFile("cells.csv", os.O_RDONLY, 0)
	if err != nil {
		return past, false
	}
	defer cells.Close()
	past.Cells, err = table.ReadCells(cells)
	return past, err == nil
}
