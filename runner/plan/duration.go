package plan

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"
)

// Duration is a span of time. Its text form is that of Go: a number with a
// unit, such as 500ms or 1m30s.
type Duration time.Duration

// ParseDuration reads a span of 0 to 365 days, such as "500ms", "30s" or "2h".
// A number without a unit is an error, since a reader may take 500 for
// milliseconds where a program takes it for seconds; only 0 needs none.
func ParseDuration(text string) (Duration, error) {
	d, err := time.ParseDuration(strings.TrimSpace(text))
	switch {
	case err != nil:
		return 0, fmt.Errorf("invalid duration %q: expected a number with a unit, e.g. 500ms or 10s", text)
	case d < 0 || d > 365*24*time.Hour:
		return 0, fmt.Errorf("invalid duration %q: must be between 0 and 8760h", text)
	}
	return Duration(d), nil
}

func (d Duration) String() string { return time.Duration(d).String() }

// Seconds is d in seconds.
func (d Duration) Seconds() float64 { return time.Duration(d).Seconds() }

// MarshalJSON writes d as a text.
func (d Duration) MarshalJSON() ([]byte, error) { return json.Marshal(d.String()) }

// UnmarshalJSON reads what MarshalJSON wrote.
func (d *Duration) UnmarshalJSON(b []byte) error {
	var text string
	if err := json.Unmarshal(b, &text); err != nil {
		return err
	}
	parsed, err := ParseDuration(text)
	*d = parsed
	return err
}
