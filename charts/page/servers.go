package page

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mysweep/mysweep/charts"
	"github.com/mysweep/mysweep/charts/words"
	"github.com/mysweep/mysweep/runner/result"
	"github.com/mysweep/mysweep/runner/verdict"
)

// server is the server of one case.
type server struct {
	Title         string
	Rows          []pair
	SettingsTitle string
	Settings      []pair
	Remarks       []string
}

func servers(run *result.Run) []server {
	list := make([]server, len(run.Cases))
	for i := range run.Cases {
		c := &run.Cases[i]
		list[i] = newServer(run, c, verdict.AskedVariables(run, c.Name))
	}
	return list
}

// newServer describes the server of a case; asked are the variables that the plan sets.
func newServer(run *result.Run, c *result.Case, asked map[string]bool) server {
	only := len(run.Cases) == 1
	s := server{Title: caseTitle(c, only)}
	rows := []pair{
		{Name: "version", Value: version(c)}, {Name: "comment", Value: c.Comment},
		{Name: "server", Value: kind(run, c) + onMachine(c)}, {Name: "transport", Value: strings.TrimSpace(c.Transport + " " + c.TLSCipher)},
		{Name: "CPUs", Value: c.CPUs}, {Name: "started with", Value: startedWith(c, asked)},
	}
	if only { // else the cases are set side by side
		for _, p := range setupOf(run, c) {
			if p.Name != "server" && p.Name != "CPUs" && p.Name != "transport" {
				rows = append(rows, p)
			}
		}
	}
	if c.StartSeconds != nil {
		rows = append(rows, pair{Name: "start took", Value: charts.Significant(c.StartSeconds) + " s"})
	}
	if c.LoadSeconds != nil {
		rows = append(rows, pair{Name: "loading took", Value: charts.Significant(c.LoadSeconds) + " s"})
	}
	for _, t := range c.Tables {
		rows = append(rows, pair{Name: "table " + t.Name, Value: tableInWords(t)})
	}
	rows = append(rows, replicaRows(c)...)
	for _, p := range rows {
		if p.Value != "" {
			s.Rows = append(s.Rows, p)
		}
	}
	if c.Status != result.OK && c.Error != "" {
		s.Remarks = append(s.Remarks, fmt.Sprintf("This case %s: %s", became(c.Status), c.Error))
	}
	s.settings(c, asked)
	for _, name := range c.UnknownOptions {
		s.Remarks = append(s.Remarks, "Left out, as this server does not know it: "+name)
	}
	return s
}

// onMachine names the machine of a case's server where that is not the run's.
func onMachine(c *result.Case) string {
	if c.ServerHost == "" {
		return ""
	}
	return ", on " + c.ServerHost
}

// caseTitle names a case; the only one of a run may have no name to speak of.
func caseTitle(c *result.Case, only bool) string {
	if only && c.Name == "default" {
		return "Server"
	}
	return "Case " + c.Name
}

func replicaRows(c *result.Case) []pair {
	var rows []pair
	for _, r := range c.Replicas {
		var parts []string
		if r.CatchUpSeconds != nil {
			parts = append(parts, "caught up in "+charts.Significant(r.CatchUpSeconds)+" s after the trials")
		}
		if r.MaxLagSeconds != nil {
			parts = append(parts, "was at most "+charts.Significant(r.MaxLagSeconds)+" s behind")
		}
		switch {
		case r.Error != "":
			parts = append(parts, r.Error)
		case r.Same != nil && *r.Same:
			parts = append(parts, "has the same rows and checksums")
		case r.Same != nil:
			parts = append(parts, "DIFFERS: "+strings.Join(r.Differences, "; "))
		}
		rows = append(rows, pair{Name: r.Name, Value: strings.Join(parts, ", ")})
	}
	return rows
}

func became(s result.Status) string {
	if s == result.Skipped {
		return "was skipped"
	}
	return "failed"
}

func tableInWords(t result.TableFact) string {
	rows := float64(t.Rows)
	text := charts.Grouped(&rows) + " rows"
	if t.DataBytes != nil {
		text += ", " + charts.Bytes(*t.DataBytes)
	}
	if t.Reused {
		text += ", as it was found"
	}
	return text
}

