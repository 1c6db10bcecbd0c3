package words

import (
	"fmt"
	"strings"

	"github.com/mysweep/mysweep/runner/result"
	"github.com/mysweep/mysweep/runner/verdict"
)

// Difference names a difference with both values.
func Difference(d verdict.Difference) string {
	if d.Base == "" && d.New == "" {
		return d.What
	}
	return fmt.Sprintf("%s: %s against %s", d.What, orUnset(d.Base), orUnset(d.New))
}

// Variation names a difference as what became of the base's value.
func Variation(d verdict.Difference) string {
	if d.Base == "" && d.New == "" {
		return d.What
	}
	return fmt.Sprintf("%s %s -> %s", strings.TrimPrefix(d.What, "variable "), orUnset(d.Base), orUnset(d.New))
}

func orUnset(text string) string {
	if text == "" {
		return "nothing"
	}
	return text
}

// Baseline is a baseline as a run archives it, with its differences in words.
func Baseline(s *verdict.Baseline) result.Baseline {
	b := s.Baseline
	for _, d := range s.Differences {
		if d.Asked {
			b.Varied = append(b.Varied, Variation(d))
		} else {
			b.Differences = append(b.Differences, Difference(d))
		}
	}
	return b
}
