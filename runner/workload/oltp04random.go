package workload

import (
	"fmt"
	"math/rand/v2"
)

var oltp04RandOptions = []Option{
	{Name: "oltp-dist-type", Usage: "distribution of ids", Default: "special", Form: "text", Choices: []string{"uniform", "gaussian", "special"}},
	{Name: "oltp-dist-iter", Usage: "number of draws that special and gaussian average", Default: "12", Form: "int", Most: 10_000},
	{Name: "oltp-dist-pct", Usage: "special: percentage of ids that are hot", Default: "1", Form: "int"},
	{Name: "oltp-dist-res", Usage: "special: percentage of draws that hit hot ids", Default: "75", Form: "int"},
}

// newOLTP04Draw draws ids from 1 to rows as sysbench 0.4.12 does, in integers,
// but of 64 bits: the original's sums overflow above 178 million rows.
func newOLTP04Draw(v Values, rows int64) (func(*rand.Rand) int64, error) {
	iter, pct, res := v.Int("oltp-dist-iter"), v.Int("oltp-dist-pct"), v.Int("oltp-dist-res")
	switch {
	case iter < 1:
		return nil, fmt.Errorf("invalid oltp-dist-iter %d: must be at least 1", iter)
	case pct < 0 || pct > 100:
		return nil, fmt.Errorf("invalid oltp-dist-pct %d: must be between 0 and 100", pct)
	case res < 0 || res > 99:
		return nil, fmt.Errorf("invalid oltp-dist-res %d: must be between 0 and 99", res)
	}
	mean := func(r *rand.Rand) int64 {
		sum := int64(0)
		for range iter {
			sum += 1 + r.Int64N(rows)
		}
		return sum / iter
	}
	switch v.Text("oltp-dist-type") {
	case "uniform":
		return func(r *rand.Rand) int64 { return 1 + r.Int64N(rows) }, nil
	case "gaussian":
		return mean, nil
	}
	span := rows * (100 / (100 - res)) // integer division: 80 gives 5, 70 gives 3
	hot := max(rows*pct/100, 1)
	first := rows/2 - rows*pct/200
	return func(r *rand.Rand) int64 {
		n := 1 + r.Int64N(span)
		if n <= rows {
			return mean(r)
		}
		return n%hot + first
	}, nil
}
