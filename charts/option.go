package charts

import (
	"encoding/json"
	"fmt"
	"math"

	"github.com/go-echarts/go-echarts/v2/opts"
)

// definition is what all go-echarts charts with two axes offer.
type definition interface {
	Validate()
	JSON() map[string]any
}

// patch holds option values that go-echarts has no field for, as JSON would nest them. A patch for
// a list is laid on every element, a list of patches on one element each.
type patch = map[string]any

// marshal makes an ECharts option of a chart: go-echarts' values, then base laid over them, and
// narrow as what differs on a screen less than NarrowBelow wide. Keys are sorted, so that equal
// charts give equal bytes.
func marshal(chart definition, base, narrow patch) ([]byte, error) {
	chart.Validate()
	raw, err := json.Marshal(chart.JSON())
	if err != nil {
		return nil, fmt.Errorf("chart option: %w", err)
	}
	option := map[string]any{}
	if err := json.Unmarshal(raw, &option); err != nil {
		return nil, fmt.Errorf("chart option: %w", err)
	}
	// The library always writes these keys. The colours come from the theme.
	for _, unused := range []string{"title", "toolbox", "color"} {
		delete(option, unused)
	}
	option["animation"] = false
	lay(option, base)
	media := []any{map[string]any{"query": patch{"maxWidth": NarrowBelow - 1}, "option": narrow}}
	return json.Marshal(map[string]any{"baseOption": option, "media": media})
}

// lay puts the values of p over those of option, maps into maps.
func lay(option map[string]any, p patch) {
	for key, value := range p {
		if each, ok := value.([]patch); ok {
			for i, element := range option[key].([]any) {
				lay(element.(map[string]any), each[i])
			}
			continue
		}
		inner, ok := value.(patch)
		if !ok {
			option[key] = value
			continue
		}
		switch old := option[key].(type) {
		case map[string]any:
			lay(old, inner)
		case []any:
			for _, element := range old {
				if m, ok := element.(map[string]any); ok {
					lay(m, inner)
				}
			}
		default:
			fresh := map[string]any{}
			lay(fresh, inner)
			option[key] = fresh
		}
	}
}

// value is a number as an option has it: what is not known, NaN and infinities are a gap. Five
// digits are more than a screen shows.
func value(x *float64) any {
	if x == nil || math.IsNaN(*x) || math.IsInf(*x, 0) {
		return nil
	}
	return digits(*x, 5)
}

// digits rounds to so many significant decimal digits.
func digits(x float64, n int) float64 {
	if x == 0 {
		return 0
	}
	scale := math.Pow(10, float64(n)-math.Ceil(math.Log10(math.Abs(x))))
	if math.IsInf(scale, 0) || scale == 0 {
		return x
	}
	return math.Round(x*scale) / scale
}

// scaled is x in another unit, still unknown when it was.
func scaled(x *float64, by float64) *float64 {
	if x == nil {
		return nil
	}
	y := *x * by
	return &y
}

func point(x any, y *float64) opts.LineData {
	return opts.LineData{Value: []any{x, value(y)}}
}
