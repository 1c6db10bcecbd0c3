package table

import (
	"io"
	"maps"
	"slices"

	"github.com/mysweep/mysweep/hwinfo"
	"github.com/mysweep/mysweep/runner/result"
)

// Fact is a row of facts.csv: one thing known of a machine or a server; an empty value is not
// known.
type Fact struct {
	Role Text `csv:"role"` // client, server or case:NAME
	MachineFact
}

// Facts writes facts.csv.
func Facts(w io.Writer, run *result.Run) error {
	rows := factsOf("client", &run.Client)
	if run.Poller != "" {
		rows = append(rows, Fact{"client", MachineFact{"loadgen.poller", Text(run.Poller), "", Text(run.PollerReason)}})
	}
	rows = append(rows, factsOf("server", run.Server)...)
	for i := range run.Cases {
		rows = append(rows, caseFacts(&run.Cases[i])...)
	}
	return write(w, rows)
}

// MachineFact is a fact of a machine without a role in a run.
type MachineFact struct {
	Key    Text `csv:"key"`
	Value  Text `csv:"value"`
	Unit   Text `csv:"unit"`
	Source Text `csv:"source"`
}

// Machine writes the facts of one machine, one a row.
func Machine(w io.Writer, f *hwinfo.Facts) error {
	return write(w, machineFacts(f))
}

func machineFacts(f *hwinfo.Facts) []MachineFact {
	rows := make([]MachineFact, len(f.List))
	for i, fact := range f.List {
		rows[i] = MachineFact{Text(fact.Key), Text(hwinfo.Text(fact.Value)), Text(fact.Unit), Text(fact.Source)}
	}
	return rows
}

func factsOf(role Text, f *hwinfo.Facts) []Fact {
	if f == nil {
		return nil
	}
	var rows []Fact
	for _, fact := range machineFacts(f) {
		rows = append(rows, Fact{role, fact})
	}
	return rows
}

func caseFacts(c *result.Case) []Fact {
	role := Text("case:" + c.Name)
	rows := []Fact{
		{role, MachineFact{"mysql.version", Text(c.Version), "", "SELECT VERSION()"}},
		{role, MachineFact{"mysql.flavour", Text(c.Flavour), "", "SELECT VERSION()"}},
		{role, MachineFact{"mysql.comment", Text(c.Comment), "", "@@version_comment"}},
		{role, MachineFact{"mysql.transport", Text(c.Transport), "", ""}},
		{role, MachineFact{"mysql.tls_cipher", Text(c.TLSCipher), "", ""}},
	}
	rows = append(rows, factsOf(role, c.Datadir)...)
	for _, name := range slices.Sorted(maps.Keys(c.Variables)) {
		rows = append(rows, Fact{role, MachineFact{Text("mysql.variable." + name), Text(c.Variables[name]), "", "SHOW GLOBAL VARIABLES"}})
	}
	for _, name := range slices.Sorted(maps.Keys(c.Session)) {
		rows = append(rows, Fact{role, MachineFact{Text("mysql.session." + name), Text(c.Session[name]), "", "SELECT @@SESSION"}})
	}
	for _, name := range slices.Sorted(maps.Keys(c.SessionSet)) {
		rows = append(rows, Fact{role, MachineFact{Text("mysql.session_set." + name), Text(c.SessionSet[name]), "", "SET"}})
	}
	return rows
}
