package plan

import (
	"slices"
	"strings"
)

func (v *validator) servers() {
	v.add(v.plan.Misplaced()...)
	private := func(c Case) bool { return !v.plan.Existing(c) }
	if v.plan.ExistingTables && slices.ContainsFunc(v.plan.Cases, private) {
		v.say("--existing-tables requires an existing server: a private one has no tables")
	}
}

// Misplaced returns what the plan says of a server other than the one that is
// meant: it would have no effect, and the results would be those of another
// server than the user expects.
func (p *Plan) Misplaced() []string {
	s := *p
	var mistakes []string
	// Cases with a server of their own take over the login.
	own := slices.ContainsFunc(p.Cases, func(c Case) bool { return c.Server != nil })
	onPrivate := slices.ContainsFunc(p.Cases, func(c Case) bool { return !p.Existing(c) })
	if own && p.Private.Wanted {
		s.Server.DefaultsFile = "" // it has the login, and no address
	}
	address, login, private := s.set(RoleAddress), p.set(RoleLogin, RoleMachine), p.set(RolePrivate)
	switch {
	case p.Private.Wanted && address != "":
		mistakes = append(mistakes, "--private and "+address+" are mutually exclusive: the server is either private or an existing one")
	case p.Private.Wanted && login != "" && !own:
		mistakes = append(mistakes, "--private and "+login+" are mutually exclusive: a private server has a login of its own")
	case !p.Server.Named() && login != "" && !own:
		mistakes = append(mistakes, login+": no existing server is named: add --host, --socket, --dsn or --defaults-file")
	case !onPrivate && private != "":
		mistakes = append(mistakes, private+": only for a private server, but an existing one is named")
	}
	if len(p.Replicas) > 0 && !p.Server.Named() {
		mistakes = append(mistakes, "--replica requires an existing server: a private one gets replicas by replicas: N in a case")
	}
	return mistakes
}

// set lists the flags of the roles that the plan sets, "" for none.
func (p *Plan) set(roles ...Role) string {
	var names []string
	for _, f := range Flags() {
		if slices.Contains(roles, f.Role) && !f.IsZero(p) {
			names = append(names, "--"+f.Name)
		}
	}
	return strings.Join(names, ", ")
}
