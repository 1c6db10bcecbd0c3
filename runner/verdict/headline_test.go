package verdict

import (
	"testing"

	"github.com/mysweep/mysweep/runner/result"
)

// The headline follows what the workload counts.
func TestHeadline(t *testing.T) {
	for _, c := range []struct {
		name    string
		measure result.Measure
		want    Headline
	}{
		{"statements", result.Measure{Queries: 200, Transactions: 100}, Queries},
		{"BEGIN and COMMIT", result.Measure{Queries: 1600, Others: 200, Transactions: 100}, Transactions},
		{"a connect for each query", result.Measure{Queries: 500, Transactions: 500, Reconnects: 500}, Connects},
	} {
		x := trial(10, 10, 1, 0)
		c.measure.Elapsed = 1
		x.Measure = c.measure
		v := Of(archive(x))
		if got := v.Main().Headline; got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}
