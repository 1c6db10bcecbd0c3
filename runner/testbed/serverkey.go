package testbed

import (
	"slices"

	"github.com/mysweep/mysweep/runner/plan"
	"github.com/mysweep/mysweep/runner/server"
)

// serverKey names the server that cases share: an existing one by its address, a
// private one by the case with which it is first started.
type serverKey struct{ address, caseName string }

// keyOf is the server that a case runs on. A case that varies another one
// shares its server, unless the variable decides what the datadir looks like;
// an existing server is that of all cases that name it.
func (s *Site) keyOf(c plan.Case) serverKey {
	e := s.endpoint(c)
	if e == nil {
		return serverKey{caseName: s.ownerOf(c).Name}
	}
	h := serverKey{address: e.Name()}
	if other, ok := s.sameAs[h]; ok {
		return other
	}
	return h
}

// ownerOf is the case with which the server of a case is first started.
func (s *Site) ownerOf(c plan.Case) plan.Case {
	i := slices.IndexFunc(s.plan.Cases, func(other plan.Case) bool { return other.Name == c.Of })
	if i < 0 || s.endpoint(c) != nil || slices.ContainsFunc(c.Varied, func(v plan.Setting) bool { return server.ShapesDatadir(v.Name) }) {
		return c
	}
	return s.plan.Cases[i]
}
