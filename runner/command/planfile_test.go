package command

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"

	"github.com/mysweep/mysweep/runner/plan"
)

func decoded(t *testing.T, text string) plan.Plan {
	t.Helper()
	p := plan.Default()
	if err := p.Decode([]byte(text), catalogue()); err != nil {
		t.Fatalf("%s\n%s", text, yaml.FormatError(err, false, true))
	}
	return p
}

// sampleText is a value that a flag takes and that is not its default.
func sampleText(f plan.Flag) string {
	if len(f.Choices) > 0 {
		return f.Choices[len(f.Choices)-1]
	}
	switch f.Name {
	case "tag":
		return "rack=7"
	case "smack", "sql", "workload":
		return "other"
	}
	switch f.KindOf() {
	case plan.Switch:
		return "true"
	case plan.Span:
		return "7s"
	case plan.Percent:
		return "7%"
	case plan.Limits:
		return "load1=2"
	}
	return "7"
}

// A flag and its key in a plan file do the same.
func TestEveryFlagHasItsKey(t *testing.T) {
	for _, f := range plan.Flags() {
		text, want := sampleText(f), plan.Default()
		if f.Alternatives == plan.WorkloadNames {
			want.Clear(plan.WorkloadNames)
		}
		if err := f.Apply(&want, text); err != nil {
			t.Errorf("--%s %s: %v", f.Name, text, err)
			continue
		}
		if reflect.DeepEqual(want, plan.Default()) {
			t.Errorf("--%s %s changes nothing", f.Name, text)
		}
		if got := decoded(t, f.Key()+": "+text); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %s is not what --%s %s does", f.Key(), text, f.Name, text)
		}
	}
	for _, o := range workloadOptions() {
		p := plan.Default()
		p.Workloads = []plan.Workload{{Name: o.workloads[0]}}
		if err := p.Decode([]byte(strings.ReplaceAll(o.Name, "-", "_")+": 7"), catalogue()); err != nil || p.Workloads[0].Options[o.Name] != "7" {
			t.Errorf("the option --%s has no key: %v", o.Name, err)
		}
	}
}

func TestPlanFile(t *testing.T) {
	p := decoded(t, `
workload: select-key
rows: 500
private: true
threads: 1:8:x2
time: 90s
tag: [a=b, c=d]
cases:
  - name: one
    options: &base {performance_schema: OFF, skip_name_resolve: , innodb_buffer_pool_size: 128M, a: 0644, b: true, c: 1.10}
    cpus: 0-3,8
    after_start: SELECT 1
  - name: two
    options:
      <<: *base
      a: 0
    cpus: {cores: 2, threads_per_core: 1}
    vary:
      z: [1, "2", false]
      y: 64M
`)
	p.Fill(plan.Sweep{})
	want := plan.Options{"performance_schema": "OFF", "skip_name_resolve": "", "innodb_buffer_pool_size": "128M", "a": "0644", "b": "ON", "c": "1.10"}
	if got := p.Cases[0].Options; !reflect.DeepEqual(got, want) {
		t.Errorf("options %v, want %v", got, want)
	}
	want["a"] = "0"
	if got := p.Cases[1].Options; !reflect.DeepEqual(got, want) {
		t.Errorf("merged options %v, want %v", got, want)
	}
	var names []string
	for _, c := range p.Cases {
		names = append(names, c.Name)
	}
	if want := []string{"one", "two", "two, z=1", "two, z=2", "two, z=OFF", "two, y=64M"}; !slices.Equal(names, want) {
		t.Errorf("cases %q, want %q", names, want)
	}
	if w := p.Workloads[0]; len(p.Workloads) != 1 || w.Name != "select-key" || w.Options["rows"] != "500" {
		t.Errorf("workloads %+v", p.Workloads)
	}
	if p.Cases[0].CPUs.List != "0-3,8" || p.Cases[1].CPUs.Cores != 2 || p.Time.Seconds() != 90 || !p.Private.Wanted || p.Tags["c"] != "d" {
		t.Errorf("%+v", p)
	}
	if p := decoded(t, "# nothing\n"); !reflect.DeepEqual(p, plan.Default()) {
		t.Errorf("an empty file makes %+v", p)
	}
}

