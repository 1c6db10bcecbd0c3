package plan

import (
	"errors"
	"strings"
	"testing"
)

var catalogue = Catalogue{Workloads: map[string]map[string]OptionCheck{
	"select-key":    {"rows": func(s string) error { return map[bool]error{true: errors.New("rows=\"x\" is no int")}[s == "x"] }},
	"update-select": {},
}}

func filled(change func(*Plan)) *Plan {
	p := Default()
	p.Fill(Sweep{Queries: Ints{10, 20}})
	change(&p)
	return &p
}

func TestValidate(t *testing.T) {
	for _, c := range []struct {
		why    string
		change func(*Plan)
		want   string // part of the only mistake; "" when there is none
	}{
		{"the default plan", func(p *Plan) {}, ""},
		{"no thread", func(p *Plan) { p.Threads = Ints{0} }, "invalid --threads 0: must be between 1 and 100000"},
		{"a thousand replicas", func(p *Plan) { p.Cases = []Case{{Name: "a", Replicas: 1000}} }, "case a: invalid replicas 1000: must be between 0 and 16"},
		{"a million threads", func(p *Plan) { p.Threads = Ints{1e6} }, "invalid --threads 1000000: must be between 1 and 100000"},
		{"one count twice", func(p *Plan) { p.Queries = Ints{5, 5} }, "duplicate value 5 in --queries"},
		{"two ends", func(p *Plan) { p.Time = 1e9 }, "--queries and --time are mutually exclusive"},
		{"no end", func(p *Plan) { p.Queries = nil }, "no end"},
		{"rate of bursts", func(p *Plan) { p.Rate = 5 }, "--rate requires --time or --events"},
		{"a slip in the workload", func(p *Plan) { p.Workloads = []Workload{{Name: "select-kye"}} }, `unknown workload "select-kye", did you mean select-key?`},
		{"nothing near", func(p *Plan) { p.Workloads = []Workload{{Name: "wordpress"}} }, "expected select-key or update-select"},
		{"an option's form", func(p *Plan) { p.Workloads[0].Options = map[string]string{"rows": "x"} }, `rows="x" is no int`},
		{"an option's name", func(p *Plan) { p.Workloads[0].Options = map[string]string{"row": "1"} }, "no option --row, did you mean rows?"},
		{"reconnect after 0", func(p *Plan) { p.Reconnect = "0" }, `invalid --reconnect "0"`},
		{"reconnect in words", func(p *Plan) { p.Reconnect = "always" }, `invalid --reconnect "always": expected never`},
		{"a key of a case", func(p *Plan) { p.Cases[0].Name, p.Cases[0].Start = "a", "hot" }, `case a: start: invalid value "hot": expected cold, restart or warm`},
		{"the server's own schema", func(p *Plan) { p.Server.Database = "mysql" }, "a system schema"},
		{"a quote in a name", func(p *Plan) { p.Server.Database = "a`b" }, "only letters, digits"},
		{"a name of two lines", func(p *Plan) { p.Name = "a\nb" }, `--name "a\nb": control characters are not allowed`},
		{"a name that colours the terminal", func(p *Plan) { p.Name = "\x1b[31mred" }, `--name "\x1b[31mred": control characters are not allowed`},
		{"a name that turns the writing round", func(p *Plan) { p.Name = "a\u202eb" }, `--name "a\u202eb": control characters are not allowed`},
		{"a name of wrong bytes", func(p *Plan) { p.Name = "\xff" }, `invalid --name "\xff": not UTF-8`},
		{"a name in letters of the world", func(p *Plan) { p.Name = "nächtlich 夜 👩‍💻" }, ""},
		{"a tag's value", func(p *Plan) { p.Tags = map[string]string{"k": "\u009b1m"} }, `--tag "k=\u009b1m": control characters are not allowed`},
		{"a tag's key", func(p *Plan) { p.Tags = map[string]string{"k\t": "v"} }, `--tag "k\t=v": control characters are not allowed`},
		{"a case's name", func(p *Plan) { p.Cases[0].Name = "a\rb" }, `case "a\rb": control characters are not allowed`},
		{"a file's name", func(p *Plan) { p.Workloads = []Workload{{SQL: "a\nb.sql"}} }, "control characters"},
		{"how rounds arrive, and none do", func(p *Plan) { p.Arrivals = "uniform" }, "--arrivals requires --rate"},
		{"private and an option file", func(p *Plan) { p.Private.Wanted, p.Server.DefaultsFile = true, "x" }, "--private and --defaults-file are mutually exclusive"},
		{"private and a login", func(p *Plan) { p.Private.Wanted, p.Server.User = true, "x" }, "--private and --user are mutually exclusive"},
		{"a login of no server", func(p *Plan) { p.Server.PasswordFile, p.Server.SSLMode = "x", "required" }, "--password-file, --ssl-mode: no existing server is named"},
		{"private options of another's server", func(p *Plan) { p.Server.Host, p.Private.Options = "db3", Texts{"a=b"} }, "--mysqld-option: only for a private server"},
		{"private and named", func(p *Plan) { p.Private.Wanted, p.Server.Host = true, "db3" }, "--private and --host are mutually exclusive"},
		{"unknown metric", func(p *Plan) { p.Require = Texts{"speed>3"} }, `unknown metric "speed"`},
		{"no earlier run", func(p *Plan) { p.Baseline = "0" }, "at least 1 run"},
		{"restart of a private server", func(p *Plan) { p.AllowCommands, p.Cases[0].Restart = true, Texts{"reboot"} }, "this one is private"},
		{"restart unasked", func(p *Plan) { p.Cases[0].Server, p.Cases[0].Restart = &Server{Port: 3307}, Texts{"reboot"} }, "--allow-commands"},
		{"restart of the plan's server", func(p *Plan) { p.AllowCommands, p.Server.Host, p.Cases[0].Restart = true, "db3", Texts{"reboot"} }, ""},
		{"a case's server beside a private one", func(p *Plan) { p.Cases = []Case{{Name: "a"}, {Name: "b", Server: &Server{Host: "db3"}}} }, ""},
		{"a server without an address", func(p *Plan) { p.Cases[0].Server = &Server{User: "u"} }, "server has no address"},
		{"a server's own schema", func(p *Plan) { p.Cases[0].Server = &Server{Host: "db3", Database: "d"} }, "same for all cases"},
		{"a server's port", func(p *Plan) { p.Cases[0].Server = &Server{Port: 70000} }, "port 70000"},
		{"options of a case's server", func(p *Plan) { p.Cases[0].Server, p.Cases[0].Mysqld = &Server{Host: "db3"}, "/m" }, "mysqld requires a private server"},
		{"transport of a case's server", func(p *Plan) { p.Cases[0].Server, p.Cases[0].Transport = &Server{Host: "db3"}, "tcp" }, "transport requires a private server"},
		{"own tables of a private case", func(p *Plan) {
			p.ExistingTables, p.Cases = true, []Case{{Name: "a"}, {Name: "b", Server: &Server{Host: "db3"}}}
		}, "--existing-tables requires an existing server"},
		{"commands unasked", func(p *Plan) { p.Cases[0].BeforeTrialCommand = Texts{"sync"} }, "--allow-commands"},
	} {
		got := filled(c.change).Validate(catalogue)
		switch {
		case c.want == "" && len(got) > 0:
			t.Errorf("%s: %q; want no mistake", c.why, got)
		case c.want != "" && (len(got) != 1 || !strings.Contains(got[0], c.want)):
			t.Errorf("%s: %q; want one mistake with %q", c.why, got, c.want)
		}
	}
}

