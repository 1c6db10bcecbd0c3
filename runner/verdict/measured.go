package verdict

import (
	"github.com/mysweep/mysweep/runner/plan"
	"github.com/mysweep/mysweep/runner/result"
)

// measured is what is compared of a cell: lists of a value for each trial, or
// for each run of a baseline of three or more.
type measured struct {
	cell     plan.Cell
	headline Headline
	queries  []float64 // per second, whatever the headline
	rates    []float64 // of the headline, per second
	p50, p99 []float64 // of the headline, seconds; only of trials with enough samples
	notes    []string  // codes
}

// measuredOf are the cells that rank, with the values of their trials.
func measuredOf(list []Sweep) []measured {
	var all []measured
	for i := range list {
		for j := range list[i].Cells {
			if c := &list[i].Cells[j]; c.Ranks() {
				all = append(all, c.measured())
			}
		}
	}
	return all
}

func (c *Cell) measured() measured {
	times := func(of func(*result.Distribution) *float64) []float64 {
		return known(c.trials, func(t *result.Trial) *float64 {
			if c.Headline == Transactions {
				return of(&t.Measure.Transaction)
			}
			return of(&t.Measure.Latency)
		})
	}
	return measured{
		cell: c.Cell, headline: c.Headline, queries: c.QueriesPerSecond.Values, rates: c.Rate().Values, notes: c.Notes,
		p50: times(func(d *result.Distribution) *float64 { return d.P50 }),
		p99: times(func(d *result.Distribution) *float64 { return d.P99 }),
	}
}

// archived is the cell as a baseline keeps it.
func (m *measured) archived() result.BaselineCell {
	c := result.BaselineCell{Case: m.cell.Case, Workload: m.cell.Workload, Threads: m.cell.Threads, Queries: m.cell.Queries,
		Rates: m.queries, Headline: string(m.headline), P50: m.p50, P99: m.p99, Notes: tainting(m.notes)}
	if m.headline != Queries {
		c.HeadlineRates = m.rates
	}
	return c
}

// measuredIn reads a cell of a baseline. One of an earlier version has no
// headline and no latencies.
func measuredIn(c *result.BaselineCell) measured {
	m := measured{
		cell:     plan.Cell{Case: c.Case, Workload: c.Workload, Threads: c.Threads, Queries: c.Queries},
		headline: Headline(c.Headline), queries: c.Rates, rates: c.HeadlineRates, p50: c.P50, p99: c.P99, notes: c.Notes,
	}
	if m.headline == "" || m.headline == Queries {
		m.headline, m.rates = Queries, c.Rates
	}
	return m
}

// add takes over the values of another run of the same cell.
func (m *measured) add(other measured) {
	m.queries = append(m.queries[:len(m.queries):len(m.queries)], other.queries...)
	m.rates = append(m.rates[:len(m.rates):len(m.rates)], other.rates...)
	m.p50 = append(m.p50[:len(m.p50):len(m.p50)], other.p50...)
	m.p99 = append(m.p99[:len(m.p99):len(m.p99)], other.p99...)
	m.notes = tainting(m.notes, other.notes)
}

// whole is the cell with one value for the run: the median of each list.
func (m measured) whole() measured {
	for _, list := range []*[]float64{&m.queries, &m.rates, &m.p50, &m.p99} {
		if len(*list) > 0 {
			*list = []float64{middle(*list)}
		}
	}
	return m
}
