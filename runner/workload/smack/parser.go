package smack

import (
	"maps"
	"slices"

	"github.com/mysweep/mysweep/runner/workload/syntax"
)

// Parse parses a .smack file. Errors are *syntax.Error. path is used in messages
// and to find files in the same folder.
func Parse(path, source string) (*File, error) {
	p := &parser{file: &File{Path: path}}
	p.lexer = lexer{source: source, at: syntax.Position{File: path, Line: 1, Column: 1}}
	if err := p.advance(); err != nil {
		return nil, err
	}
	if err := p.sections(); err != nil {
		return nil, err
	}
	return p.file, nil
}

type parser struct {
	lexer lexer
	token token // lookahead
	file  *File
}

func (p *parser) advance() error {
	t, err := p.lexer.next()
	p.token = t
	return err
}

// take consumes the current token, which must be of the given kind.
func (p *parser) take(want kind, where string) (token, error) {
	t := p.token
	if t.kind != want {
		return t, p.expected(string(want) + " " + where)
	}
	return t, p.advance()
}

func (p *parser) expected(what string) error {
	return syntax.Errorf(p.token.at, "expected %s, found %s", what, p.token)
}

var sectionKinds = []string{"client", "table", "dictionary", "query", "main"}

func (p *parser) sections() error {
	for {
		head := p.token
		if head.kind != word {
			return p.expected("a section: client, table, dictionary, query or main")
		}
		if !slices.Contains(sectionKinds, head.text) {
			return syntax.Errorf(head.at, "unknown section %s%s", head.text, hint(head.text, sectionKinds))
		}
		if err := p.advance(); err != nil {
			return err
		}
		if head.text == "main" {
			return p.main()
		}
		if err := p.section(head); err != nil {
			return err
		}
	}
}

func (p *parser) section(head token) error {
	name, err := p.take(text, "as the name of this "+head.text)
	if err != nil {
		return err
	}
	keys, err := p.declare(head.text, Section{name.text, name.at})
	if err != nil {
		return err
	}
	if _, err := p.take(symbol('{'), "to begin "+head.text+" "+name.String()); err != nil {
		return err
	}
	for p.token.kind != symbol('}') {
		if err := p.pair(head.text, keys); err != nil {
			return err
		}
	}
	return p.advance()
}

// declare adds a section to the file and returns the places of its values.
func (p *parser) declare(kind string, s Section) (map[string]*Value, error) {
	f := p.file
	var earlier syntax.Position
	var keys map[string]*Value
	switch kind {
	case "client":
		c := &Client{Section: s}
		earlier = find(f.Clients, s.Name)
		f.Clients = append(f.Clients, c)
		keys = map[string]*Value{"user": &c.User, "pass": &c.Pass, "host": &c.Host, "db": &c.DB,
			"port": &c.Port, "socket": &c.Socket, "query_barrel": &c.QueryBarrel}
	case "query":
		q := &Query{Section: s}
		earlier = find(f.Queries, s.Name)
		f.Queries = append(f.Queries, q)
		keys = map[string]*Value{"query": &q.SQL, "type": &q.Type, "has_result_set": &q.HasResultSet, "parsed": &q.Parsed}
	case "dictionary":
		d := &Dictionary{Section: s}
		earlier = find(f.Dictionaries, s.Name)
		f.Dictionaries = append(f.Dictionaries, d)
		keys = map[string]*Value{"type": &d.Type, "source_type": &d.SourceType, "source": &d.Source,
			"delim": &d.Delim, "file_size_equiv": &d.FileSizeEquiv}
	default:
		t := &Table{Section: s}
		earlier = find(f.Tables, s.Name)
		f.Tables = append(f.Tables, t)
		keys = map[string]*Value{"client": &t.Client, "create": &t.Create, "alter": &t.Alter, "min_rows": &t.MinRows,
			"data_file": &t.DataFile, "gen_data_file": &t.GenDataFile}
	}
	if earlier.Line > 0 {
		return nil, syntax.Errorf(s.At, "%s %q is already defined at line %d", kind, s.Name, earlier.Line)
	}
	return keys, nil
}

// named is a section of any kind.
type named interface{ head() Section }

func (s Section) head() Section { return s }

// find returns the position of the section with that name, the zero Position if
// there is none.
func find[S named](sections []S, name string) syntax.Position {
	for _, s := range sections {
		if s.head().Name == name {
			return s.head().At
		}
	}
	return syntax.Position{}
}

// names lists the names of sections.
func names[S named](sections []S) []string {
	var list []string
	for _, s := range sections {
		list = append(list, s.head().Name)
	}
	return list
}

// pair reads one key "value"; of a section.
func (p *parser) pair(section string, keys map[string]*Value) error {
	key := p.token
	if key.kind != word {
		return p.expected(`a key of this ` + section + ` or "}"`)
	}
	value, ok := keys[key.text]
	if !ok {
		known := slices.Sorted(maps.Keys(keys))
		return syntax.Errorf(key.at, "a %s has no key %s%s", section, key.text, hint(key.text, known))
	}
	if err := p.advance(); err != nil {
		return err
	}
	if value.Set() {
		return syntax.Errorf(key.at, "%s is set already, at line %d", key.text, value.At().Line)
	}
	t, err := p.take(text, "as the value of "+key.text)
	if err != nil {
		return err
	}
	*value = Value{t.text, t}
	_, err = p.take(symbol(';'), "after the value of "+key.text)
	return err
}
