package textfile

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus/testutil/promlint"
	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"

	"github.com/mysweep/mysweep/charts/sample"
	"github.com/mysweep/mysweep/runner/result"
	"github.com/mysweep/mysweep/runner/verdict"
)

func written(t *testing.T, a *result.Archive) []byte {
	t.Helper()
	v := verdict.Of(a)
	var b bytes.Buffer
	if err := Write(&b, a, &v); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestWrite reads the metrics of several runs with Prometheus's own parser, and checks their names
// by the rules of promtool check metrics.
func TestWrite(t *testing.T) {
	odd := sample.Small()
	odd.Run.Name = "a \"quoted\"\nname \\ with \xff"
	timed := sample.Small()
	for i := range timed.Trials {
		timed.Trials[i].Queries = 0
	}
	empty := sample.Small()
	empty.Trials = nil
	for name, a := range map[string]*result.Archive{"small": sample.Small(), "odd": odd, "timed": timed, "empty": empty} {
		text := written(t, a)
		parser := expfmt.NewTextParser(model.LegacyValidation)
		families, err := parser.TextToMetricFamilies(bytes.NewReader(text))
		if err != nil {
			t.Fatalf("%s: %v\n%s", name, err, text)
		}
		problems, err := promlint.New(bytes.NewReader(text)).Lint()
		if err != nil || len(problems) > 0 {
			t.Errorf("%s: %v %v", name, err, problems)
		}
		for _, family := range families {
			if family.GetHelp() == "" || !strings.HasPrefix(family.GetName(), "mysweep_") {
				t.Errorf("%s: %s has no help, or a name of others", name, family.GetName())
			}
			seen := map[string]bool{}
			for _, m := range family.GetMetric() {
				if seen[m.String()] {
					t.Errorf("%s: %s: the same sample twice: %s", name, family.GetName(), m)
				}
				seen[m.String()] = true
			}
		}
		cells := len(families["mysweep_queries_per_second"].GetMetric())
		if want := map[string]int{"small": 24, "odd": 24, "timed": 8}[name]; cells != want {
			t.Errorf("%s: %d cells, want %d", name, cells, want)
		}
	}
}

// A sample has the figure of the verdict, in base units, with its labels.
func TestSamples(t *testing.T) {
	a := sample.Small()
	text := string(written(t, a))
	v := verdict.Of(a)
	c := v.Sweeps[0].Cells[0]
	for _, want := range []string{
		`mysweep_queries_per_second{run="nightly select-key",server="db3",case="default",workload="select-key",threads="1",queries="10"} `,
		`mysweep_requirement_met{run="nightly select-key",server="db3"} `,
		fmt.Sprintf(`mysweep_trials{run="nightly select-key",server="db3",status="ok"} %d`+"\n", len(a.Trials)),
		`mysweep_run_start_time_seconds{run="nightly select-key",server="db3"} 1.773`,
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%s is not in\n%s", want, text)
		}
	}
	parser := expfmt.NewTextParser(model.LegacyValidation)
	families, err := parser.TextToMetricFamilies(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	got := families["mysweep_queries_per_second"].GetMetric()[0].GetGauge().GetValue()
	if got != *c.QueriesPerSecond.Median {
		t.Errorf("queries per second of %v: %v, want %v", c.Cell, got, *c.QueriesPerSecond.Median)
	}
}
