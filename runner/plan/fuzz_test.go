package plan

import (
	"math"
	"testing"
)

// FuzzTexts: no text of a flag panics, and numbers that come out are numbers within their bounds.
func FuzzTexts(f *testing.F) {
	for _, seed := range []string{"", "500ms", "-1s", "1h30m", "5%", "1e400%", "NaN", "load1=0.5,dirty=5%,timewait=1000,timeout=10m",
		"Threads_running=50,replica_lag=10s", "=,=", "qps>=20000,p99<10ms,runnable/cpu<2", "qps>=", "errors<=0%", "9999999999h", "0x10", "1_000"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if d, err := ParseDuration(text); err == nil && d < 0 {
			t.Errorf("duration %q is %v", text, d)
		}
		if p, err := ParsePercent(text); err == nil && (math.IsNaN(p) || math.IsInf(p, 0)) {
			t.Errorf("percentage %q is %v", text, p)
		}
		if n, err := parseNumber(text); err == nil && (math.IsNaN(n) || math.IsInf(n, 0)) {
			t.Errorf("number %q is %v", text, n)
		}
		ParseSettle(text)
		ParseLoadLimits(text)
		if list, err := ParseRequirements(text); err == nil && len(list) == 0 && text != "" {
			t.Errorf("requirements %q are none", text)
		}
	})
}

// FuzzDecode: no plan file panics, and what is read can be judged.
func FuzzDecode(f *testing.F) {
	for _, seed := range []string{"", "threads: [1, 2]\nqueries: 10:100:10\n", "cases:\n  - name: a\n    options: {x: 1}\n", "a: &a\n  <<: *a\n", "- 1\n", "x: !!binary ====\n",
		"require: [qps>=1]\ntags: {a: b}\n", "threads: 1\n---\nthreads: 2\n", "threads: 1\n---", "? {a: b}\n: c\n", "server: {host: h, port: -1}\n", "vary:\n  a: [1, 2]\n"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		p := Default()
		if p.Decode(raw, Catalogue{}) == nil {
			p.Validate(Catalogue{})
		}
	})
}
