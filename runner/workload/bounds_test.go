package workload

import (
	"fmt"
	"runtime"
	"strconv"
	"testing"
	"time"
)

// No number that is a slip of the finger may take the client's memory or time: an option is refused
// or costs nothing before the first statement.
func TestLargeOptions(t *testing.T) {
	for _, spec := range All() {
		for _, o := range spec.Options {
			if o.Form != "int" {
				continue
			}
			for _, n := range []int64{2_000_000, 1_000_000_000, 9_000_000_000_000_000_000} {
				values, err := NewValues(spec.Options, map[string]string{o.Name: strconv.FormatInt(n, 10)})
				if err != nil {
					break
				}
				var before, after runtime.MemStats
				runtime.ReadMemStats(&before)
				began := time.Now()
				w, err := spec.New(values.ForThreads(10))
				what := fmt.Sprint(err)
				if err == nil {
					what = fmt.Sprint(len(w.Tables()), " tables")
					if _, err := w.Thread(newFakeSession(0, 10)); err != nil {
						what = err.Error()
					}
				}
				runtime.ReadMemStats(&after)
				if used := after.TotalAlloc - before.TotalAlloc; used > 16<<20 || time.Since(began) > time.Second {
					t.Errorf("%s --%s %d: %d MiB and %s before anything is sent (%s)", spec.Name, o.Name, n, used>>20, time.Since(began), what)
					break
				}
			}
		}
	}
}
