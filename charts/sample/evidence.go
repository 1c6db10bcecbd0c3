package sample

import (
	"math"
	"slices"

	"github.com/HdrHistogram/hdrhistogram-go"

	"github.com/mysweep/mysweep/hwinfo"
	"github.com/mysweep/mysweep/runner/plan"
	"github.com/mysweep/mysweep/runner/result"
)

// drawn is how many values stand for all samples of a distribution; the figures of a made-up
// archive need no more.
const drawn = 1200

// distribution draws times from a log-normal law around mean.
func (g *generator) distribution(count int64, mean, sigma float64) result.Distribution {
	values := make([]float64, min(count, drawn))
	h := hdrhistogram.New(1, 3_600_000_000_000, 3)
	sum := 0.0
	for i := range values {
		values[i] = mean * math.Exp(sigma*g.rand.NormFloat64()-sigma*sigma/2)
		sum += values[i]
		// The values are within the range of the histogram, so there is no error.
		_ = h.RecordValues(int64(values[i]*1e9), max(1, count/int64(len(values))))
	}
	slices.Sort(values)
	average := sum / float64(len(values))
	d := result.Distribution{
		Count: count, Sum: average * float64(count),
		Min: &values[0], Mean: &average, Max: &values[len(values)-1],
		P50: &values[len(values)/2],
	}
	percentile := func(thousandths, enough int64) *float64 {
		if count < enough {
			return nil
		}
		return &values[hwinfo.NearestRank(thousandths, int64(len(values)))-1]
	}
	d.P95, d.P99, d.P999 = percentile(950, 20), percentile(990, 100), percentile(999, 1000)
	encoded, err := h.Encode(hdrhistogram.V2CompressedEncodingCookieBase)
	if err == nil {
		d.Histogram = string(encoded)
	}
	return d
}

func (g *generator) evidence(c plan.Cell, seconds float64) result.Evidence {
	n := float64(c.Threads)
	busy := math.Min(0.97, 0.06*n) * g.noise(0.01)
	runnable := math.Max(0.2, math.Min(n, 4*24*busy*0.3+n*0.4)*g.noise(0.1))
	before := g.average()
	server := g.machine(24, busy, runnable, seconds, before)
	client := g.machine(8, 0.1+0.35*math.Min(1, n/40), math.Min(2, n), 0, nil)
	running := math.Min(n, runnable*1.1)
	foreign := int64(0)
	return result.Evidence{
		Client: client, Server: server, ThreadsRunningMean: &running, ForeignQueries: &foreign,
		Status: map[string]float64{
			"Com_select": n * float64(c.Queries) * 2, "Connections": n, "Bytes_sent": n * float64(c.Queries) * 260,
			"Innodb_buffer_pool_read_requests": n * float64(c.Queries) * 6, "Innodb_rows_read": n * float64(c.Queries) * 2,
		},
	}
}

// average is the kernel's load average as it is.
func (g *generator) average() *result.Load {
	return &result.Load{One: round2(g.load[0]), Five: round2(g.load[1]), Fifteen: round2(g.load[2])}
}

func (g *generator) machine(cpus int, busy, runnable, seconds float64, before *result.Load) *result.Machine {
	ratio := math.Min(1, math.Max(0, busy))
	m := &result.Machine{LoadBefore: before, RunnableMean: &runnable, UsableCPUs: float64(cpus), BusyRatio: &ratio}
	for id := range cpus {
		m.CPUs = append(m.CPUs, g.cpu(id, cpus, ratio))
	}
	if before == nil {
		m.LoadBefore = &result.Load{One: 0.4, Five: 0.3, Fifteen: 0.2}
		m.LoadAfter = m.LoadBefore
		return m
	}
	start := g.clock
	for at := math.Ceil(start); at < start+seconds; at++ {
		now := math.Max(0, runnable*g.noise(0.25))
		m.Samples = append(m.Samples, result.Sample{At: at, Load: g.average(), Runnable: &now, Values: map[string]float64{
			"nic.eth0.rx_bytes_per_second": 1.4e6 * busy, "nic.eth0.tx_bytes_per_second": 6e6 * busy, "nic.eth0.link_ratio": 0.048 * busy,
			"disk.sda.busy_ratio": 0.006, "disk.sda.write_bytes_per_second": 40e3, "context_switches_per_second": 90000 * busy,
		}})
	}
	g.clock += seconds
	for i, span := range []float64{60, 300, 900} {
		g.load[i] += (runnable - g.load[i]) * (1 - math.Exp(-seconds/span))
	}
	m.LoadAfter = g.average()
	return m
}

// cpu is one CPU: the second half are the twins of the first, and idle more.
func (g *generator) cpu(id, cpus int, busy float64) result.CPU {
	share := busy
	if id >= cpus/2 {
		share = busy * busy
	}
	share = math.Min(0.995, math.Max(0, share*g.noise(0.06)))
	return result.CPU{
		ID: id, User: share * 0.62, System: share * 0.3, SoftIRQ: share * 0.08, IOWait: 0.002, Idle: math.Max(0, 0.998-share),
	}
}

func round2(x float64) float64 { return math.Round(x*100) / 100 }
