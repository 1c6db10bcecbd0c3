package page

import (
	"fmt"
	"io"
	"strings"
	"text/template"

	"mysweep/charts"
	"mysweep/runner/verdict"
	"mysweep/templates"
)

// summary is what summary.txt is filled with.
type summary struct {
	Title, Word string
	Lines       []pair
	Notes       []verdict.Note
	More        int // notes that are left out
	Path        string
}

// mostNotes is how many notes a summary has; the report has all.
const mostNotes = 8

// Summary writes summary.txt, the body of a mail. Its last line is the archive's folder as the archive names it.
func Summary(w io.Writer, d *charts.Data) error {
	v := newView(d)
	s := summary{Title: v.Title, Word: d.Verdict.Answer.Subject, Path: d.Archive.Dir, Notes: d.Verdict.Notes}
	if len(s.Notes) > mostNotes {
		s.More = len(s.Notes) - mostNotes
		s.Notes = s.Notes[:mostNotes]
	}
	s.Lines = summaryLines(d, v)
	text, err := template.New("summary.txt").Funcs(template.FuncMap{"fold": fold}).Parse(templates.Summary)
	if err != nil {
		return fmt.Errorf("summary: %w", err)
	}
	if err := text.Execute(w, s); err != nil {
		return fmt.Errorf("summary: %w", err)
	}
	return nil
}

func summaryLines(d *charts.Data, v *view) []pair {
	a := d.Verdict.Answer
	what := whatInShort(d)
	lines := []pair{{Name: "what", Value: what}}
	for i, text := range v.Sub {
		lines = append(lines, pair{Name: map[bool]string{true: "when", false: "where"}[i == len(v.Sub)-1], Value: text})
	}
	for _, line := range []struct {
		name string
		verdict.Sentence
	}{{"peak", a.Rate}, {"wanted", a.Requirement}, {"knee", a.Knee}, {"latency", a.Latency}, {"limit", a.Limit}, {"before", a.Baseline}} {
		if line.Text != "" {
			lines = append(lines, pair{Name: line.name, Value: line.Text})
		}
	}
	if load := loadInShort(d.Verdict); load != "" {
		lines = append(lines, pair{Name: "load", Value: load})
	}
	for _, c := range a.Cases {
		lines = append(lines, pair{Name: "case", Value: c.Text})
	}
	return lines
}

// whatInShort says which cells were run.
func whatInShort(d *charts.Data) string {
	p := &d.Archive.Run.Plan
	labels := make([]string, len(p.Workloads))
	for i, w := range p.Workloads {
		labels[i] = w.Label()
	}
	text := fmt.Sprintf("%s; threads %s", strings.Join(labels, ", "), list(p.Threads))
	if len(p.Queries) > 0 {
		text += " × queries " + list(p.Queries)
	}
	if p.Time > 0 {
		text += " for " + span(p.Time)
	}
	if len(p.Cases) > 1 {
		text = fmt.Sprintf("%d cases of %s", len(p.Cases), text)
	}
	return text
}

// list writes numbers, the middle of a long list left out.
func list(numbers []int) string {
	texts := make([]string, len(numbers))
	for i, n := range numbers {
		texts[i] = fmt.Sprint(n)
	}
	if len(texts) > 6 {
		texts = append(append(texts[:3:3], "…"), texts[len(texts)-1])
	}
	return strings.Join(texts, ", ")
}

func loadInShort(v *verdict.Verdict) string {
	s := v.Main()
	if s == nil || s.Peak.Load == nil {
		return ""
	}
	l := s.Peak.Load
	text := fmt.Sprintf("%.2f, %.2f, %.2f over 1, 5 and 15 minutes after the peak", l.One, l.Five, l.Fifteen)
	if r := s.Peak.RunnablePerCPU; r != nil {
		text += fmt.Sprintf("; %s runnable per CPU during it", charts.Significant(r))
	}
	return text
}

// fold breaks a text at blanks after at most so many letters; further lines are indented.
func fold(width, indent int, text string) string {
	var b strings.Builder
	used := 0
	for i, word := range strings.Fields(text) {
		n := len([]rune(word))
		switch {
		case i == 0:
		case used+1+n > width-indent:
			b.WriteString("\n" + strings.Repeat(" ", indent))
			used = 0
		default:
			b.WriteByte(' ')
			used++
		}
		b.WriteString(word)
		used += n
	}
	return b.String()
}
