package words

import (
	"math"
	"strconv"
	"strings"
)

// Numbers as they are shown. Measured values have three significant digits;
// counts and rates from 100 up are whole, with thousands separators. Units
// stand after a space. testdata/numbers.json has the cases.

// Unknown is shown where a number is not known.
const Unknown = "–"

// Count is a count or a rate: 24,310; 12.3; 0.05.
func Count(v float64) string {
	if math.Abs(v) < 99.95 {
		return Significant(v)
	}
	return grouped(v)
}

// grouped is a whole number with thousands separators.
func grouped(v float64) string {
	text := strconv.FormatFloat(math.Abs(math.Round(v)), 'f', 0, 64)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return signed(v, text)
}

// Compact is a rate where there is little room: 24.3k, 1.5M.
func Compact(v float64) string {
	for _, s := range []struct {
		from float64
		unit string
	}{{1e12, "T"}, {1e9, "G"}, {1e6, "M"}, {1e3, "k"}} {
		if math.Abs(v) >= s.from*0.9995 {
			return Significant(v/s.from) + s.unit
		}
	}
	return Significant(v)
}

// Significant has three significant digits, without an exponent and without
// trailing zeros.
func Significant(v float64) string {
	return signed(v, strconv.FormatFloat(rounded(math.Abs(v), 3), 'f', -1, 64))
}

// Aligned has three significant digits, trailing zeros included, for columns.
func Aligned(v float64) string {
	if v == 0 {
		return "0"
	}
	v = rounded(v, 3)
	decimals := 2 - int(math.Floor(math.Log10(math.Abs(v))))
	return signed(v, strconv.FormatFloat(math.Abs(v), 'f', min(max(decimals, 0), 9), 64))
}

// rounded has n significant digits.
func rounded(v float64, n int) float64 {
	r, err := strconv.ParseFloat(strconv.FormatFloat(v, 'e', n-1, 64), 64)
	if err != nil {
		return v
	}
	return r
}

// signed puts the minus sign (U+2212) before the text of a magnitude, unless
// that is zero.
func signed(v float64, magnitude string) string {
	if v < 0 && strings.Trim(magnitude, "0.") != "" {
		return "−" + magnitude
	}
	return magnitude
}

// Span is a time in the unit that suits it: 74 µs, 3.77 ms, 1.2 s.
func Span(seconds float64) string {
	switch a := math.Abs(seconds); {
	case a == 0:
		return "0 s"
	case a < 0.9995e-6:
		return Significant(seconds*1e9) + " ns"
	case a < 0.9995e-3:
		return Significant(seconds*1e6) + " µs"
	case a < 0.9995:
		return Significant(seconds*1e3) + " ms"
	}
	return Count(seconds) + " s"
}

// Percent is a share: 97 %, with one decimal below 10 %.
func Percent(share float64) string {
	decimals := 0
	if math.Abs(share) < 0.0995 && share != 0 {
		decimals = 1
	}
	return signed(share, strconv.FormatFloat(math.Abs(100*share), 'f', decimals, 64)) + " %"
}

// Change is a ratio of new to old as a change with its sign: −0.6 %, +12 %.
func Change(ratio float64) string {
	switch text := Percent(ratio - 1); {
	case strings.Trim(text, "0. %") == "":
		return "±0 %"
	case ratio > 1:
		return "+" + text
	default:
		return text
	}
}

// Factor is a ratio of new to old: as a change where it is small (+12 %), else as a factor (1.53×).
func Factor(ratio float64) string {
	if ratio >= factorFrom || ratio > 0 && ratio <= 1/factorFrom {
		return Significant(ratio) + "×"
	}
	return Change(ratio)
}

// factorFrom is the ratio from which on a factor is easier to read than a percentage.
const factorFrom = 1.5

// Size is a size in binary units: 128 MiB.
func Size(bytes float64) string {
	units := []string{"B", "KiB", "MiB", "GiB", "TiB", "PiB"}
	i := 0
	for math.Abs(bytes) >= 1023.5 && i < len(units)-1 {
		bytes /= 1024
		i++
	}
	if math.Abs(bytes) >= 999.5 {
		return Count(bytes) + " " + units[i]
	}
	return Significant(bytes) + " " + units[i]
}

// Plural is a count of things: 1 thread, 40 threads, 2 queries.
func Plural(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return Count(float64(n)) + " " + Things(n, thing)
}

// Things is the noun of a count, without the number.
func Things(n int, thing string) string {
	switch {
	case n == 1:
		return thing
	case strings.HasSuffix(thing, "y") && !strings.HasSuffix(thing, "ay"):
		return strings.TrimSuffix(thing, "y") + "ies"
	}
	return thing + "s"
}

// And joins texts: a, b and c.
func And(list []string) string {
	switch n := len(list); n {
	case 0:
		return ""
	case 1:
		return list[0]
	default:
		return strings.Join(list[:n-1], ", ") + " and " + list[n-1]
	}
}

// Or formats a number that may be unknown.
func Or(v *float64, format func(float64) string) string {
	if v == nil || math.IsNaN(*v) || math.IsInf(*v, 0) {
		return Unknown
	}
	return format(*v)
}
