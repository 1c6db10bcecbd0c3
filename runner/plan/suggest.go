package plan

import (
	"maps"
	"slices"
	"strings"
)

// Names lists the keys of a map in order, for messages.
func Names[V any](m map[string]V) string {
	return strings.Join(slices.Sorted(maps.Keys(m)), ", ")
}

// Nearest is the name that was probably meant, "" when none is near: its edit
// distance from text is at most a third of the letters.
func Nearest(text string, names []string) string {
	best, least := "", max(2, len(text)/3)+1
	for _, name := range names {
		if d := distance(text, name); d < least {
			best, least = name, d
		}
	}
	return best
}

// distance is the Levenshtein distance of two texts, in bytes.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			change := diagonal
			if a[i] != b[j] {
				change++
			}
			diagonal = row[j+1]
			row[j+1] = min(change, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}

// DidYouMean is the end of a message about an unknown name.
func DidYouMean(text string, names []string) string {
	if near := Nearest(text, names); near != "" {
		return ", did you mean " + near + "?"
	}
	return ": expected " + Enumerate(names)
}

// Enumerate lists alternatives in a sentence: "a, b or c".
func Enumerate(names []string) string {
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " or " + names[last]
}
