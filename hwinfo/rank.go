package hwinfo

// NearestRank is the rank, counted from 1, of the p-th percentile among n sorted samples: the smallest sample that is >= a
// fraction p of all samples stands at rank ceil(p*n) (the "nearest rank" definition, type 1 in Hyndman and Fan, American
// Statistician 50, 1996). The fraction comes in thousandths, 990 for p99, so that the product is exact. It is 0 when
// there are no samples.
func NearestRank(thousandths, n int64) int64 {
	// n*thousandths would overflow for n > 9e15: whole thousands and the rest apart.
	return n/1000*thousandths + (n%1000*thousandths+999)/1000
}