// All mistakes come at once, so that the user can fix them in one go.
func TestValidateAll(t *testing.T) {
	p := filled(func(p *Plan) { p.Threads, p.Repeat, p.Protocol = nil, 0, "binary" })
	if got := p.Validate(catalogue); len(got) != 3 {
		t.Errorf("%q; want 3 mistakes", got)
	}
}

func TestParseRequirements(t *testing.T) {
	for _, c := range []struct {
		text   string
		figure float64
		met    bool
	}{
		{"qps>=20000", 20000, true},
		{"qps>=20k", 19999, false},
		{"p99<10ms", 0.0099, true},
		{"p99<10ms", 0.010, false},
		{"runnable/cpu<2", 1.5, true},
		{"server_cpu<=90%", 0.91, false},
		{"errors<=0", 0, true},
	} {
		got, err := ParseRequirements(c.text)
		if err != nil || len(got) != 1 {
			t.Errorf("ParseRequirements(%q) = %v, %v", c.text, got, err)
			continue
		}
		if got[0].Met(c.figure) != c.met {
			t.Errorf("%q met by %g: %t; want %t", c.text, c.figure, !c.met, c.met)
		}
	}
	for _, bad := range []string{
		"", "qps", "qps=5", ">=5", "p99<fast", "qps>=x",
		"p99<10", "max<=0.5", "server_cpu<90", "client_cpu<0.9", // a value without its unit
		// The unit of another metric.
		"qps>=1%", "errors<5%", "load1<50%", "runnable/cpu<200%", "p99<5%", "server_cpu<1s",
	} {
		if got, err := ParseRequirements(bad); err == nil {
			t.Errorf("ParseRequirements(%q) = %v; want an error", bad, got)
		}
	}
}

// TestFillCollation: who names a character set gets its binary collation, unless a collation is
// named as well.
func TestFillCollation(t *testing.T) {
	for _, c := range []struct{ charset, collation, want string }{
		{"utf8mb4", "utf8mb4_bin", "utf8mb4_bin"}, {"latin1", "utf8mb4_bin", "latin1_bin"}, {"utf8", "utf8mb4_bin", "utf8mb3_bin"},
		{"binary", "utf8mb4_bin", "binary"}, {"latin1", "latin1_swedish_ci", "latin1_swedish_ci"}, {"utf8mb4", "utf8mb4_general_ci", "utf8mb4_general_ci"},
	} {
		p := Default()
		p.Charset, p.Collation = c.charset, c.collation
		p.Fill(Sweep{})
		if p.Collation != c.want {
			t.Errorf("%s with %s: %s, want %s", c.charset, c.collation, p.Collation, c.want)
		}
	}
}
