package raster

import "testing"

// FuzzParsePath: no path of a drawing panics.
func FuzzParsePath(f *testing.F) {
	for _, seed := range []string{"M0 0L1 1H2V3C1 2 3 4 5 6A1 1 0 0 1 5 5Z", "M1", "L", "A1 1 0 1 1 0 0", "l1 1", "M1e999 0L-1 NaN"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, d string) { parsePath(d) })
}
