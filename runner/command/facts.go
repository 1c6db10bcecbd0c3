package command

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/mysweep/mysweep/charts/table"
	"github.com/mysweep/mysweep/hwinfo"
	"github.com/mysweep/mysweep/hwinfo/remote"
	"github.com/mysweep/mysweep/runner/plan"
)

func factsCommand(env Env) *cli.Command {
	return &cli.Command{
		Name:  "facts",
		Usage: "show hardware and kernel facts of a machine",
		Flags: localFlags(
			plan.Flag{Name: "format", Choices: []string{"text", "json", "csv"}, Default: "text", Help: "output format"},
			plan.Flag{Name: "root", Arg: "DIR", Help: "read below this folder instead of /"},
			plan.Flag{Name: "ssh", Arg: "USER@HOST", Help: "read the facts of another machine over ssh"},
			plan.Flag{Name: "datadir", Arg: "DIR", Help: "folder whose disk is described", Unset: "/var/lib/mysql"},
			plan.Flag{Name: "fsync", Arg: "DIR", Help: "also measure write and fsync in this folder, for 2 seconds"},
			plan.Flag{Name: "identify", Kind: plan.Switch, Help: "include serial numbers, UUIDs, MAC and IP addresses"},
		),
		Action: func(c *cli.Context) error {
			if c.Args().Present() {
				return usage("facts takes no arguments, got %q: use --root for a dump, --ssh for another machine", c.Args().First())
			}
			if format := c.String("format"); !slices.Contains([]string{"text", "json", "csv"}, format) {
				return usage("invalid --format %q: expected text, json or csv", format)
			}
			facts, err := readFacts(c.Context, c)
			if err != nil {
				return err
			}
			return writeFacts(env.Stdout, facts, c.String("format"))
		},
	}
}

func readFacts(ctx context.Context, c *cli.Context) (hwinfo.Facts, error) {
	o := hwinfo.Options{Datadir: c.String("datadir"), Identify: c.Bool("identify")}
	if host := c.String("ssh"); host != "" {
		return remote.Facts(ctx, remote.Host{Name: host}, o)
	}
	if dir := c.String("root"); dir != "" {
		root, err := hwinfo.OpenRoot(dir)
		if err != nil {
			return hwinfo.Facts{}, usage("--root: %w", err)
		}
		o.Root = root
	}
	facts := hwinfo.Read(ctx, o)
	if dir := c.String("fsync"); dir != "" {
		probes, err := hwinfo.FsyncProbe(ctx, dir, fsyncTime)
		if err != nil {
			return facts, usage("--fsync: %w", err)
		}
		facts.AddFsync(probes, dir)
	}
	return facts, nil
}

// fsyncTime is the duration of the measurement of write and fsync.
const fsyncTime = 2 * time.Second

func writeFacts(w io.Writer, f hwinfo.Facts, format string) error {
	switch format {
	case "json":
		enc := json.NewEncoder(w)
		enc.SetIndent("", "  ")
		enc.SetEscapeHTML(false)
		return enc.Encode(f)
	case "csv":
		return table.Machine(w, &f)
	}
	factsText(w, f)
	return nil
}

// factsText prints the known facts in groups by the first part of their keys, and
// the notes, which explain the unknown ones.
func factsText(w io.Writer, f hwinfo.Facts) {
	width := 0
	for _, fact := range f.List {
		width = max(width, len(fact.Key))
	}
	group := ""
	unknown := 0
	for _, fact := range f.List {
		if fact.Value == nil {
			unknown++
			continue
		}
		head, _, _ := strings.Cut(fact.Key, ".")
		if head != group && group != "" {
			fmt.Fprintln(w)
		}
		group = head
		fmt.Fprintf(w, "%-*s  %s\n", width, fact.Key, human(fact))
	}
	if unknown > 0 {
		fmt.Fprintf(w, "\n%d facts are not known; --format json lists them with the path that was tried\n", unknown)
	}
	for _, note := range f.Notes {
		fmt.Fprintf(w, "note %s: %s\n", note.Code, note.Text)
	}
}

// human is a value with its unit in a readable scale.
func human(f hwinfo.Fact) string {
	text := hwinfo.Text(f.Value)
	n, isInt := f.Value.(int64)
	switch {
	case f.Unit == "bytes" && isInt && n >= 1024:
		return fmt.Sprintf("%s (%s bytes)", binarySize(float64(n)), text)
	case f.Unit == "bits/s" && isInt && n >= 1e6:
		return fmt.Sprintf("%g Gbit/s", float64(n)/1e9)
	case f.Unit != "":
		return text + " " + f.Unit
	}
	return text
}

func binarySize(bytes float64) string {
	units := []string{"bytes", "KiB", "MiB", "GiB", "TiB", "PiB"}
	i := 0
	for bytes >= 1024 && i < len(units)-1 {
		bytes /= 1024
		i++
	}
	return fmt.Sprintf("%.4g %s", bytes, units[i])
}
