package plan

import (
	"fmt"
	"strconv"
	"strings"
)

// maxPoints bounds one list, so that a typing error does not make a week of trials.
const maxPoints = 10000

// MaxThreads is the largest thread count that a plan may ask for.
const MaxThreads = 100000

// Ints is a list of counts, in the order in which they are swept.
type Ints []int

// ParseInts reads a list such as "1,2,4", "10:100:10" (from 10 to 100 by 10,
// both ends included), "1:64:x2" (doubling), or a mixture of these.
func ParseInts(text string) (Ints, error) {
	var list Ints
	for _, part := range strings.Split(text, ",") {
		points, err := parsePart(strings.TrimSpace(part))
		if err != nil {
			return nil, err
		}
		list = append(list, points...)
		if len(list) > maxPoints {
			return nil, fmt.Errorf("invalid list %q: more than %d values", text, maxPoints)
		}
	}
	return list, nil
}

func parsePart(part string) (Ints, error) {
	fields := strings.Split(part, ":")
	if len(fields) == 1 {
		n, err := parseCount(part)
		return Ints{n}, err
	}
	if len(fields) != 3 {
		return nil, fmt.Errorf("invalid range %q: expected from:to:step, e.g. 10:100:10 or 1:64:x2", part)
	}
	from, err := parseCount(fields[0])
	if err != nil {
		return nil, err
	}
	to, err := parseCount(fields[1])
	if err != nil {
		return nil, err
	}
	factor := strings.HasPrefix(fields[2], "x")
	step, err := parseCount(strings.TrimPrefix(fields[2], "x"))
	if err != nil {
		return nil, err
	}
	return expandRange(part, from, to, step, factor)
}

func expandRange(part string, from, to, step int, factor bool) (Ints, error) {
	switch {
	case from > to:
		return nil, fmt.Errorf("invalid range %q: %d is more than %d", part, from, to)
	case step == 0, factor && step == 1:
		return nil, fmt.Errorf("invalid range %q: the step must be at least 1, the factor at least 2", part)
	case factor && from == 0:
		return nil, fmt.Errorf("invalid range %q: a range with a factor must start above 0", part)
	}
	var list Ints
	for n := from; n <= to; {
		if list = append(list, n); len(list) > maxPoints {
			return nil, fmt.Errorf("invalid range %q: more than %d values", part, maxPoints)
		}
		if factor {
			n *= step
		} else {
			n += step
		}
	}
	return list, nil
}

// parseCount reads an integer of 0 to a billion.
func parseCount(text string) (int, error) {
	n, err := parseInteger(text)
	switch {
	case err != nil:
	case n < 0:
		err = fmt.Errorf("invalid integer %q: must not be negative", text)
	case n > 1e9:
		err = fmt.Errorf("invalid integer %q: must be at most 1000000000", text)
	}
	return n, err
}

func (l Ints) String() string {
	parts := make([]string, len(l))
	for i, n := range l {
		parts[i] = strconv.Itoa(n)
	}
	return strings.Join(parts, ",")
}

// Max is the largest of the list, 0 when it is empty.
func (l Ints) Max() int {
	largest := 0
	for _, n := range l {
		largest = max(largest, n)
	}
	return largest
}

// Texts is a list of texts; in YAML, a single text is a list of one.
type Texts []string
