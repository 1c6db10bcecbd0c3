package verdict

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mysweep/mysweep/runner/plan"
	"github.com/mysweep/mysweep/runner/result"
)

func pasts(rates ...float64) []Past {
	var list []Past
	for i, r := range rates {
		list = append(list, Past{
			RunID: fmt.Sprint(i), Host: "db3", Name: "nightly", Status: result.OK, StartedAt: time.Unix(int64(i)*86400, 0),
			Cells: []PastCell{
				{Cell: plan.Cell{Case: "a", Workload: "w", Threads: 10, Queries: 10}, QueriesPerSecond: ptr(r / 2)},
				{Cell: plan.Cell{Case: "a", Workload: "w", Threads: 60, Queries: 10}, QueriesPerSecond: ptr(r)},
				{Cell: plan.Cell{Case: "a", Workload: "w", Threads: 80, Queries: 10}},
			},
		})
	}
	return list
}

func TestTrends(t *testing.T) {
	for _, c := range []struct {
		name  string
		rates []float64
		// One letter a run: . none, o an outlier, s or f where a slower or faster level begins.
		want string
	}{
		{"steady", []float64{100, 101, 99, 100, 102, 98}, "......"},
		{"one bad night", []float64{100, 101, 99, 100, 80, 100, 101}, "....o.."},
		{"the last night is bad", []float64{100, 101, 99, 100, 101, 80}, ".....o"},
		{"a new level", []float64{100, 101, 99, 100, 101, 99, 80, 81, 79, 80}, "......s..."},
		{"down and up again", []float64{100, 101, 99, 100, 101, 99, 80, 81, 80, 79, 100, 101, 99}, "......s...f.."},
		{"too few to judge", []float64{100, 50, 100}, "..."},
		{"less than the noise", []float64{100, 102, 98, 100, 101, 99, 98, 101}, "........"},
		{"a wild server", []float64{100, 140, 70, 120, 80, 60, 110}, "......."},
	} {
		got := ""
		trends := Trends(pasts(c.rates...))
		for _, p := range trends[0].Points {
			switch {
			case p.Outlier:
				got += "o"
			case p.Shift:
				got += string(p.Mark[0])
			default:
				got += "."
			}
		}
		if got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
		if p := trends[0].Points[0].Peak; p.Threads != 60 {
			t.Errorf("%s: the peak is at %d threads", c.name, p.Threads)
		}
	}
}

// The stable baseline are the runs since the last change, without outliers.
func TestStable(t *testing.T) {
	runs := Stable(Trends(pasts(100, 101, 99, 100, 101, 99, 80, 81, 79, 60, 80, 81)))
	var ids []string
	for _, r := range runs {
		ids = append(ids, r.RunID)
	}
	if got := strings.Join(ids, " "); got != "6 7 8 10 11" {
		t.Errorf("runs %s", got)
	}
}

func TestTrendsGroup(t *testing.T) {
	runs := pasts(100, 101, 102)
	runs[1].Host = "db1"
	runs[2].Status = result.Interrupted
	runs = append(runs, Past{RunID: "empty", Host: "db9"})
	slices.Reverse(runs)
	trends := Trends(runs)
	if len(trends) != 2 || trends[0].Host != "db1" || len(trends[1].Points) != 2 || trends[1].Points[0].RunID != "0" {
		t.Errorf("%+v", trends)
	}
	if Trends(nil) != nil {
		t.Error("a trend of nothing")
	}
}

// A trend follows what its workload is known by, also in runs of versions that
// did not report it.
func TestTrendByHeadline(t *testing.T) {
	night := func(i int, h Headline, qps, tps float64) Past {
		return Past{RunID: string(rune('a' + i)), Name: "n", StartedAt: time.Unix(int64(i)*86400, 0), Status: result.OK, Cells: []PastCell{{
			Cell: plan.Cell{Workload: "oltp_read_write", Threads: 4}, Headline: h, QueriesPerSecond: &qps, TransactionsPerSecond: &tps,
			P99: ptr(0.001), TransactionP99: ptr(0.02)}}}
	}
	trends := Trends([]Past{night(0, "", 2000, 100), night(1, Transactions, 2200, 110), night(2, "", 1900, 95)})
	if len(trends) != 1 || trends[0].Headline != Transactions {
		t.Fatalf("%+v", trends)
	}
	for i, want := range []float64{100, 110, 95} {
		if p := trends[0].Points[i]; p.Rate != want || *p.P99 != 0.02 {
			t.Errorf("night %d: %g, p99 %g; want %g transactions/s", i, p.Rate, *p.P99, want)
		}
	}
	if old := Trends([]Past{night(0, "", 2000, 100)}); old[0].Headline != Queries || old[0].Points[0].Rate != 2000 {
		t.Errorf("without a headline: %+v", old[0])
	}
}
