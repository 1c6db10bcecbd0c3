package charts

import (
	"math"

	"github.com/mysweep/mysweep/charts/words"
)

// Numbers as charts and tables show them, by package words, with its sign for
// what is not known.

// unknown is shown where a number is not known.
const unknown = words.Unknown

// grouped is a whole number with thousands separators: 24,310.
func grouped(x float64) string { return words.Count(math.Round(x)) }

// Grouped writes a rate or a count as a whole number.
func Grouped(x *float64) string { return words.Or(x, grouped) }

// Compact writes a rate where there is little room: 24.3k.
func Compact(x *float64) string { return words.Or(x, words.Compact) }

// Significant writes three significant digits.
func Significant(x *float64) string { return words.Or(x, words.Significant) }

// Milliseconds writes seconds in milliseconds, without the unit.
func Milliseconds(seconds *float64) string {
	return words.Or(seconds, func(x float64) string { return words.Aligned(1000 * x) })
}

// Span writes seconds with the unit that suits them: 74 µs, 3.77 ms, 1.2 s.
func Span(seconds *float64) string { return words.Or(seconds, words.Span) }

// Signed writes a share as a change, with its sign.
func Signed(share float64) string { return words.Change(1 + share) }

// Percent writes a share.
func Percent(x *float64) string { return words.Or(x, words.Percent) }

// Bytes writes a size in binary units: 64 GiB.
func Bytes(n int64) string { return words.Size(float64(n)) }
