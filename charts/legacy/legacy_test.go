package legacy

import (
	"math"
	"os"
	"strings"
	"testing"

	"github.com/mysweep/mysweep/runner/result"
)

func seconds(ms float64) *float64 { s := ms / 1000; return &s }

// golden compares a report with a published one of the original program.
func golden(t *testing.T, layout, file string, trial result.Trial, options map[string]string) {
	t.Helper()
	want, err := os.ReadFile("testdata/" + file)
	if err != nil {
		t.Fatal(err)
	}
	got, err := Trial(layout, &trial, options)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s:\n%s\nwant\n%s", file, got, want)
	}
}

// TestSysbench10: a published report, but for its rates: sysbench divided by a
// clock that ran 5 ms longer than the time that it prints.
func TestSysbench10(t *testing.T) {
	m := result.Measure{
		Threads: 10, Elapsed: 120.05699, Queries: 2272100, Reads: 1590470, Writes: 454420, Others: 227210, Transactions: 113605,
		Transaction: result.Distribution{Count: 113605, Sum: 1200.09851, Min: seconds(1.96), Mean: seconds(10.56), Max: seconds(335.25), P95: seconds(44.17)},
	}
	for i, d := range []float64{15.5, 15.5, 21.5, 26.5, 26.5} { // deviations of 21.67
		m.Rounds = append(m.Rounds, int64(11360.5+d), int64(11360.5-d))
		d = math.Copysign(0.02, float64(i)-1.5)
		m.Busy = append(m.Busy, 120.009851+d, 120.009851-d)
	}
	golden(t, "sysbench", "sysbench-1.0-threads-10.txt", result.Trial{Workload: "oltp_read_write", Measure: m}, nil)
}

// TestSysbench04: five published reports of the connection benchmark, in which
// each event is a SELECT and a reconnect.
func TestSysbench04(t *testing.T) {
	for _, test := range []struct {
		file                  string
		elapsed, sum          float64
		events                int64
		min, mean, max, p95   float64
		rounds                []int64
		busyMean, busySpreads float64
	}{
		{"sysbench-0.4.12-threads-1.txt", 60.0006, 59.8014, 154996, 0.23, 0.39, 0.75, 0.45, []int64{154996}, 59.8014, 0},
		{"sysbench-0.4.12-threads-8.txt", 60.00043, 477.5010, 1362135, 0.17, 0.35, 1.82, 0.44,
			[]int64{173955, 166548, 173870, 166397, 174123, 174343, 167765, 165134}, 59.687625, 0.02},
	} {
		m := result.Measure{
			Threads: len(test.rounds), Elapsed: test.elapsed, Queries: test.events, Reads: test.events, Transactions: test.events, Reconnects: test.events,
			Transaction: result.Distribution{Count: test.events, Sum: test.sum, Min: seconds(test.min), Mean: seconds(test.mean), Max: seconds(test.max), P95: seconds(test.p95)},
			Rounds:      test.rounds,
		}
		for i := range test.rounds {
			m.Busy = append(m.Busy, test.busyMean+test.busySpreads*float64(1-2*(i%2)))
		}
		golden(t, "sysbench", test.file, result.Trial{Workload: "oltp", Measure: m}, nil)
	}
}

func TestSuperSmack(t *testing.T) {
	types := func(list ...result.TypeMeasure) []result.TypeMeasure { return list }
	typ := func(name string, n int64, most, least float64) result.TypeMeasure {
		return result.TypeMeasure{Type: name, Queries: n, Latency: result.Distribution{Max: seconds(most), Min: seconds(least)}}
	}
	golden(t, "super-smack", "supersmack-report-20x1000.txt", result.Trial{Workload: "select-key", Measure: result.Measure{
		Threads: 20, Elapsed: 5, ElapsedWithConnect: 40000 / 5017.26,
		Connects: result.Distribution{Max: seconds(2204.9), Min: seconds(1.2), Mean: seconds(221.7)},
		Types:    types(typ("select_index", 40000, 0.9, 0.1)),
	}}, nil)
	golden(t, "super-smack", "supersmack-report-10x15-four-types.txt", result.Trial{Workload: "smacker", Measure: result.Measure{
		Threads: 10, ElapsedWithConnect: 2.01039,
		Connects: result.Distribution{Max: seconds(3.1), Min: seconds(0.2), Mean: seconds(0.9)},
		// Not in order.
		Types: types(typ("update_by_id", 1500, 4.4, 0.2), typ("select_by_id", 10000, 0.3, 0.1),
			typ("select_akey", 1000, 16.2, 2.9), typ("select_userid_aid", 5000, 0.5, 0.1)),
	}}, nil)
}