// Complaints quote the line and say what is wrong there.
func TestPlanFileComplaints(t *testing.T) {
	for _, row := range []struct{ text, want, line string }{
		{"name: a\nthread: 3\n", `unknown key "thread", did you mean threads?`, "thread: 3"},
		{"name: a\nthreads: 10:5:1\n", "10 is more than 5", "threads: 10:5:1"},
		{"name: a\nhost:\n  - a\n  - b\n", "expected one value", "- a"},
		{"workloads: [{name: select-key, rows: 500}]\n", `unknown key "rows" here: it belongs below options: {name: WORKLOAD, options: {rows: ...}}`, "rows: 500"},
		{"cases:\n  - name: a\n    threads: 3\n", `unknown key "threads" here: mysweep plan --schema shows where it belongs`, "threads: 3"},
		{"cases:\n  - name: a\n    option: {}\n", `unknown key "option", did you mean options?`, "option: {}"},
		{"cases:\n  - name: a\n    cpus: {core: 2}\n", `unknown key "core"`, "core: 2"},
		{"cases:\n  - name: a\n    options: [a]\n", "expected a group of keys, not a list", "options: [a]"},
		{"repeat: many\n", "invalid integer", "repeat: many"},
		{"time: soon\n", "invalid duration", "time: soon"},
		{"port: x\n", "invalid integer", "port: x"},
		{"settle: load=3\n", "unknown condition", "settle: load=3"},
		{"scale: 3\n", "is an option of tpcb", "scale: 3"},
		{"name: a\nname: b\n", "already defined", "name: b"},
		{"just words\n", "expected keys with values", "just words"},
		{"name: a\n---\nname: b\n", "a plan file holds one plan", "---"},
	} {
		p := plan.Default()
		err := p.Decode([]byte(row.text), catalogue())
		if err == nil {
			t.Errorf("%q is accepted", row.text)
			continue
		}
		if text := yaml.FormatError(err, false, true); !strings.Contains(text, row.want) || !strings.Contains(text, row.line) {
			t.Errorf("%q: want %q and the line %q in\n%s", row.text, row.want, row.line, text)
		}
	}
}

// keysFile is the document of all keys.
const keysFile = "../../examples/KEYS.md"

var update = flag.Bool("update", false, "write the document of all keys again")

// The document of all keys says what the schema says.
func TestKeysDocument(t *testing.T) {
	var raw, text bytes.Buffer
	if err := writeSchema(&raw); err != nil {
		t.Fatal(err)
	}
	var schema map[string]any
	if err := json.Unmarshal(raw.Bytes(), &schema); err != nil {
		t.Fatal(err)
	}
	if err := writeKeys(&text); err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile(keysFile, text.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	written, err := os.ReadFile(keysFile)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(written, text.Bytes()) {
		t.Errorf("%s is not what the flags and types say: go test ./runner/command -run KeysDocument -update", keysFile)
	}
	for name, property := range schema["properties"].(map[string]any) {
		checkDescribed(t, name, property.(map[string]any))
	}
}

// checkDescribed asks for a description of each key of ours, those of workloads' options have
// theirs.
func checkDescribed(t *testing.T, path string, property map[string]any) {
	t.Helper()
	if property["description"] == nil {
		t.Errorf("the key %s is not described", path)
	}
	forms := []any{property, property["items"]}
	if items, ok := property["items"].(map[string]any); ok {
		if more, ok := items["anyOf"].([]any); ok {
			forms = append(forms, more...)
		}
	}
	if more, ok := property["anyOf"].([]any); ok {
		forms = append(forms, more...)
	}
	for _, f := range forms {
		inner, _ := f.(map[string]any)
		properties, _ := inner["properties"].(map[string]any)
		for name, p := range properties {
			checkDescribed(t, fmt.Sprint(path, ".", name), p.(map[string]any))
		}
	}
}
