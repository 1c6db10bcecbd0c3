package verdict

import (
	"cmp"
	"slices"

	"github.com/mysweep/mysweep/runner/plan"
	"github.com/mysweep/mysweep/runner/result"
)

// Severity says what a note does to the figures.
type Severity int

// The severities, the weightiest last.
const (
	Remark  Severity = iota // tells what the figures are about
	Caution                 // weakens the figures
	Fault                   // figures are missing, wrong or only a bound
)

func (s Severity) String() string {
	switch s {
	case Fault:
		return "fault"
	case Caution:
		return "caution"
	}
	return "remark"
}

// Note is a warning with where it holds.
type Note struct {
	Code     string
	Severity Severity
	Figures  []any  // evidence, the worst of all places: Count, Share, Seconds, ...
	Text     string // the sentence where the run stored one; charts/words makes the others
	Scope    string // "all", or machines or cases; empty when it holds in Cells
	Cells    []plan.Cell
	Trials   int // trials that have it; 0 when it is one of the run or of a case
}

// finding is a note on a trial, a cell, a case or the run.
type finding struct {
	code    string
	weight  float64 // of several, the figures of the heaviest are shown
	figures []any
	text    string // as the run stored it
}

// TrialNotes returns the notes on one trial: those that the run stored and those that follow from
// the trial's evidence, each code once.
func TrialNotes(run *result.Run, t *result.Trial) []Note {
	var notes []Note
	seen := map[string]bool{}
	for _, f := range findings(run, t) {
		if !seen[f.code] {
			seen[f.code] = true
			notes = append(notes, Note{Code: f.code, Severity: severityOf(f.code), Figures: f.figures, Text: f.text})
		}
	}
	return notes
}

// findings returns all findings on one trial; a code may occur more than once.
func findings(run *result.Run, t *result.Trial) []finding {
	l := trialNotes{run: run, trial: t, caseInfo: caseOf(run, t.Case)}
	for _, n := range t.Evidence.Notes {
		l.found = append(l.found, finding{code: n.Code, text: n.Text})
	}
	if t.Measure.Elapsed <= 0 {
		return l.found // nothing was measured
	}
	l.load()
	l.machines()
	l.server()
	return l.found
}

// trialNotes collects the findings on one trial.
type trialNotes struct {
	run      *result.Run
	trial    *result.Trial
	caseInfo *result.Case // nil when its server was never open
	found    []finding
}

func (l *trialNotes) say(code string, weight float64, figures ...any) {
	l.found = append(l.found, finding{code, weight, figures, ""})
}

// noteList collects findings by code.
type noteList struct {
	sweeps  []Sweep
	entries map[string]*entry
	// ownStorage says that cases have facts of their own data directory.
	ownStorage bool
}

type entry struct {
	finding
	cells  map[plan.Cell]bool
	trials int
	where  string // instead of cells
	set    bool   // the finding has been set
}

func (b *noteList) add(f finding) *entry {
	e := b.entries[f.code]
	if e == nil {
		e = &entry{cells: map[plan.Cell]bool{}}
		b.entries[f.code] = e
	}
	if !e.set || f.weight > e.weight {
		e.finding, e.set = f, true
	}
	return e
}

// trial adds the findings on one trial.
func (b *noteList) trial(t *result.Trial, findings []finding) {
	seen := map[string]bool{}
	for _, f := range findings {
		e := b.add(f)
		e.cells[cellOf(t)] = true
		if !seen[f.code] {
			e.trials++
		}
		seen[f.code] = true
	}
}

// cell adds the findings on a cell as a whole.
func (b *noteList) cell(c *Cell, findings []finding) {
	for _, f := range findings {
		e := b.add(f)
		e.cells[c.Cell] = true
		e.trials += c.Trials()
	}
}

// whole writes down what holds for the run (where is "all") or for a case.
func (b *noteList) whole(where string, f finding) {
	e := b.add(f)
	switch {
	case e.where == "":
		e.where = where
	case e.where != where && e.where != "all":
		e.where += ", " + where
	}
}

// notes are the entries, the weightiest first, then in the order of the
// catalogue, then by code.
func (b *noteList) notes() []Note {
	order := map[string]int{}
	severity := map[string]Severity{}
	for i, c := range Catalogue() {
		order[c.Code], severity[c.Code] = i+1, c.Severity
	}
	var list []Note
	for code, e := range b.entries {
		n := Note{Code: code, Severity: Caution, Figures: e.figures, Text: e.finding.text, Trials: e.trials, Scope: e.where}
		if order[code] > 0 {
			n.Severity = severity[code]
		}
		for i := range b.sweeps {
			for _, c := range b.sweeps[i].Cells {
				if e.cells[c.Cell] {
					n.Cells = append(n.Cells, c.Cell)
				}
			}
		}
		list = append(list, n)
	}
	last := len(order) + 1
	place := func(n Note) int {
		if order[n.Code] == 0 {
			return last
		}
		return order[n.Code]
	}
	slices.SortFunc(list, func(a, b Note) int {
		return cmp.Or(cmp.Compare(b.Severity, a.Severity), cmp.Compare(place(a), place(b)), cmp.Compare(a.Code, b.Code))
	})
	return list
}

// codesOf are the codes of the notes on some trials, each once.
func codesOf(a *result.Archive, trials []*result.Trial) []string {
	var codes []string
	for _, t := range a.FullOf(trials) {
		for _, n := range TrialNotes(&a.Run, t) {
			codes = append(codes, n.Code)
		}
	}
	slices.Sort(codes)
	return slices.Compact(codes)
}

// writeNotes gathers the notes of a run and sets the codes of each cell.
func writeNotes(a *result.Archive, trials []*result.Trial, sweeps []Sweep) []Note {
	b := noteList{sweeps: sweeps, entries: map[string]*entry{}, ownStorage: ownStorage(&a.Run)}
	for t := range a.Full() {
		b.trial(t, findings(&a.Run, t))
		b.trial(t, outcome(t))
	}
	for i := range sweeps {
		for j := range sweeps[i].Cells {
			c := &sweeps[i].Cells[j]
			b.cell(c, lookAtCell(c))
		}
	}
	b.run(a, trials)
	for i := range sweeps {
		for j := range sweeps[i].Cells {
			c := &sweeps[i].Cells[j]
			for code, e := range b.entries {
				if e.cells[c.Cell] {
					c.Notes = append(c.Notes, code)
				}
			}
			slices.Sort(c.Notes)
		}
		if c := sweeps[i].Again; c != nil {
			c.Notes = codesOf(a, c.trials)
		}
	}
	return b.notes()
}
