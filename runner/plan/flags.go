package plan

import "slices"

// Flags returns all settings of a plan, in the order in which they are applied
// and shown. A preset comes first, so that the others change it.
func Flags() []Flag {
	return slices.Concat(sweepFlags(), serverFlags(), workloadFlags(), answerFlags(), outputFlags(), privateFlags(), advancedFlags())
}

func sweepFlags() []Flag {
	return []Flag{
		{Name: "preset", Group: GroupSweep, Arg: "NAME", Choices: []string{"supersmack"}, Set: setPreset,
			Help: "exact settings of another tool's usual sweep"},
		{Name: "threads", Short: "t", Group: GroupSweep, Common: true, Tables: Prepare,
			Help: "thread counts: numbers, a:b:step or a:b:x2", Unset: defaultThreads,
			Field: func(p *Plan) any { return &p.Threads }, Positive: true, Max: MaxThreads},
		{Name: "queries", Short: "q", Group: GroupSweep, Common: true, Alternatives: Ends,
			Help: "rounds per thread, a list like --threads", Unset: "set by the workload",
			Field: func(p *Plan) any { return &p.Queries }, Positive: true, Max: 1e9},
		{Name: "time", Group: GroupSweep, Common: true, Alternatives: Ends,
			Help:  "end each trial after this time instead",
			Field: func(p *Plan) any { return &p.Time }, Positive: true},
		{Name: "events", Group: GroupSweep, Alternatives: Ends,
			Help:  "end each trial after N rounds in total instead",
			Field: func(p *Plan) any { return &p.Events }, Positive: true, Max: 1e12},
		{Name: "rate", Group: GroupSweep, Common: true,
			Help:  "start this many rounds per second in total, however the server responds",
			Field: func(p *Plan) any { return &p.Rate }, Positive: true, Max: 1e9,
			Requires: requires(func(p *Plan) bool { return p.Time > 0 || p.Events > 0 }, "--time or --events: a rate is kept over a whole trial")},
		{Name: "arrivals", Group: GroupSweep, Default: "poisson", Choices: []string{"poisson", "uniform"},
			Help: "arrival process of --rate", Field: func(p *Plan) any { return &p.Arrivals },
			Requires: requires(func(p *Plan) bool { return p.Rate > 0 }, "--rate: without a rate, each round follows the previous one")},
		{Name: "min-time", Group: GroupSweep, Default: "500ms",
			Help: "repeat the bursts of a trial for at least this long; 0 runs one burst", Field: func(p *Plan) any { return &p.MinTime },
			Requires: requires(func(p *Plan) bool { return len(p.Queries) > 0 }, "--queries: a trial that ends by --time or --events is one burst")},
		{Name: "ramp-up", Group: GroupSweep,
			Help: "run a timed trial this long before the measurement begins", Field: func(p *Plan) any { return &p.RampUp },
			Requires: requires(func(p *Plan) bool { return p.Time > 0 }, "--time: a burst of --queries is measured as a whole")},
		{Name: "repeat", Short: "r", Group: GroupSweep, Common: true, Default: "3",
			Help: "trials of each cell", Field: func(p *Plan) any { return &p.Repeat }, Positive: true, Max: 1e6},
		{Name: "confirm", Group: GroupSweep, Default: "3",
			Help: "further trials of the best cell", Field: func(p *Plan) any { return &p.Confirm }, Max: 1e6},
		{Name: "warmup", Group: GroupSweep, Default: "5s",
			Help: "warm up each case for this long, not measured", Field: func(p *Plan) any { return &p.Warmup }},
		{Name: "order", Group: GroupSweep, Default: "interleaved", Choices: []string{"interleaved", "sequential"},
			Help: "order of the trials", Field: func(p *Plan) any { return &p.Order }},
		{Name: "seed", Group: GroupSweep, Default: "0", Tables: Prepare,
			Help: "seed of the order, of the rows and of the keys", Field: func(p *Plan) any { return &p.Seed }},
		{Name: "reconnect", Group: GroupSweep, Default: "never", Arg: "WHEN",
			Help: "reconnect never, after each query, after each round or after N rounds", Field: func(p *Plan) any { return &p.Reconnect }, Check: checkReconnect},
		{Name: "settle", Group: GroupSweep, Arg: "LIMITS",
			Help:  "before each case, wait until the machine is idle, e.g. load1=0.5,dirty=5%,timewait=1000,timeout=10m (default: for ports, where threads reconnect over TCP)",
			Field: func(p *Plan) any { return &p.Settle }},
		{Name: "max-load", Group: GroupSweep, Arg: "LIMITS",
			Help:  "before each trial, pause while the server is above these limits, e.g. Threads_running=50,replica_lag=10s",
			Field: func(p *Plan) any { return &p.MaxLoad }, Check: checkLag("max-load", func(p *Plan) LoadLimits { return p.MaxLoad })},
		{Name: "critical-load", Group: GroupSweep, Arg: "LIMITS",
			Help:  "before each trial, end the run if the server is above these limits, e.g. Threads_running=200",
			Field: func(p *Plan) any { return &p.CriticalLoad }, Check: checkLag("critical-load", func(p *Plan) LoadLimits { return p.CriticalLoad })},
		{Name: "max-time", Group: GroupSweep, Help: "end the run after this time", Field: func(p *Plan) any { return &p.MaxTime }, Positive: true},
	}
}

