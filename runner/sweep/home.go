package sweep

import (
	"slices"

	"github.com/mysweep/mysweep/runner/plan"
	"github.com/mysweep/mysweep/runner/server"
)

// home names the server that cases share: an existing one by its address, a
// private one by the case with which it is first started.
type home struct{ address, kase string }

// homeOf is the server that a case runs on. A case that varies another one
// shares its server, unless the variable decides what the datadir looks like;
// an existing server is that of all cases that name it.
func (s *sweep) homeOf(c plan.Case) home {
	e := s.endpoint(c)
	if e == nil {
		return home{kase: s.homeCase(c).Name}
	}
	h := home{address: e.Name()}
	if other, ok := s.sameAs[h]; ok {
		return other
	}
	return h
}

// homeCase is the case with which the server of a case is first started.
func (s *sweep) homeCase(c plan.Case) plan.Case {
	i := slices.IndexFunc(s.Plan.Cases, func(other plan.Case) bool { return other.Name == c.Of })
	if i < 0 || s.endpoint(c) != nil || slices.ContainsFunc(c.Varied, func(v plan.Setting) bool { return server.ShapesDatadir(v.Name) }) {
		return c
	}
	return s.Plan.Cases[i]
}
