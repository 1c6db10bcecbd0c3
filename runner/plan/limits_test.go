package plan

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
)

// frugal runs do, which must end soon and take little memory.
func frugal(t *testing.T, what string, do func()) {
	t.Helper()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	done := make(chan struct{})
	go func() { defer close(done); do() }()
	select {
	case <-done:
	case <-time.After(30 * time.Second):
		t.Fatalf("%s: no end", what)
	}
	runtime.ReadMemStats(&after)
	if used := (after.TotalAlloc - before.TotalAlloc) >> 20; used > 512 {
		t.Errorf("%s: took %d MiB", what, used)
	}
}

// aliasBomb is nine levels of nine aliases each: 9^9 values.
func aliasBomb() string {
	var b strings.Builder
	b.WriteString("a0: &a0 [1, 1, 1, 1, 1, 1, 1, 1, 1]\n")
	for i := 1; i < 9; i++ {
		fmt.Fprintf(&b, "a%d: &a%d [%s*a%d]\n", i, i, strings.Repeat(fmt.Sprintf("*a%d, ", i-1), 8), i-1)
	}
	return b.String()
}

// What stands for more than a plan can mean is refused before it is expanded.
func TestParseDocumentLimits(t *testing.T) {
	deep := func(open string, n int) string { return "a: " + strings.Repeat(open, n) + "1" }
	for name, c := range map[string]struct{ text, want string }{
		"alias bomb":         {aliasBomb(), "more than 100000 values"},
		"merge bomb":         {strings.ReplaceAll(strings.ReplaceAll(aliasBomb(), "[", "{<<: ["), "]", "]}"), "more than 100000 values"},
		"self-reference":     {"a: &a [*a]\n", "refers to its own anchor"},
		"through a key":      {"a: &a {b: {c: *a}}\n", "refers to its own anchor"},
		"self merge":         {"a: &a\n  <<: *a\n  b: 1\n", "refers to its own anchor"},
		"unknown alias":      {"a: *b\n", "unknown alias *b"},
		"used too early":     {"a: *b\nb: &b 1\n", "unknown alias *b"},
		"brackets":           {deep("[", 5000), "nested deeper"},
		"braces":             {deep("{a: ", 5000), "nested deeper"},
		"dashes":             {"- " + strings.Repeat("- ", 5000) + "1", "nested deeper"},
		"questions":          {strings.Repeat("? ", 5000) + "1", "nested deeper"},
		"anchors":            {"a: " + strings.Repeat("&a ", 5000) + "1", "nested deeper"},
		"tags":               {"a: " + strings.Repeat("!!map ", 5000) + "1", "nested deeper"},
		"a long list":        {"threads: [" + strings.Repeat("1, ", 30000) + "1]", "too large"},
		"many keys":          {strings.Repeat("k: v\n", 30000), "too large"},
		"a large file":       {"a: " + strings.Repeat("x", MaxFileBytes), "too large"},
		"open brackets only": {strings.Repeat("[", 200000), "too large"},
	} {
		frugal(t, name, func() {
			_, err := ParseDocument([]byte(c.text))
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s: %.200v; want %q", name, err, c.want)
			}
		})
	}
}

// Aliases of a normal plan still mean what they name, also when one is used several times and when
// one names another.
func TestParseDocumentAliases(t *testing.T) {
	body, err := ParseDocument([]byte("base: &base {x: 1}\nlist: [*base, &b 2, *b]\nmore:\n  <<: *base\n  y: &c [*b]\nlast: *c\n"))
	if err != nil {
		t.Fatal(err)
	}
	var got map[string]any
	if err := yaml.NodeToValue(ast.Node(body), &got); err != nil {
		t.Fatal(err)
	}
	if text := fmt.Sprint(got); text != "map[base:map[x:1] last:[2] list:[map[x:1] 2 2] more:map[x:1 y:[2]]]" {
		t.Errorf("%s", text)
	}
	for _, empty := range []string{"", "# nothing\n", "---\n", "null\n"} {
		if body, err := ParseDocument([]byte(empty)); body != nil || err != nil {
			t.Errorf("%q: %v, %v", empty, body, err)
		}
	}
}

// vary and grid are counted before they are expanded.
func TestExpandLimits(t *testing.T) {
	values := make([]string, 1000)
	for i := range values {
		values[i] = fmt.Sprint(i)
	}
	three := Vary{{"a", values}, {"b", values}, {"c", values}}
	var many Vary
	for i := range 64 {
		many = append(many, Variable{fmt.Sprint("v", i), values[:10]})
	}
	for name, c := range map[string]struct {
		cases []Case
		want  bool // refused
	}{
		"a grid of 10^9":  {[]Case{{Name: "a", Grid: three}}, true},
		"a grid of 10^64": {[]Case{{Name: "a", Grid: many}}, true},
		"around":          {[]Case{{Name: "a"}, {Name: "b", Around: "a", Grid: three}}, true},
		"several":         {[]Case{{Name: "a", Vary: three}, {Name: "b", Vary: three}, {Name: "c", Vary: three}, {Name: "d", Vary: three}}, true},
		"one":             {[]Case{{Name: "a", Vary: three}}, false},
		"no value":        {[]Case{{Name: "a", Grid: append(Vary{{"z", nil}}, many...)}}, false},
	} {
		frugal(t, name, func() {
			p := Default()
			p.Cases = c.cases
			p.Fill(Sweep{Queries: Ints{10}, Threads: Ints{1}})
			refused := strings.Contains(strings.Join(p.Validate(Catalogue{}), "\n"), "more than 10000 cases")
			if refused != c.want {
				t.Errorf("%s: refused %v, %d cases", name, refused, len(p.Cases))
			}
		})
	}
}

// Lists and repeats that multiply to more than anybody can mean are counted, not made.
func TestTrialLimits(t *testing.T) {
	for _, c := range []struct {
		threads, queries string
		repeat           int
	}{{"1:10000:1", "1:10000:1", 3}, {"1", "1", 1 << 62}, {"1:10000:1", "1:10000:1", 1 << 62}} {
		frugal(t, c.threads, func() {
			p := Default()
			p.Threads, _ = ParseInts(c.threads)
			p.Queries, _ = ParseInts(c.queries)
			p.Repeat = c.repeat
			p.Fill(Sweep{})
			if all := strings.Join(p.Validate(Catalogue{}), "\n"); !strings.Contains(all, "at most 1000000 are allowed") {
				t.Errorf("%+v: %s", c, all)
			}
		})
	}
	for _, list := range []string{"0:1000000000:1", "1:1000000000:x1", "0:5:x2", "1:9:0", strings.Repeat("1:10000:1,", 100) + "1"} {
		frugal(t, list[:5], func() {
			if n, err := ParseInts(list); err == nil {
				t.Errorf("%.20s has %d points", list, len(n))
			}
		})
	}
}