func serverFlags() []Flag {
	both := Prepare | Cleanup
	return []Flag{
		{Name: "host", Short: "h", Group: GroupServer, Common: true, Tables: both, Role: RoleAddress, Arg: "HOST",
			Help: "host of an existing server", Field: func(p *Plan) any { return &p.Server.Host }},
		{Name: "port", Short: "P", Group: GroupServer, Common: true, Tables: both, Role: RoleAddress,
			Help: "TCP port of the server", Field: func(p *Plan) any { return &p.Server.Port }, Positive: true, Max: 65535},
		{Name: "socket", Short: "S", Group: GroupServer, Common: true, Tables: both, Role: RoleAddress, Arg: "PATH",
			Help: "Unix socket of the server", Field: func(p *Plan) any { return &p.Server.Socket }},
		{Name: "user", Short: "u", Group: GroupServer, Common: true, Tables: both, Role: RoleLogin, Arg: "NAME",
			Help: "MySQL user", Field: func(p *Plan) any { return &p.Server.User }},
		{Name: "database", Short: "D", Group: GroupServer, Tables: both, Arg: "NAME", Default: "mysweep",
			Help: "schema for the tables of the workloads", Field: func(p *Plan) any { return &p.Server.Database }, Check: checkDatabase},
		{Name: "defaults-file", Group: GroupServer, Secret: true, Common: true, Tables: both, Role: RoleAddress, Arg: "FILE",
			Help: "read the client groups and [mysweep] of an option file", Unset: "~/.my.cnf",
			Field: func(p *Plan) any { return &p.Server.DefaultsFile }},
		{Name: "password-file", Group: GroupServer, Secret: true, Tables: both, Role: RoleLogin, Arg: "FILE",
			Help: "read the password from the first line of a file", Field: func(p *Plan) any { return &p.Server.PasswordFile }},
		{Name: "dsn", Group: GroupServer, Secret: true, Tables: both, Role: RoleAddress, Arg: "DSN",
			Help: "address and login of an existing server, e.g. user@tcp(host:port)/schema", Field: func(p *Plan) any { return &p.Server.DSN }},
		{Name: "ssl-mode", Group: GroupServer, Tables: both, Role: RoleLogin, Arg: "MODE",
			Choices: []string{"disabled", "preferred", "required", "verify-ca", "verify-identity"},
			Help:    "TLS mode", Field: func(p *Plan) any { return &p.Server.SSLMode }},
		{Name: "ssl-ca", Group: GroupServer, Tables: both, Role: RoleLogin, Arg: "FILE",
			Help: "certificates of trusted authorities (PEM)", Field: func(p *Plan) any { return &p.Server.SSLCA }},
		{Name: "ssl-cert", Group: GroupServer, Tables: both, Role: RoleLogin, Arg: "FILE",
			Help: "client certificate (PEM)", Field: func(p *Plan) any { return &p.Server.SSLCert }},
		{Name: "ssl-key", Group: GroupServer, Tables: both, Role: RoleLogin, Arg: "FILE",
			Help: "key of the client certificate (PEM)", Field: func(p *Plan) any { return &p.Server.SSLKey }},
		{Name: "server-public-key-path", Group: GroupServer, Tables: both, Role: RoleLogin, Arg: "FILE",
			Help: "RSA key of the server (PEM), for passwords without TLS", Field: func(p *Plan) any { return &p.Server.PublicKeyPath }},
		{Name: "get-server-public-key", Group: GroupServer, Tables: both, Role: RoleLogin,
			Help: "take the RSA key for passwords without TLS from the server", Field: func(p *Plan) any { return &p.Server.GetPublicKey }},
		{Name: "server-ssh", Group: GroupServer, Role: RoleMachine, Arg: "USER@HOST",
			Help: "read facts and load of the server's machine over ssh", Field: func(p *Plan) any { return &p.Server.SSH }},
		{Name: "replica", Group: GroupServer, Secret: true, Arg: "DSN",
			Help:  "replica of the named server: wait for it and compare its tables after each case",
			Field: func(p *Plan) any { return &p.Replicas }},
	}
}

