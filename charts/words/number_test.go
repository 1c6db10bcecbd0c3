package words

import (
	"encoding/json"
	"os"
	"testing"

	"github.com/dop251/goja"

	"github.com/mysweep/mysweep/templates"
)

// formatters are those that the charts' script has as well, by the names of both.
var formatters = map[string]func(float64) string{
	"count": Count, "compact": Compact, "significant": Significant, "percent": Percent, "span": Span,
}

// TestNumbers holds Go and the charts' script to the same cases.
func TestNumbers(t *testing.T) {
	text, err := os.ReadFile("testdata/numbers.json")
	if err != nil {
		t.Fatal(err)
	}
	var cases map[string][][2]any
	if err := json.Unmarshal(text, &cases); err != nil {
		t.Fatal(err)
	}
	if len(cases) != len(formatters) {
		t.Fatalf("%d formatters in the table, %d here", len(cases), len(formatters))
	}
	vm := goja.New()
	if _, err := vm.RunString(templates.ChartFunctions); err != nil {
		t.Fatal(err)
	}
	for name, rows := range cases {
		var script func(float64) string
		if err := vm.ExportTo(vm.Get("mysweepCharts").ToObject(vm).Get("numbers").ToObject(vm).Get(name), &script); err != nil {
			t.Fatalf("the script has no %s: %v", name, err)
		}
		for _, row := range rows {
			value, want := row[0].(float64), row[1].(string)
			if got := formatters[name](value); got != want {
				t.Errorf("%s(%v) is %q in Go, want %q", name, value, got, want)
			}
			if got := script(value); got != want {
				t.Errorf("%s(%v) is %q in the script, want %q", name, value, got, want)
			}
		}
	}
}

func TestChange(t *testing.T) {
	for ratio, want := range map[float64]string{0.994: "−0.6 %", 1.12: "+12 %", 1.0001: "±0 %", 1: "±0 %", 0.9996: "±0 %", 2: "+100 %"} {
		if got := Change(ratio); got != want {
			t.Errorf("%v: %q, want %q", ratio, got, want)
		}
	}
}

func TestSize(t *testing.T) {
	for n, want := range map[float64]string{134217728: "128 MiB", 31.4e6: "29.9 MiB", 500: "500 B", 0: "0 B", 1023 << 20: "1,023 MiB", 1<<30 - 1: "1 GiB"} {
		if got := Size(n); got != want {
			t.Errorf("%v: %q, want %q", n, got, want)
		}
	}
}

func TestPlural(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{Plural(1, "trial"), "1 trial"}, {Plural(1200, "trial"), "1,200 trials"}, {Plural(2, "query"), "2 queries"}, {Plural(2, "day"), "2 days"},
		{And(nil), ""}, {And([]string{"a"}), "a"}, {And([]string{"a", "b", "c"}), "a, b and c"}, {Or(nil, Count), "–"},
	} {
		if c.got != c.want {
			t.Errorf("%q, want %q", c.got, c.want)
		}
	}
}
