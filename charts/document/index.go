package document

import (
	"cmp"
	"io"
	"slices"
	"time"

	"github.com/mysweep/mysweep/runner/verdict"
)

// index is the JSON form of all runs of an archive. Keys are added to it, never changed.
type index struct {
	Schema int       `json:"schema_version"`
	Runs   []pastRun `json:"runs"`   // by time
	Trends []trend   `json:"trends"` // by host, name, case and workload
}

type pastRun struct {
	RunID         string            `json:"run_id"`
	Archive       string            `json:"archive"` // its folder
	ServerHost    string            `json:"server_host"`
	Name          string            `json:"name"`
	StartedAt     string            `json:"started_at"` // RFC 3339, UTC
	Status        string            `json:"status"`     // empty: the run was killed, or is not over
	ServerVersion string            `json:"server_version"`
	Version       string            `json:"mysweep_version"`
	Tags          map[string]string `json:"tags"`
	Note          string            `json:"note"`
	// Outcome is PASS, FAIL or UNDECIDED; "" without a requirement.
	Outcome     string   `json:"outcome"`
	Requirement string   `json:"requirement"`
	Decision    string   `json:"baseline_decision"`
	Changed     []string `json:"changed"` // since the run of this name before it
}

type trend struct {
	ServerHost string  `json:"server_host"`
	Name       string  `json:"name"`
	Case       string  `json:"case"`
	Workload   string  `json:"workload"`
	Headline   string  `json:"headline"` // queries, transactions or connects
	Points     []night `json:"points"`   // by time
}

// night is one run of a trend.
type night struct {
	RunID    string   `json:"run_id"`
	Threads  int      `json:"threads"` // of the peak
	Queries  *int     `json:"queries"`
	QPS      *float64 `json:"queries_per_second"`
	Rate     float64  `json:"rate"`        // of the headline, per second
	P99      *float64 `json:"latency_p99"` // of what the headline counts
	Expected *float64 `json:"expected"`    // level of the runs, as rate
	Spread   *float64 `json:"tolerance"`   // two standard deviations of them
	Shift    bool     `json:"shift"`       // a new level begins here
	Change   *float64 `json:"change"`      // of the level
	Outlier  bool     `json:"outlier"`
}

// Index writes the runs of an archive and their trends as one object, see index.schema.json.
func Index(w io.Writer, runs []verdict.Past) error {
	out := index{Schema: 1, Runs: []pastRun{}, Trends: []trend{}}
	for _, r := range runs {
		tags := r.Tags
		if tags == nil {
			tags = map[string]string{}
		}
		out.Runs = append(out.Runs, pastRun{
			r.RunID, r.Dir, r.Host, r.Name, r.StartedAt.UTC().Format(time.RFC3339), string(r.Status), r.ServerVersion, r.Version,
			tags, r.Note, string(r.Outcome()), string(r.Requirement), string(r.Decision), append([]string{}, r.Changed...),
		})
	}
	slices.SortStableFunc(out.Runs, func(a, b pastRun) int {
		return cmp.Or(cmp.Compare(a.StartedAt, b.StartedAt), cmp.Compare(a.RunID, b.RunID))
	})
	for _, t := range verdict.Trends(runs) {
		line := trend{t.Host, t.Name, t.Case, t.Workload, string(t.Headline), []night{}}
		for _, p := range t.Points {
			var change *float64
			if p.Change != nil {
				ratio := *p.Change - 1
				change = &ratio
			}
			line.Points = append(line.Points, night{
				p.RunID, p.Peak.Threads, queriesOf(p.Peak.Cell), p.Peak.QueriesPerSecond, p.Rate, p.P99,
				p.Expected, p.Tolerance, p.Shift, change, p.Outlier,
			})
		}
		out.Trends = append(out.Trends, line)
	}
	return write(w, out)
}
