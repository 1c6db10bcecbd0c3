package plan

import "testing"

// A case's server takes from the plan what it does not say of the login, and
// never where it is; a DSN says all.
func TestServerOf(t *testing.T) {
	p := Plan{Server: Server{Host: "db1", Port: 3307, User: "u", Database: "d", PasswordFile: "/pw", SSLMode: "required", SSH: "root@db1"}}
	for _, row := range []struct {
		why  string
		own  *Server
		want Server
	}{
		{"none of its own", nil, p.Server},
		{"another host", &Server{Host: "db2"}, Server{Host: "db2", User: "u", Database: "d", PasswordFile: "/pw", SSLMode: "required"}},
		{"another login", &Server{Socket: "/s", User: "v", PasswordFile: "/pv", SSLMode: "disabled"},
			Server{Socket: "/s", User: "v", Database: "d", PasswordFile: "/pv", SSLMode: "disabled"}},
		{"a DSN", &Server{DSN: "w:x@tcp(db3)/"}, Server{DSN: "w:x@tcp(db3)/", Database: "d"}},
	} {
		if got := p.ServerOf(Case{Server: row.own}); got != row.want {
			t.Errorf("%s: %+v; want %+v", row.why, got, row.want)
		}
	}
}
