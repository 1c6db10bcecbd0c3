package plan

// Case is one server configuration under test.
type Case struct {
	Name string `yaml:"name" json:"name"`

	// A private server: settings that override Plan.Private.
	Mysqld      string  `yaml:"mysqld,omitempty" json:"mysqld,omitempty"`
	Options     Options `yaml:"options,omitempty" json:"options,omitempty"` // my.cnf names
	OptionsFile string  `yaml:"options_file,omitempty" json:"options_file,omitempty"`
	// IfKnown skips variables that the server does not have.
	IfKnown         bool    `yaml:"if_known,omitempty" json:"if_known,omitempty"`
	DatadirParent   string  `yaml:"datadir_parent,omitempty" json:"datadir_parent,omitempty"`
	CopyDatadirFrom string  `yaml:"copy_datadir_from,omitempty" json:"copy_datadir_from,omitempty"`
	Wrap            string  `yaml:"wrap,omitempty" json:"wrap,omitempty"`
	Env             Options `yaml:"env,omitempty" json:"env,omitempty"`
	CPUs            CPUs    `yaml:"cpus,omitempty" json:"cpus"`
	// SMT is "on" or "off"; it requires allow_smt_change.
	SMT   string `yaml:"smt,omitempty" json:"smt,omitempty"`
	Start string `yaml:"start,omitempty" json:"start,omitempty"` // cold, restart or warm
	// Transport is "socket", "tcp" or "tls".
	Transport string `yaml:"transport,omitempty" json:"transport,omitempty"`
	Replicas  int    `yaml:"replicas,omitempty" json:"replicas,omitempty"`

	// An existing server, instead of the plan's, and the commands that restart it.
	Server  *Server `yaml:"server,omitempty" json:"server,omitempty"`
	Restart Texts   `yaml:"restart,omitempty" json:"restart,omitempty"`

	SetGlobal   Options `yaml:"set_global,omitempty" json:"set_global,omitempty"`
	AfterStart  Texts   `yaml:"after_start,omitempty" json:"after_start,omitempty"`   // SQL
	BeforeTrial Texts   `yaml:"before_trial,omitempty" json:"before_trial,omitempty"` // SQL
	AfterTrial  Texts   `yaml:"after_trial,omitempty" json:"after_trial,omitempty"`   // SQL
	// Commands need allow_commands.
	BeforeTrialCommand Texts `yaml:"before_trial_command,omitempty" json:"before_trial_command,omitempty"`
	AfterTrialCommand  Texts `yaml:"after_trial_command,omitempty" json:"after_trial_command,omitempty"`
	Trace              Texts `yaml:"trace,omitempty" json:"trace,omitempty"` // syscalls, perf

	// Further cases that Expand derives from this one: one variable at a time, and
	// all combinations. Around names another case to derive them from; this one
	// then does not run.
	Vary   Vary   `yaml:"vary,omitempty" json:"vary,omitempty"`
	Grid   Vary   `yaml:"grid,omitempty" json:"grid,omitempty"`
	Around string `yaml:"around,omitempty" json:"around,omitempty"`

	// Of is the case that a derived one varies, and Varied what it sets.
	Of     string    `yaml:"-" json:"of,omitempty"`
	Varied []Setting `yaml:"-" json:"varied,omitempty"`
}

// Options are values by name as in my.cnf; "" is a name without a value.
type Options map[string]string

// Vary lists variables with the values to try, in the order of the plan.
type Vary []Variable

// Variable is a server variable and the values to try.
type Variable struct {
	Name   string   `json:"name"`
	Values []string `json:"values"`
}

// Setting is a variable with one value.
type Setting struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

func (s Setting) String() string { return s.Name + "=" + s.Value }

// CPUs chooses the CPUs of a private server: a list in the kernel's notation, or
// a number of cores with a number of hardware threads each, chosen from the
// topology.
type CPUs struct {
	List           string `yaml:"list,omitempty" json:"list,omitempty"`
	Cores          int    `yaml:"cores,omitempty" json:"cores,omitempty"`
	ThreadsPerCore int    `yaml:"threads_per_core,omitempty" json:"threads_per_core,omitempty"`
}

// FreshStart reports whether the server process is started for the case.
func (c Case) FreshStart() bool { return c.Start == "cold" || c.Start == "restart" }

// Any reports whether the case chooses CPUs.
func (c CPUs) Any() bool { return c != CPUs{} }
