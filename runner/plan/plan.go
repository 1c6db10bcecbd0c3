// Package plan says what one invocation is asked to do. A Plan is pure data:
// it comes from flags, from a YAML file or from an archive, is validated as a
// whole without looking at any machine, and is expanded into trials in the
// order in which they are to run.
package plan

// Plan is all that one invocation is asked to do. Its YAML and JSON keys are
// the names of the flags with _ for -.
type Plan struct {
	Name string            `yaml:"name,omitempty" json:"name,omitempty"`
	Tags map[string]string `yaml:"tags,omitempty" json:"tags,omitempty"`

	Server    Server     `yaml:"server,omitempty" json:"server"`
	Private   Private    `yaml:"private,omitempty" json:"private"`
	Cases     []Case     `yaml:"cases,omitempty" json:"cases"`
	Workloads []Workload `yaml:"workloads,omitempty" json:"workloads"`

	// The sweep: every case x workload x Threads x Queries is a cell. Queries
	// is empty when a trial ends by Time or Events instead.
	Threads Ints     `yaml:"threads,omitempty" json:"threads"`
	Queries Ints     `yaml:"queries,omitempty" json:"queries,omitempty"`
	Time    Duration `yaml:"time,omitempty" json:"time,omitempty"`
	Events  int64    `yaml:"events,omitempty" json:"events,omitempty"`
	MinTime Duration `yaml:"min_time" json:"min_time"` // a burst repeats until then; 0 = once
	RampUp  Duration `yaml:"ramp_up,omitempty" json:"ramp_up,omitempty"`
	Repeat  int      `yaml:"repeat" json:"repeat"`
	Confirm int      `yaml:"confirm" json:"confirm"`
	Warmup  Duration `yaml:"warmup" json:"warmup"`
	Order   string   `yaml:"order" json:"order"` // interleaved or sequential
	Seed    uint64   `yaml:"seed" json:"seed"`

	// How a trial talks.
	Rate            float64  `yaml:"rate,omitempty" json:"rate,omitempty"`     // events per second in all; 0 = as fast as it goes
	Arrivals        string   `yaml:"arrivals" json:"arrivals"`                 // poisson or uniform
	Reconnect       string   `yaml:"reconnect" json:"reconnect"`               // never, query, round or a number of rounds
	Protocol        string   `yaml:"protocol" json:"protocol"`                 // text or prepared
	ConnectParallel int      `yaml:"connect_parallel" json:"connect_parallel"` // connects at a time; 0 = all
	QueryTimeout    Duration `yaml:"query_timeout" json:"query_timeout"`
	TrialTimeout    Duration `yaml:"trial_timeout" json:"trial_timeout"`
	LoadGen         string   `yaml:"loadgen" json:"loadgen"`                 // loop or goroutine
	Loops           int      `yaml:"loops,omitempty" json:"loops,omitempty"` // 0 = from the usable CPUs
	Compress        bool     `yaml:"compress,omitempty" json:"compress,omitempty"`
	IgnoreErrors    Texts    `yaml:"ignore_errors,omitempty" json:"ignore_errors,omitempty"` // server codes, or all

	// The tables.
	StorageEngine  string `yaml:"storage_engine" json:"storage_engine"`
	Charset        string `yaml:"charset" json:"charset"`
	Collation      string `yaml:"collation" json:"collation"`
	ExistingTables bool   `yaml:"existing_tables,omitempty" json:"existing_tables,omitempty"`
	NoBinlog       bool   `yaml:"prepare_no_binlog,omitempty" json:"prepare_no_binlog,omitempty"`
	KeepTables     bool   `yaml:"keep_tables,omitempty" json:"keep_tables,omitempty"`

	Settle  Settle   `yaml:"settle,omitempty" json:"settle"`
	MaxTime Duration `yaml:"max_time,omitempty" json:"max_time,omitempty"`

	Require   Texts   `yaml:"require,omitempty" json:"require,omitempty"`
	Baseline  string  `yaml:"baseline,omitempty" json:"baseline,omitempty"`
	FailAbove float64 `yaml:"fail_above,omitempty" json:"fail_above,omitempty"` // share, e.g. 0.05

	// At is empty, or knee: the cases that vary another one run at its knee alone.
	At string `yaml:"at,omitempty" json:"at,omitempty"`
	// Replicas are the DSNs of existing replicas; they may hold passwords.
	Replicas Texts `yaml:"replica,omitempty" json:"-"`

	AllowCommands  bool `yaml:"allow_commands,omitempty" json:"allow_commands,omitempty"`
	AllowSMTChange bool `yaml:"allow_smt_change,omitempty" json:"allow_smt_change,omitempty"`
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
	SSLMode  string `yaml:"ssl_mode,omitempty" json:"ssl_mode,omitempty"` // disabled, preferred, required, verify-ca or verify-identity
	SSLCA    string `yaml:"ssl_ca,omitempty" json:"ssl_ca,omitempty"`
	SSLCert  string `yaml:"ssl_cert,omitempty" json:"ssl_cert,omitempty"`
	SSLKey   string `yaml:"ssl_key,omitempty" json:"ssl_key,omitempty"`
	SSH      string `yaml:"server_ssh,omitempty" json:"server_ssh,omitempty"` // USER@HOST for facts and series of its machine

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

// ServerOf is the existing server of a case. What a case's own one does not say
// of how to log in is as the plan says it, unless a DSN says it all; where it is
// stands in the case alone.
func (p *Plan) ServerOf(c Case) Server {
	if c.Server == nil {
		return p.Server
	}
	s := *c.Server
	s.Database = p.Server.Database
	if s.DSN != "" {
		return s
	}
	for _, field := range []struct{ own, plan *string }{
		{&s.User, &p.Server.User}, {&s.DefaultsFile, &p.Server.DefaultsFile}, {&s.PasswordFile, &p.Server.PasswordFile},
		{&s.SSLMode, &p.Server.SSLMode}, {&s.SSLCA, &p.Server.SSLCA}, {&s.SSLCert, &p.Server.SSLCert}, {&s.SSLKey, &p.Server.SSLKey},
	} {
		if *field.own == "" {
			*field.own = *field.plan
		}
	}
	return s
}

// Private says how a private server is made.
type Private struct {
	Wanted        bool   `yaml:"wanted,omitempty" json:"wanted,omitempty"` // asked for in so many words
	Mysqld        string `yaml:"mysqld,omitempty" json:"mysqld,omitempty"`
	DatadirParent string `yaml:"datadir_parent,omitempty" json:"datadir_parent,omitempty"`
	AllowTmpfs    bool   `yaml:"allow_tmpfs,omitempty" json:"allow_tmpfs,omitempty"`
	ServerUser    string `yaml:"server_user,omitempty" json:"server_user,omitempty"`
	DefaultsFile  string `yaml:"mysqld_defaults_file,omitempty" json:"mysqld_defaults_file,omitempty"`
	KeepFiles     bool   `yaml:"keep_server_files,omitempty" json:"keep_server_files,omitempty"`
	Transport     string `yaml:"transport,omitempty" json:"transport,omitempty"` // socket (default) or tcp
	// Options are given as name=value, or name alone, as in my.cnf.
	Options Texts `yaml:"mysqld_option,omitempty" json:"mysqld_option,omitempty"`
}

// Workload names a workload and sets its options.
type Workload struct {
	Name    string  `yaml:"name" json:"name"`
	Options Options `yaml:"options,omitempty" json:"options,omitempty"`
	Smack   string  `yaml:"smack,omitempty" json:"smack,omitempty"` // a .smack file instead of a name
	SQL     string  `yaml:"sql,omitempty" json:"sql,omitempty"`     // an .sql file instead of a name

	// A workload that the plan itself writes down: Name is then its own name.
	Setup        Texts         `yaml:"setup,omitempty" json:"setup,omitempty"`         // SQL, once a case before the first trial
	Variables    Options       `yaml:"variables,omitempty" json:"variables,omitempty"` // what :name in SQL is drawn by, e.g. "uniform 1 1000"
	Transactions []Transaction `yaml:"transactions,omitempty" json:"transactions,omitempty"`
}

// WrittenDown reports whether the plan itself has the workload's statements.
func (w Workload) WrittenDown() bool { return len(w.Transactions) > 0 }

// Transaction is one kind of round of a workload that the plan writes down.
type Transaction struct {
	Name   string  `yaml:"name,omitempty" json:"name,omitempty"`
	Weight float64 `yaml:"weight,omitempty" json:"weight,omitempty"` // share of rounds against the others; 0 = 1
	SQL    Texts   `yaml:"sql" json:"sql"`                           // the statements of the round, BEGIN and COMMIT among them
}

// Default is the plan of `mysweep run` without flags, before Fill gives it a
// sweep.
func Default() Plan {
	return Plan{
		MinTime:         Duration(500 * 1e6),
		Repeat:          3,
		Confirm:         3,
		Warmup:          Duration(5 * 1e9),
		Order:           "interleaved",
		Arrivals:        "poisson",
		Reconnect:       "never",
		Protocol:        "text",
		ConnectParallel: 8,
		QueryTimeout:    Duration(60 * 1e9),
		TrialTimeout:    Duration(600 * 1e9),
		LoadGen:         "loop",
		StorageEngine:   "InnoDB",
		Charset:         "utf8mb4",
		Collation:       "utf8mb4_bin",
		Workloads:       []Workload{{Name: "select-key"}},
	}
}

// SuperSmack makes p the shell loop around super-smack to the letter: threads
// and queries 10, 20 .. 100, one after the other, each once, all connects at once.
func (p *Plan) SuperSmack() {
	ten := Ints{10, 20, 30, 40, 50, 60, 70, 80, 90, 100}
	p.Threads, p.Queries = ten, ten
	p.Order, p.Repeat, p.Confirm = "sequential", 1, 0
	p.MinTime, p.Warmup, p.ConnectParallel = 0, 0, 0
}
