package load

import (
	"sync"
	"time"

	"github.com/mysweep/mysweep/runner/workload"
)

// catalogue numbers the types of statements (and of interactions) of a trial, in the order in which
// they were declared.
type catalogue struct {
	mu    sync.Mutex
	names []string
	kinds []workload.Kind
}

// number returns the type's number, a new one at its first mention.
func (c *catalogue) number(name string, kind workload.Kind) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	for i, known := range c.names {
		if known == name {
			return i
		}
	}
	c.names = append(c.names, name)
	c.kinds = append(c.kinds, kind)
	return len(c.names) - 1
}

// typeTally counts the statements (or interactions) of one type.
type typeTally struct {
	times  *times // of all that were answered, late ones included
	inTime int64  // answered before the deadline
	errors int64
}

// tally holds the counts and histograms that a group of threads shares: a loop's, or some
// goroutines'.
type tally struct {
	mu           *sync.Mutex // nil when the group runs one at a time
	types        []*typeTally
	interactions []*typeTally
	rounds       *times
	starts       *times // connects at the beginning of bursts
	reconnects   *times // those inside the clock
	errors       map[string]*errorTally
}

// errorTally counts the errors of one class.
type errorTally struct {
	code    int
	count   int64
	example string
}

func newTally() *tally {
	return &tally{rounds: newTimes(), starts: newTimes(), reconnects: newTimes(), errors: map[string]*errorTally{}}
}

func (t *tally) lock() {
	if t.mu != nil {
		t.mu.Lock()
	}
}

func (t *tally) unlock() {
	if t.mu != nil {
		t.mu.Unlock()
	}
}

// ofType finds a type's tally, making it (with its histogram) at first.
func ofType(list *[]*typeTally, number int) *typeTally {
	for len(*list) <= number {
		*list = append(*list, nil)
	}
	if (*list)[number] == nil {
		(*list)[number] = &typeTally{times: newTimes()}
	}
	return (*list)[number]
}

func (t *tally) statement(number int, took time.Duration, inTime bool) {
	t.lock()
	typ := t.types[number]
	typ.times.add(took)
	if inTime {
		typ.inTime++
	}
	t.unlock()
}

func (t *tally) round(took time.Duration) {
	t.lock()
	t.rounds.add(took)
	t.unlock()
}

func (t *tally) interaction(number int, took time.Duration, inTime, failed bool) {
	t.lock()
	typ := ofType(&t.interactions, number)
	switch {
	case failed:
		typ.errors++
	default:
		typ.times.add(took)
		if inTime {
			typ.inTime++
		}
	}
	t.unlock()
}

func (t *tally) connect(took time.Duration, atStart bool) {
	t.lock()
	if atStart {
		t.starts.add(took)
	} else {
		t.reconnects.add(took)
	}
	t.unlock()
}

// failure counts an error under its class, and under its statement's type when it has one (number
// >= 0).
func (t *tally) failure(number int, f *fault) {
	t.lock()
	defer t.unlock()
	if number >= 0 {
		t.types[number].errors++
	}
	class := t.errors[f.class]
	if class == nil {
		class = &errorTally{code: f.code, example: f.Error()}
		t.errors[f.class] = class
	}
	class.count++
}
