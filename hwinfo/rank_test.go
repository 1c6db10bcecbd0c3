package hwinfo

import (
	"math"
	"math/big"
	"testing"
)

// Against ceil(p*n) in rational numbers.
func TestNearestRank(t *testing.T) {
	for _, p := range []int64{500, 950, 990, 999} {
		for n := int64(1); n <= 10_000; n++ {
			product := new(big.Rat).Mul(big.NewRat(p, 1000), big.NewRat(n, 1))
			want := new(big.Int).Add(product.Num(), new(big.Int).Sub(product.Denom(), big.NewInt(1)))
			want.Quo(want, product.Denom())
			if got := NearestRank(p, n); got != want.Int64() {
				t.Fatalf("p=%d/1000 n=%d: rank %d, want %s", p, n, got, want)
			}
		}
	}
	if got := NearestRank(999, math.MaxInt64); got < math.MaxInt64/1000*999 {
		t.Errorf("overflow: %d", got)
	}
	if got := NearestRank(990, 0); got != 0 {
		t.Errorf("of no samples: %d, want 0", got)
	}
}
