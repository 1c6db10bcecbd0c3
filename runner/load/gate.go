package load

import "sync"

// gate holds threads back until it is opened.
type gate struct {
	mu      sync.Mutex
	opened  bool
	waiting []place
}

// pass waits until the gate is open.
func (g *gate) pass(p place) error {
	for {
		g.mu.Lock()
		if g.opened {
			g.mu.Unlock()
			return nil
		}
		g.waiting = append(g.waiting, p)
		g.mu.Unlock()
		if err := p.wait(); err != nil {
			return err
		}
	}
}

// open lets all pass, now and later.
func (g *gate) open() {
	g.mu.Lock()
	g.opened = true
	waiting := g.waiting
	g.waiting = nil
	g.mu.Unlock()
	for _, p := range waiting {
		p.wake()
	}
}

// turnstile lets only so many threads in at a time, in the order in which they came.
type turnstile struct {
	mu      sync.Mutex
	free    int // places left
	waiting []*ticket
}

type ticket struct {
	place  place
	called bool
}

// enter waits for a place; after an error there is none to leave.
func (t *turnstile) enter(p place) error {
	t.mu.Lock()
	if t.free > 0 {
		t.free--
		t.mu.Unlock()
		return nil
	}
	mine := &ticket{place: p}
	t.waiting = append(t.waiting, mine)
	t.mu.Unlock()
	for {
		if err := p.wait(); err != nil {
			return err
		}
		t.mu.Lock()
		called := mine.called
		t.mu.Unlock()
		if called {
			return nil
		}
	}
}

// leave gives the place to the next in line.
func (t *turnstile) leave() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.waiting) == 0 {
		t.free++
		return
	}
	next := t.waiting[0]
	t.waiting = t.waiting[1:]
	next.called = true
	next.place.wake()
}
