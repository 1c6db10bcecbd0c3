package workload_test

import (
	"math/rand/v2"

	"github.com/mysweep/mysweep/runner/workload"
)

// declarations is a Session that only keeps what is declared.
type declarations struct {
	workload.Session
	all []workload.Statement
}

func (d *declarations) Declare(s workload.Statement) workload.Handle {
	d.all = append(d.all, s)
	return workload.Handle(len(d.all) - 1)
}
func (d *declarations) Rand() *rand.Rand { return rand.New(rand.NewPCG(1, 1)) }
