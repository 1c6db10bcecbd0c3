package server

import (
	"context"
	"database/sql"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/go-sql-driver/mysql"
)

// sessionNeeds are the values without which a workload does not do what it
// says: writes are committed, no result is cut short, no statement is ended by
// the server, and texts arrive as they are sent.
var sessionNeeds = map[string]string{
	"autocommit":               "1",
	"sql_select_limit":         "18446744073709551615",
	"max_statement_time":       "0", // MariaDB, seconds
	"max_execution_time":       "0", // MySQL, milliseconds
	"character_set_client":     "utf8mb4",
	"character_set_connection": "utf8mb4",
	"character_set_results":    "utf8mb4",
}

// Session is what a new session of our account begins with, before it sets
// anything: the globals, changed by init_connect.
type Session struct {
	Found map[string]string // by variable; those that the server does not have are left out
	Set   map[string]string // what our sessions set of them, as SQL literals
}

// ReadSession logs in once more and reads what a new session begins with. All
// connections that are made from now on set what the workloads need.
func (t *Target) ReadSession(ctx context.Context) (Session, error) {
	db, err := t.poolOf(t.config, 1)
	if err != nil {
		return Session{}, err
	}
	defer db.Close()
	conn, err := db.Conn(ctx)
	if err != nil {
		return Session{}, t.connectError(err)
	}
	defer conn.Close()
	found := map[string]string{}
	for _, name := range t.sessionVariables() {
		var value sql.NullString
		// LIMIT, as sql_select_limit holds for statements without one.
		err := conn.QueryRowContext(ctx, "SELECT @@SESSION."+name+" LIMIT 1").Scan(&value)
		if isRefused(err) {
			continue
		}
		if err != nil {
			return Session{}, fmt.Errorf("session variable %s of %s: %w", name, t.config.Addr, err)
		}
		found[name] = value.String
	}
	session := Session{Found: found, Set: sessionSettings(t.config, found)}
	t.session.Store(&session)
	return session, nil
}

// sessionVariables are what sessions depend on, by the names that this server has.
func (t *Target) sessionVariables() []string {
	names := slices.Sorted(maps.Keys(sessionNeeds))
	names = append(names, "sql_mode")
	if likeMySQL(t.Flavour) && versionAtLeast(t.Version, 5, 7, 20) {
		return append(names, "transaction_isolation")
	}
	return append(names, "tx_isolation")
}

// sessionSettings are the variables that are not as workloads need them. What
// the DSN says is left as it is said there. The isolation level is part of the
// configuration that is measured and only recorded, and so is sql_mode, but for
// the mode in which inserts of the key 0, as sysbench makes them, collide.
func sessionSettings(config *mysql.Config, found map[string]string) map[string]string {
	settings := map[string]string{}
	charset := config.Collation != "" || strings.Contains(config.FormatDSN(), "charset=")
	for name, need := range sessionNeeds {
		value, known := found[name]
		_, said := config.Params[name]
		if !known || said || charset && strings.HasPrefix(name, "character_set_") {
			continue
		}
		if name == "max_statement_time" && strings.Trim(value, "0.") == "" {
			continue // 0.000000
		}
		if limit, err := strconv.ParseUint(value, 10, 64); name == "sql_select_limit" && err == nil && limit >= math.MaxInt32 {
			continue // cuts no result short; not every server takes a higher one
		}
		if value != need {
			settings[name] = need
		}
	}
	const unfit = "NO_AUTO_VALUE_ON_ZERO"
	modes := strings.Split(found["sql_mode"], ",")
	if _, said := config.Params["sql_mode"]; !said && slices.Contains(modes, unfit) {
		kept := slices.DeleteFunc(modes, func(mode string) bool { return mode == unfit })
		settings["sql_mode"] = quoteSQL(strings.Join(kept, ","))
	}
	return settings
}

// withSession is a config whose connections set what workloads need.
func (t *Target) withSession(config *mysql.Config) *mysql.Config {
	config = config.Clone()
	session := t.session.Load()
	if session == nil || len(session.Set) == 0 {
		return config
	}
	params := maps.Clone(session.Set)
	maps.Copy(params, config.Params)
	config.Params = params
	return config
}
