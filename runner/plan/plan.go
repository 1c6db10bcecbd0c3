// Package plan says what one invocation is asked to do. A Plan is pure data:
// it comes from flags, from a YAML file or from an archive, is validated as a
// whole without looking at any machine, and is expanded into trials in the
// order in which they are to run.
package plan

import "reflect"

// Plan is what one invocation does. The texts of flags and of plan files are
// read by Flags; its JSON form is part of an archive.
type Plan struct {
	Name string            `json:"name,omitempty"`
	Tags map[string]string `json:"tags,omitempty"`
	Note string            `json:"note,omitempty"` // remark of the user

	Server    Server     `json:"server"`
	Private   Private    `json:"private"`
	Cases     []Case     `json:"cases"`
	Workloads []Workload `json:"workloads"`

	// The sweep: every case x workload x Threads x Queries is a cell. Queries
	// is empty when a trial ends by Time or Events instead.
	Threads Ints     `json:"threads"`
	Queries Ints     `json:"queries,omitempty"` // rounds per thread and burst
	Time    Duration `json:"time,omitempty"`
	// Events is the number of rounds per trial, all threads together.
	Events  int64    `json:"events,omitempty"`
	MinTime Duration `json:"min_time"` // bursts repeat for at least this long; 0 = one burst
	RampUp  Duration `json:"ramp_up,omitempty"`
	Repeat  int      `json:"repeat"`
	Confirm int      `json:"confirm"`
	Warmup  Duration `json:"warmup"`
	Order   string   `json:"order"` // interleaved or sequential
	Seed    uint64   `json:"seed"`

	// Rate is in rounds per second, all threads together; 0: closed loop.
	Rate            float64  `json:"rate,omitempty"`
	Arrivals        string   `json:"arrivals"`         // poisson or uniform
	Reconnect       string   `json:"reconnect"`        // never, query, round or a number of rounds
	Protocol        string   `json:"protocol"`         // text or prepared
	ConnectParallel int      `json:"connect_parallel"` // connections opened at a time; 0 = all
	QueryTimeout    Duration `json:"query_timeout"`
	TrialTimeout    Duration `json:"trial_timeout"`
	LoadGen         string   `json:"loadgen"`         // loop or goroutine
	Loops           int      `json:"loops,omitempty"` // 0 = from the usable CPUs
	// Poller is "auto", "epoll" or "uring"; "" in older archives, whose loops used epoll.
	Poller       string `json:"poller,omitempty"`
	Compress     bool   `json:"compress,omitempty"`
	IgnoreErrors Texts  `json:"ignore_errors,omitempty"` // server error codes, or all

	// The tables.
	StorageEngine  string `json:"storage_engine"`
	Charset        string `json:"charset"`
	Collation      string `json:"collation"`
	ExistingTables bool   `json:"existing_tables,omitempty"`
	NoBinlog       bool   `json:"prepare_no_binlog,omitempty"`
	KeepTables     bool   `json:"keep_tables,omitempty"`

	Settle  Settle   `json:"settle"`
	MaxTime Duration `json:"max_time,omitempty"`
	// What the server's load may be before a trial: above the first the run pauses, above the
	// second it ends.
	MaxLoad      LoadLimits `json:"max_load,omitempty"`
	CriticalLoad LoadLimits `json:"critical_load,omitempty"`

	Require   Texts   `json:"require,omitempty"`
	Baseline  string  `json:"baseline,omitempty"`
	FailAbove float64 `json:"fail_above,omitempty"` // fraction, e.g. 0.05
	// FailLatencyAbove is the same for p50 and p99. With Rate it is FailAbove unless set.
	FailLatencyAbove float64 `json:"fail_latency_above,omitempty"`
	Strict           bool    `json:"strict,omitempty"` // an undecided comparison fails too

	// At is empty, or knee: cases that vary another one run only at its knee.
	At string `json:"at,omitempty"`
	// Replicas are the DSNs of existing replicas. They may hold passwords, so an
	// archive does not have them.
	Replicas Texts `json:"-"`

	AllowCommands  bool `json:"allow_commands,omitempty"`
	AllowSMTChange bool `json:"allow_smt_change,omitempty"`
}

// Server names an existing server; the zero Server means a private one.
// The password is not part of a plan: it comes from the places where the
// mysql client looks for it.
type Server struct {
	Host     string `yaml:"host,omitempty" json:"host,omitempty"`
	Port     int    `yaml:"port,omitempty" json:"port,omitempty"`
	Socket   string `yaml:"socket,omitempty" json:"socket,omitempty"`
	User     string `yaml:"user,omitempty" json:"user,omitempty"`
	Database string `yaml:"database,omitempty" json:"database,omitempty"`
	// SSLMode is "disabled", "preferred", "required", "verify-ca" or "verify-identity".
	SSLMode string `yaml:"ssl_mode,omitempty" json:"ssl_mode,omitempty"`
	SSLCA   string `yaml:"ssl_ca,omitempty" json:"ssl_ca,omitempty"`
	SSLCert string `yaml:"ssl_cert,omitempty" json:"ssl_cert,omitempty"`
	SSLKey  string `yaml:"ssl_key,omitempty" json:"ssl_key,omitempty"`
	// PublicKeyPath is a PEM file with the server's RSA key, GetPublicKey takes
	// the one that the server sends: for passwords on connections without TLS.
	PublicKeyPath string `yaml:"server_public_key_path,omitempty" json:"server_public_key_path,omitempty"`
	GetPublicKey  bool   `yaml:"get_server_public_key,omitempty" json:"get_server_public_key,omitempty"`
	// SSH is USER@HOST, for facts and series of the server's machine.
	SSH string `yaml:"server_ssh,omitempty" json:"server_ssh,omitempty"`

	// How to log in: files and a DSN, which may hold a password. An archive is
	// mailed, so they are not kept there.
	DefaultsFile string `yaml:"defaults_file,omitempty" json:"-"`
	PasswordFile string `yaml:"password_file,omitempty" json:"-"`
	DSN          string `yaml:"dsn,omitempty" json:"-"`
}

