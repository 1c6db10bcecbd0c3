package server

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/go-sql-driver/mysql"
)

// ConnectionLimit is how many connections a server accepts from an account.
type ConnectionLimit struct {
	Most int    // 0 or less: none
	Name string // max_connections, max_user_connections, or MAX_USER_CONNECTIONS of the account
}

// ConnectionLimit is the lowest limit on the account's connections: the
// server's, or the one for each account.
func (t *Target) ConnectionLimit(ctx context.Context) (ConnectionLimit, error) {
	most, err := t.MaxConnections(ctx)
	if err != nil {
		return ConnectionLimit{}, err
	}
	limit := ConnectionLimit{most, "max_connections"}
	user, err := t.userLimit(ctx)
	if err != nil || user.Most <= 0 || most > 0 && user.Most >= most { // 0 and -1 are no limit
		return limit, err
	}
	return user, nil
}

// userLimit is the limit on the connections of each account, 0 when there is
// none. The session's max_user_connections is the account's own limit, or else
// the global one. A server or proxy that does not know it has none.
func (t *Target) userLimit(ctx context.Context) (ConnectionLimit, error) {
	ctx, cancel := withinAnswer(ctx)
	defer cancel()
	var own, global int
	t.statements.Add(1)
	err := t.observer.QueryRowContext(ctx, "SELECT @@SESSION.max_user_connections, @@GLOBAL.max_user_connections").Scan(&own, &global)
	var refused *mysql.MySQLError
	if errors.As(err, &refused) {
		return ConnectionLimit{}, nil
	}
	if err != nil {
		return ConnectionLimit{}, fmt.Errorf("max_user_connections of %s: %w", t.config.Addr, err)
	}
	if own <= 0 || t.ignoresUserLimit(ctx) {
		return ConnectionLimit{}, nil
	}
	if own != global {
		return ConnectionLimit{own, "MAX_USER_CONNECTIONS of the account"}, nil
	}
	return ConnectionLimit{own, "max_user_connections"}, nil
}

// ignoresUserLimit reports whether the account may exceed the limit for each
// account. Only MariaDB has such a privilege: CONNECTION ADMIN, which was part
// of SUPER before version 11.
func (t *Target) ignoresUserLimit(ctx context.Context) bool {
	if t.Flavour != MariaDB {
		return false
	}
	privileges := "'CONNECTION ADMIN'"
	major, _, _ := strings.Cut(t.Version, ".")
	if n, err := strconv.Atoi(major); err == nil && n < 11 {
		privileges += ", 'SUPER'"
	}
	const account = `CONCAT("'", SUBSTRING_INDEX(CURRENT_USER(), '@', 1), "'@'", SUBSTRING_INDEX(CURRENT_USER(), '@', -1), "'")`
	var n int
	t.statements.Add(1)
	err := t.observer.QueryRowContext(ctx, "SELECT COUNT(*) FROM information_schema.user_privileges WHERE grantee = "+account+
		" AND privilege_type IN ("+privileges+")").Scan(&n)
	return err == nil && n > 0
}
