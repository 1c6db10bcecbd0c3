package smack

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/mysweep/mysweep/runner/workload"
	"github.com/mysweep/mysweep/runner/workload/syntax"
)

// compiler turns the sections of a file into what a workload needs.
type compiler struct {
	file        *File
	thin        bool // use as few words of a file as the original does
	data        []data
	dictionary  map[string]int // number by name
	queryNumber map[string]int
}

// compile makes the workload of a file. Its errors are *syntax.Error.
func compile(f *File, thin bool) (*Workload, error) {
	c := &compiler{file: f, thin: thin, dictionary: map[string]int{}, queryNumber: map[string]int{}}
	w := &Workload{file: f, barrels: map[string][]action{}}
	for _, t := range f.Tables {
		if err := c.addTable(w, t); err != nil {
			return nil, err
		}
	}
	for i, d := range f.Dictionaries {
		words, err := c.words(d)
		if err != nil {
			return nil, err
		}
		w.words = append(w.words, words)
		c.dictionary[d.Name] = i
	}
	for i, q := range f.Queries {
		query, err := c.query(q)
		if err != nil {
			return nil, err
		}
		w.queries = append(w.queries, query)
		c.queryNumber[q.Name] = i
	}
	for _, client := range f.Clients {
		barrel, err := c.barrel(client)
		if err != nil {
			return nil, err
		}
		w.barrels[client.Name] = barrel
	}
	c.markChanging(w)
	return w, w.checkMain()
}

func (c *compiler) addTable(w *Workload, t *Table) error {
	if t.Client.Set() && find(c.file.Clients, t.Client.Text).Line == 0 {
		return syntax.Errorf(t.Client.At(), "there is no client %s%s", t.Client.Text, hint(t.Client.Text, names(c.file.Clients)))
	}
	if err := checkCreate(t); err != nil {
		return err
	}
	if err := checkAlter(t); err != nil {
		return err
	}
	if t.MinRows.Set() {
		if n, err := strconv.ParseInt(t.MinRows.Text, 10, 64); err != nil || n < 0 {
			return syntax.Errorf(t.MinRows.At(), "invalid min_rows %q: expected a number of rows", t.MinRows.Text)
		}
	}
	d, err := tableData(c.file.Path, t)
	if err != nil {
		return err
	}
	c.data = append(c.data, d)
	w.tables = append(w.tables, table(t, d))
	return nil
}

var createTable = regexp.MustCompile("(?is)^\\s*create\\s+(?:or\\s+replace\\s+)?table\\s+(?:if\\s+not\\s+exists\\s+)?([`\"\\w$.]+)")

// checkCreate verifies that a table's statement creates that table: any other
// table would never be dropped.
func checkCreate(t *Table) error {
	if !t.Create.Set() {
		return syntax.Errorf(t.At, "table %s has no create: add create \"create table %s (...)\";", t.Name, t.Name)
	}
	found := createTable.FindStringSubmatch(t.Create.Text)
	if found == nil {
		return syntax.Errorf(t.Create.At(), "create of table %s is not a CREATE TABLE statement", t.Name)
	}
	name := strings.Trim(found[1], "`\"")
	if !strings.EqualFold(name, t.Name) {
		return syntax.Errorf(t.Create.At(), "create of table %s creates table %s", t.Name, name)
	}
	return nil
}

var alterTable = regexp.MustCompile("(?is)^\\s*alter\\s+(?:online\\s+|ignore\\s+)*table\\s+(?:if\\s+exists\\s+)?([`\"\\w$.]+)")

// checkAlter verifies that a table's alter changes that table, and no other.
func checkAlter(t *Table) error {
	if !t.Alter.Set() {
		return nil
	}
	found := alterTable.FindStringSubmatch(t.Alter.Text)
	if found == nil {
		return syntax.Errorf(t.Alter.At(), "alter of table %s is not an ALTER TABLE statement", t.Name)
	}
	if name := strings.Trim(found[1], "`\""); !strings.EqualFold(name, t.Name) {
		return syntax.Errorf(t.Alter.At(), "alter of table %s changes table %s", t.Name, name)
	}
	return nil
}

func table(t *Table, d data) workload.Table {
	made := workload.Table{
		Name:   t.Name,
		Create: statementText(t.Create),
		Rows:   d.lines(),
		Row:    rowOf(d),
	}
	if t.Alter.Set() {
		made.Before = []string{statementText(t.Alter)}
	}
	return made
}

func statementText(v Value) string { return strings.TrimRight(v.Text, "; \t\r\n") }

// markChanging marks the tables named in a query that may add or delete rows.
func (c *compiler) markChanging(w *Workload) {
	for _, q := range w.queries {
		sql := strings.ToLower(strings.TrimSpace(q.statement.SQL))
		first, _, _ := strings.Cut(sql, " ")
		grows := slices.Contains([]string{"insert", "replace", "load", "call"}, first)
		shrinks := slices.Contains([]string{"delete", "replace", "truncate", "call"}, first)
		for i, t := range w.tables {
			if strings.Contains(sql, strings.ToLower(t.Name)) {
				w.tables[i].Grows = t.Grows || grows
				w.tables[i].Shrinks = t.Shrinks || shrinks
			}
		}
	}
}
