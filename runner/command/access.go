package command

import "github.com/urfave/cli/v2"

// accessFlags say how to log in: they are no part of a plan, since a plan is
// archived and mailed.
func accessFlags() []cli.Flag {
	const category = "Which server"
	return []cli.Flag{
		&cli.StringFlag{Name: "dsn", Usage: "an existing server as user:password@tcp(host:port)/schema", Category: category},
		&cli.StringFlag{Name: "defaults-file", Usage: "read groups [client] and [mysweep] of this `FILE` (default ~/.my.cnf)", Category: category},
		&cli.StringFlag{Name: "password-file", Usage: "read the password from the first line of this `FILE`", Category: category},
	}
}
