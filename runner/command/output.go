package command

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/mysweep/mysweep/runner/plan"
	"github.com/mysweep/mysweep/runner/result"
	"github.com/mysweep/mysweep/runner/result/folder"
)

// defaultArchive is used when it is writable, else localArchive.
const (
	defaultArchive = "/var/lib/mysweep"
	localArchive   = "mysweep-archive"
)

// output is the folder that a run is written to.
type output struct {
	dir   string // the folder of the run
	root  string // the archive of many runs, "" with --out
	isNew bool
	mode  fs.FileMode // of its files; its folders are open to the same users
}

// outputFlags are the flags of run that are no part of a plan.
func outputFlags() []cli.Flag {
	const group = plan.GroupOutput
	return cliFlags(append([]plan.Flag{
		{Name: "out", Group: group, Common: true, Arg: "DIR", Help: "write the results to this folder"},
		{Name: "archive", Group: group, Common: true, Arg: "DIR", Help: "write the results to DIR/<server host>/<UTC time>-<name>",
			Unset: defaultArchive + ", else ./" + localArchive},
		{Name: "mode", Group: group, Arg: "MODE", Help: "permissions of the files, in octal", Unset: "0640"},
		{Name: "resume", Group: group, Common: true, Arg: "DIR", Help: "continue an interrupted run"},
		{Name: "redact-host", Group: group, Kind: plan.Switch, Help: "replace host names by roles in the archive"},
		printFlag(),
		formatFlag(),
		textfileFlag(),
		{Name: "quiet", Group: group, Common: true, Kind: plan.Switch, Help: "print nothing on success"},
	}, runMailFlags()...))
}

// chooseOutput chooses the folder of the run and checks that it is writable.
func chooseOutput(c *cli.Context, env Env, name, host string, now time.Time) (output, error) {
	out, archive := c.String("out"), c.String("archive")
	if out != "" && archive != "" {
		return output{}, usage("--out and --archive are mutually exclusive")
	}
	mode, err := fileMode(c.String("mode"), env.Umask)
	if err != nil {
		return output{}, err
	}
	if out != "" {
		return outFolder(out, mode)
	}
	root := archive
	if root == "" {
		root = firstWritable(mode, defaultArchive, localArchive)
	}
	if err := makeWritable(root, mode); err != nil {
		return output{}, usage("--archive %s: %w", root, err)
	}
	run := now.UTC().Format("2006-01-02T15-04-05Z")
	if name != "" {
		run += "-" + fileName(name)
	}
	return output{dir: unused(filepath.Join(root, fileName(host), run)), root: root, isNew: true, mode: mode}, nil
}

// fileMode reads --mode. The umask narrows the default, not what was asked for.
func fileMode(text string, umask fs.FileMode) (fs.FileMode, error) {
	if text == "" {
		return result.FileMode &^ umask, nil
	}
	n, err := strconv.ParseUint(text, 8, 32)
	switch {
	case err != nil || n&^0o666 != 0:
		return 0, usage("invalid --mode %q: expected an octal file mode without execute bits, e.g. 0640 or 0644", text)
	case n&0o600 != 0o600:
		return 0, usage("invalid --mode %q: the owner must be able to read and write the files, e.g. 0600", text)
	case n&0o002 != 0:
		return 0, usage("invalid --mode %q: world-writable files could be forged by anybody; use e.g. 0664", text)
	}
	return fs.FileMode(n), nil
}

func outFolder(dir string, mode fs.FileMode) (output, error) {
	if result.IsArchive(dir) {
		return output{}, usage("--out %s already contains a run: continue it with --resume %s, or name another folder", dir, dir)
	}
	entries, err := os.ReadDir(dir)
	switch {
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return output{}, usage("--out %s: %w", dir, cause(err))
	case err == nil && len(entries) > 0:
		return output{}, usage("--out %s is not empty and is not an archive: name an empty or new folder", dir)
	}
	if err := makeWritable(dir, mode); err != nil {
		return output{}, usage("--out %s: %w", dir, err)
	}
	return output{dir: dir, isNew: true, mode: mode}, nil
}

// makeWritable creates dir if it is missing and tries to write there. It does not
// remove the folder, which the run uses.
func makeWritable(dir string, mode fs.FileMode) error {
	if err := folder.Make(dir, mode); err != nil {
		return cause(err)
	}
	f, err := folder.OpenToWrite(dir)
	if err != nil {
		return cause(err)
	}
	defer f.Close()
	return cause(f.Writable())
}

func firstWritable(mode fs.FileMode, dirs ...string) string {
	for _, dir := range dirs[:len(dirs)-1] {
		if makeWritable(dir, mode) == nil {
			return dir
		}
	}
	return dirs[len(dirs)-1]
}

// unused appends a number to path until no file of that name exists.
func unused(path string) string {
	candidate := path
	for n := 2; ; n++ {
		if _, err := os.Lstat(candidate); errors.Is(err, fs.ErrNotExist) {
			return candidate
		}
		candidate = fmt.Sprintf("%s-%d", path, n)
	}
}

// fileName turns a name into one for a folder: only letters, digits, dot, - and _
// are kept.
func fileName(name string) string {
	clean := strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '.', r == '-', r == '_':
			return r
		}
		return '_'
	}, name)
	clean = strings.TrimLeft(clean, ".")
	if len(clean) > 80 {
		clean = clean[:80]
	}
	if clean == "" {
		return "_"
	}
	return clean
}

// cause is the error inside a path error, for messages that already have the path.
func cause(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}
