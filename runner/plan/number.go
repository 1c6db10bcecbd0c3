package plan

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// ParsePercent reads a percentage of at least 0, such as "5%", and returns it
// as a fraction (0.05). A number without the sign is an error, since 5 could
// mean 5 % as well as five times; only 0 needs none.
func ParsePercent(text string) (float64, error) {
	number, ok := strings.CutSuffix(strings.TrimSpace(text), "%")
	f, err := parseNumber(number)
	if err != nil || f < 0 || !ok && f != 0 {
		return 0, fmt.Errorf("invalid percentage %q: expected a number with a percent sign, e.g. 5%%", text)
	}
	return f / 100, nil
}

// parseNumber reads a finite number.
func parseNumber(text string) (float64, error) {
	f, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
	if err != nil || math.IsNaN(f) || math.IsInf(f, 0) {
		return 0, fmt.Errorf("invalid number %q: expected e.g. 2.5", text)
	}
	return f, nil
}

// parseInteger reads a whole number.
func parseInteger(text string) (int, error) {
	n, err := strconv.Atoi(strings.TrimSpace(text))
	if err != nil {
		return 0, fmt.Errorf("invalid integer %q: expected e.g. 10", text)
	}
	return n, nil
}
