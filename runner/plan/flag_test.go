package plan

import (
	"reflect"
	"slices"
	"strings"
	"testing"
)

// Every default can be read, and the documented sweep follows from them.
func TestDefaults(t *testing.T) {
	for _, f := range Flags() {
		var p Plan
		if f.Default == "" {
			continue
		}
		if err := f.Apply(&p, f.Default); err != nil {
			t.Errorf("--%s: default %q: %v", f.Name, f.Default, err)
		}
	}
	p := Default()
	p.Fill(Sweep{Queries: Ints{10, 20, 30, 40, 50, 60, 70, 80, 90, 100}})
	if p.Trials() != 423 || p.MinTime.Seconds() != 0.5 || p.Warmup.Seconds() != 5 || p.ConnectParallel != 8 || p.Workloads[0].Name != "select-key" {
		t.Errorf("%d trials of %+v", p.Trials(), p)
	}
	if mistakes := p.Validate(catalogue); len(mistakes) > 0 {
		t.Errorf("%q", mistakes)
	}
}

// The table has each name once, each flag either a field or a reader, and all
// fields of a plan that are no keys of their own.
func TestFlags(t *testing.T) {
	names := map[string]bool{}
	for _, f := range Flags() {
		for _, name := range []string{f.Name, f.Short} {
			if name != "" && names[name] {
				t.Errorf("--%s: the name %s is taken", f.Name, name)
			}
			names[name] = true
		}
		if (f.Field == nil) == (f.Set == nil) {
			t.Errorf("--%s: expected either a field or a reader", f.Name)
		}
		if f.Help == "" || !slices.Contains(Groups(), f.Group) {
			t.Errorf("--%s has no help or no group", f.Name)
		}
		names[f.Key()] = true
	}
	for _, key := range keysOf(reflect.TypeFor[FileKeys]()) {
		names[key] = true
	}
	names["server"] = true
	plan := reflect.TypeFor[Plan]()
	for i := range plan.NumField() {
		key, _, _ := strings.Cut(plan.Field(i).Tag.Get("json"), ",")
		if key != "-" && !names[key] {
			t.Errorf("the field %s has no flag and no key", plan.Field(i).Name)
		}
	}
}

// What is wrong with a value is found whether it came from a flag, a file or a
// program.
func TestFlagChecks(t *testing.T) {
	for _, c := range []struct {
		flag, text, want string // want is the only mistake after a text that can be read
	}{
		{"repeat", "0", "invalid --repeat 0: must be between 1 and 1000000"},
		{"confirm", "-1", "invalid --confirm -1: must be between 0 and 1000000"},
		{"query-timeout", "0", "invalid --query-timeout 0s: must be more than 0"},
		{"loops", "300", "invalid --loops 300: must be between 0 and 256"},
		{"port", "70000", "invalid --port 70000: must be between 1 and 65535"},
		{"ssl-mode", "VERIFY_CA", ""}, // as the mysql client writes it
		{"ssl-mode", "maybe", `invalid --ssl-mode "maybe": expected disabled, preferred, required, verify-ca or verify-identity`},
		{"order", "Sequential", ""},
		{"fail-above", "5%", "--fail-above requires --baseline: there is nothing to compare with"},
		{"rate", "-5", "invalid --rate -5: must be more than 0 and at most 1000000000"},
		{"rate", "1e12", "invalid --rate 1e+12: must be more than 0 and at most 1000000000"},
		{"events", "9223372036854775807", "invalid --events 9223372036854775807: must be between 1 and 1000000000000"},
	} {
		p := filled(func(p *Plan) { p.Server.Host = "db1" })
		switch c.flag {
		case "rate":
			p.Queries, p.Time = nil, 1e9
		case "events":
			p.Queries = nil
		}
		if err := FlagNamed(c.flag).Apply(p, c.text); err != nil {
			t.Errorf("--%s %s: %v", c.flag, c.text, err)
		}
		got := p.Validate(catalogue)
		if c.want == "" && len(got) > 0 || c.want != "" && !slices.Equal(got, []string{c.want}) {
			t.Errorf("--%s %s: %q, want %q", c.flag, c.text, got, c.want)
		}
	}
	for flag, zero := range map[string]string{"time": "0s", "fail-above": "0%", "events": "0", "rate": "0", "port": "0", "max-time": "0"} {
		var p Plan
		if err := FlagNamed(flag).Apply(&p, zero); err == nil {
			t.Errorf("--%s %s is accepted", flag, zero)
		}
	}
}