func TestMySQLBench(t *testing.T) {
	m := result.Measure{Threads: 50, Bursts: 1, Elapsed: 20, ElapsedWithConnect: 20.5, Transactions: 24998}
	for _, test := range []struct {
		name    string
		trial   result.Trial
		options map[string]string
		want    string
	}{
		{"some transactions failed", result.Trial{Workload: "tpcb", Queries: 500, Measure: m}, map[string]string{"scale": "100"}, `transaction type  . . . . . . . . . . . . : TPC-B (sort of)
scaling factor  . . . . . . . . . . . . . : 100
number of clients . . . . . . . . . . . . : 50
number of transactions per client . . . . : 500
number of transactions actually processed : 24998/25000
tps (include connections establishing)  . : 1219.414634
tps (exclude connections establishing)  . : 1249.900000
`},
		{"by time", result.Trial{Workload: "tpcb", Measure: m}, map[string]string{"skip-some-updates": "on"}, `transaction type  . . . . . . . . . . . . : Update only accounts
scaling factor  . . . . . . . . . . . . . : 1
number of clients . . . . . . . . . . . . : 50
duration  . . . . . . . . . . . . . . . . : 20 s
number of transactions actually processed : 24998
tps (include connections establishing)  . : 1219.414634
tps (exclude connections establishing)  . : 1249.900000
`},
		{"nothing measured", result.Trial{Workload: "tpcb", Measure: result.Measure{Threads: 2}}, map[string]string{"select-only": "true"}, `transaction type  . . . . . . . . . . . . : SELECT only
scaling factor  . . . . . . . . . . . . . : 1
number of clients . . . . . . . . . . . . : 2
duration  . . . . . . . . . . . . . . . . : 0 s
number of transactions actually processed : 0
tps (include connections establishing)  . : n/a
tps (exclude connections establishing)  . : n/a
`},
		{"another workload", result.Trial{Workload: "oltp_read_only", Queries: 1, Measure: result.Measure{Threads: 2, Bursts: 1}}, nil, `transaction type  . . . . . . . . . . . . : oltp_read_only
scaling factor  . . . . . . . . . . . . . : n/a
number of clients . . . . . . . . . . . . : 2
number of transactions per client . . . . : 1
number of transactions actually processed : 0/2
tps (include connections establishing)  . : n/a
tps (exclude connections establishing)  . : n/a
`},
	} {
		got, err := Trial("mysqlbench", &test.trial, test.options)
		if err != nil || got != test.want {
			t.Errorf("%s: %v\n%s\nwant\n%s", test.name, err, got, test.want)
		}
	}
}

// TestNothingMeasured: no NaN, no Inf, and n/a for what is not known.
func TestNothingMeasured(t *testing.T) {
	for _, layout := range Layouts() {
		for _, workload := range []string{"oltp", "oltp_read_write"} {
			got, err := Trial(layout, &result.Trial{Workload: workload, Measure: result.Measure{Types: []result.TypeMeasure{{Type: "x"}}}}, nil)
			if err != nil || strings.Contains(got, "NaN") || strings.Contains(got, "Inf") || !strings.Contains(got, "n/a") {
				t.Errorf("%s of %s: %v\n%s", layout, workload, err, got)
			}
		}
	}
	if _, err := Trial("pgbench", &result.Trial{}, nil); err == nil || err.Error() != `invalid layout "pgbench": expected one of sysbench, mysqlbench, super-smack` {
		t.Error(err)
	}
}
