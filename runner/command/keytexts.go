package command

import (
	"strings"

	"github.com/mysweep/mysweep/runner/plan"
)

// keyText describes the key at a path of a plan file, such as "cases.name". The
// keys of a case's server are flags.
func keyText(path string) string {
	if text := keyTexts()[path]; text != "" {
		return text
	}
	key, ofServer := strings.CutPrefix(path, "cases.server.")
	for _, f := range plan.GroupFlags("server") {
		if ofServer && f.Key() == key {
			return meaning(f)
		}
	}
	return ""
}

// keyTexts describes the keys that are no flags.
func keyTexts() map[string]string {
	return map[string]string{
		"tags":    "tags kept with the run, KEY: VALUE",
		"server":  "an existing server; the keys of this group are allowed at the top level too",
		"private": "true starts a private server even if this machine is busy; or the keys of a private server, which are allowed at the top level too",
		"at":      "knee: run the cases that vary another case only at its knee",

		"workloads":                     "workloads to run: names, names with options, files, or transactions",
		"workloads.name":                "name of the workload",
		"workloads.options":             "options of the workload, see mysweep workloads",
		"workloads.smack":               "a .smack file instead of a name",
		"workloads.sql":                 "an .sql file instead of a name",
		"workloads.lua":                 "a sysbench script instead of a name; options are its own",
		"workloads.setup":               "SQL that runs once per case before the first trial",
		"workloads.variables":           "distribution of each :name in the statements, e.g. uniform 1 1000",
		"workloads.transactions":        "rounds of a workload defined in the plan",
		"workloads.transactions.name":   "name of the transaction",
		"workloads.transactions.weight": "frequency of the transaction relative to the others (default: 1)",
		"workloads.transactions.sql":    "statements of the transaction, including BEGIN and COMMIT",

		"cases":                       "server configurations to compare; the first is the reference",
		"cases.name":                  "name of the case in the results",
		"cases.mysqld":                "server binary, instead of the plan's",
		"cases.options":               "server options by their names in my.cnf; without a value, the name alone is passed",
		"cases.options_file":          "a my.cnf file with further options",
		"cases.if_known":              "skip variables that this server does not have, instead of failing the case",
		"cases.datadir_parent":        "folder in which the data directory is made, instead of the plan's",
		"cases.copy_datadir_from":     "a prepared data directory to copy",
		"cases.wrap":                  "command that starts the server, e.g. numactl --interleave=all",
		"cases.env":                   "environment of the server, NAME: value",
		"cases.cpus":                  "CPUs of the server: a list such as 0-3,8, or cores; the load generator uses the others",
		"cases.cpus.list":             "a list such as 0-3,8",
		"cases.cpus.cores":            "number of cores, chosen from the topology",
		"cases.cpus.threads_per_core": "hardware threads of each core (default: 1)",
		"cases.smt":                   "on or off: SMT of the whole machine during the case; requires allow_smt_change",
		"cases.start":                 "state of the caches: cold (page cache dropped, server restarted), restart, or warm (warmed up, dirty pages flushed)",
		"cases.transport":             "connect by socket, tcp or tls",
		"cases.replicas":              "number of private replicas of the private server",
		"cases.server":                "existing server of this case, instead of the plan's; the login is taken over from the plan where it is not set",
		"cases.server.database":       "not allowed: the schema is the same for all cases",
		"cases.restart":               "commands that restart an existing server, at the beginning of the case and where start requires it; requires allow_commands",
		"cases.set_global":            "variables to SET GLOBAL during the case; the previous values are restored",
		"cases.after_start":           "SQL after each start of the server",
		"cases.before_trial":          "SQL before each trial",
		"cases.after_trial":           "SQL after each trial",
		"cases.before_trial_command":  "commands before each trial; requires allow_commands",
		"cases.after_trial_command":   "commands after each trial; requires allow_commands",
		"cases.trace":                 "traces taken in an extra trial that is not measured: syscalls, perf, innodb-status, slow-log",
		"cases.vary":                  "NAME: [VALUES]: a further case for each value, one variable changed at a time",
		"cases.grid":                  "NAME: [VALUES]: a further case for each combination",
		"cases.around":                "apply vary and grid to the case named here; this case itself does not run",
	}
}
