package result

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// fullTrial has all that Brief leaves out.
func fullTrial(repeat int, status Status) Trial {
	t := sample(repeat, status)
	t.Measure.Types = []TypeMeasure{{Type: "select_index", Queries: 7}}
	t.Measure.Rounds, t.Measure.Busy = []int64{3, 4}, []float64{0.5, 0.25}
	t.Evidence.Status = map[string]float64{"Com_select": 7}
	t.Evidence.ServerSamples = []ServerSample{{At: 1, Status: map[string]float64{"Threads_running": float64(repeat)}}}
	t.Evidence.Client = &Machine{UsableCPUs: 2, CPUs: []CPU{{ID: 1}}, Values: map[string]float64{"x": 1},
		Samples: []Sample{{At: 1, Values: map[string]float64{"cpu.busy_ratio": 0.5}}}}
	return t
}

// What is read again is what was appended, without the lines that a later one supersedes and
// those that are torn.
func TestFull(t *testing.T) {
	dir := t.TempDir()
	if err := WriteRun(dir, &Run{Schema: SchemaVersion}); err != nil {
		t.Fatal(err)
	}
	j, err := OpenJournal(dir)
	if err != nil {
		t.Fatal(err)
	}
	appended := []Trial{fullTrial(1, Failed), fullTrial(2, OK), fullTrial(1, OK), fullTrial(3, OK)}
	for i := range appended {
		if err := j.Append(&appended[i]); err != nil {
			t.Fatal(err)
		}
		if _, err := j.file.WriteString("{\"torn\n"); err != nil {
			t.Fatal(err)
		}
	}
	j.Close()
	a, err := Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	want := appended[1:]
	if len(a.Trials) != len(want) || a.Torn != len(appended) {
		t.Fatalf("%d trials, %d torn; want %d and %d", len(a.Trials), a.Torn, len(want), len(appended))
	}
	i := 0
	for full := range a.Full() {
		if brief := want[i].Brief(); !reflect.DeepEqual(*full, want[i]) || !reflect.DeepEqual(a.Trials[i], brief) {
			t.Errorf("trial %d is %+v in full and %+v in brief; want %+v and %+v", i, *full, a.Trials[i], want[i], brief)
		}
		i++
	}
	if i != len(want) || a.Err() != nil {
		t.Errorf("%d trials in full, %v; want %d", i, a.Err(), len(want))
	}
	if n := a.Names(); !n.Values["cpu.busy_ratio"] || !n.Status["Threads_running"] || n.Lag || len(n.Values) != 1 {
		t.Errorf("names %+v", n)
	}
	if got := a.FullOf([]*Trial{&a.Trials[1]}); len(got) != 1 || got[0].Repeat != 1 || len(got[0].Measure.Rounds) != 2 {
		t.Errorf("one of them: %+v", got)
	}
	if err := os.Truncate(filepath.Join(dir, JournalFile), 100); err != nil {
		t.Fatal(err)
	}
	for range a.Full() {
		t.Error("a trial of a journal that is gone")
	}
	if a.Err() == nil || !strings.Contains(a.Err().Error(), "trials.jsonl changed while it was read") {
		t.Errorf("%v; want that the journal changed", a.Err())
	}
}
