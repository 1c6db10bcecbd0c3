package lua

import (
	"math/rand/v2"
	"os/exec"
	"testing"

	"github.com/mysweep/mysweep/runner/workload"
)

// quiet is a session without a server, whose statements succeed.
type quiet struct {
	workload.Session
	rand *rand.Rand
	n    int
}

func (q *quiet) Declare(workload.Statement) workload.Handle { q.n++; return workload.Handle(q.n - 1) }
func (q *quiet) Fetch(workload.Handle, string, workload.Args, *workload.Results) (workload.Outcome, error) {
	return workload.Outcome{}, nil
}
func (q *quiet) Ended() error         { return nil }
func (q *quiet) AtEnd(workload.Round) {}
func (q *quiet) Rand() *rand.Rand     { return q.rand }
func (q *quiet) Thread() int          { return 0 }
func (q *quiet) Threads() int         { return 1 }

// BenchmarkEvent is what one event of a bundled script costs without a server.
func BenchmarkEvent(b *testing.B) {
	if _, err := exec.LookPath("sysbench"); err != nil {
		b.Skip("sysbench is not installed: apt-get install sysbench")
	}
	for _, name := range []string{"oltp_point_select", "oltp_read_only", "oltp_read_write"} {
		b.Run(name, func(b *testing.B) {
			s, err := Open(name, Script{})
			if err != nil {
				b.Fatal(err)
			}
			round, err := s.Thread(&quiet{rand: rand.New(rand.NewPCG(1, 1))})
			if err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			for b.Loop() {
				if err := round(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
