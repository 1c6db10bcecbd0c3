package command

import (
	"bytes"
	"fmt"
	"io"
	"path/filepath"

	"mysweep/charts/table"
	"mysweep/runner/result"
)

// answer is what a finished run says.
type answer struct {
	summary []byte
	refused bool // a requirement is not met, or it got worse
}

func derive(dir string) (answer, error) {
	a, err := result.Read(dir)
	if err != nil {
		return answer{}, err
	}
	var b bytes.Buffer
	if err := table.Results(io.Writer(&b), a, nil); err != nil {
		return answer{}, err
	}
	return answer{[]byte(fmt.Sprintln(filepath.Clean(dir))), false}, result.WriteFile(filepath.Join(dir, "results.csv"), b.Bytes())
}

func reportPath(dir string) string { return filepath.Join(dir, "report.html") }
