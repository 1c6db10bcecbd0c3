package verdict

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// count writes a number with its thousands parted: 24,310. Below 100 it keeps
// three significant digits.
func count(v float64) string {
	if math.Abs(v) < 100 {
		return short(v)
	}
	digits := strconv.FormatFloat(math.Abs(v), 'f', 0, 64)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	if v < 0 {
		return "−" + digits
	}
	return digits
}

// short writes three significant digits without an exponent or idle zeros.
func short(v float64) string {
	if v == 0 {
		return "0"
	}
	decimals := max(0, 2-int(math.Floor(math.Log10(math.Abs(v)))))
	text := strconv.FormatFloat(v, 'f', min(decimals, 9), 64)
	if strings.Contains(text, ".") {
		text = strings.TrimRight(strings.TrimRight(text, "0"), ".")
	}
	return strings.Replace(text, "-", "−", 1)
}

// span writes seconds with the unit that suits: 8.3 ms.
func span(seconds float64) string {
	switch s := math.Abs(seconds); {
	case s == 0:
		return "0 s"
	case s < 1e-6:
		return two(seconds*1e9) + " ns"
	case s < 1e-3:
		return two(seconds*1e6) + " µs"
	case s < 1:
		return two(seconds*1e3) + " ms"
	}
	return two(seconds) + " s"
}

// two writes two significant digits, whole numbers from 10 on.
func two(v float64) string {
	if math.Abs(v) >= 9.95 {
		return strconv.FormatFloat(v, 'f', 0, 64)
	}
	return strconv.FormatFloat(v, 'f', 1, 64)
}

// percent writes a share: 97 %, with one decimal below 10 %.
func percent(share float64) string {
	p := share * 100
	if math.Abs(p) >= 9.95 || p == 0 {
		return strings.Replace(strconv.FormatFloat(p, 'f', 0, 64), "-", "−", 1) + " %"
	}
	return strings.Replace(strconv.FormatFloat(p, 'f', 1, 64), "-", "−", 1) + " %"
}

// change writes a ratio as a change with its sign: −0.6 %, +12 %.
func change(ratio float64) string {
	text := percent(ratio - 1)
	switch {
	case text == "0.0 %" || text == "−0.0 %" || text == "0 %":
		return "±0 %"
	case ratio > 1:
		return "+" + text
	}
	return text
}

// bytes writes a size in binary units: 128 MiB.
func bytes(n float64) string {
	units := []string{"B", "KiB", "MiB", "GiB", "TiB", "PiB"}
	i := 0
	for n >= 1024 && i < len(units)-1 {
		n /= 1024
		i++
	}
	return short(n) + " " + units[i]
}

// plural writes a count of things: 1 thread, 40 threads.
func plural(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%s %ss", count(float64(n)), thing)
}
