package gendata

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"testing"
)

func TestGenerate(t *testing.T) {
	tests := []struct {
		format string
		row    string // what each row looks like
	}{
		// The samples of super-smack.
		{"%12-12s%n,%25-25s,%n,%d", `^[a-y]{12}\d+,[a-y]{25},\d+,\d+$`},
		{"%5s", `^[a-y]{5}$`},              // the usage text: exactly
		{"%3-6s", `^[a-y]{3,5}$`},          // never the upper end, as the original's code
		{"%s", `^[a-y]{256}$`},             // as the original
		{"100%% of %n;", `^100% of \d+;$`}, // literals
		{"%8n|%14d", `^ *\d+\|[ \d]{14}$`},
		{`a\tb`, `^a\\tb$`}, // a backslash is a character like any other
	}
	for _, test := range tests {
		var out strings.Builder
		if err := Generate(&out, 200, test.format, DefaultSeed); err != nil {
			t.Errorf("%s: %v", test.format, err)
			continue
		}
		rows := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
		if len(rows) != 200 {
			t.Errorf("%s: %d rows, want 200", test.format, len(rows))
		}
		want := regexp.MustCompile(test.row)
		for _, row := range rows {
			if !want.MatchString(row) {
				t.Errorf("%s: row %q does not look like %s", test.format, row, test.row)
				break
			}
		}
	}
}

func TestRangeReachesEveryLength(t *testing.T) {
	var out strings.Builder
	if err := Generate(&out, 300, "%3-6s", 7); err != nil {
		t.Fatal(err)
	}
	seen := map[int]bool{}
	for row := range strings.Lines(out.String()) {
		seen[len(row)-1] = true
	}
	if fmt.Sprint(seen) != "map[3:true 4:true 5:true]" {
		t.Errorf("lengths of %%3-6s: %v, want 3, 4 and 5", seen)
	}
}

func TestNumbersCountAndKeysAreUnique(t *testing.T) {
	var out strings.Builder
	if err := Generate(&out, 5000, "%12-12s%n,%n", 1); err != nil {
		t.Fatal(err)
	}
	keys := map[string]bool{}
	number := 0
	for row := range strings.Lines(out.String()) {
		number++
		key, last, _ := strings.Cut(strings.TrimSpace(row), ",")
		keys[key] = true
		if last != fmt.Sprint(number) {
			t.Fatalf("row %d counts %s", number, last)
		}
	}
	if len(keys) != 5000 {
		t.Errorf("%d different keys in 5000 rows", len(keys))
	}
}

func TestSeed(t *testing.T) {
	data := func(seed uint64) string {
		var out strings.Builder
		if err := Generate(&out, 50, "%20-20s,%d", seed); err != nil {
			t.Fatal(err)
		}
		return out.String()
	}
	if first, second := data(1), data(1); first != second {
		t.Error("the same seed gives other data")
	}
	if data(1) == data(2) {
		t.Error("another seed gives the same data")
	}
	g := New(Format{parts: []part{{verb: 's', min: 20, max: 20}, {text: ","}, {verb: 'd'}}}, 1)
	g.Append(nil, 12)
	if row := string(g.Append(nil, 3)); row != strings.Split(data(1), "\n")[3] {
		t.Errorf("row 3 made alone is %q", row)
	}
}

func TestParseFaults(t *testing.T) {
	tests := []struct{ format, want string }{
		{"", "empty"},
		{"%", "character 1: % at the end"},
		{"ab%5x", `character 5: 'x' is none of s`},
		{"%9-3s", "character 1: invalid width: 9 is more than 3"},
		{"%9-s", "character 4: a number is missing"},
		{"%99999999999999999999s", "is above"},
		{"%5%", `character 3: '%' is none`},
	}
	for _, test := range tests {
		if _, err := Parse(test.format); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("Parse(%q) = %v, want an error with %q", test.format, err, test.want)
		}
	}
}

func TestParseCommand(t *testing.T) {
	good := map[string]Command{
		"gen-data -n 90000 -f %12-12s%n,%25-25s,%n,%d":      {90000, "%12-12s%n,%25-25s,%n,%d", 1},
		"/usr/bin/gen-data --num-rows=5 --format='%n, %5s'": {5, "%n, %5s", 1},
		`mysweep gen-data -n5 -f "%n\"x" --seed 9`:          {5, `%n"x`, 9},
		" gen-data   -f a%n\n -n 1 ":                        {1, "a%n", 1},
	}
	for line, want := range good {
		if got, err := ParseCommand(line); err != nil || got != want {
			t.Errorf("ParseCommand(%q) = %+v, %v, want %+v", line, got, err, want)
		}
	}
	bad := map[string]string{
		"":                             "is not gen-data",
		"perl make.pl":                 `"perl" is not gen-data`,
		"gen-data -n 5 -f %n | sort":   "needs a shell",
		"gen-data -n 5 -f %n; rm -r /": "needs a shell",
		"gen-data -n $(id) -f %n":      "needs a shell",
		"gen-data -n 5":                "has no format",
		"gen-data -f %n":               "missing number of rows",
		"gen-data -n five -f %n":       `invalid number "five"`,
		"gen-data -n 5 -f %q":          "none of s",
		"gen-data -n 5 -f '%n":         "unclosed '",
		"gen-data -n 5 -f %n -x 3":     `unknown option "x"`,
		"gen-data -n 5 -f %n out.txt":  `unexpected argument "out.txt"`,
		"gen-data -n":                  "-n needs a value",
	}
	for line, want := range bad {
		if _, err := ParseCommand(line); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("ParseCommand(%q) = %v, want an error with %q", line, err, want)
		}
	}
}

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("disk full") }

func TestGenerateFaults(t *testing.T) {
	if err := Generate(full{}, 5, "%n", 1); err == nil || !strings.Contains(err.Error(), "disk full") {
		t.Errorf("a full disk gives %v", err)
	}
	if err := Generate(full{}, 0, "%n", 1); err == nil {
		t.Error("0 rows are made without a word")
	}
}

func FuzzParse(f *testing.F) {
	f.Add("%12-12s%n,%25-25s,%n,%d")
	f.Add("%%%5s%")
	f.Fuzz(func(t *testing.T, format string) {
		parsed, err := Parse(format)
		if err != nil {
			return
		}
		for _, p := range parsed.parts {
			if p.max > 4096 {
				return // right, but slow
			}
		}
		New(parsed, 1).Append(nil, 0)
	})
}
