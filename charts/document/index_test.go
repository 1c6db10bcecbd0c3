package document

import (
	"bytes"
	"encoding/json"
	"io"
	"testing"
	"time"

	"github.com/mysweep/mysweep/runner/plan"
	"github.com/mysweep/mysweep/runner/result"
	"github.com/mysweep/mysweep/runner/verdict"
)

// The index as JSON has every run with its answer, and what its trend says of it.
func TestIndex(t *testing.T) {
	rates := []float64{24000, 24200, 23900, 24100, 24050, 24080, 23950, 19000, 19050, 18980, 19010, 19060, 18940}
	var runs []verdict.Past
	for i := range rates {
		runs = append(runs, verdict.Past{
			Dir: "/srv/a", RunID: string(rune('a' + i)), Host: "db3", Name: "nightly", Status: result.OK,
			StartedAt: time.Date(2026, 3, 1+i, 3, 0, 0, 0, time.UTC),
			Cells:     []verdict.PastCell{{Cell: plan.Cell{Case: "default", Workload: "select-key", Threads: 60}, QueriesPerSecond: &rates[i]}},
		})
	}
	runs[7].PastAnswer, runs[7].Changed = verdict.PastAnswer{Decision: verdict.Regression}, []string{"innodb_flush_log_at_trx_commit 2 -> 1"}
	runs[0].Tags, runs[0].Note = map[string]string{"rack": "7"}, "first"
	write := func(w io.Writer) error { return Index(w, runs) }
	conforms(t, kept(t, "index.schema.json", IndexSchema), write)
	var b bytes.Buffer
	if err := write(&b); err != nil {
		t.Fatal(err)
	}
	var got index
	if err := json.Unmarshal(b.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	r, p := got.Runs[7], got.Trends[0].Points[7]
	if len(got.Runs) != 13 || r.Outcome != "FAIL" || len(r.Changed) != 1 || r.StartedAt != "2026-03-08T03:00:00Z" || got.Runs[0].Tags["rack"] != "7" {
		t.Errorf("runs: %+v", got.Runs)
	}
	if !p.Shift || p.Change == nil || *p.Change > -0.19 || *p.Change < -0.23 || p.Rate != 19000 || p.Queries != nil {
		t.Errorf("the eighth night: %+v", p)
	}
}
