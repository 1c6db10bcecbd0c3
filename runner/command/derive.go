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
	summary  []byte // as summary.txt, with the path where the archive is now
	document []byte // the verdict as JSON
	stuck    bool   // the gate has been undecided several times in a row: somebody should hear of it
	refused  bool   // a requirement is not met, or the gate refuses the run
}

// text is the answer in a format of --format.
func (a *answer) text(format string) []byte {
	if format == "json" {
		return a.document
	}
	return a.summary
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
	said := answer{refused: v.Refused(), stuck: v.Gate != nil && v.Gate.Limits.Any() && v.Gate.Stuck()}
	var b bytes.Buffer
	if err := document.Verdict(&b, a, &v); err != nil {
		return answer{}, fmt.Errorf("%s: the verdict as JSON: %w", dir, err)
	}
	said.document = b.Bytes()
	for _, file := range page.Files(&charts.Data{Archive: a, Verdict: &v}) {
		var b bytes.Buffer
		if err := file.Write(&b); err != nil {
			return answer{}, fmt.Errorf("%s: %w", filepath.Join(dir, file.Name), err)
		}
		if err := result.WriteFile(filepath.Join(dir, file.Name), b.Bytes()); err != nil {
			return answer{}, err
		}
	}
	var summary bytes.Buffer
	if err := page.Summary(&summary, &charts.Data{Archive: a, Verdict: &v}, a.Dir); err != nil {
		return answer{}, fmt.Errorf("%s: %w", dir, err)
	}
	said.summary = summary.Bytes()
	return said, nil
}

func reportPath(dir string) string { return filepath.Join(dir, "report.html") }
