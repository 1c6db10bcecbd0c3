package load

import (
	"fmt"
	"time"
)

// answered counts a statement that was answered.
func (s *session) answered(st *statement, began, now time.Duration) {
	unchanged := s.unchanged
	s.sending, s.unchanged = false, false
	b := s.burst
	if !b.measures(began, now) {
		s.unmeasured++
		return
	}
	inTime := !b.over(now)
	s.tally.statement(st.number, now-began, inTime)
	if !inTime {
		s.late++
		return
	}
	s.last = now
	if !s.frozen && b.firstDone.Load() != 0 {
		s.freeze()
	}
	s.queries++
	if unchanged {
		s.writesOfNothing++
	}
	s.inBurst++
}

// failed counts a statement that failed; sent reports whether it was on its way, or failed before.
func (s *session) failed(st *statement, began time.Duration, err error, sent bool) error {
	s.sending = false
	f := newFault(err, s.causeOfWire())
	f.error = fmt.Errorf("%s: %w", st.label(), f.error)
	f.answered = f.answered && sent
	f.sql = st.text()
	s.fault = f
	s.countFailure(st.number, began, f)
	if (f.class == "timeout" || f.class == "aborted") && s.wire != nil {
		s.run.reaper.kill(s.victim(st))
	}
	if f.fatal {
		s.disconnect()
	}
	return f
}

// countFailure counts a fault of what began at a moment, under its statement's type (or -1). A
// fault of the ramp-up is not counted, but kept: it counts when the thread ends by it.
func (s *session) countFailure(number int, began time.Duration, f *fault) {
	s.rampUpFault = nil
	if !s.burst.measures(began, s.run.clock.now()) {
		s.rampUpFault = f
		if f.answered {
			s.unmeasured++
		}
		return
	}
	s.errors++
	if f.answered {
		s.serverErrors++
	}
	s.tally.failure(number, f)
}
