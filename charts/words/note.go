package words

import (
	"fmt"
	"strings"

	"github.com/mysweep/mysweep/runner/plan"
	"github.com/mysweep/mysweep/runner/verdict"
)

// Note is a note in words.
type Note struct {
	Code     string
	Severity verdict.Severity
	Text     string // one sentence with its evidence
	Where    string // "all", machines, cases, or cells, e.g. "1-4 threads × 10"
	Trials   int
}

// Notes are the notes of a verdict in words, in its order.
func Notes(v *verdict.Verdict) []Note {
	list := make([]Note, len(v.Notes))
	for i := range v.Notes {
		n := &v.Notes[i]
		list[i] = Note{n.Code, n.Severity, NoteText(n), n.Scope, n.Trials}
		if n.Scope == "" {
			cells := map[plan.Cell]bool{}
			for _, c := range n.Cells {
				cells[c] = true
			}
			list[i].Where = where(v.Sweeps, cells)
		}
	}
	return list
}

// NoteText is the sentence of a note: the one that its run stored, or the one of noteSentences that
// takes as many figures as the note has.
func NoteText(n *verdict.Note) string {
	if n.Text != "" {
		return n.Text
	}
	figures := make([]any, len(n.Figures))
	for i, f := range n.Figures {
		figures[i] = noteFigure(f)
	}
	for _, s := range noteSentences[n.Code] {
		if strings.Count(s, "%s") == len(figures) {
			return fmt.Sprintf(s, figures...)
		}
	}
	return meanings[n.Code]
}

// noteFigure writes one figure of a note.
func noteFigure(f any) string {
	switch f := f.(type) {
	case verdict.Seconds:
		return Span(float64(f))
	case verdict.Share:
		return Percent(float64(f))
	case verdict.Bytes:
		return Size(float64(f))
	case verdict.Count:
		return Count(float64(f))
	case verdict.Number:
		return Significant(float64(f))
	case verdict.Change:
		return Change(float64(f))
	case verdict.Counted:
		return Plural(f.N, f.Thing)
	case verdict.Role:
		return of(string(f))
	case verdict.Errors:
		return errorClasses(f)
	case verdict.Name:
		if f == "" {
			return "no reason was recorded"
		}
		return string(f)
	}
	return fmt.Sprint(f)
}

// errorClasses lists the first three classes of errors with their counts.
func errorClasses(list verdict.Errors) string {
	var parts []string
	for i, e := range list {
		if i == 3 {
			parts = append(parts, "others")
			break
		}
		parts = append(parts, Count(float64(e.Count))+" × "+e.Class)
	}
	if len(parts) == 0 {
		return ""
	}
	return ": " + strings.Join(parts, ", ")
}
