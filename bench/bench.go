package main

import (
	"context"
	"fmt"
	"os"
	"slices"

	"github.com/mysweep/mysweep/runner/server"
)

// bench is one open server and the settings of the run.
type bench struct {
	settings
	server *server.Server
	pinned bool
}

// figure is one bar that was measured.
type figure struct {
	bar
	group         string
	ratios        []float64 // one a pair, or the values themselves where there is no other
	ours, theirs  []float64
	low, mid, top float64
}

// measure opens the group's server and measures its bars, each of which is saved when it is done.
func (g group) measure(ctx context.Context, s settings, facts *[]fact, save func(figure) error) error {
	if !slices.ContainsFunc(g.bars, func(b bar) bool { return s.only.MatchString(b.name) }) {
		return nil
	}
	srv, err := server.StartPrivate(ctx, private(g.pinned))
	if err != nil {
		return err
	}
	defer srv.Stop()
	*facts = append(*facts, fact{"server, " + g.title, srv.Flavour + " " + srv.Version})
	b := &bench{settings: s, server: srv, pinned: g.pinned}
	if err := b.makeTable(ctx); err != nil {
		return err
	}
	for _, bar := range g.bars {
		if !s.only.MatchString(bar.name) {
			continue
		}
		f, err := b.figure(ctx, bar)
		if err != nil {
			return fmt.Errorf("%s: %w", bar.name, err)
		}
		f.group = g.title
		fmt.Fprintf(os.Stderr, "%-90s %s\n", bar.name, f)
		if err := save(f); err != nil {
			return err
		}
	}
	return nil
}

// figure measures one bar, pair by pair, the first tool alternating.
func (b *bench) figure(ctx context.Context, bar bar) (figure, error) {
	f := figure{bar: bar}
	pairs := b.pairs
	if bar.pairs > 0 {
		pairs = min(pairs, bar.pairs)
	}
	for i := range pairs {
		var values [2]float64 // ours, theirs
		for turn := range 2 {
			tool := (i + turn) % 2
			if bar.alone && tool == 1 {
				continue
			}
			var err error
			if values[tool], err = bar.measure(ctx, b, tool == 0); err != nil {
				return f, err
			}
		}
		f.ours = append(f.ours, values[0])
		if bar.alone {
			f.ratios = append(f.ratios, values[0])
			continue
		}
		f.theirs = append(f.theirs, values[1])
		f.ratios = append(f.ratios, values[0]/values[1])
	}
	f.low, f.mid, f.top = interval(f.ratios)
	return f, nil
}

// interval is the median and the order statistics that hold the true median with at least 95 % (of
// 15 values the 4th and the 12th); with fewer than 6 values the extremes.
func interval(values []float64) (low, mid, top float64) {
	sorted := slices.Sorted(slices.Values(values))
	n := len(sorted)
	rank, tail, choose := 0, 0.0, 1.0 // tail = P(Binomial(n, 1/2) <= rank-1)
	for k := 0; k < n/2; k++ {
		p := choose
		for range n {
			p /= 2
		}
		if tail += p; tail > 0.025 {
			break
		}
		rank = k + 1
		choose = choose * float64(n-k) / float64(k+1)
	}
	rank = max(rank, 1)
	return sorted[rank-1], median(sorted), sorted[n-rank]
}

func median(sorted []float64) float64 {
	n := len(sorted)
	if n%2 == 1 {
		return sorted[n/2]
	}
	return (sorted[n/2-1] + sorted[n/2]) / 2
}