// settings lists the variables that differ from the server's own defaults.
func (s *server) settings(c *result.Case, asked map[string]bool) {
	switch {
	case len(c.Variables) == 0:
	case c.Changed == nil:
		s.Remarks = append(s.Remarks, "This server does not report its defaults; all its variables are in facts.csv.")
	case len(c.Changed) == 0:
		s.Remarks = append(s.Remarks, "All variables have the server's defaults.")
	default:
		for _, v := range c.Changed {
			if own(c, v.Name) && !asked[v.Name] {
				continue
			}
			s.SettingsTitle = "Variables that differ from the server's defaults"
			s.Settings = append(s.Settings, pair{Name: v.Name, Value: shown(v.Value), Default: v.Default, Source: v.Source})
		}
	}
}

// startedWith are the options of a private server but those by which mysweep gives it its place.
func startedWith(c *result.Case, asked map[string]bool) string {
	var list []string
	for _, option := range c.Options {
		name, _, _ := strings.Cut(option, "=")
		if !own(c, name) || asked[name] {
			list = append(list, option)
		}
	}
	return strings.Join(list, " ")
}

// own reports whether a variable tells a server's place, or what a private server gets from mysweep
// to be alone.
func own(c *result.Case, name string) bool {
	switch name {
	case "port", "server_id", "skip_networking", "skip_slave_start", "skip_replica_start", "bind_address", "report_host", "report_port", "local_infile":
		return c.Private
	}
	return place(name)
}

// place reports whether a variable only names a place on one machine; facts.csv has those too.
func place(name string) bool {
	for _, end := range []string{"dir", "_file", "socket", "pid_file", "log_error", "_basename", "_index", "hostname", "_uuid"} {
		if strings.HasSuffix(name, end) {
			return true
		}
	}
	return false
}

// mostColumns is how many cases have a column each; more have a row each.
const mostColumns = 4

// differing is the table of what the cases differ in, each against the first of its workload; nil
// when there is nothing.
func differing(run *result.Run, v *verdict.Verdict) *grid {
	if len(run.Cases) > mostColumns {
		return differingRows(v)
	}
	t := grid{Columns: []string{"what"}}
	at := map[string]int{} // rows by what they are about
	for _, c := range v.Cases {
		if len(c.Differences) == 0 || slices.Contains(t.Columns, c.New.Name) {
			continue
		}
		if len(t.Columns) == 1 {
			t.Columns = append(t.Columns, c.Base.Name)
		}
		t.Columns = append(t.Columns, c.New.Name)
		for _, d := range c.Differences {
			i, seen := at[d.What]
			if !seen {
				i = len(t.Rows)
				at[d.What] = i
				t.Rows = append(t.Rows, row{Fields: []string{d.What, shown(d.Base)}})
			}
			t.Rows[i].Fields = append(pad(run, t.Rows[i].Fields, t.Columns[:len(t.Columns)-1]), shown(d.New)+asked(d))
		}
	}
	for i := range t.Rows {
		t.Rows[i].Fields = pad(run, t.Rows[i].Fields, t.Columns)
	}
	if len(t.Rows) == 0 {
		return nil
	}
	return &t
}

// differingRows is the same with a row for each case.
func differingRows(v *verdict.Verdict) *grid {
	t := grid{Columns: []string{"case", "against", "differs in"}}
	seen := map[string]bool{}
	for _, c := range v.Cases {
		if len(c.Differences) == 0 || seen[c.New.Name] {
			continue
		}
		seen[c.New.Name] = true
		parts := make([]string, len(c.Differences))
		for i, d := range c.Differences {
			parts[i] = words.Variation(d) + asked(d)
		}
		t.Rows = append(t.Rows, row{Fields: []string{c.New.Name, c.Base.Name, strings.Join(parts, "; ")}})
	}
	if len(t.Rows) == 0 {
		return nil
	}
	return &t
}

// pad says that the cases in between have the value of the first, or do not have
// the variable at all. columns are the names of the cases behind what it is about.
func pad(run *result.Run, fields, columns []string) []string {
	name, isVariable := strings.CutPrefix(fields[0], "variable ")
	for len(fields) < len(columns) {
		text := "the same"
		i := slices.IndexFunc(run.Cases, func(c result.Case) bool { return c.Name == columns[len(fields)] })
		if isVariable && i >= 0 {
			if _, known := run.Cases[i].Variables[name]; !known {
				text = "does not have it"
			}
		}
		fields = append(fields, text)
	}
	return fields
}

func asked(d verdict.Difference) string {
	switch {
	case d.Follows:
		return " (derived by the server)"
	case d.Asked:
		return ""
	}
	return " (not varied by the plan)"
}

func shown(value string) string {
	if value == "" {
		return "(empty)"
	}
	return value
}
