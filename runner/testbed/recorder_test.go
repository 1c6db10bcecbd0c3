package testbed

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mysweep/mysweep/hwinfo"
	"github.com/mysweep/mysweep/runner/result"
)

// recorder is a Reporter that keeps what it is told.
type recorder struct {
	progress []string
	notes    []result.Note
	cases    map[string]*result.Case
}

func (r *recorder) Progress(format string, args ...any) {
	r.progress = append(r.progress, fmt.Sprintf(format, args...))
}

func (r *recorder) Note(code, format string, args ...any) {
	r.notes = append(r.notes, result.Note{Code: code, Text: fmt.Sprintf(format, args...)})
}

// codes are those of the notes, in their order.
func (r *recorder) codes() string {
	var codes []string
	for _, n := range r.notes {
		codes = append(codes, n.Code)
	}
	return strings.Join(codes, " ")
}

func (r *recorder) Withdraw(n result.Note) {
	r.notes = slices.DeleteFunc(r.notes, func(other result.Note) bool { return other == n })
}

func (r *recorder) Case(name string) *result.Case {
	if r.cases == nil {
		r.cases = map[string]*result.Case{}
	}
	if r.cases[name] == nil {
		r.cases[name] = &result.Case{Name: name}
	}
	return r.cases[name]
}

func (r *recorder) Machine(*hwinfo.Facts) {}

func (r *recorder) Save() error { return nil }
