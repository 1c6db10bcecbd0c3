// Package gendata generates lines of random data in a given format, like
// super-smack's gen-data. It owns the format and the generator; it knows no
// tables, runs no command and opens no file.
//
// A format is a text with these verbs:
//
//	%s  256 letters from a to y (the original never generates a z)
//	%n  the row's number, from 1
//	%d  a random integer from 0 to 2147483647
//	%%  a percent sign
//
// s, n and d take a width: N is exactly N characters (numbers are padded with
// blanks on the left), M-N is M to N-1 characters, drawn for each row, and
// exactly M when M = N.
//
// The original's usage text says "exactly N", but its code draws 0 to N-1; this
// package follows the usage text. For M-N the usage text says "between M and N",
// but the code never reaches N; this package follows the code, because such
// files are in use. The letters differ from the original's, whose unseeded
// rand() depends on the C library.
package gendata

import (
	"fmt"
	"math/rand/v2"
	"strconv"
)

const (
	// DefaultSeed is used without a seed, so that the same format always gives
	// the same file, as in the original.
	DefaultSeed = 1

	defaultLetters = 256     // the width of a plain %s
	maxWidth       = 1 << 20 // no more than a row can hold
	letters        = 'z' - 'a'
)

// Format is a parsed format.
type Format struct {
	parts []part
}

// part is a stretch of text, or one value.
type part struct {
	text     string
	verb     byte // s, n or d, 0 for text
	min, max int  // characters, max excluded unless it is min; 0, 0 when no width was given
}

// Parse parses a format. Its errors name the position of the mistake.
func Parse(format string) (Format, error) {
	var f Format
	start := 0
	for i := 0; i < len(format); {
		if format[i] != '%' {
			i++
			continue
		}
		f.addText(format[start:i])
		p, end, err := parseValue(format, i)
		if err != nil {
			return Format{}, fmt.Errorf("format %q: %w", format, err)
		}
		if p.verb == 0 {
			f.addText(p.text)
		} else {
			f.parts = append(f.parts, p)
		}
		i, start = end, end
	}
	f.addText(format[start:])
	if len(f.parts) == 0 {
		return Format{}, fmt.Errorf("format is empty: write e.g. %q", "%12-12s%n,%25-25s,%n,%d")
	}
	return f, nil
}

// addText adds text, joined to the text before it.
func (f *Format) addText(text string) {
	if text == "" {
		return
	}
	if n := len(f.parts); n > 0 && f.parts[n-1].verb == 0 {
		f.parts[n-1].text += text
		return
	}
	f.parts = append(f.parts, part{text: text})
}

// parseValue parses the verb at format[at] == '%' and returns its end.
func parseValue(format string, at int) (part, int, error) {
	var p part
	i := at + 1
	min, end, err := parseWidth(format, i)
	if err != nil {
		return p, 0, err
	}
	max, wide, ranged := min, end > i, false
	i = end
	if i < len(format) && format[i] == '-' {
		ranged = true
		if max, end, err = parseWidth(format, i+1); err != nil {
			return p, 0, err
		}
		if end == i+1 {
			return p, 0, fmt.Errorf("character %d: a number is missing after -", i+2)
		}
		i = end
	}
	if i == len(format) {
		return p, 0, fmt.Errorf("character %d: %% at the end: write %%%% for a percent sign", at+1)
	}
	switch verb := format[i]; {
	case verb == '%' && !wide && !ranged:
		p.text = "%"
	case verb != 's' && verb != 'n' && verb != 'd':
		return p, 0, fmt.Errorf("character %d: %q is none of s (letters), n (row number), d (random number)", i+1, verb)
	case min > max:
		return p, 0, fmt.Errorf("character %d: invalid width: %d is more than %d", at+1, min, max)
	default:
		p.verb, p.min, p.max = verb, min, max
	}
	return p, i + 1, nil
}

// parseWidth parses the digits at format[at:] and returns their end.
func parseWidth(format string, at int) (width, end int, err error) {
	end = at
	for end < len(format) && format[end] >= '0' && format[end] <= '9' {
		end++
	}
	if end == at {
		return 0, end, nil
	}
	width, err = strconv.Atoi(format[at:end])
	if err != nil || width > maxWidth {
		return 0, end, fmt.Errorf("character %d: width %s is above %d", at+1, format[at:end], maxWidth)
	}
	return width, end, nil
}

func (p part) width(r *rand.Rand) int {
	if p.min == p.max {
		return p.min
	}
	return p.min + r.IntN(p.max-p.min)
}