// Existing reports whether an existing server is named.
func (s Server) Existing() bool { return s.Host != "" || s.Port != 0 || s.Socket != "" }

// Named reports whether an existing server is named, or a file or DSN that names
// one.
func (s Server) Named() bool { return s.Existing() || s.DSN != "" || s.DefaultsFile != "" }

// Existing reports whether a case runs on a server that exists without us: its
// own, or the plan's.
func (p *Plan) Existing(c Case) bool {
	return c.Server != nil || p.Server.Existing() || p.Server.DSN != "" || p.Server.DefaultsFile != "" && !p.Private.Wanted
}

// ServerOf is the existing server of a case. A server of its own takes over from
// the plan what it does not say of the login, but never the address; a DSN is
// complete.
func (p *Plan) ServerOf(c Case) Server {
	if c.Server == nil {
		return p.Server
	}
	s := *c.Server
	s.Database = p.Server.Database
	if s.DSN != "" {
		return s
	}
	own := Plan{Server: s}
	for _, f := range Flags() {
		if (f.Role == RoleLogin || f.Name == "defaults-file") && f.IsZero(&own) {
			reflect.ValueOf(f.Field(&own)).Elem().Set(reflect.ValueOf(f.Field(p)).Elem())
		}
	}
	return own.Server
}

// Private says how a private server is made.
type Private struct {
	Wanted        bool   `json:"wanted,omitempty"` // --private was given
	Mysqld        string `json:"mysqld,omitempty"`
	DatadirParent string `json:"datadir_parent,omitempty"`
	AllowTmpfs    bool   `json:"allow_tmpfs,omitempty"`
	ServerUser    string `json:"server_user,omitempty"`
	DefaultsFile  string `json:"mysqld_defaults_file,omitempty"`
	KeepFiles     bool   `json:"keep_server_files,omitempty"`
	Transport     string `json:"transport,omitempty"` // socket (default) or tcp
	// Options are given as name=value, or name alone, as in my.cnf.
	Options Texts `json:"mysqld_option,omitempty"`
}

// Workload names a workload and sets its options.
type Workload struct {
	Name    string  `yaml:"name" json:"name"`
	Options Options `yaml:"options,omitempty" json:"options,omitempty"`
	// Smack is a .smack file instead of a name.
	Smack string `yaml:"smack,omitempty" json:"smack,omitempty"`
	SQL   string `yaml:"sql,omitempty" json:"sql,omitempty"` // an .sql file instead of a name
	// Lua is a sysbench script instead of a name; Options are those of the script.
	Lua string `yaml:"lua,omitempty" json:"lua,omitempty"`

	// A custom workload, whose statements are in the plan.
	// Setup is SQL that runs once per case, before the first trial.
	Setup Texts `yaml:"setup,omitempty" json:"setup,omitempty"`
	// Variables are distributions of :name in the SQL, e.g. "uniform 1 1000".
	Variables    Options       `yaml:"variables,omitempty" json:"variables,omitempty"`
	Transactions []Transaction `yaml:"transactions,omitempty" json:"transactions,omitempty"`
}

// Custom reports whether the statements of the workload are in the plan.
func (w Workload) Custom() bool { return len(w.Transactions) > 0 }

// Transaction is one kind of round of a custom workload.
type Transaction struct {
	Name string `yaml:"name,omitempty" json:"name,omitempty"`
	// Weight is the frequency relative to the others; 0 means 1.
	Weight float64 `yaml:"weight,omitempty" json:"weight,omitempty"`
	// SQL holds the statements of the round, including BEGIN and COMMIT.
	SQL Texts `yaml:"sql" json:"sql"`
}

// Default is the plan of `mysweep run` without flags, before Fill gives it a
// sweep: the defaults of all flags.
func Default() Plan {
	var p Plan
	for _, f := range Flags() {
		if f.Default != "" {
			f.Apply(&p, f.Default) // TestDefaults checks that each one can be read
		}
	}
	return p
}

// SuperSmack makes p the usual shell loop around super-smack: threads and
// queries 10, 20 .. 100 in order, one burst each, all connections opened at once.
func (p *Plan) SuperSmack() {
	ten := Ints{10, 20, 30, 40, 50, 60, 70, 80, 90, 100}
	p.Threads, p.Queries = ten, ten
	p.Order, p.Repeat, p.Confirm = "sequential", 1, 0
	p.MinTime, p.Warmup, p.ConnectParallel = 0, 0, 0
}
