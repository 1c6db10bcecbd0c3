package command

import (
	"bytes"
	"fmt"
	"path/filepath"

	"github.com/mysweep/mysweep/charts"
	"github.com/mysweep/mysweep/charts/document"
	"github.com/mysweep/mysweep/charts/page"
	"github.com/mysweep/mysweep/runner/result"
	"github.com/mysweep/mysweep/runner/result/folder"
	"github.com/mysweep/mysweep/runner/verdict"
)

// answer is the outcome of a finished run.
type answer struct {
	data    *charts.Data
	stuck   bool // the gate has been undecided several times in a row: the user must be told
	refused bool // a requirement is not met, or the gate refuses the run
}

// text is the answer in a format of --format: the summary, as Markdown, or the verdict as JSON.
func (a *answer) text(format string) ([]byte, error) {
	var b bytes.Buffer
	var err error
	d := a.data
	switch format {
	case "json":
		err = document.Verdict(&b, d.Archive, d.Verdict)
	case "markdown":
		err = page.Markdown(&b, d, d.Archive.Dir)
	default:
		err = page.Summary(&b, d, d.Archive.Dir)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", d.Archive.Dir, err)
	}
	return b.Bytes(), nil
}

// derive writes the derived files of the archive in a folder.
func derive(dir string) (answer, error) {
	a, err := result.Read(dir)
	if err != nil {
		return answer{}, err
	}
	return deriveFrom(a, dir)
}

// deriveFrom writes the derived files of an archive into its folder.
func deriveFrom(a *result.Archive, dir string) (said answer, err error) {
	if a.Dir, err = filepath.Abs(dir); err != nil {
		return answer{}, err
	}
	v := verdict.Of(a)
	d := &charts.Data{Archive: a, Verdict: &v}
	said = answer{data: d, refused: v.Refused(), stuck: v.Gate != nil && v.Gate.Limits.Any() && v.Gate.Stuck()}
	if err := writeFiles(dir, d); err != nil {
		return answer{}, err
	}
	return said, nil
}

func writeFiles(dir string, d *charts.Data) error {
	out, err := folder.OpenToWrite(dir)
	if err != nil {
		return err
	}
	defer out.Close()
	mode := result.ModeOf(out)
	return page.WriteFiles(d, func(name string) (page.Sink, error) { return out.Replacing(name, mode) })
}

func reportPath(dir string) string { return filepath.Join(dir, "report.html") }
