package command

import (
	"fmt"
	"strconv"

	"github.com/mysweep/mysweep/runner/plan"
)

// serverSettings say which server is meant, as the mysql client does.
func serverSettings() []setting {
	return []setting{
		text("host", "host of an existing server", func(p *plan.Plan) *string { return &p.Server.Host }, "h"),
		value("port", "its TCP port", setPort, "P"),
		text("socket", "its unix socket", func(p *plan.Plan) *string { return &p.Server.Socket }, "S"),
		text("user", "user name there", func(p *plan.Plan) *string { return &p.Server.User }, "u"),
		text("database", "schema that mysweep works in (default mysweep)", func(p *plan.Plan) *string { return &p.Server.Database }, "D"),
		text("ssl-mode", "disabled, preferred, required, verify-ca or verify-identity", func(p *plan.Plan) *string { return &p.Server.SSLMode }),
		text("ssl-ca", "file with the certificates of authorities", func(p *plan.Plan) *string { return &p.Server.SSLCA }),
		text("ssl-cert", "file with the client's certificate", func(p *plan.Plan) *string { return &p.Server.SSLCert }),
		text("ssl-key", "file with the client's key", func(p *plan.Plan) *string { return &p.Server.SSLKey }),
		text("server-ssh", "USER@HOST: read facts and load of the server's machine by ssh", func(p *plan.Plan) *string { return &p.Server.SSH }),
	}
}

func setPort(p *plan.Plan, s string) error {
	port, err := strconv.Atoi(s)
	if err != nil {
		return fmt.Errorf("%q is no whole number", s)
	}
	if port < 1 || port > 65535 {
		return fmt.Errorf("%q is no port: there are 1 to 65535", s)
	}
	p.Server.Port = port
	return nil
}

// privateSettings say how a private server is made.
func privateSettings() []setting {
	return []setting{
		yes("private", "start a private server, whatever else runs on this machine", func(p *plan.Plan) *bool { return &p.Private.Wanted }),
		text("mysqld", "its program (default: the first mariadbd or mysqld found)", func(p *plan.Plan) *string { return &p.Private.Mysqld }),
		text("datadir-parent", "folder for its datadir (default /var/tmp)", func(p *plan.Plan) *string { return &p.Private.DatadirParent }),
		yes("allow-tmpfs", "let that folder be in memory", func(p *plan.Plan) *bool { return &p.Private.AllowTmpfs }),
		text("server-user", "who runs it when mysweep is root (default mysql, else nobody)", func(p *plan.Plan) *string { return &p.Private.ServerUser }),
		text("mysqld-defaults-file", "my.cnf for it (default: none, the machine's is ignored)", func(p *plan.Plan) *string { return &p.Private.DefaultsFile }),
		many("mysqld-option", "option for it, name=value as in my.cnf", func(p *plan.Plan) *plan.Texts { return &p.Private.Options }),
		text("transport", "socket, tcp or tls", func(p *plan.Plan) *string { return &p.Private.Transport }),
		yes("keep-server-files", "do not remove its folder", func(p *plan.Plan) *bool { return &p.Private.KeepFiles }),
	}
}

// setPreset makes the plan one that has a name. Other flags then change it.
func setPreset(p *plan.Plan, name string) error {
	if name != "supersmack" {
		return fmt.Errorf("%q is unknown: there is supersmack", name)
	}
	p.SuperSmack()
	return nil
}
