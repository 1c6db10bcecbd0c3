package plan

import (
	"fmt"
	"strings"
)

// Settle says what must hold before a case begins, and how long to wait for it.
// A nil condition is ignored.
type Settle struct {
	Load1 *float64 `json:"load1,omitempty"` // 1 minute load average, tasks
	Dirty *float64 `json:"dirty,omitempty"` // fraction of dirty pages in the InnoDB buffer pool
	// TimeWait is the number of sockets in TIME_WAIT.
	TimeWait *int     `json:"timewait,omitempty"`
	Timeout  Duration `json:"timeout,omitempty"`
}

// Any reports whether there is a condition.
func (s Settle) Any() bool { return s.Load1 != nil || s.Dirty != nil || s.TimeWait != nil }

// String lists the conditions in words.
func (s Settle) String() string {
	var parts []string
	if s.Load1 != nil {
		parts = append(parts, fmt.Sprintf("load average of 1 minute at most %g", *s.Load1))
	}
	if s.Dirty != nil {
		parts = append(parts, fmt.Sprintf("dirty pages at most %.4g %%", 100**s.Dirty))
	}
	if s.TimeWait != nil {
		parts = append(parts, fmt.Sprintf("sockets in TIME_WAIT at most %d", *s.TimeWait))
	}
	if len(parts) == 0 {
		return ""
	}
	return strings.Join(parts, ", ") + "; waits up to " + s.Timeout.String() + " before each case"
}

// ParseSettle reads "load1=0.5,dirty=5%,timewait=1000,timeout=10m".
func ParseSettle(text string) (Settle, error) {
	s := Settle{Timeout: Duration(600 * 1e9)}
	for _, part := range strings.Split(text, ",") {
		key, value, ok := strings.Cut(strings.TrimSpace(part), "=")
		if !ok {
			return s, fmt.Errorf("invalid condition %q: expected e.g. load1=0.5", part)
		}
		if err := s.set(key, value); err != nil {
			return s, err
		}
	}
	return s, nil
}

func (s *Settle) set(key, value string) error {
	var err error
	switch key {
	case "load1":
		s.Load1 = new(float64)
		if *s.Load1, err = parseNumber(value); err == nil && *s.Load1 < 0 {
			err = fmt.Errorf("invalid number %q: must be at least 0", value)
		}
	case "dirty":
		s.Dirty = new(float64)
		*s.Dirty, err = ParsePercent(value)
	case "timewait":
		s.TimeWait = new(int)
		*s.TimeWait, err = parseCount(value)
	case "timeout":
		if s.Timeout, err = ParseDuration(value); err == nil && s.Timeout == 0 {
			err = fmt.Errorf("invalid duration %q: must be more than 0", value)
		}
	default:
		return fmt.Errorf("unknown condition %q: expected load1, dirty, timewait or timeout", key)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", key, err)
	}
	return nil
}
