package charts

import (
	"fmt"

	"github.com/mysweep/mysweep/runner/verdict"
)

// connectCharts draw how long connecting takes over threads.
func connectCharts(d *Data) ([]Chart, error) {
	var list []Chart
	for _, group := range d.byWorkload() {
		s := group[0]
		if len(s.ThreadCounts()) < 2 {
			continue
		}
		cells := over(s, bestQueries(s))
		lines := []timeLine{
			newTimeLine("mean", cells, func(c *verdict.Cell) *float64 { return c.Connects.Mean }),
			newTimeLine("p99", cells, func(c *verdict.Cell) *float64 { return c.Connects.P99 }),
			newTimeLine("max", cells, func(c *verdict.Cell) *float64 { return c.Connects.Max }),
		}
		chart, err := connectChart("connect"+suffix(len(list)), s, lines, d.Archive.Run.Plan.ConnectParallel)
		if err != nil {
			return nil, err
		}
		list = append(list, chart.of(s, group))
	}
	return list, nil
}

func connectChart(id string, s *verdict.Sweep, lines []timeLine, parallel int) (Chart, error) {
	return timeChart(Chart{ID: id, Title: connectTitle(s, lines[0]), Aid: connectAid(parallel)}, s, lines, "value")
}

func connectTitle(s *verdict.Sweep, mean timeLine) string {
	counts := s.ThreadCounts()
	most := counts[len(counts)-1]
	if mean.at[most] == nil {
		return "Time to connect"
	}
	return fmt.Sprintf("Mean connect time: %s at %s", Span(mean.at[most]), countThreads(most))
}

func connectAid(parallel int) string {
	if parallel <= 0 {
		return "From the socket to the server's OK after authentication; all threads connect at once, so our own queue is in it."
	}
	return fmt.Sprintf("From the socket to the server's OK after authentication; %d connect at a time.", parallel)
}
