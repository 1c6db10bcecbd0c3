package plan

import (
	"fmt"
	"strconv"
	"strings"
)

// maxPoints bounds one list, so that a slip of the finger is a message and
// not a week of trials.
const maxPoints = 10000

// MaxThreads is the largest thread count that a plan may ask for.
const MaxThreads = 100000

// Ints is a list of counts, in the order in which they are swept.
type Ints []int

// ParseInts reads a list such as "1,2,4", "10:100:10" (from 10 to 100 by 10,
// both ends included), "1:64:x2" (doubling) or a mixture.
func ParseInts(text string) (Ints, error) {
	var list Ints
	for _, part := range strings.Split(text, ",") {
		points, err := parsePart(strings.TrimSpace(part))
		if err != nil {
			return nil, err
		}
		list = append(list, points...)
		if len(list) > maxPoints {
			return nil, fmt.Errorf("%q has more than %d points", text, maxPoints)
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
		return nil, fmt.Errorf("%q is no range: write from:to:step, e.g. 10:100:10, or 1:64:x2", part)
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
		return nil, fmt.Errorf("%q is an empty range: %d is more than %d", part, from, to)
	case step == 0, factor && step == 1:
		return nil, fmt.Errorf("%q never ends: its step does not grow", part)
	case factor && from == 0:
		return nil, fmt.Errorf("%q never ends: 0 times %d is 0", part, step)
	}
	var list Ints
	for n := from; n <= to; {
		if list = append(list, n); len(list) > maxPoints {
			return nil, fmt.Errorf("%q has more than %d points", part, maxPoints)
		}
		if factor {
			n *= step
		} else {
			n += step
		}
	}
	return list, nil
}

func parseCount(text string) (int, error) {
	n, err := strconv.Atoi(text)
	if err != nil {
		return 0, fmt.Errorf("%q is no whole number", text)
	}
	if n < 0 {
		return 0, fmt.Errorf("%d is less than 0", n)
	}
	if n > 1e9 {
		return 0, fmt.Errorf("%d is more than a billion", n)
	}
	return n, nil
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

// Texts is a list of texts; in YAML a single text stands for a list of one.
type Texts []string
