package load_test

import (
	"strings"
	"testing"

	"github.com/mysweep/mysweep/runner/load"
	"github.com/mysweep/mysweep/runner/load/loop"
)

// engine is a load generator, and how it waits.
type engine struct {
	loadGen string
	poller  loop.Poller
}

func (e engine) String() string { return strings.TrimSpace(e.loadGen + " " + string(e.poller)) }

// engines are those that this machine has.
var engines = func() []engine {
	list := []engine{{"loop", loop.Epoll}, {"goroutine", ""}}
	if loop.ProbeUring() == nil {
		list = append(list, engine{"loop", loop.Uring})
	}
	return list
}()

// TestTransportsAndProtocols: every way to talk gives the counts that were asked for.
func TestTransportsAndProtocols(t *testing.T) {
	for _, engine := range engines {
		for _, transport := range []string{"socket", "tcp", "tls"} {
			for _, prepared := range []bool{false, true} {
				for _, compress := range []bool{false, true} {
					trial := load.Trial{Threads: 3, Queries: 20, Prepared: prepared, Compress: compress, LoadGen: engine.loadGen, Poller: engine.poller, Seed: 1}
					m := run(t, target(t, transport), rounds(pointSelect), trial)
					name := []any{engine, transport, "prepared", prepared, "compress", compress}
					if m.Queries != 60 || m.Transactions != 60 || m.Errors != 0 || m.Bursts != 1 || m.Reads != 60 {
						t.Errorf("%v: queries=%d transactions=%d errors=%d reads=%d bursts=%d %v", name, m.Queries, m.Transactions, m.Errors, m.Reads, m.Bursts, m.ErrorsBy)
					}
					if m.Connects.Count != 3 || m.Latency.Count != 60 || m.Elapsed <= 0 || m.ElapsedWithConnect <= m.Elapsed {
						t.Errorf("%v: connects=%d latencies=%d elapsed=%g with connect=%g", name, m.Connects.Count, m.Latency.Count, m.Elapsed, m.ElapsedWithConnect)
					}
					if m.Transport != transport || (m.TLSCipher != "") != (transport == "tls") {
						t.Errorf("%v: transport=%s cipher=%s", name, m.Transport, m.TLSCipher)
					}
				}
			}
		}
	}
}
