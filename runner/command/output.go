package command

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/mysweep/mysweep/runner/result"
)

// defaultArchive is used where it can be written, else localArchive.
const (
	defaultArchive = "/var/lib/mysweep"
	localArchive   = "mysweep-archive"
)

// output says where a run is written.
type output struct {
	dir   string // the run's own folder
	root  string // what holds many runs, "" with --out
	isNew bool
}

func outputFlags() []cli.Flag {
	const category = "Output"
	return []cli.Flag{
		&cli.StringFlag{Name: "out", Usage: "write the run into this `FOLDER`", Category: category},
		&cli.StringFlag{Name: "archive", Usage: "write it into `FOLDER`/<server host>/<UTC time>-<name> (default /var/lib/mysweep, else ./mysweep-archive)", Category: category},
		&cli.StringFlag{Name: "resume", Usage: "go on with the run in this `FOLDER`", Category: category},
		&cli.BoolFlag{Name: "redact-host", Usage: "write roles instead of host names into the archive", Category: category, DisableDefaultText: true},
		printFlag(),
		&cli.BoolFlag{Name: "quiet", Usage: "print nothing on success", Category: category, DisableDefaultText: true},
	}
}

// chooseOutput finds the run's folder and makes sure that it can be written.
func chooseOutput(c *cli.Context, name, host string, now time.Time) (output, error) {
	out, archive := c.String("out"), c.String("archive")
	if out != "" && archive != "" {
		return output{}, usage("--out and --archive exclude each other")
	}
	if out != "" {
		return outFolder(out)
	}
	root := archive
	if root == "" {
		root = firstWritable(defaultArchive, localArchive)
	}
	if err := makeWritable(root); err != nil {
		return output{}, usage("--archive %s: %w", root, err)
	}
	folder := now.UTC().Format("2006-01-02T15-04-05Z")
	if name != "" {
		folder += "-" + fileName(name)
	}
	return output{dir: unused(filepath.Join(root, fileName(host), folder)), root: root, isNew: true}, nil
}

func outFolder(dir string) (output, error) {
	if result.IsArchive(dir) {
		return output{}, usage("--out %s holds a run already: go on with it by --resume %s, or name another folder", dir, dir)
	}
	entries, err := os.ReadDir(dir)
	switch {
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return output{}, usage("--out %s: %w", dir, cause(err))
	case err == nil && len(entries) > 0:
		return output{}, usage("--out %s is not empty and holds no run: name an empty or a new folder", dir)
	}
	if err := makeWritable(dir); err != nil {
		return output{}, usage("--out %s: %w", dir, err)
	}
	return output{dir: dir, isNew: true}, nil
}

// makeWritable makes dir if it must and tries to write there. A folder that it
// made for a trial stays: a run follows.
func makeWritable(dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return cause(err)
	}
	f, err := os.CreateTemp(dir, ".mysweep-*")
	if err != nil {
		return cause(err)
	}
	f.Close()
	return os.Remove(f.Name())
}

func firstWritable(dirs ...string) string {
	for _, dir := range dirs[:len(dirs)-1] {
		if makeWritable(dir) == nil {
			return dir
		}
	}
	return dirs[len(dirs)-1]
}

// unused appends a number to path until nothing of that name exists.
func unused(path string) string {
	candidate := path
	for n := 2; ; n++ {
		if _, err := os.Lstat(candidate); errors.Is(err, fs.ErrNotExist) {
			return candidate
		}
		candidate = fmt.Sprintf("%s-%d", path, n)
	}
}

// fileName makes a name fit for a folder: letters, digits, dot, - and _ stay.
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

// cause is the error below a path error, whose path the message has already.
func cause(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}
