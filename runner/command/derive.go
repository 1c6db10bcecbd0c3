package command

import (
	"bytes"
	"fmt"
	"path/filepath"

	"github.com/mysweep/mysweep/charts"
	"github.com/mysweep/mysweep/charts/document"
	"github.com/mysweep/mysweep/charts/page"
	"github.com/mysweep/mysweep/runner/result"
	"github.com/mysweep/mysweep/runner/verdict"
)

// answer is the outcome of a finished run.
type answer struct {
	archive *result.Archive
	verdict *verdict.Verdict
	stuck   bool // the gate has been undecided several times in a row: somebody should hear of it
	refused bool // a requirement is not met, or the gate refuses the run
}

// text is the answer in a format of --format: the summary, as Markdown, or the verdict as JSON.
func (a *answer) text(format string) ([]byte, error) {
	var b bytes.Buffer
	var err error
	d := &charts.Data{Archive: a.archive, Verdict: a.verdict}
	switch format {
	case "json":
		err = document.Verdict(&b, a.archive, a.verdict)
	case "markdown":
		err = page.Markdown(&b, d, a.archive.Dir)
	default:
		err = page.Summary(&b, d, a.archive.Dir)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", a.archive.Dir, err)
	}
	return b.Bytes(), nil
}

// derive writes the derived files of an archive.
func derive(dir string) (answer, error) {
	a, err := result.Read(dir)
	if err != nil {
		return answer{}, err
	}
	if a.Dir, err = filepath.Abs(dir); err != nil {
		return answer{}, err
	}
	v := verdict.Of(a)
	said := answer{archive: a, verdict: &v, refused: v.Refused(), stuck: v.Gate != nil && v.Gate.Limits.Any() && v.Gate.Stuck()}
	for _, file := range page.Files(&charts.Data{Archive: a, Verdict: &v}) {
		var b bytes.Buffer
		if err := file.Write(&b); err != nil {
			return answer{}, fmt.Errorf("%s: %w", filepath.Join(dir, file.Name), err)
		}
		if err := result.WriteFile(filepath.Join(dir, file.Name), b.Bytes()); err != nil {
			return answer{}, err
		}
	}
	return said, nil
}

func reportPath(dir string) string { return filepath.Join(dir, "report.html") }
