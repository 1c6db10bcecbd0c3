package smack

import (
	"strings"

	"github.com/mysweep/mysweep/runner/plan"
)

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
