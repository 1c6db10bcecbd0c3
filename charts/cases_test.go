package charts

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/mysweep/mysweep/charts/sample"
	"github.com/mysweep/mysweep/runner/plan"
	"github.com/mysweep/mysweep/runner/verdict"
)

func drawnOf(t *testing.T, d *Data) []Chart {
	t.Helper()
	list, err := All(d)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func named(t *testing.T, list []Chart, id string) Chart {
	t.Helper()
	i := slices.IndexFunc(list, func(c Chart) bool { return c.ID == id })
	if i < 0 {
		t.Fatalf("no chart is called %s", id)
	}
	return list[i]
}

// The bars of cases are sorted by their rates, and say how each case compares with the base.
func TestCasesSideBySide(t *testing.T) {
	a := sample.Cases()
	v := verdict.Of(a)
	list := drawnOf(t, &Data{Archive: a, Verdict: &v})
	if list[0].ID != "cases" {
		t.Errorf("the first chart is %s, want that of the cases", list[0].ID)
	}
	c := named(t, list, "cases")
	var got []string
	for _, row := range c.Numbers.Rows {
		got = append(got, row[0]+": "+row[3]+" "+row[8])
	}
	// Elapsed times are 0.94, 1 and 1.07 of the base's; one trial of the slowest failed.
	want := []string{"ps off, no thread cache: +6.4 % fastest", "ps off: – base", "ps on: −5.7 % slower"}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if !strings.HasPrefix(c.Title, "Fastest is ps off, no thread cache:") || !strings.HasSuffix(c.Title, "+6.4 % against ps off") {
		t.Errorf("the title is %q", c.Title)
	}
}

// A plan that varies one setting at a time has a chart of their effects, the largest first; more
// cases than can be distinguished in one chart have a panel each.
func TestSensitivity(t *testing.T) {
	a := sample.Variants(20)
	v := verdict.Of(a)
	list := drawnOf(t, &Data{Archive: a, Verdict: &v})
	c := named(t, list, "sensitivity")
	if len(c.Numbers.Rows) != 19 || list[0].ID != "sensitivity" {
		t.Fatalf("%d variants in the chart; the first chart is %s", len(c.Numbers.Rows), list[0].ID)
	}
	if row := c.Numbers.Rows[0]; !strings.Contains(row[0], "_19") || !strings.HasSuffix(row[1], "×") {
		t.Errorf("the largest effect is %q", row)
	}
	if panels := named(t, list, "rate"); panels.Class != Full || len(panels.Numbers.Columns) != 21 {
		t.Errorf("throughput of 20 cases: class %q, columns %q", panels.Class, panels.Numbers.Columns)
	}
	for _, id := range []string{"response", "cpu-cases"} {
		if rows := named(t, list, id).Numbers.Rows; len(rows) != 4 {
			t.Errorf("%s: %d thread counts, want 4", id, len(rows))
		}
	}
	maps := 0
	for _, c := range list {
		if strings.HasPrefix(c.ID, "cpu-server") {
			maps++
			if !strings.Contains(c.Title, ": Server: CPUs") {
				t.Errorf("the map of a case is called %q", c.Title)
			}
		}
	}
	if maps != mostMaps {
		t.Errorf("%d maps of CPUs, want one a case up to %d", maps, mostMaps)
	}
}

// A case that ran one thread count has no map of one column.
func TestOneThreadCountHasBars(t *testing.T) {
	a := sample.Archive([]int{4}, []int{100}, 3)
	v := verdict.Of(a)
	c := named(t, drawnOf(t, &Data{Archive: a, Verdict: &v}), "cpu-server")
	if strings.Contains(string(c.Option), "heatmap") || !strings.Contains(string(c.Option), `"bar"`) || len(c.Numbers.Rows) != 24 {
		t.Errorf("%d rows of %s", len(c.Numbers.Rows), c.Option)
	}
}

// The name of a variant is what it changes.
func TestVariation(t *testing.T) {
	base := plan.Case{Name: "base", Options: map[string]string{"a": "1"}}
	for _, c := range []struct {
		set  []plan.Setting
		want string
	}{
		{[]plan.Setting{{Name: "a", Value: "2"}}, "a 1 → 2"},
		{[]plan.Setting{{Name: "b", Value: "2"}}, "b = 2"}, // the base leaves it to the server
	} {
		if got := variation(&base, &plan.Case{Varied: c.set}); got != c.want {
			t.Errorf("%v: %q, want %q", fmt.Sprint(c.set), got, c.want)
		}
	}
}
