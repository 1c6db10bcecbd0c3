package plan

import (
	"fmt"
	"testing"
)

func TestParseLoadLimits(t *testing.T) {
	for text, want := range map[string]string{
		"Threads_running=50,replica_lag=10s": "[{Threads_running 50} {replica_lag 10}]",
		" Threads_connected=1.5 ":            "[{Threads_connected 1.5}]",
		"replica_lag=500ms":                  "[{replica_lag 0.5}]",
		"":                                   "", "Threads_running": "", "=5": "", "Threads_running=x": "", "Threads_running=-1": "",
		"replica_lag=10": "", "Threads running=5": "", "Threads_running=NaN": "", "a=1,,b=2": "",
	} {
		limits, err := ParseLoadLimits(text)
		if (err == nil) != (want != "") || err == nil && fmt.Sprint(limits) != want {
			t.Errorf("%q: %v %v, want %s", text, limits, err, want)
		}
	}
}
