package plan

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Flag is one setting: a flag on the command line, and a key in plan files,
// where its name has _ for -. What is known of a setting is said here once:
// the parser, the plan's defaults and checks, the help, the document of all
// keys and the JSON schema are made of it.
type Flag struct {
	Name  string
	Short string // the letter of the short form, "" for none
	Group Group  // heading of the help
	// Common flags are shown by --help, the others by --help-all only.
	Common bool
	// Tables says which of prepare and cleanup obey the flag; run and plan obey all.
	Tables TableCommand

	Arg  string // placeholder of the value in the help, by default one for its kind
	Help string // noun phrase or imperative, without the default and the choices
	// Default is what a plan has that does not set the flag, written as on the
	// command line. Where that depends on other settings it is "", and Unset
	// describes it.
	Default, Unset string

	// Field is the part of a plan that the flag sets. Its type decides how the
	// text is read, and whether it has a unit, see Kind. It is nil for a flag
	// that has Set, or that is no part of a plan.
	Field func(*Plan) any
	Set   func(p *Plan, text string) error // in place of Field: reads the text itself
	// Kind is the kind of the value where the type of the field does not determine it.
	Kind Kind
	// Repeatable flags may be given several times.
	Repeatable bool

	Choices  []string // the only texts allowed
	Positive bool     // 0 is refused
	Max      int      // largest number allowed, 0 for no limit
	// Check says what is wrong with the plan's value, "" for nothing.
	Check func(*Plan) string
	// Requires names what a plan lacks for the flag to have an effect, with the
	// reason; "" when nothing is missing.
	Requires func(*Plan) string

	// Alternatives names the set of settings that a flag on the command line
	// takes the place of in a plan file.
	Alternatives Alternatives
	Role         Role
	// Secret settings may hold a password, or name what does. An archive does
	// not have them, so a run that is resumed needs them again.
	Secret bool
}

// Kind is the kind of a setting's value.
type Kind int

// The kinds. A duration and a percentage need a unit.
const (
	Text Kind = iota
	Switch
	Integer
	Number
	Span    // Duration: 500ms, 10s
	Percent // 5%, kept as the fraction 0.05
	Counts  // Ints: 1,2,10:100:10
	Limits  // Settle: load1=0.5,dirty=5%
)

// Group is a heading of the help.
type Group string

// The groups, in the order of the help.
const (
	GroupServer   Group = "Server"
	GroupSweep    Group = "Sweep"
	GroupWorkload Group = "Workload"
	GroupAnswer   Group = "Answer"
	GroupOutput   Group = "Output"
	GroupPrivate  Group = "Private server"
	GroupAdvanced Group = "Advanced"
)

// Groups lists the groups in the order of the help.
func Groups() []Group {
	return []Group{GroupServer, GroupSweep, GroupWorkload, GroupAnswer, GroupOutput, GroupPrivate, GroupAdvanced}
}

// TableCommand is a set of the commands that work on tables alone.
type TableCommand int

// The commands.
const (
	Prepare TableCommand = 1 << iota
	Cleanup
)

// Alternatives are settings of which the command line's replace the file's.
type Alternatives int

// The sets: what ends a trial, and the workloads.
const (
	Ends Alternatives = iota + 1
	WorkloadNames
)

// Role is what a setting says of the server.
type Role int

// The roles.
const (
	RoleAddress Role = iota + 1 // where an existing server is
	RoleLogin                   // how to log in there; a case's server takes it over from the plan
	RoleMachine                 // the machine of an existing server
	RolePrivate                 // how a private server is made
)

// FlagNamed is the flag of a name, which must exist.
func FlagNamed(name string) Flag {
	flags := Flags()
	return flags[slices.IndexFunc(flags, func(f Flag) bool { return f.Name == name })]
}

// Key is the flag's key in plan files.
func (f Flag) Key() string { return strings.ReplaceAll(f.Name, "-", "_") }

// KindOf is the kind of the flag's value.
func (f Flag) KindOf() Kind {
	if f.Kind != Text || f.Field == nil {
		return f.Kind
	}
	switch f.Field(&Plan{}).(type) {
	case *bool:
		return Switch
	case *int, *int64, *uint64:
		return Integer
	case *float64:
		return Number
	case *Duration:
		return Span
	case *Ints:
		return Counts
	case *Settle, *LoadLimits:
		return Limits
	}
	return Text
}

// Many reports whether the flag may be given several times.
func (f Flag) Many() bool {
	if f.Repeatable || f.Field == nil {
		return f.Repeatable
	}
	_, list := f.Field(&Plan{}).(*Texts)
	return list
}

// Apply gives the plan the value that text stands for. The error says what is
// wrong with the text and does not name the flag.
func (f Flag) Apply(p *Plan, text string) error {
	if f.Set != nil {
		return f.Set(p, text)
	}
	if err := f.parse(p, text); err != nil {
		return err
	}
	if f.Positive && f.Default == "" && f.IsZero(p) && f.KindOf() != Text {
		if f.Max > 0 && f.KindOf() != Number {
			return fmt.Errorf("invalid value %q: must be between 1 and %d", text, f.Max)
		}
		return fmt.Errorf("invalid value %q: must be more than 0", text)
	}
	return nil
}

func (f Flag) parse(p *Plan, text string) (err error) {
	switch field := f.Field(p).(type) {
	case *string:
		*field = f.canonical(text)
	case *Texts:
		*field = append(*field, text)
	case *bool:
		if *field, err = strconv.ParseBool(text); err != nil {
			err = fmt.Errorf("invalid value %q: expected true or false", text)
		}
	case *int:
		*field, err = parseInteger(text)
	case *int64:
		var n int
		n, err = parseInteger(text)
		*field = int64(n)
	case *uint64:
		if *field, err = strconv.ParseUint(text, 10, 64); err != nil {
			err = fmt.Errorf("invalid integer %q: expected 0 or more", text)
		}
	case *float64:
		if f.Kind == Percent {
			*field, err = ParsePercent(text)
		} else {
			*field, err = parseNumber(text)
		}
	case *Duration:
		*field, err = ParseDuration(text)
	case *Ints:
		*field, err = ParseInts(text)
	case *Settle:
		*field, err = ParseSettle(text)
	case *LoadLimits:
		*field, err = ParseLoadLimits(text)
	default:
		err = fmt.Errorf("--%s: no parser for %T", f.Name, field)
	}
	return err
}

// Reset empties a setting that the flag would otherwise add to.
func (f Flag) Reset(p *Plan) {
	if f.Alternatives == WorkloadNames {
		p.Clear(WorkloadNames)
	} else if f.Field != nil && f.Many() {
		*f.Field(p).(*Texts) = nil
	}
}

// canonical is text as it is in Choices, which are compared without regard
// to case, and - and _ alike, as the mysql client does.
func (f Flag) canonical(text string) string {
	fold := func(s string) string { return strings.ReplaceAll(strings.ToLower(s), "_", "-") }
	if i := slices.IndexFunc(f.Choices, func(c string) bool { return fold(c) == fold(text) }); i >= 0 {
		return f.Choices[i]
	}
	return text
}

// ChoiceText lists the choices for a sentence: "a, b or c".
func (f Flag) ChoiceText() string { return Enumerate(f.Choices) }
