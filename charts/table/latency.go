package table

import "github.com/mysweep/mysweep/runner/result"

// Latency is the latency of statements, in seconds, as all files have it.
type Latency struct {
	Min  *float64 `csv:"latency_min_seconds"`
	Mean *float64 `csv:"latency_mean_seconds"`
	P50  *float64 `csv:"latency_p50_seconds"`
	P95  *float64 `csv:"latency_p95_seconds"`
	P99  *float64 `csv:"latency_p99_seconds"`
	P999 *float64 `csv:"latency_p999_seconds"`
	Max  *float64 `csv:"latency_max_seconds"`
}

// TransactionPercentiles are the percentiles of the latency of rounds, in seconds.
type TransactionPercentiles struct {
	TransactionP50 *float64 `csv:"transaction_latency_p50_seconds"`
	TransactionP95 *float64 `csv:"transaction_latency_p95_seconds"`
	TransactionP99 *float64 `csv:"transaction_latency_p99_seconds"`
}

func transactionPercentiles(d *result.Distribution) TransactionPercentiles {
	return TransactionPercentiles{known(d.P50), known(d.P95), known(d.P99)}
}

func latencyOf(d *result.Distribution) Latency {
	return Latency{known(d.Min), known(d.Mean), known(d.P50), known(d.P95), known(d.P99), known(d.P999), known(d.Max)}
}
