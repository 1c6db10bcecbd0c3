package compare

import (
	"bytes"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/mysweep/mysweep/charts/sample"
	"github.com/mysweep/mysweep/runner/result"
	"github.com/mysweep/mysweep/runner/verdict"
)

func comparison(t *testing.T, factor, limit float64) *verdict.Comparison {
	t.Helper()
	base, fresh := sample.Archive([]int{1, 8, 100}, []int{10, 1000}, 3), sample.Archive([]int{1, 8, 100}, []int{10, 1000}, 3)
	fresh.Run.ID = "later"
	for _, a := range []*result.Archive{base, fresh} {
		busy := 0.01 // nobody else uses the client's machine
		for i := range a.Trials {
			a.Trials[i].Evidence.Client.BusyRatio = &busy
		}
	}
	for i := range fresh.Trials {
		fresh.Trials[i].Measure.Elapsed /= factor
	}
	c := verdict.Compare([]*result.Archive{base}, fresh, verdict.Limits{Rate: limit})
	return &c
}

func TestText(t *testing.T) {
	var b bytes.Buffer
	if err := Text(&b, comparison(t, 0.7, 0.05)); err != nil {
		t.Fatal(err)
	}
	for _, line := range strings.Split(b.String(), "\n") {
		if n := utf8.RuneCountInString(line); n > 80 {
			t.Errorf("%d columns: %s", n, line)
		}
	}
	if !strings.HasPrefix(b.String(), "Regression: peak ") || !strings.Contains(b.String(), "\nselect-key, in queries/s\nthreads × queries ") {
		t.Errorf("%s", b.String())
	}
}

func TestMarkdown(t *testing.T) {
	var b bytes.Buffer
	if err := Markdown(&b, comparison(t, 0.7, 0.05)); err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(b.String(), "**Regression: peak ") || strings.Count(b.String(), "\n| ") != 7 {
		t.Errorf("%s", b.String())
	}
}
