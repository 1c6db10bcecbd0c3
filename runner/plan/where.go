package plan

import (
	"slices"
	"strings"
)

// Misplaced returns what the plan says of a server other than the one that is
// meant: it would have no effect, and a run of a server other than the user
// thinks is worse than none.
func (p *Plan) Misplaced() []string {
	s := p.Server
	var mistakes []string
	own := slices.ContainsFunc(p.Cases, func(c Case) bool { return c.Server != nil }) // takes the login from here
	onPrivate := slices.ContainsFunc(p.Cases, func(c Case) bool { return !p.Existing(c) })
	named := s.Named()
	if own && p.Private.Wanted {
		s.DefaultsFile = "" // it has the login, and says no place
	}
	place := given{
		{"--host", s.Host != ""}, {"--port", s.Port != 0}, {"--socket", s.Socket != ""}, {"--dsn", s.DSN != ""}, {"--defaults-file", s.DefaultsFile != ""},
	}
	login := given{
		{"--user", s.User != ""}, {"--password-file", s.PasswordFile != ""}, {"--ssl-mode", s.SSLMode != ""}, {"--ssl-ca", s.SSLCA != ""},
		{"--ssl-cert", s.SSLCert != ""}, {"--ssl-key", s.SSLKey != ""}, {"--server-ssh", s.SSH != ""},
	}
	private := given{
		{"--mysqld", p.Private.Mysqld != ""}, {"--datadir-parent", p.Private.DatadirParent != ""}, {"--allow-tmpfs", p.Private.AllowTmpfs},
		{"--server-user", p.Private.ServerUser != ""}, {"--mysqld-defaults-file", p.Private.DefaultsFile != ""},
		{"--mysqld-option", len(p.Private.Options) > 0}, {"--transport", p.Private.Transport != ""}, {"--keep-server-files", p.Private.KeepFiles},
	}
	switch {
	case p.Private.Wanted && place.any():
		mistakes = append(mistakes, "--private and a named server exclude each other: leave out --private, or "+place.String())
	case p.Private.Wanted && login.any() && !own:
		mistakes = append(mistakes, "--private and "+login.String()+" exclude each other: mysweep logs in to its own server by itself")
	case !named && login.any() && !own:
		mistakes = append(mistakes, login.String()+": no server is named: add --host, --socket, --dsn or --defaults-file")
	case !onPrivate && private.any():
		mistakes = append(mistakes, private.String()+": only for a private server, and one that exists is named: leave out the one or the other")
	}
	if len(p.Replicas) > 0 && !named {
		mistakes = append(mistakes, "--replica needs a named server: a private one gets replicas by replicas: N in a case")
	}
	return mistakes
}

// given lists flags, and whether each was given.
type given []struct {
	flag string
	set  bool
}

func (g given) any() bool { return g.String() != "" }

func (g given) String() string {
	var names []string
	for _, one := range g {
		if one.set {
			names = append(names, one.flag)
		}
	}
	return strings.Join(names, ", ")
}
