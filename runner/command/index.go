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
	"github.com/mysweep/mysweep/runner/verdict"
)

func indexCommand(w World) *cli.Command {
	return &cli.Command{
		Name:      "index",
		Usage:     "write index.html over the runs of an archive: per host, trend over time, regressions marked",
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
	var runs []verdict.Past
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if path == root {
			return err
		}
		if err != nil || entry.Name() != result.RunFile {
			return nil
		}
		if run, ok := pastRun(filepath.Dir(path)); ok {
			runs = append(runs, run)
		}
		return nil
	})
	if err != nil {
		return nil, usage("archive %s: %w", root, cause(err))
	}
	return runs, nil
}

func pastRun(dir string) (past verdict.Past, ok bool) {
	raw, err := os.ReadFile(filepath.Join(dir, result.RunFile))
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
	cells, err := os.Open(filepath.Join(dir, "cells.csv"))
	if err != nil {
		return past, false
	}
	defer cells.Close()
	past.Cells, err = table.ReadCells(cells)
	return past, err == nil
}
