package charts

import "testing"

func TestPlain(t *testing.T) {
	for _, c := range []struct{ why, text, plain, line string }{
		{"words", "Lesen: 4 µs, 夜", "Lesen: 4 µs, 夜", "Lesen: 4 µs, 夜"},
		{"a colour", "a\x1b[31mb", `a\x1b[31mb`, `a\x1b[31mb`},
		{"a colour in one character", "a\u009b31mb", `a\u009b31mb`, `a\u009b31mb`},
		{"what overwrites the line", "good\rbad\b", `good\rbad\b`, `good\rbad\b`},
		{"writing turned round", "a\u202eb", `a\u202eb`, `a\u202eb`},
		{"lines and columns", "a\n\tb\r\nc", "a\n\tb\\r\nc", "a  b c"},
	} {
		if got := Plain(c.text); got != c.plain {
			t.Errorf("%s: Plain(%q) = %q; want %q", c.why, c.text, got, c.plain)
		}
		if got := Line(c.text); got != c.line {
			t.Errorf("%s: Line(%q) = %q; want %q", c.why, c.text, got, c.line)
		}
	}
}
