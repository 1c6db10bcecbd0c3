package command

import (
	"io"
	"os"

	"github.com/goccy/go-yaml"

	"github.com/mysweep/mysweep/runner/plan"
)

// readPlanFile lets a plan file change p; the file - is standard input.
func readPlanFile(file string, stdin io.Reader, p *plan.Plan) error {
	var raw []byte
	var err error
	if file == "-" {
		raw, err = io.ReadAll(stdin)
	} else {
		raw, err = os.ReadFile(file)
	}
	if err != nil {
		return usage("plan file: %w", err)
	}
	if err := p.Decode(raw, catalogue()); err != nil {
		return usage("plan file %s: %s", file, yaml.FormatError(err, false, true))
	}
	return nil
}