func workloadFlags() []Flag {
	both := Prepare | Cleanup
	return []Flag{
		{Name: "workload", Short: "w", Group: GroupWorkload, Common: true, Tables: both, Arg: "NAME", Default: "select-key", Repeatable: true,
			Alternatives: WorkloadNames, Help: "workload to run, see mysweep workloads", Set: addWorkload(func(name string) Workload { return Workload{Name: name} })},
		{Name: "smack", Group: GroupWorkload, Common: true, Tables: both, Arg: "FILE", Repeatable: true,
			Alternatives: WorkloadNames, Help: "run a .smack file", Set: addWorkload(func(file string) Workload { return Workload{Smack: file} })},
		{Name: "sql", Group: GroupWorkload, Common: true, Tables: both, Arg: "FILE", Repeatable: true,
			Alternatives: WorkloadNames, Help: "run the statements of an .sql file as a round", Set: addWorkload(func(file string) Workload { return Workload{SQL: file} })},
		{Name: "lua", Group: GroupWorkload, Common: true, Tables: both, Arg: "FILE", Repeatable: true,
			Alternatives: WorkloadNames, Help: "run a sysbench script; its options follow --", Set: addWorkload(func(file string) Workload { return Workload{Lua: file} })},
		{Name: "storage-engine", Group: GroupWorkload, Tables: Prepare, Arg: "NAME", Default: "InnoDB",
			Help: "storage engine of the tables", Field: func(p *Plan) any { return &p.StorageEngine }, Check: identifier("storage-engine", func(p *Plan) string { return p.StorageEngine })},
		{Name: "charset", Group: GroupWorkload, Tables: Prepare, Arg: "NAME", Default: "utf8mb4",
			Help: "character set of the tables", Field: func(p *Plan) any { return &p.Charset }, Check: identifier("charset", func(p *Plan) string { return p.Charset })},
		{Name: "collation", Group: GroupWorkload, Tables: Prepare, Arg: "NAME", Default: "utf8mb4_bin",
			Help: "collation of the tables; with another --charset, the binary one of it", Field: func(p *Plan) any { return &p.Collation },
			Check: identifier("collation", func(p *Plan) string { return p.Collation })},
		{Name: "existing-tables", Group: GroupWorkload,
			Help: "use the tables of the workload as they are: never load, change or drop them", Field: func(p *Plan) any { return &p.ExistingTables }},
		{Name: "keep-tables", Group: GroupWorkload,
			Help: "leave the tables on an existing server for the next run", Field: func(p *Plan) any { return &p.KeepTables }},
		{Name: "prepare-no-binlog", Group: GroupWorkload, Tables: both,
			Help: "keep the loading and dropping of tables out of the binary log", Field: func(p *Plan) any { return &p.NoBinlog }},
	}
}

