package workload

// Arg is one argument of a statement. The zero Arg is NULL.
type Arg struct {
	Form  Form
	Int   int64
	Float float64
	Text  string
}

// Form says which field of an Arg holds its value.
type Form uint8

const (
	Null Form = iota
	Integer
	Real
	Text
)

// Args are the arguments of one statement. A thread makes them once and
// refills them each round, so that a query allocates nothing.
type Args []Arg

// SetInt, SetFloat, SetText and SetNull fill argument i.
func (a Args) SetInt(i int, v int64)     { a[i] = Arg{Form: Integer, Int: v} }
func (a Args) SetFloat(i int, v float64) { a[i] = Arg{Form: Real, Float: v} }
func (a Args) SetText(i int, v string)   { a[i] = Arg{Form: Text, Text: v} }
func (a Args) SetNull(i int)             { a[i] = Arg{} }
