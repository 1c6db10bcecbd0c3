package smack

import (
	"fmt"
	"strings"
)

// Position is a place in a file. Line and Column count from 1, Column in
// characters.
type Position struct {
	File         string
	Line, Column int
}

func (p Position) String() string { return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Column) }

// Fault is what is wrong with a .smack file, and where.
type Fault struct {
	Position
	Message string
}

func (f *Fault) Error() string { return f.Position.String() + ": " + f.Message }

func faultf(at Position, format string, args ...any) *Fault {
	return &Fault{at, fmt.Sprintf(format, args...)}
}

// hint proposes the name among names that comes nearest to wrong, or lists
// them all when none does.
func hint(wrong string, names []string) string {
	best, distance := "", 1+len(wrong)/3
	for _, name := range names {
		if d := editDistance(strings.ToLower(wrong), strings.ToLower(name)); d <= distance {
			best, distance = name, d-1
		}
	}
	switch {
	case best != "":
		return fmt.Sprintf("did you mean %s?", best)
	case len(names) == 0:
		return "there are none"
	}
	return "there are " + list(names)
}

// list writes "a", "a and b" or "a, b and c".
func list(names []string) string {
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " and " + names[last]
}

// editDistance counts the letters to insert, delete or replace (Levenshtein).
func editDistance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
