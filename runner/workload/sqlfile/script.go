package sqlfile

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/mysweep/mysweep/runner/plan"
	"github.com/mysweep/mysweep/runner/workload"
	"github.com/mysweep/mysweep/runner/workload/syntax"
)

// script is a parsed .sql file, or a workload of a plan.
type script struct {
	name         string
	folder       string
	variables    map[string]*variable
	setup        []string
	transactions []*transaction
}

// transaction is one kind of round.
type transaction struct {
	name       string
	weight     float64
	statements []*statement
}

// statement is one statement of a round.
type statement struct {
	workload.Statement
	verb  verb
	names []string // of the variables of its arguments, in order
	texts []string // instead of SQL if that contains a literal ?: the texts between the values
}

// verb is the way in which a statement is sent.
type verb uint8

const (
	query verb = iota
	exec
	begin
	commit
	rollback
)

// parse reads an .sql file.
func parse(path, source string) (*script, error) {
	s := &script{name: path, folder: filepath.Dir(path), variables: map[string]*variable{}}
	chunks, err := scan(source, syntax.Position{File: path, Line: 1, Column: 1})
	if err != nil {
		return nil, err
	}
	r := &reader{script: s}
	for _, c := range chunks {
		if c.comment {
			err = r.comment(c)
		} else {
			err = r.statement(c)
		}
		if err != nil {
			return nil, err
		}
	}
	return s, s.check(syntax.Position{File: path, Line: 1, Column: 1})
}

// reader adds chunks to the set-up or to a transaction.
type reader struct {
	*script
	inSetup bool
	typ     string // of the next statement
}

// comment parses a rule or a section. Other comments are ignored.
func (r *reader) comment(c chunk) error {
	switch {
	case strings.HasPrefix(c.text, ":"):
		name, rule, found := strings.Cut(c.text[1:], "=")
		name = strings.TrimSpace(name)
		if !found || name == "" || span(name) != len(name) || !isLetter(name[0]) {
			return syntax.Errorf(c.at, "invalid rule %q: expected e.g. -- :id = uniform 1 1000", c.text)
		}
		return r.define(name, rule, c.at)
	case strings.HasPrefix(c.text, "@"):
		return r.section(strings.Fields(c.text[1:]), c.at)
	}
	return nil
}

func (s *script) define(name, rule string, at syntax.Position) error {
	if s.variables[name] != nil {
		return syntax.Errorf(at, "duplicate rule for :%s", name)
	}
	v, err := newVariable(rule, s.folder, at)
	s.variables[name] = v
	return err
}

func (r *reader) section(words []string, at syntax.Position) error {
	sections := []string{"setup", "transaction", "type"}
	if len(words) == 0 || !slices.Contains(sections, words[0]) {
		return syntax.Errorf(at, "unknown section @%s%s", strings.Join(words, " "), plan.DidYouMean(strings.Join(words, " "), sections))
	}
	switch words[0] {
	case "setup":
		r.inSetup = true
	case "type":
		if len(words) != 2 {
			return syntax.Errorf(at, "expected one name after @type")
		}
		r.typ = words[1]
	default:
		r.inSetup = false
		return r.begin(words[1:], at)
	}
	return nil
}

// begin starts a transaction: a name and an optional weight.
func (r *reader) begin(words []string, at syntax.Position) error {
	if len(words) < 1 || len(words) > 2 {
		return syntax.Errorf(at, "expected a name and a weight: write e.g. -- @transaction buy 3")
	}
	weight := 1.0
	if len(words) == 2 {
		var err error
		if weight, err = strconv.ParseFloat(words[1], 64); err != nil {
			return syntax.Errorf(at, "invalid weight %q: expected e.g. -- @transaction buy 3", words[1])
		}
	}
	return r.add(words[0], weight, at)
}

func (s *script) add(name string, weight float64, at syntax.Position) error {
	switch {
	case !(weight > 0 && weight < 1e12):
		return syntax.Errorf(at, "transaction %s: invalid weight %g: must be above 0", name, weight)
	case slices.ContainsFunc(s.transactions, func(t *transaction) bool { return t.name == name }):
		return syntax.Errorf(at, "duplicate transaction %s", name)
	}
	s.transactions = append(s.transactions, &transaction{name: name, weight: weight})
	return nil
}

// statement adds a statement to the set-up or to the last transaction.
func (r *reader) statement(c chunk) error {
	if r.inSetup {
		if len(c.marks) > 0 {
			return syntax.Errorf(c.marks[0].at, ":%s cannot be drawn in the set-up", c.marks[0].name)
		}
		r.setup = append(r.setup, c.text)
		return nil
	}
	if len(r.transactions) == 0 {
		if err := r.add("round", 1, c.at); err != nil {
			return err
		}
	}
	t := r.transactions[len(r.transactions)-1]
	st, err := r.compile(c)
	if err != nil {
		return err
	}
	if st.Type = r.typ; st.Type == "" {
		st.Type = fmt.Sprintf("%s_%d_%s", t.name, len(t.statements)+1, firstWord(c.text))
	}
	r.typ = ""
	t.statements = append(t.statements, st)
	return nil
}

func (s *script) compile(c chunk) (*statement, error) {
	st := &statement{verb: exec}
	st.Kind = workload.KindOf(c.text)
	switch word := strings.ToLower(strings.Join(strings.Fields(c.text), " ")); {
	case word == "begin" || word == "start transaction":
		st.verb = begin
	case word == "commit":
		st.verb = commit
	case word == "rollback":
		st.verb = rollback
	case st.Kind == workload.Read:
		st.verb = query
	}
	last := 0
	for _, m := range c.marks {
		if s.variables[m.name] == nil {
			names := slices.Sorted(maps.Keys(s.variables))
			if len(names) == 0 {
				return nil, syntax.Errorf(m.at, ":%s has no rule: put e.g. -- :%s = uniform 1 1000 before it", m.name, m.name)
			}
			return nil, syntax.Errorf(m.at, ":%s has no rule%s", m.name, plan.DidYouMean(m.name, names))
		}
		st.names = append(st.names, m.name)
		st.texts = append(st.texts, c.text[last:m.offset])
		last = m.offset + 1 + len(m.name)
	}
	st.texts = append(st.texts, c.text[last:])
	if !c.question {
		st.SQL, st.texts = strings.Join(st.texts, "?"), nil
	}
	return st, nil
}

func firstWord(sql string) string {
	end := strings.IndexFunc(sql, func(r rune) bool { return r >= 0x80 || !isWord(byte(r)) })
	if end < 0 {
		end = len(sql)
	}
	if end == 0 {
		return "statement"
	}
	return strings.ToLower(sql[:end])
}

func (s *script) check(at syntax.Position) error {
	if len(s.transactions) == 0 {
		return syntax.Errorf(at, "no statement to run")
	}
	for _, t := range s.transactions {
		if len(t.statements) == 0 {
			return syntax.Errorf(at, "transaction %s has no statement", t.name)
		}
	}
	return nil
}
