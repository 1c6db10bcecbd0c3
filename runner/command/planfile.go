package command

import (
	"bytes"
	"io"

	"github.com/goccy/go-yaml"

	"github.com/mysweep/mysweep/runner/plan"
	"github.com/mysweep/mysweep/runner/workload"
)

// readPlanFile lets a plan file change p; the file - is standard input.
func readPlanFile(file string, stdin io.Reader, p *plan.Plan) error {
	var raw []byte
	var err error
	if file == "-" {
		raw, err = io.ReadAll(io.LimitReader(stdin, plan.MaxFileBytes+1))
	} else {
		raw, err = workload.ReadInput(file, plan.MaxFileBytes)
	}
	if err != nil {
		return usage("plan file: %w", err)
	}
	if len(bytes.TrimSpace(raw)) == 0 {
		return usage("plan file is empty: %s", file)
	}
	if err := p.Decode(raw, catalogue()); err != nil {
		return usage("plan file %s: %s", file, yaml.FormatError(err, false, true))
	}
	return nil
}
