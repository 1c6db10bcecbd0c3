package server

import (
	"context"
	"strings"
)

// The flavours of servers and proxies. "" is one that is not known.
const (
	MariaDB  = "mariadb"
	MySQL    = "mysql"
	Percona  = "percona"
	Aurora   = "aurora"
	TiDB     = "tidb"
	Vitess   = "vitess"
	Dolt     = "dolt"
	ProxySQL = "proxysql"
	MaxScale = "maxscale"
)

// flavourSigns tell flavours by what stands in SELECT VERSION() or @@version_comment, in any case.
// A proxy or another server often names the one that it imitates as well, so the first that fits
// counts.
var flavourSigns = []struct{ sign, flavour string }{
	{"maxscale", MaxScale},
	{"proxysql", ProxySQL},
	{"vitess", Vitess},
	{"planetscale", Vitess},
	{"tidb", TiDB},
	{"dolt", Dolt},
	{"aurora", Aurora},
	{"percona", Percona},
	{"mariadb", MariaDB},
	{"mysql", MySQL},
	// Amazon RDS, most packages of distributions and local builds.
	{"source distribution", MySQL},
	{"(debian)", MySQL},
	{"(ubuntu)", MySQL},
	{"homebrew", MySQL},
}

// flavourOf tells the flavour by the texts of a server's version, "" when they do not say it.
//
// Sources: MySQL and MariaDB manuals, version_comment; Percona Server for MySQL, "Percona Server
// (GPL), Release 28"; TiDB, "8.0.11-TiDB-v7.5.0" and "TiDB Server (Apache License 2.0) ..., MySQL
// 8.0 compatible" (docs.pingcap.com, pkg/sessionctx/variable/sysvar.go); Vitess,
// --mysql_server_version "8.0.30-Vitess" (vitess.io, vitessio/vitess pull 7337); Dolt,
// version_comment "Dolt" (docs.dolthub.com); ProxySQL, version_comment "(ProxySQL)", which it
// answers itself (proxysql.com, mysql-server_version); MaxScale, version_string (mariadb.com,
// MaxScale configuration guide); Amazon Aurora, "5.7.mysql_aurora.2.11.2" and the variable
// aurora_version (docs.aws.amazon.com, AuroraMySQL.Updates.Versions).
func flavourOf(version, comment string) string {
	text := strings.ToLower(version + "\n" + comment)
	for _, s := range flavourSigns {
		if strings.Contains(text, s.sign) {
			return s.flavour
		}
	}
	return ""
}

// isAurora asks for the variable that Amazon Aurora 3 has; its version texts are those of MySQL.
func (t *Target) isAurora(ctx context.Context) bool {
	values, err := t.show(ctx, "SHOW GLOBAL VARIABLES LIKE 'aurora\\_version'")
	return err == nil && len(values) > 0
}

// likeMySQL reports whether a server takes the statements and has the variables of Oracle's MySQL
// of its version. What is not known is asked as MySQL is, and may refuse.
func likeMySQL(flavour string) bool { return flavour != MariaDB && flavour != MaxScale }
