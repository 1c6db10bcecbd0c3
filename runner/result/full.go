package result

import (
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"
	"slices"

	"github.com/mysweep/mysweep/runner/result/folder"
)

// Brief is the trial without what grows with its length and with the number of devices, threads
// and types of statements: samples, counters, CPUs, rounds of each thread, types. Its own
// distributions keep their histograms, for merging.
func (t *Trial) Brief() Trial {
	brief := *t
	m, e := &brief.Measure, &brief.Evidence
	m.Types, m.Interactions, m.Rounds, m.Busy = nil, nil, nil, nil
	m.Client.Lag.Histogram = ""
	e.Status, e.ServerSamples, e.Lag = nil, nil, nil
	e.Client, e.Server = e.Client.brief(), e.Server.brief()
	return brief
}

func (m *Machine) brief() *Machine {
	if m == nil {
		return nil
	}
	brief := *m
	brief.CPUs, brief.Values, brief.Samples = nil, nil, nil
	return &brief
}

// readTrials reads the journal into brief trials.
func (a *Archive) readTrials(journal io.Reader) (err error) {
	var spans []span
	a.names = &SampledNames{}
	a.Torn, err = readJournal(journal, func(t *Trial, at span) {
		a.names.add(t)
		a.Trials, spans = append(a.Trials, t.Brief()), append(spans, at)
	})
	kept := latest(a.Trials)
	trials := make([]Trial, len(kept)) // superseded ones are let go
	a.spans = make([]span, len(kept))
	for i, at := range kept {
		trials[i], a.spans[i] = a.Trials[at], spans[at]
	}
	a.Trials = trials
	return err
}

// Full gives each of Trials in full, one at a time, in their order. An archive that was read reads
// its journal again; when that fails the sequence ends, and Err has the reason.
func (a *Archive) Full() iter.Seq[*Trial] {
	return a.full(func(int) bool { return true })
}

// FullOf gives some of Trials in full.
func (a *Archive) FullOf(trials []*Trial) []*Trial {
	return slices.Collect(a.full(func(i int) bool { return slices.Contains(trials, &a.Trials[i]) }))
}

// Err is the first error that ended a sequence of Full.
func (a *Archive) Err() error { return a.err }

func (a *Archive) full(wanted func(i int) bool) iter.Seq[*Trial] {
	return func(yield func(*Trial) bool) {
		var journal *os.File
		for i := range a.Trials {
			if !wanted(i) {
				continue
			}
			t := &a.Trials[i]
			if a.spans != nil {
				var err error
				if journal == nil {
					if journal, err = a.openJournal(); err == nil {
						defer journal.Close()
					}
				}
				if err == nil {
					t, err = readTrial(journal, a.spans[i])
				}
				if err != nil {
					a.fail(err)
					return
				}
			}
			if !yield(t) {
				return
			}
		}
	}
}

func (a *Archive) fail(err error) {
	if a.err == nil {
		a.err = fmt.Errorf("%s changed while it was read: %w", filepath.Join(a.Dir, JournalFile), err)
	}
}

func (a *Archive) openJournal() (*os.File, error) {
	f, err := folder.Open(a.Dir)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return f.OpenFile(JournalFile, os.O_RDONLY, 0)
}

func readTrial(journal io.ReaderAt, at span) (*Trial, error) {
	line := make([]byte, at.length)
	if _, err := journal.ReadAt(line, at.offset); err != nil {
		return nil, err
	}
	return parseTrial(line)
}

// SampledNames are the names of all that was sampled in the course of an archive's trials.
type SampledNames struct {
	Values map[string]bool // of machines, see Sample.Values
	Status map[string]bool // of the server, see ServerSample.Status
	Lag    bool            // replicas were asked for theirs
}

// Names are the names of all that was sampled.
func (a *Archive) Names() *SampledNames {
	if a.spans != nil {
		return a.names
	}
	names := &SampledNames{}
	for i := range a.Trials {
		names.add(&a.Trials[i])
	}
	return names
}

func (n *SampledNames) add(t *Trial) {
	e := &t.Evidence
	for _, m := range []*Machine{e.Client, e.Server} {
		if m == nil {
			continue
		}
		for _, s := range m.Samples {
			addKeys(&n.Values, s.Values)
		}
	}
	for _, s := range e.ServerSamples {
		addKeys(&n.Status, s.Status)
	}
	n.Lag = n.Lag || len(e.Lag) > 0
}

func addKeys(names *map[string]bool, values map[string]float64) {
	if *names == nil {
		*names = map[string]bool{}
	}
	for name := range values {
		(*names)[name] = true
	}
}
