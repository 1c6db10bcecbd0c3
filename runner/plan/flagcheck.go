package plan

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"time"
)

// IsZero reports whether the plan has the zero value in the flag's field; a
// flag without a field is never zero.
func (f Flag) IsZero(p *Plan) bool {
	return f.Field != nil && reflect.ValueOf(f.Field(p)).Elem().IsZero()
}

// mistakes says what is wrong with the plan's value of the flag. A flag that
// was given on the command line must have an effect, even with its default.
func (f Flag) mistakes(p *Plan, given bool) []string {
	var list []string
	unset := f.Field == nil || f.Default == "" && f.IsZero(p)
	if !unset {
		list = f.wrongValues(p)
	}
	if f.Check != nil {
		if wrong := f.Check(p); wrong != "" {
			list = append(list, wrong)
		}
	}
	if f.Requires != nil && (given || !unset && !f.hasDefault(p) && !f.IsZero(p)) {
		if missing := f.Requires(p); missing != "" {
			list = append(list, fmt.Sprintf("--%s requires %s", f.Name, missing))
		}
	}
	return list
}

func (f Flag) hasDefault(p *Plan) bool {
	d := Default()
	return reflect.DeepEqual(f.Field(&d), f.Field(p))
}

func (f Flag) wrongValues(p *Plan) (list []string) {
	switch field := f.Field(p).(type) {
	case *string:
		if len(f.Choices) > 0 && !slices.Contains(f.Choices, *field) {
			list = append(list, f.invalid(strconv.Quote(*field), "expected "+f.ChoiceText()))
		}
	case *int:
		list = f.bounds(list, float64(*field), strconv.Itoa(*field))
	case *int64:
		list = f.bounds(list, float64(*field), strconv.FormatInt(*field, 10))
	case *float64:
		list = f.bounds(list, *field, strconv.FormatFloat(*field, 'g', -1, 64))
	case *Duration:
		list = f.bounds(list, field.Seconds(), time.Duration(*field).String())
	case *Ints:
		list = f.counts(*field)
	}
	return list
}

// counts checks each number of a list, and that none is there twice.
func (f Flag) counts(numbers Ints) (list []string) {
	for i, n := range numbers {
		list = f.bounds(list, float64(n), strconv.Itoa(n))
		if slices.Contains(numbers[:i], n) {
			list = append(list, fmt.Sprintf("duplicate value %d in --%s: use --repeat to run a cell several times", n, f.Name))
		}
	}
	return list
}

func (f Flag) bounds(list []string, value float64, text string) []string {
	tooLow := value < 0 || f.Positive && value == 0 || value != value
	if !tooLow && (f.Max == 0 || value <= float64(f.Max)) {
		return list
	}
	least := "0"
	if f.Positive {
		least = "1"
	}
	switch kind := f.KindOf(); {
	case f.Max > 0 && kind == Number:
		return append(list, f.invalid(text, fmt.Sprintf("must be more than 0 and at most %d", f.Max)))
	case f.Max > 0:
		return append(list, f.invalid(text, fmt.Sprintf("must be between %s and %d", least, f.Max)))
	case f.Positive && (kind == Span || kind == Percent || kind == Number):
		return append(list, f.invalid(text, "must be more than 0"))
	}
	return append(list, f.invalid(text, "must be at least "+least))
}

func (f Flag) invalid(value, expected string) string {
	return fmt.Sprintf("invalid --%s %s: %s", f.Name, value, expected)
}

// requires is a Flag.Requires that names what is missing unless met.
func requires(met func(*Plan) bool, missing string) func(*Plan) string {
	return func(p *Plan) string {
		if met(p) {
			return ""
		}
		return missing
	}
}
