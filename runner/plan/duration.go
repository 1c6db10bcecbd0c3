package plan

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Duration is a time span, written as Go does ("500ms", "1m30s"); a bare
// number is seconds.
type Duration time.Duration

// ParseDuration reads "500ms", "30s", "2h" or a bare number of seconds.
func ParseDuration(text string) (Duration, error) {
	text = strings.TrimSpace(text)
	if seconds, err := strconv.ParseFloat(text, 64); err == nil {
		return checkDuration(text, time.Duration(seconds*float64(time.Second)))
	}
	d, err := time.ParseDuration(text)
	if err != nil {
		return 0, fmt.Errorf("%q is no time span: write e.g. 500ms, 30s or 2h", text)
	}
	return checkDuration(text, d)
}

func checkDuration(text string, d time.Duration) (Duration, error) {
	if d < 0 || d > 365*24*time.Hour {
		return 0, fmt.Errorf("%q is no sensible time span", text)
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

// MarshalYAML writes d as a text.
func (d Duration) MarshalYAML() (any, error) { return d.String(), nil }