func answerFlags() []Flag {
	return []Flag{
		{Name: "require", Group: GroupAnswer, Common: true, Arg: "CONDITIONS",
			Help: "required figures, e.g. qps>=20000,p99<10ms; exit 4 when not met", Field: func(p *Plan) any { return &p.Require }, Check: checkRequire},
		{Name: "baseline", Group: GroupAnswer, Common: true, Arg: "RUNS",
			Help: "compare with earlier runs: last, a number of runs, stable, tag:X or a folder", Field: func(p *Plan) any { return &p.Baseline }, Check: checkBaseline},
		{Name: "fail-above", Group: GroupAnswer, Common: true,
			Help:  "exit 4 when the rate is lower than the baseline's by more than this; with --rate, when p50 or p99 are higher",
			Field: func(p *Plan) any { return &p.FailAbove }, Kind: Percent, Positive: true,
			Requires: requires(func(p *Plan) bool { return p.Baseline != "" }, "--baseline: there is nothing to compare with")},
		{Name: "fail-latency-above", Group: GroupAnswer,
			Help:  "exit 4 when p50 or p99 are higher than the baseline's by more than this",
			Field: func(p *Plan) any { return &p.FailLatencyAbove }, Kind: Percent, Positive: true,
			Requires: requires(func(p *Plan) bool { return p.Baseline != "" }, "--baseline: there is nothing to compare with")},
		{Name: "strict", Group: GroupAnswer,
			Help: "exit 4 when a regression can be neither shown nor excluded", Field: func(p *Plan) any { return &p.Strict },
			Requires: requires(func(p *Plan) bool { return p.FailAbove > 0 || p.FailLatencyAbove > 0 }, "--fail-above or --fail-latency-above")},
	}
}

func outputFlags() []Flag {
	return []Flag{
		{Name: "name", Group: GroupOutput, Common: true, Arg: "NAME", Help: "name of the run",
			Field: func(p *Plan) any { return &p.Name }, Check: func(p *Plan) string { return printable("--name", p.Name) }},
		{Name: "tag", Group: GroupOutput, Arg: "KEY=VALUE", Help: "tag kept with the run", Repeatable: true, Set: setTag},
		{Name: "note", Group: GroupOutput, Arg: "TEXT", Help: "remark kept with the run",
			Field: func(p *Plan) any { return &p.Note }, Check: func(p *Plan) string { return printable("--note", p.Note) }},
	}
}

