package sqlfile

import (
	"strings"

	"github.com/mysweep/mysweep/runner/workload/syntax"
)

// mark is a variable in a statement.
type mark struct {
	name   string
	offset int // of its colon, in the statement's text
	at     syntax.Position
}

// chunk is a statement, or a comment from -- or # to the end of its line.
type chunk struct {
	comment  bool
	text     string // trimmed; of a comment without -- or #
	at       syntax.Position
	marks    []mark
	question bool // the statement contains a ?
}

// scanner splits SQL into statements and comments, with regard to quotes and to
// backslashes in them.
type scanner struct {
	source string
	offset int
	at     syntax.Position
	found  []chunk

	begun bool // a statement has begun
	start int
	open  chunk
}

func scan(source string, at syntax.Position) ([]chunk, error) {
	s := &scanner{source: source, at: at}
	for s.offset < len(source) {
		if err := s.step(); err != nil {
			return nil, err
		}
	}
	s.end()
	return s.found, nil
}

func (s *scanner) step() error {
	rest := s.source[s.offset:]
	switch c := rest[0]; {
	case c == '\'' || c == '"' || c == '`':
		return s.quoted(c)
	case c == '#' || strings.HasPrefix(rest, "--") && (len(rest) == 2 || strings.IndexByte(" \t\r\n", rest[2]) >= 0):
		s.comment()
	case strings.HasPrefix(rest, "/*"):
		return s.block()
	case c == ';':
		s.end()
		s.advance(1)
	case c == ':' && len(rest) > 1 && isLetter(rest[1]) && (s.offset == 0 || !isWord(s.source[s.offset-1]) && s.source[s.offset-1] != ':'):
		s.begin()
		n := 1 + span(rest[1:])
		s.open.marks = append(s.open.marks, mark{rest[1:n], s.offset - s.start, s.at})
		s.advance(n)
	case strings.IndexByte(" \t\r\n", c) >= 0:
		s.advance(1)
	default:
		s.begin()
		s.open.question = s.open.question || c == '?'
		s.advance(1)
	}
	return nil
}

func (s *scanner) advance(n int) {
	s.at = s.at.After(s.source[s.offset : s.offset+n])
	s.offset += n
}

func (s *scanner) begin() {
	if !s.begun {
		s.begun, s.start = true, s.offset
		s.open = chunk{at: s.at}
	}
}

// end ends the statement that has begun, if any.
func (s *scanner) end() {
	if s.begun {
		s.open.text = strings.TrimSpace(s.source[s.start:s.offset])
		s.found = append(s.found, s.open)
	}
	s.begun = false
}

func (s *scanner) quoted(quote byte) error {
	s.begin()
	for i := s.offset + 1; i < len(s.source); i++ {
		switch c := s.source[i]; {
		case c == '\\' && quote != '`':
			i++
		case c == '?':
			s.open.question = true
		case c == quote:
			s.advance(i + 1 - s.offset)
			return nil
		}
	}
	return syntax.Errorf(s.at, "unclosed %c", quote)
}

// comment reads to the end of the line. Inside a statement it is part of the
// statement; only between statements it can be a rule.
func (s *scanner) comment() {
	rest := s.source[s.offset:]
	n := strings.IndexByte(rest, '\n')
	if n < 0 {
		n = len(rest)
	}
	if s.begun {
		s.open.question = s.open.question || strings.Contains(rest[:n], "?")
	} else {
		text := strings.TrimSpace(strings.TrimLeft(rest[:n], "-#"))
		s.found = append(s.found, chunk{comment: true, text: text, at: s.at})
	}
	s.advance(n)
}

// block reads a comment of several lines. The content of /*! */ is SQL.
func (s *scanner) block() error {
	rest := s.source[s.offset:]
	n := strings.Index(rest, "*/")
	if n < 0 {
		return syntax.Errorf(s.at, "unclosed /*")
	}
	n += len("*/")
	if strings.HasPrefix(rest, "/*!") || s.begun {
		s.begin()
		s.open.question = s.open.question || strings.Contains(rest[:n], "?")
	}
	s.advance(n)
	return nil
}

func span(s string) int {
	n := 0
	for n < len(s) && isWord(s[n]) {
		n++
	}
	return n
}

func isLetter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' }
func isWord(c byte) bool   { return isLetter(c) || c >= '0' && c <= '9' }
