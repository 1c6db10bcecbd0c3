package hwinfo

// NearestRank is the rank, counted from 1, of a percentile among n sorted samples: the
// smallest sample that is >= a fraction p of all samples has rank ceil(p*n) ("nearest rank",
// type 1 in Hyndman and Fan, American Statistician 50, 1996). The fraction is in
// thousandths, 990 for p99, so that the product is exact. It is 0 without samples.
func NearestRank(thousandths, n int64) int64 {
	// n*thousandths would overflow for n > 9e15: whole thousands and the rest apart.
	return n/1000*thousandths + (n%1000*thousandths+999)/1000
}