func privateFlags() []Flag {
	return []Flag{
		{Name: "private", Group: GroupPrivate, Common: true,
			Help: "start a private server even if this machine is busy", Field: func(p *Plan) any { return &p.Private.Wanted }},
		{Name: "mysqld", Group: GroupPrivate, Common: true, Role: RolePrivate, Arg: "PATH",
			Help: "server binary", Unset: "the first mariadbd or mysqld found", Field: func(p *Plan) any { return &p.Private.Mysqld }},
		{Name: "mysqld-option", Group: GroupPrivate, Role: RolePrivate, Arg: "NAME=VALUE",
			Help: "server option as in my.cnf", Field: func(p *Plan) any { return &p.Private.Options }},
		{Name: "mysqld-defaults-file", Group: GroupPrivate, Role: RolePrivate, Arg: "FILE",
			Help: "option file of the server", Unset: "none; that of the machine is ignored", Field: func(p *Plan) any { return &p.Private.DefaultsFile }},
		{Name: "datadir-parent", Group: GroupPrivate, Role: RolePrivate, Arg: "DIR",
			Help: "folder in which the data directory is made", Unset: "/var/tmp", Field: func(p *Plan) any { return &p.Private.DatadirParent }},
		{Name: "allow-tmpfs", Group: GroupPrivate, Role: RolePrivate,
			Help: "allow a data directory on tmpfs", Field: func(p *Plan) any { return &p.Private.AllowTmpfs }},
		{Name: "server-user", Group: GroupPrivate, Role: RolePrivate, Arg: "NAME",
			Help: "system user that runs the server when mysweep runs as root", Unset: "mysql, else nobody", Field: func(p *Plan) any { return &p.Private.ServerUser }},
		{Name: "transport", Group: GroupPrivate, Role: RolePrivate, Choices: []string{"socket", "tcp", "tls"}, Unset: "socket",
			Help: "connection type", Field: func(p *Plan) any { return &p.Private.Transport }},
		{Name: "keep-server-files", Group: GroupPrivate, Role: RolePrivate,
			Help: "keep the data directory and the log of the server", Field: func(p *Plan) any { return &p.Private.KeepFiles }},
	}
}

func advancedFlags() []Flag {
	both := Prepare | Cleanup
	return []Flag{
		{Name: "protocol", Group: GroupAdvanced, Choices: []string{"text", "prepared"},
			Help: "statement protocol", Unset: "text; for --lua prepared", Field: func(p *Plan) any { return &p.Protocol }},
		{Name: "compress", Group: GroupAdvanced, Help: "compress the protocol", Field: func(p *Plan) any { return &p.Compress }},
		{Name: "connect-parallel", Group: GroupAdvanced, Arg: "N|all", Default: "8", Kind: Integer,
			Help: "connections opened at a time, or all", Set: setConnectParallel},
		{Name: "query-timeout", Group: GroupAdvanced, Default: "60s",
			Help: "end a statement after this time", Field: func(p *Plan) any { return &p.QueryTimeout }, Positive: true},
		{Name: "trial-timeout", Group: GroupAdvanced, Default: "10m",
			Help: "end a trial after this time", Field: func(p *Plan) any { return &p.TrialTimeout }, Positive: true},
		{Name: "ignore-errors", Group: GroupAdvanced, Arg: "CODE|all",
			Help: "server error code that only restarts the round, or all", Field: func(p *Plan) any { return &p.IgnoreErrors }, Check: checkErrorCodes},
		{Name: "loadgen", Group: GroupAdvanced, Default: "loop", Choices: []string{"loop", "goroutine"},
			Help: "load generator", Field: func(p *Plan) any { return &p.LoadGen }},
		{Name: "loops", Group: GroupAdvanced, Max: 256,
			Help: "event loops", Unset: "chosen for the machine", Field: func(p *Plan) any { return &p.Loops },
			Requires: requires(func(p *Plan) bool { return p.LoadGen != "goroutine" }, "--loadgen loop: a load generator of goroutines has no event loops")},
		{Name: "poller", Group: GroupAdvanced, Default: "auto", Choices: []string{"auto", "epoll", "uring"},
			Help: "kernel interface of the event loops", Field: func(p *Plan) any { return &p.Poller },
			Requires: requires(func(p *Plan) bool { return p.LoadGen != "goroutine" }, "--loadgen loop: a load generator of goroutines has no event loops")},
		{Name: "allow-commands", Group: GroupAdvanced, Tables: both,
			Help: "allow the cases of the plan, and Lua scripts, to run commands", Field: func(p *Plan) any { return &p.AllowCommands }},
		{Name: "allow-smt-change", Group: GroupAdvanced,
			Help: "allow the cases of the plan to switch SMT (Hyper-Threading) off and on", Field: func(p *Plan) any { return &p.AllowSMTChange }},
	}
}
