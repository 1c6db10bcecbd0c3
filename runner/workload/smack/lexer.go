package smack

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/mysweep/mysweep/runner/workload/syntax"
)

// kind is the kind of a token, and its name in messages.
type kind string

const (
	word     kind = "a name"
	text     kind = "a text in double quotes"
	number   kind = "a number"
	colons   kind = `"::"`
	endToken kind = "the end of the file"
)

// symbol is the kind of a token of one character.
func symbol(c byte) kind { return kind(fmt.Sprintf("%q", string(c))) }

type token struct {
	kind kind
	text string // the name, the digits, or the text without quotes and escapes
	at   syntax.Position
	raw  string // of a text: the source between its quotes
}

// String is the token as messages show it.
func (t token) String() string {
	switch t.kind {
	case word, number:
		return t.text
	case text:
		shown := t.text
		if len(shown) > 24 {
			shown = shown[:strings.LastIndexFunc(shown[:25], utf8.ValidRune)] + "..."
		}
		return fmt.Sprintf("the text %q", shown)
	}
	return string(t.kind)
}

// inside is the position of the byte at offset of the token's text.
func (t token) inside(offset int) syntax.Position {
	at := t.at
	at.Column++ // the quote
	for i, done := 0, 0; i < len(t.raw) && done < offset; done++ {
		n := 1
		if t.raw[i] == '\\' && escapes(t.raw[i+1:]) {
			n = 2
		}
		at = at.After(t.raw[i : i+n])
		i += n
	}
	return at
}

// escapes reports whether a backslash before rest escapes the next character:
// \\, \" and \newline are escapes, any other backslash is literal.
func escapes(rest string) bool {
	return rest != "" && (rest[0] == '\\' || rest[0] == '"' || rest[0] == '\n')
}

// lexer splits a file into tokens.
type lexer struct {
	source string
	offset int
	at     syntax.Position
}

func (l *lexer) advance(n int) string {
	s := l.source[l.offset : l.offset+n]
	l.offset += n
	l.at = l.at.After(s)
	return s
}

// next returns the next token.
func (l *lexer) next() (token, error) {
	l.skip()
	t := token{at: l.at}
	if l.offset == len(l.source) {
		t.kind = endToken
		return t, nil
	}
	rest := l.source[l.offset:]
	switch c := rest[0]; {
	case c == '"':
		return l.text()
	case isLetter(c):
		t.kind, t.text = word, l.advance(span(rest, isWord))
	case isDigit(c):
		t.kind, t.text = number, l.advance(span(rest, isDigit))
	case strings.HasPrefix(rest, "::"):
		t.kind, t.text = colons, l.advance(2)
	case strings.IndexByte("{}();.,$=", c) >= 0:
		t.kind, t.text = symbol(c), l.advance(1)
	default:
		r, _ := utf8.DecodeRuneInString(rest)
		return t, syntax.Errorf(l.at, "unexpected character %q", r)
	}
	return t, nil
}

// skip passes over blanks and comments.
func (l *lexer) skip() {
	for l.offset < len(l.source) {
		rest := l.source[l.offset:]
		switch {
		case strings.IndexByte(" \t\r\n\f\v", rest[0]) >= 0:
			l.advance(1)
		case l.offset == 0 && strings.HasPrefix(rest, "\ufeff"):
			l.offset += len("\ufeff")
		case rest[0] == '#' || strings.HasPrefix(rest, "//"):
			n := strings.IndexByte(rest, '\n')
			if n < 0 {
				n = len(rest)
			}
			l.advance(n)
		default:
			return
		}
	}
}

// text reads a text in double quotes, which may span lines.
func (l *lexer) text() (token, error) {
	t := token{kind: text, at: l.at}
	start := l.offset + 1
	var b strings.Builder
	for i := start; i < len(l.source); i++ {
		switch c := l.source[i]; {
		case c == '"':
			t.raw, t.text = l.source[start:i], b.String()
			l.advance(i + 1 - l.offset)
			return t, nil
		case c == '\\' && escapes(l.source[i+1:]):
			i++
			b.WriteByte(l.source[i])
		default:
			b.WriteByte(c)
		}
	}
	return t, syntax.Errorf(t.at, "missing closing quote")
}

func span(s string, in func(byte) bool) int {
	n := 0
	for n < len(s) && in(s[n]) {
		n++
	}
	return n
}

func isDigit(c byte) bool  { return c >= '0' && c <= '9' }
func isLetter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }
func isWord(c byte) bool   { return isLetter(c) || isDigit(c) || c == '_' }
