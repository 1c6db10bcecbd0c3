package charts

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Numbers as they are shown: three or four digits that matter, with the sign for "not known" where there is none.

// unknown stands where a number is not known.
const unknown = "–"

// compact is 24310 as 24.3k.
func compact(x float64) string {
	for _, s := range []struct {
		over float64
		unit string
	}{{1e12, "T"}, {1e9, "G"}, {1e6, "M"}, {1e3, "k"}} {
		if math.Abs(x) >= s.over*0.9995 {
			return significant(x/s.over, 3) + s.unit
		}
	}
	return significant(x, 3)
}

// grouped is 24310 as 24,310.
func grouped(x float64) string {
	text := strconv.FormatFloat(math.Round(math.Abs(x)), 'f', 0, 64)
	var b strings.Builder
	if x < 0 && text != "0" {
		b.WriteString("−")
	}
	for i, r := range text {
		if i > 0 && (len(text)-i)%3 == 0 {
			b.WriteByte(',')
		}
		b.WriteRune(r)
	}
	return b.String()
}

// percent is a share with one decimal below 10 %.
func percent(x float64) string {
	decimals := 0
	if math.Abs(x) < 0.0995 && x != 0 {
		decimals = 1
	}
	return strconv.FormatFloat(100*x, 'f', decimals, 64) + " %"
}

// three writes three significant digits, zeros at the end included, so that a column of numbers stands in line.
func three(x float64) string {
	if x == 0 {
		return "0"
	}
	x = digits(x, 3)
	decimals := 2 - int(math.Floor(math.Log10(math.Abs(x))))
	return strconv.FormatFloat(x, 'f', min(max(decimals, 0), 9), 64)
}

// significant writes so many significant digits, without an exponent and without zeros at the end.
func significant(x float64, n int) string {
	return strconv.FormatFloat(digits(x, n), 'f', -1, 64)
}

// Grouped, Compact, Significant and Milliseconds are the same for values that may be unknown.
func Grouped(x *float64) string { return or(x, grouped) }

func Compact(x *float64) string { return or(x, compact) }

// Significant writes three significant digits.
func Significant(x *float64) string {
	return or(x, func(x float64) string { return significant(x, 3) })
}

// Milliseconds writes seconds in milliseconds, without the unit.
func Milliseconds(seconds *float64) string {
	return or(seconds, func(x float64) string { return three(1000 * x) })
}

// Span writes seconds with the unit that suits them: 74 µs, 3.77 ms, 1.2 s.
func Span(seconds *float64) string {
	return or(seconds, func(x float64) string {
		switch a := math.Abs(x); {
		case a == 0:
			return "0 s"
		case a < 1e-6:
			return significant(x*1e9, 3) + " ns"
		case a < 1e-3:
			return significant(x*1e6, 3) + " µs"
		case a < 1:
			return significant(x*1e3, 3) + " ms"
		}
		return significant(x, 3) + " s"
	})
}

// Signed writes a share as a change, with its sign.
func Signed(share float64) string {
	switch text := percent(math.Abs(share)); {
	case math.Abs(share) < 0.0005:
		return "±0 %"
	case share > 0:
		return "+" + text
	default:
		return "−" + text
	}
}

// Percent writes a share.
func Percent(x *float64) string { return or(x, percent) }

func or(x *float64, format func(float64) string) string {
	if x == nil || math.IsNaN(*x) || math.IsInf(*x, 0) {
		return unknown
	}
	return format(*x)
}

// Bytes writes a size in binary units: 64 GiB.
func Bytes(n int64) string {
	size, unit := float64(n), "B"
	for _, next := range []string{"KiB", "MiB", "GiB", "TiB", "PiB"} {
		if size < 1024 {
			break
		}
		size, unit = size/1024, next
	}
	return fmt.Sprintf("%s %s", significant(size, 3), unit)
}
