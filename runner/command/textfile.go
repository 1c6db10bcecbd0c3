package command

import (
	"bytes"
	"fmt"
	"path/filepath"

	"github.com/urfave/cli/v2"

	"github.com/mysweep/mysweep/charts/textfile"
	"github.com/mysweep/mysweep/runner/plan"
	"github.com/mysweep/mysweep/runner/result/folder"
)

// textfileMode lets the node exporter, which has an account of its own, read the file.
const textfileMode = 0o644

func textfileFlag() plan.Flag {
	return plan.Flag{Name: "textfile", Group: plan.GroupOutput, Common: true, Arg: "FILE.prom",
		Help: "write metrics for the node exporter of Prometheus"}
}

// checkTextfile refuses a name that the node exporter would not read, and a folder that cannot be
// written, before anything runs.
func checkTextfile(c *cli.Context) error {
	file := c.String("textfile")
	if file == "" {
		return nil
	}
	if filepath.Ext(file) != ".prom" {
		return usage("invalid --textfile %q: the node exporter reads files named *.prom", file)
	}
	dir, err := folder.OpenToWrite(filepath.Dir(file))
	if err == nil {
		defer dir.Close()
		err = dir.Writable()
	}
	if err != nil {
		return usage("--textfile %s: %w", file, cause(err))
	}
	return nil
}

// writeTextfile writes the metrics of a run if that is asked for, under a temporary name first,
// which the node exporter does not read.
func writeTextfile(c *cli.Context, a *answer) error {
	file := c.String("textfile")
	if file == "" {
		return nil
	}
	var b bytes.Buffer
	if err := textfile.Write(&b, a.data.Archive, a.data.Verdict); err != nil {
		return err
	}
	dir, err := folder.OpenToWrite(filepath.Dir(file))
	if err == nil {
		defer dir.Close()
		err = dir.Write(filepath.Base(file), b.Bytes(), textfileMode)
	}
	if err != nil {
		return fmt.Errorf("--textfile %s: %w", file, err)
	}
	return nil
}
