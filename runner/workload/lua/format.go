package lua

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	vm "github.com/yuin/gopher-lua"
)

// format is string.format as C and LuaJIT have it. The interpreter's own
// follows Go's verbs: it lacks %u and prints %s of a table without asking
// __tostring. Scripts build every statement with it, so it is short on
// allocations.
func format(l *vm.LState) int {
	pattern := l.CheckString(1)
	out := make([]byte, 0, len(pattern)+32)
	arg := 1
	for i := 0; i < len(pattern); i++ {
		c := pattern[i]
		if c != '%' {
			out = append(out, c)
			continue
		}
		end := i + 1
		for end < len(pattern) && strings.IndexByte("-+ #0123456789.", pattern[end]) >= 0 {
			end++
		}
		if end == len(pattern) {
			l.RaiseError("invalid format (ends with '%%')")
		}
		if pattern[end] == '%' {
			out = append(out, '%')
			i = end
			continue
		}
		arg++
		out = appendFormatted(l, out, pattern[i+1:end], pattern[end], arg)
		i = end
	}
	l.Push(vm.LString(out))
	return 1
}

// appendFormatted appends argument arg in the form of one conversion.
func appendFormatted(l *vm.LState, out []byte, flags string, conversion byte, arg int) []byte {
	switch conversion {
	case 'd', 'i', 'u':
		n := wholeNumber(l, arg)
		if flags == "" {
			return strconv.AppendInt(out, n, 10)
		}
		return fmt.Appendf(out, "%"+flags+"d", n)
	case 'x', 'X', 'o':
		return fmt.Appendf(out, "%"+flags+string(conversion), uint64(wholeNumber(l, arg)))
	case 'c':
		return append(out, byte(wholeNumber(l, arg)))
	case 'e', 'E', 'f', 'F', 'g', 'G':
		if flags == "" && conversion == 'f' {
			return strconv.AppendFloat(out, float64(toNumber(l, arg)), 'f', 6, 64)
		}
		return append(out, floating(flags, conversion, float64(toNumber(l, arg)))...)
	case 's':
		if l.GetTop() < arg {
			l.ArgError(arg, "no value")
		}
		text := l.ToStringMeta(l.Get(arg)).String()
		if flags == "" {
			return append(out, text...)
		}
		return fmt.Appendf(out, "%"+flags+"s", text)
	case 'q':
		return append(out, quoted(l.CheckString(arg))...)
	}
	l.RaiseError("invalid option '%%%c' to 'format'", conversion)
	return nil
}

// wholeNumber is an argument of %d. C cuts the fraction off.
func wholeNumber(l *vm.LState, arg int) int64 {
	n := float64(toNumber(l, arg))
	switch {
	case n >= math.MaxInt64 && n < math.MaxUint64:
		return int64(uint64(n))
	case math.IsNaN(n) || n >= math.MaxUint64 || n < math.MinInt64:
		return math.MinInt64
	}
	return int64(n)
}

// floating formats as C does: %g there has at most six digits.
func floating(flags string, conversion byte, x float64) string {
	if conversion == 'F' {
		conversion = 'f'
	}
	if !strings.Contains(flags, ".") && (conversion == 'g' || conversion == 'G') {
		flags += ".6"
	}
	text := fmt.Sprintf("%"+flags+string(conversion), x)
	return strings.NewReplacer("+Inf", "inf", "-Inf", "-inf", "NaN", "nan").Replace(text)
}

// quoted is a text as a Lua string literal.
func quoted(text string) string {
	return `"` + strings.NewReplacer(`"`, `\"`, `\`, `\\`, "\n", "\\\n", "\r", `\r`, "\x00", `\000`).Replace(text) + `"`
}
