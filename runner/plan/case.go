package plan

// Case is one server configuration under test.
type Case struct {
	Name string `yaml:"name" json:"name"`

	// A private server: what differs from Plan.Private.
	Mysqld          string  `yaml:"mysqld,omitempty" json:"mysqld,omitempty"`
	Options         Options `yaml:"options,omitempty" json:"options,omitempty"` // my.cnf names
	OptionsFile     string  `yaml:"options_file,omitempty" json:"options_file,omitempty"`
	IfKnown         bool    `yaml:"if_known,omitempty" json:"if_known,omitempty"` // leave out variables that the server does not know
	DatadirParent   string  `yaml:"datadir_parent,omitempty" json:"datadir_parent,omitempty"`
	CopyDatadirFrom string  `yaml:"copy_datadir_from,omitempty" json:"copy_datadir_from,omitempty"`
	Wrap            string  `yaml:"wrap,omitempty" json:"wrap,omitempty"`
	Env             Options `yaml:"env,omitempty" json:"env,omitempty"`
	CPUs            CPUs    `yaml:"cpus,omitempty" json:"cpus"`
	SMT             string  `yaml:"smt,omitempty" json:"smt,omitempty"`             // on or off; needs allow_smt_change
	Start           string  `yaml:"start,omitempty" json:"start,omitempty"`         // cold, restart or warm
	Transport       string  `yaml:"transport,omitempty" json:"transport,omitempty"` // socket, tcp or tls
	Replicas        int     `yaml:"replicas,omitempty" json:"replicas,omitempty"`

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

	// Cases made from this one, see Expand: one variable at a time, and all
	// combinations. Around names another case that they change instead; this
	// one then does not run itself.
	Vary   Vary   `yaml:"vary,omitempty" json:"vary,omitempty"`
	Grid   Vary   `yaml:"grid,omitempty" json:"grid,omitempty"`
	Around string `yaml:"around,omitempty" json:"around,omitempty"`

	// Of is the case that a made one varies, and Varied what it sets.
	Of     string    `yaml:"-" json:"of,omitempty"`
	Varied []Setting `yaml:"-" json:"varied,omitempty"`
}

// Options are values by name, as my.cnf has them; "" is a name alone.
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

// CPUs chooses the CPUs that a private server may use: a list as the kernel
// writes it, or so many cores with so many threads each, chosen from the topology.
type CPUs struct {
	List           string `yaml:"list,omitempty" json:"list,omitempty"`
	Cores          int    `yaml:"cores,omitempty" json:"cores,omitempty"`
	ThreadsPerCore int    `yaml:"threads_per_core,omitempty" json:"threads_per_core,omitempty"`
}

// FreshStart reports whether the case begins with a process that has just been
// started.
func (c Case) FreshStart() bool { return c.Start == "cold" || c.Start == "restart" }

// Any reports whether the case asks for certain CPUs at all.
func (c CPUs) Any() bool { return c != CPUs{} }
