package command

import "github.com/mysweep/mysweep/runner/plan"

// accessSettings say how to log in, on the server and on its replicas. They are not archived with the plan, since
// an archive is mailed.
func accessSettings() []setting {
	return []setting{
		text("dsn", "an existing server as user:password@tcp(host:port)/schema", func(p *plan.Plan) *string { return &p.Server.DSN }),
		text("defaults-file", "read groups [client] and [mysweep] of this `FILE` (default ~/.my.cnf)", func(p *plan.Plan) *string { return &p.Server.DefaultsFile }),
		text("password-file", "read the password from the first line of this `FILE`", func(p *plan.Plan) *string { return &p.Server.PasswordFile }),
		many("replica", "`DSN` of a replica of the named server, to wait for and to compare after each case", func(p *plan.Plan) *plan.Texts { return &p.Replicas }),
	}
}
