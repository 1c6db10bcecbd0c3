package plan

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// IsControl reports whether a terminal or an editor would obey a character
// instead of showing it: control characters, line separators, and what turns
// the direction of writing, by which one text can look like another.
func IsControl(r rune) bool {
	return unicode.IsControl(r) || unicode.In(r, unicode.Zl, unicode.Zp, unicode.Bidi_Control)
}

// printable says what is wrong with a name that is printed in one line of a
// report or at a terminal, "" for nothing. what is the flag or the kind of name.
func printable(what, text string) string {
	switch {
	case strings.ContainsFunc(text, IsControl):
		return fmt.Sprintf("invalid %s %s: control characters are not allowed", what, strconv.QuoteToASCII(text))
	case !utf8.ValidString(text):
		return fmt.Sprintf("invalid %s %s: not UTF-8", what, strconv.QuoteToASCII(text))
	}
	return ""
}
