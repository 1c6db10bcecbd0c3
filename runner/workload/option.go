package workload

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Option is one setting of a workload: a flag on the command line and a key in
// a plan.
type Option struct {
	Name    string // as the flag, e.g. "table-size"
	Usage   string
	Default string
	Form    string   // int, float, bool, text or duration
	Choices []string // if only these are right
	// Most is the maximum of an int that costs memory or time before the start; 0 means 10^12.
	Most int64
}

// Values are the options that were set. A missing one has its default.
type Values struct {
	options []Option
	set     map[string]string
	threads int
}

// ForThreads sets the highest number of threads of the sweep, for workloads
// whose tables grow with it.
func (v Values) ForThreads(most int) Values {
	v.threads = most
	return v
}

// Threads is the number set by ForThreads, 0 if unknown.
func (v Values) Threads() int { return v.threads }

// NewValues checks the names and forms of set against the options of a workload.
func NewValues(options []Option, set map[string]string) (Values, error) {
	v := Values{options: options, set: set}
	for name, text := range set {
		o, ok := v.option(name)
		if !ok {
			return v, fmt.Errorf("unknown option %s", name)
		}
		if err := o.Check(text); err != nil {
			return v, err
		}
	}
	return v, nil
}

// mostInt is the largest value of an int without a limit of its own, so that numbers of rows can be
// multiplied.
const mostInt int64 = 1e12

// forms are the forms of a value as messages name them.
var forms = map[string]string{
	"int":      "an integer, e.g. 10",
	"float":    "a number, e.g. 0.5",
	"bool":     "true or false",
	"duration": "a number with a unit, e.g. 500ms or 10s",
}

// Check returns what is wrong with the value of an option.
func (o Option) Check(text string) error {
	var err error
	switch o.Form {
	case "int":
		var n int64
		n, err = strconv.ParseInt(text, 10, 64)
		if most := cmp.Or(o.Most, mostInt); n > most {
			return fmt.Errorf("invalid %s %s: must be at most %d", o.Name, text, most)
		}
	case "float":
		var f float64
		if f, err = strconv.ParseFloat(text, 64); math.IsNaN(f) || math.IsInf(f, 0) {
			err = strconv.ErrRange
		}
	case "bool":
		_, err = parseBool(text)
	case "duration":
		_, err = time.ParseDuration(text)
	}
	if err != nil {
		return fmt.Errorf("invalid %s %q: expected %s", o.Name, text, forms[o.Form])
	}
	if len(o.Choices) > 0 && !slices.Contains(o.Choices, text) {
		return fmt.Errorf("invalid %s %q: expected one of %s", o.Name, text, strings.Join(o.Choices, ", "))
	}
	return nil
}

// parseBool takes on and off as well, as mysqld and sysbench do.
func parseBool(text string) (bool, error) {
	switch text {
	case "on", "ON":
		return true, nil
	case "off", "OFF":
		return false, nil
	}
	return strconv.ParseBool(text)
}

func (v Values) option(name string) (Option, bool) {
	i := slices.IndexFunc(v.options, func(o Option) bool { return o.Name == name })
	if i < 0 {
		return Option{}, false
	}
	return v.options[i], true
}

// Text returns an option as text, "" for one that the workload does not have.
func (v Values) Text(name string) string {
	if s, ok := v.set[name]; ok {
		return s
	}
	o, _ := v.option(name)
	return o.Default
}

// Int, Float, Bool and Duration return an option in its form. NewValues has
// checked the values that were set, so a zero can only come from a wrong default.
func (v Values) Int(name string) int64 {
	n, _ := strconv.ParseInt(v.Text(name), 10, 64)
	return n
}

func (v Values) Float(name string) float64 {
	f, _ := strconv.ParseFloat(v.Text(name), 64)
	return f
}

func (v Values) Bool(name string) bool {
	b, _ := parseBool(v.Text(name))
	return b
}

func (v Values) Duration(name string) time.Duration {
	d, _ := time.ParseDuration(v.Text(name))
	return d
}
