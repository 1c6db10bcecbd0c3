package server

import (
	"strings"
	"testing"

	"github.com/go-sql-driver/mysql"
)

// The driver's advice is on its DSN, which mysweep does not take.
func TestUnsupportedLogin(t *testing.T) {
	for _, cause := range []error{mysql.ErrCleartextPassword, mysql.ErrOldPassword, mysql.ErrUnknownPlugin} {
		got := connectError(&mysql.Config{Addr: "db:3306", User: "me"}, "", cause).Error()
		if strings.Contains(got, "DSN") || !strings.HasPrefix(got, `connect db:3306 as "me": the account`) || !strings.Contains(got, "use an account with") {
			t.Errorf("%v: %s", cause, got)
		}
	}
}
