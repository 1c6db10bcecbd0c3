package lua

import (
	"fmt"
	"math"
	"math/bits"

	vm "github.com/yuin/gopher-lua"
)

// bitLibrary is LuaJIT's bit library: operations on 32-bit integers, with
// signed results. http://bitop.luajit.org/semantics.html
var bitLibrary = map[string]vm.LGFunction{
	"tobit": func(l *vm.LState) int { return pushBits(l, toBits(l, 1)) },
	"bnot":  func(l *vm.LState) int { return pushBits(l, ^toBits(l, 1)) },
	"bswap": func(l *vm.LState) int { return pushBits(l, bits.ReverseBytes32(toBits(l, 1))) },
	"band":  folding(func(a, b uint32) uint32 { return a & b }),
	"bor":   folding(func(a, b uint32) uint32 { return a | b }),
	"bxor":  folding(func(a, b uint32) uint32 { return a ^ b }),
	"lshift": shifting(func(a uint32, n int) uint32 {
		return a << n
	}),
	"rshift":  shifting(func(a uint32, n int) uint32 { return a >> n }),
	"arshift": shifting(func(a uint32, n int) uint32 { return uint32(int32(a) >> n) }),
	"rol":     shifting(bits.RotateLeft32),
	"ror":     shifting(func(a uint32, n int) uint32 { return bits.RotateLeft32(a, -n) }),
	"tohex":   toHex,
}

// toBits takes a number modulo 2^32.
func toBits(l *vm.LState, arg int) uint32 {
	n := math.RoundToEven(float64(toNumber(l, arg)))
	return uint32(int64(math.Mod(n, 1<<32)))
}

func pushBits(l *vm.LState, b uint32) int {
	l.Push(vm.LNumber(int32(b)))
	return 1
}

func folding(op func(a, b uint32) uint32) vm.LGFunction {
	return func(l *vm.LState) int {
		b := toBits(l, 1)
		for arg := 2; arg <= l.GetTop(); arg++ {
			b = op(b, toBits(l, arg))
		}
		return pushBits(l, b)
	}
}

func shifting(op func(a uint32, n int) uint32) vm.LGFunction {
	return func(l *vm.LState) int { return pushBits(l, op(toBits(l, 1), int(toBits(l, 2)&31))) }
}

// toHex gives the lowest digits, 8 of them when not told otherwise; a negative
// count means capital letters.
func toHex(l *vm.LState) int {
	b, digits := toBits(l, 1), l.OptInt(2, 8)
	verb := "%0*x"
	if digits < 0 {
		digits, verb = -digits, "%0*X"
	}
	digits = min(digits, 8)
	if digits < 8 {
		b &= 1<<(4*digits) - 1
	}
	l.Push(vm.LString(fmt.Sprintf(verb, digits, b)))
	return 1
}
