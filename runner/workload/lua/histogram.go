package lua

import (
	"fmt"
	"math"
	"strings"

	vm "github.com/yuin/gopher-lua"
)

const histogramType = "<sb_histogram>"

// histogram is sysbench.histogram: counts over ranges of equal width on a
// logarithmic scale.
type histogram struct {
	counts    []int64
	low, high float64
	width     float64 // of a range, in the logarithm
}

// histogramLibrary is sysbench.histogram, with new(size, min, max).
func (in *instance) histogramLibrary() *vm.LTable {
	l := in.state
	in.newType(histogramType, map[string]vm.LGFunction{
		"update": onHistogram(func(l *vm.LState, h *histogram) int {
			h.update(float64(toNumber(l, 2)))
			return 0
		}),
		"print": onHistogram(func(l *vm.LState, h *histogram) int { in.say(h.String()); return 0 }),
		"percentile": onHistogram(func(l *vm.LState, h *histogram) int {
			l.Push(vm.LNumber(h.percentile(float64(toNumber(l, 2)))))
			return 1
		}),
	})
	library := l.NewTable()
	l.SetField(library, "new", l.NewFunction(func(l *vm.LState) int {
		size, low, high := l.CheckInt(1), float64(toNumber(l, 2)), float64(toNumber(l, 3))
		if size < 2 || size > 1<<20 || low <= 0 || high <= low {
			l.RaiseError("sysbench.histogram.new: expected size from 2 to 1048576 and 0 < min < max")
		}
		h := &histogram{counts: make([]int64, size), low: low, high: high, width: math.Log(high/low) / float64(size-1)}
		l.Push(in.object(histogramType, h))
		return 1
	}))
	return library
}

func onHistogram(f func(*vm.LState, *histogram) int) vm.LGFunction {
	return func(l *vm.LState) int {
		h, ok := l.CheckUserData(1).Value.(*histogram)
		if !ok {
			l.ArgError(1, "expected a histogram")
		}
		return f(l, h)
	}
}

// update counts a value; one outside of the range counts at its end.
func (h *histogram) update(v float64) {
	i := 0
	if v > h.low {
		i = int(math.Floor(math.Log(v/h.low)/h.width + 0.5))
	}
	h.counts[min(i, len(h.counts)-1)]++
}

func (h *histogram) value(i int) float64 { return h.low * math.Exp(float64(i)*h.width) }

// percentile is the smallest value that at least p percent do not exceed.
func (h *histogram) percentile(p float64) float64 {
	total := int64(0)
	for _, n := range h.counts {
		total += n
	}
	rank := int64(math.Ceil(p / 100 * float64(total)))
	for i, n := range h.counts {
		if rank -= n; rank <= 0 && n > 0 {
			return h.value(i)
		}
	}
	return 0
}

// String draws the counts with bars of up to 40 stars.
func (h *histogram) String() string {
	most := int64(0)
	for _, n := range h.counts {
		most = max(most, n)
	}
	var out strings.Builder
	out.WriteString("       value  ------------- distribution ------------- count\n")
	for i, n := range h.counts {
		if n > 0 {
			stars := int(math.Floor(float64(n)*40/float64(most) + 0.5))
			fmt.Fprintf(&out, "%12.3f |%-40s %d\n", h.value(i), strings.Repeat("*", stars), n)
		}
	}
	return out.String()
}
