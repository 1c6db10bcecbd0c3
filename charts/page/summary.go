package page

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"text/template"

	"github.com/mysweep/mysweep/charts"
	"github.com/mysweep/mysweep/charts/words"
	"github.com/mysweep/mysweep/runner/verdict"
	"github.com/mysweep/mysweep/templates"
)

// summary is what summary.txt is filled with: about ten lines of at most 80 columns, the answer
// first. The report has the rest.
type summary struct {
	Title, Word string
	Lines       []pair
	Path        string
}

const (
	columns   = 79
	label     = 9 // columns of a line's name
	mostLines = 3 // of the note that says why the run ended early
	// Notes that a summary shows. Notes of the lowest weight are only counted.
	mostNotes = 3
	mostCases = 10
)

// plainUnits are units as plain text has them.
var plainUnits = strings.NewReplacer("µs", "us")

// Summary writes summary.txt, the body of a mail. Its last line is path, the archive's folder,
// unless that is empty.
func Summary(w io.Writer, d *charts.Data, path string) error {
	v := newView(d)
	s := summary{Title: charts.Line(v.Title), Word: d.Answer().Subject, Path: path}
	for _, line := range slices.Concat(answerLines(d), runLines(d, v), noteLines(words.Notes(d.Verdict))) {
		if line.Value != "" {
			s.Lines = append(s.Lines, pair{Name: line.Name, Value: plainUnits.Replace(charts.Line(line.Value))})
		}
	}
	text, err := template.New("summary.txt").Funcs(template.FuncMap{"fold": fold}).Parse(templates.Summary)
	if err != nil {
		return fmt.Errorf("summary: %w", err)
	}
	if err := text.Execute(w, s); err != nil {
		return fmt.Errorf("summary: %w", err)
	}
	return nil
}

// answerLines say what was reached, whether it is enough, and what limits it.
func answerLines(d *charts.Data) []pair {
	a := d.Answer()
	lines := []pair{
		{Name: "peak", Value: a.Peak.Body}, {Name: "required", Value: a.Requirement.Body},
		kneeLine(&a),
		{Name: "limit", Value: a.LimitShort},
	}
	if g := d.Verdict.Gate; g != nil && g.First() {
		lines = append(baselineLines(&a), lines...)
	} else {
		lines = append(lines, baselineLines(&a)...)
	}
	for i, c := range a.Cases {
		// "1 more case" would take as many lines as the case itself.
		if i == mostCases && len(a.Cases)-i > 1 {
			lines = append(lines, pair{Name: "", Value: fmt.Sprintf("%d more cases: see report.html", len(a.Cases)-i)})
			break
		}
		lines = append(lines, pair{Name: "case", Value: c.Text()})
	}
	return append(lines, pair{Name: "load", Value: loadInShort(d.Verdict)})
}

// baselineLines are the comparison with earlier runs.
func baselineLines(a *words.Answer) []pair {
	lines := []pair{{Name: "baseline", Value: a.Baseline.Text()}}
	for _, s := range a.More {
		lines = append(lines, pair{Value: s.Text()})
	}
	return lines
}

// runLines say what was run, where and when.
func runLines(d *charts.Data, v *view) []pair {
	note := d.Archive.Run.Plan.Note
	lines := []pair{{Name: "remark", Value: note}, {Name: "what", Value: whatInShort(d)}}
	for i, text := range v.Sub {
		if i == 0 && note != "" {
			continue // the remark
		}
		if i == len(v.Sub)-1 {
			lines = append(lines, pair{Name: "when", Value: text})
		} else {
			lines = append(lines, pair{Name: "where", Value: parts(text)})
		}
	}
	return lines
}

// noteLines returns the weightiest notes, one a line, without the one on why the run ended early.
func noteLines(notes []words.Note) []pair {
	var lines []pair
	for _, n := range notes {
		if n.Severity == verdict.Remark || len(lines) == mostNotes {
			break
		}
		name := n.Code
		// A long list of places would leave no room for the sentence.
		if n.Where != "all" && len([]rune(n.Where)) <= columns/3 {
			name += " (" + n.Where + ")"
		}
		most := 1
		if n.Code == "failed" {
			most = mostLines
		}
		lines = append(lines, pair{Value: cut(charts.Line(name+": "+n.Text), most*(columns-label))})
	}
	if more := len(notes) - len(lines); more > 0 {
		word := "more notes"
		if len(lines) == 0 {
			word = "notes"
		}
		if more == 1 {
			word = strings.TrimSuffix(word, "s")
		}
		lines = append(lines, pair{Value: fmt.Sprintf("%d %s: see report.html", more, word)})
	}
	if len(lines) > 0 {
		lines[0].Name = "notes"
	}
	return lines
}

// kneeLine says where more threads stop helping, and the latency there.
func kneeLine(a *words.Answer) pair {
	if a.Knee.Body == "" {
		return pair{Name: "latency", Value: a.Latency.Text()}
	}
	return pair{Name: "knee", Value: strings.TrimSpace(a.Knee.Body + " " + a.Latency.Text())}
}

// parts leaves out the last parts of a list, so that what is left fits a line; what stands in
// brackets is one part.
func parts(text string) string {
	end, depth := 0, 0
	for i, r := range text {
		switch r {
		case '(':
			depth++
		case ')':
			depth--
		case ',', ';':
			if depth == 0 && (end == 0 || len([]rune(text[:i])) <= columns-label) {
				end = i
			}
		}
	}
	if len([]rune(text)) <= columns-label || end == 0 {
		return text
	}
	return text[:end]
}

// cut leaves out the last words of a text that is longer than most characters.
func cut(text string, most int) string {
	letters := []rune(text)
	if len(letters) <= most {
		return text
	}
	text = string(letters[:most-4]) // the dots may become three
	if i := strings.LastIndexByte(text, ' '); i > 0 {
		text = text[:i]
	}
	return strings.TrimRight(text, ",;:") + " …"
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
	text := fmt.Sprintf("%.2f, %.2f, %.2f after the peak", l.One, l.Five, l.Fifteen)
	if r := s.Peak.RunnablePerCPU; r != nil {
		text += fmt.Sprintf("; %s runnable per CPU during it", charts.Significant(r))
	}
	return text
}

// fold breaks a text at blanks where a line is full; further lines are indented.
func fold(text string) string {
	var b strings.Builder
	used := 0
	for i, word := range strings.Fields(text) {
		n := len([]rune(word))
		switch {
		case i == 0:
		case used+1+n > columns-label:
			b.WriteString("\n" + strings.Repeat(" ", label))
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
