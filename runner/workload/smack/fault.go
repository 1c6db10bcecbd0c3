package smack

import (
	"fmt"
	"strings"

	"github.com/mysweep/mysweep/runner/plan"
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

// hint is the end of a message about an unknown name.
func hint(wrong string, names []string) string {
	if len(names) == 0 {
		return ": there are none"
	}
	return plan.DidYouMean(wrong, names)
}

// list writes "a", "a and b" or "a, b and c".
func list(names []string) string {
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " and " + names[last]
}
