package procfs

import "testing"

// FuzzParse: no file of /proc panics.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{"", "0.00 0.01 0.05 1/123 4567\n", "1 (a) b) S 1 77 77 0 -1 4194560 1 2 3 4 100 50 0 0 20 0 31 0 555 1000\n", "1 ()", "TCP: inuse 5 orphan 0 tw 0 alloc 8 mem 1\n", "TCP:\n"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		ParseLoadavg(data)
		ParseSockstat(data)
		ParseProcess(data)
	})
}
