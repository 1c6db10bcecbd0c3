package server

import "testing"

// The account's own limit holds, then the server's for each account, then max_connections; 0 is
// none, and on MariaDB administrators have none.
func TestConnectionLimit(t *testing.T) {
	ctx := testContext(t)
	// MariaDB keeps a 0 for ever.
	s := startServer(t, Private{Options: []Option{{Name: "max_user_connections", Value: "30"}}})
	for _, row := range []struct {
		name, with, global string
		want               ConnectionLimit
	}{
		{"unlimited", "", "0", ConnectionLimit{151, "max_connections"}},
		{"own", "WITH MAX_USER_CONNECTIONS 20", "30", ConnectionLimit{20, "MAX_USER_CONNECTIONS of the account"}},
		{"everyone", "", "30", ConnectionLimit{30, "max_user_connections"}},
		{"above", "WITH MAX_USER_CONNECTIONS 500", "0", ConnectionLimit{151, "max_connections"}},
		{"admin", "WITH MAX_USER_CONNECTIONS 20", "0", ConnectionLimit{20, "MAX_USER_CONNECTIONS of the account"}},
	} {
		exec := func(query string) {
			t.Helper()
			if _, err := s.observer.ExecContext(ctx, query); err != nil {
				t.Fatalf("%s: %v", query, err)
			}
		}
		exec("CREATE USER '" + row.name + "'@'%' IDENTIFIED BY 'secret' " + row.with)
		exec("SET GLOBAL max_user_connections = " + row.global)
		if row.name == "admin" {
			exec("GRANT ALL ON *.* TO 'admin'@'%'")
			if s.Flavour == MariaDB {
				row.want = ConnectionLimit{151, "max_connections"}
			}
		}
		e := s.Endpoint
		e.User, e.Password = row.name, "secret"
		target, err := Open(ctx, e)
		if err != nil {
			t.Fatal(err)
		}
		limit, err := target.ConnectionLimit(ctx)
		target.Close()
		if err != nil || limit != row.want {
			t.Errorf("%s: %+v, %v; want %+v", row.name, limit, err, row.want)
		}
	}
}
