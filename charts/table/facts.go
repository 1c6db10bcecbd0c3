package table

import (
	"io"
	"maps"
	"slices"

	"github.com/mysweep/mysweep/hwinfo"
	"github.com/mysweep/mysweep/runner/result"
)

// Fact is a row of facts.csv: one thing known of a machine or a server; an empty value is not known.
type Fact struct {
	Role   Text `csv:"role"` // client, server or case:NAME
	Key    Text `csv:"key"`
	Value  Text `csv:"value"`
	Unit   Text `csv:"unit"`
	Source Text `csv:"source"`
}

// Facts writes facts.csv.
func Facts(w io.Writer, run *result.Run) error {
	rows := machineFacts("client", &run.Client)
	rows = append(rows, machineFacts("server", run.Server)...)
	for i := range run.Cases {
		rows = append(rows, caseFacts(&run.Cases[i])...)
	}
	return write(w, rows)
}

// MachineFact is a Fact of a machine that nobody gave a role yet.
type MachineFact struct {
	Key    Text `csv:"key"`
	Value  Text `csv:"value"`
	Unit   Text `csv:"unit"`
	Source Text `csv:"source"`
}

// Machine writes the facts of one machine, one a row.
func Machine(w io.Writer, f *hwinfo.Facts) error {
	rows := make([]MachineFact, len(f.List))
	for i, fact := range f.List {
		rows[i] = MachineFact{Text(fact.Key), Text(hwinfo.Text(fact.Value)), Text(fact.Unit), Text(fact.Source)}
	}
	return write(w, rows)
}

func machineFacts(role Text, f *hwinfo.Facts) []Fact {
	if f == nil {
		return nil
	}
	rows := make([]Fact, len(f.List))
	for i, fact := range f.List {
		rows[i] = Fact{role, Text(fact.Key), Text(hwinfo.Text(fact.Value)), Text(fact.Unit), Text(fact.Source)}
	}
	return rows
}

func caseFacts(c *result.Case) []Fact {
	role := Text("case:" + c.Name)
	rows := []Fact{
		{role, "mysql.version", Text(c.Version), "", "SELECT VERSION()"},
		{role, "mysql.flavour", Text(c.Flavour), "", "SELECT VERSION()"},
		{role, "mysql.comment", Text(c.Comment), "", "@@version_comment"},
		{role, "mysql.transport", Text(c.Transport), "", ""},
		{role, "mysql.tls_cipher", Text(c.TLSCipher), "", ""},
	}
	for _, name := range slices.Sorted(maps.Keys(c.Variables)) {
		rows = append(rows, Fact{role, Text("mysql.variable." + name), Text(c.Variables[name]), "", "SHOW GLOBAL VARIABLES"})
	}
	return rows
}
