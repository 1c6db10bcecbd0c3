package lua

import (
	"math/bits"

	vm "github.com/yuin/gopher-lua"
)

// randLibrary is sysbench.rand. The numbers come from the thread's generator,
// which is seeded by plan, trial and thread; the distributions are those of
// the built-in workloads.
func (in *instance) randLibrary() *vm.LTable {
	l := in.state
	library := l.NewTable()
	for _, name := range []string{"default", "uniform", "gaussian", "special", "pareto", "zipfian"} {
		l.SetField(library, name, l.NewFunction(in.drawn(name)))
	}
	for name, f := range map[string]vm.LGFunction{
		"uniform_uint64": func(l *vm.LState) int { l.Push(vm.LNumber(in.rand.Uint64())); return 1 },
		"uniform_double": func(l *vm.LState) int { l.Push(vm.LNumber(in.rand.Float64())); return 1 },
		"unique":         in.unique,
		"string": func(l *vm.LState) int {
			l.Push(vm.LString(in.appendTemplate(nil, l.CheckString(1))))
			return 1
		},
		"varstring":      func(l *vm.LState) int { return in.varString(l, '0', 'z') },
		"varstringalpha": func(l *vm.LState) int { return in.varString(l, 'a', 'z') },
	} {
		l.SetField(library, name, l.NewFunction(f))
	}
	return library
}

// drawn is a function that draws from a distribution.
func (in *instance) drawn(name string) vm.LGFunction {
	draw := in.draws[name]
	return func(l *vm.LState) int {
		low, high := interval(l)
		l.Push(vm.LNumber(draw(in.rand, low, high)))
		return 1
	}
}

// interval are the bounds that a distribution is asked for. Without any it is
// all of 32 bits.
func interval(l *vm.LState) (low, high int64) {
	low, high = 0, 1<<32-1
	if l.Get(1) != vm.LNil {
		low = int64(toNumber(l, 1))
	}
	if l.Get(2) != vm.LNil {
		high = int64(toNumber(l, 2))
	}
	if high < low {
		l.RaiseError("random number from an empty interval: %d to %d", low, high)
	}
	return low, high
}

// unique draws without repetition over all threads of a trial, until the
// interval is used up.
func (in *instance) unique(l *vm.LState) int {
	low, high := interval(l)
	l.Push(vm.LNumber(low + int64(permuted(in.script.unique.Add(1)-1, uint64(high-low)+1))))
	return 1
}

// permuted is the place of number i in a pseudo-random permutation of 0..n-1.
// A bijection of the next power of two, of multiplications by odd numbers and
// xor-shifts, is applied until the value falls below n ("cycle walking": J.
// Black and P. Rogaway, Ciphers with Arbitrary Finite Domains, CT-RSA 2002).
func permuted(i, n uint64) uint64 {
	i %= n
	width := max(bits.Len64(n-1), 1)
	mask := uint64(1)<<width - 1
	for {
		for range 2 {
			i = i * 0x9e3779b97f4a7c15 & mask
			i ^= i >> (width/2 + 1)
			i = i * 0xbf58476d1ce4e5b9 & mask
			i ^= i >> (width/2 + 1)
		}
		if i < n {
			return i
		}
	}
}

// appendTemplate appends a template with a digit for each # and a small letter
// for each @.
func (in *instance) appendTemplate(out []byte, template string) []byte {
	var random uint64
	left := 0
	for i := 0; i < len(template); i++ {
		c := template[i]
		if c != '#' && c != '@' {
			out = append(out, c)
			continue
		}
		if left == 0 { // one number is good for several characters
			random, left = in.rand.Uint64(), 8
		}
		if c == '#' {
			out = append(out, '0'+byte(random&0xff*10>>8))
		} else {
			out = append(out, 'a'+byte(random&0xff*26>>8))
		}
		random, left = random>>8, left-1
	}
	return out
}

// varString pushes a text of characters from first to last, of a length within an interval.
func (in *instance) varString(l *vm.LState, first, last byte) int {
	low, high := interval(l)
	if high > 16<<20 {
		l.RaiseError("random text of up to %d bytes: at most 16 MiB", high)
	}
	text := make([]byte, low+in.rand.Int64N(high-low+1))
	for i := range text {
		text[i] = first + byte(in.rand.IntN(int(last-first)+1))
	}
	l.Push(vm.LString(text))
	return 1
}
