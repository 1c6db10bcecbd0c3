package workload

import "math/rand/v2"

// Draw draws an integer from a to b, both included.
type Draw func(r *rand.Rand, a, b int64) int64

// Uniform draws each number equally often.
func Uniform() Draw { return uniform }

// Zipfian draws the k-th number with a probability proportional to 1/k^exp.
func Zipfian(exp float64) Draw { return newZipf(exp).draw }
