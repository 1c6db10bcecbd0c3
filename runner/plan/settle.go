package plan

import (
	"fmt"
	"strconv"
	"strings"
)

// Settle says what must have come to rest before a case, and how long to
// wait for it. A nil condition is not waited for.
type Settle struct {
	Load1    *float64 `json:"load1,omitempty"`    // load average of a minute
	Dirty    *float64 `json:"dirty,omitempty"`    // share of InnoDB's pages that are dirty
	TimeWait *int     `json:"timewait,omitempty"` // sockets in TIME_WAIT
	Timeout  Duration `json:"timeout,omitempty"`
}

// Any reports whether anything is waited for.
func (s Settle) Any() bool { return s.Load1 != nil || s.Dirty != nil || s.TimeWait != nil }

// ParseSettle reads "load1=0.5,dirty=5%,timewait=1000,timeout=10m".
func ParseSettle(text string) (Settle, error) {
	s := Settle{Timeout: Duration(600 * 1e9)}
	for _, part := range strings.Split(text, ",") {
		key, value, ok := strings.Cut(strings.TrimSpace(part), "=")
		if !ok {
			return s, fmt.Errorf("%q is no condition: write e.g. load1=0.5", part)
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
		s.Load1, err = parseShare(value)
	case "dirty":
		s.Dirty, err = parseShare(value)
	case "timewait":
		var n int
		n, err = parseCount(value)
		s.TimeWait = &n
	case "timeout":
		s.Timeout, err = ParseDuration(value)
	default:
		return fmt.Errorf("unknown condition %q: there are load1, dirty, timewait and timeout", key)
	}
	return err
}

// parseShare reads "0.05" or "5%".
func parseShare(text string) (*float64, error) {
	number, percent := strings.CutSuffix(text, "%")
	f, err := strconv.ParseFloat(number, 64)
	if err != nil || f < 0 {
		return nil, fmt.Errorf("%q is no number", text)
	}
	if percent {
		f /= 100
	}
	return &f, nil
}
