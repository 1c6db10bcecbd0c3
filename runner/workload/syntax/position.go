// Package syntax locates mistakes in the files that users write for workloads:
// .smack files and SQL.
package syntax

import (
	"fmt"
	"unicode/utf8"
)

// Position is a place in a file. Line and Column count from 1, Column in
// characters. Text without a place of its own, such as that of a plan, has
// Line 0, and File says where it comes from.
type Position struct {
	File         string
	Line, Column int
}

func (p Position) String() string {
	if p.Line == 0 {
		return p.File
	}
	return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Column)
}

// After returns the position behind the text s that begins at p.
func (p Position) After(s string) Position {
	if p.Line == 0 {
		return p
	}
	for i := range len(s) {
		switch {
		case s[i] == '\n':
			p.Line, p.Column = p.Line+1, 1
		case utf8.RuneStart(s[i]):
			p.Column++
		}
	}
	return p
}

// Error is a mistake in a user's file, and where it is.
type Error struct {
	Position
	Message string
}

func (e *Error) Error() string { return e.Position.String() + ": " + e.Message }

// Errorf returns the error at a position.
func Errorf(at Position, format string, args ...any) *Error {
	return &Error{at, fmt.Sprintf(format, args...)}
}
