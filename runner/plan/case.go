package plan

// Case is one server configuration under test.
type Case struct {
	Name string `yaml:"name" json:"name"`

	// A private server: what differs from Plan.Private.
	Mysqld          string            `yaml:"mysqld,omitempty" json:"mysqld,omitempty"`
	Options         map[string]string `yaml:"options,omitempty" json:"options,omitempty"` // my.cnf names
	OptionsFile     string            `yaml:"options_file,omitempty" json:"options_file,omitempty"`
	IfKnown         bool              `yaml:"if_known,omitempty" json:"if_known,omitempty"` // leave out variables that the server does not know
	DatadirParent   string            `yaml:"datadir_parent,omitempty" json:"datadir_parent,omitempty"`
	CopyDatadirFrom string            `yaml:"copy_datadir_from,omitempty" json:"copy_datadir_from,omitempty"`
	Wrap            string            `yaml:"wrap,omitempty" json:"wrap,omitempty"`
	Env             map[string]string `yaml:"env,omitempty" json:"env,omitempty"`
	CPUs            CPUs              `yaml:"cpus,omitempty" json:"cpus"`
	Start           string            `yaml:"start,omitempty" json:"start,omitempty"`         // cold, restart or warm
	Transport       string            `yaml:"transport,omitempty" json:"transport,omitempty"` // socket, tcp or tls
	Replicas        int               `yaml:"replicas,omitempty" json:"replicas,omitempty"`

	// An existing server elsewhere.
	Server  *Server `yaml:"server,omitempty" json:"server,omitempty"`
	Restart Texts   `yaml:"restart,omitempty" json:"restart,omitempty"` // commands

	SetGlobal   map[string]string `yaml:"set_global,omitempty" json:"set_global,omitempty"`
	AfterStart  Texts             `yaml:"after_start,omitempty" json:"after_start,omitempty"`   // SQL
	BeforeTrial Texts             `yaml:"before_trial,omitempty" json:"before_trial,omitempty"` // SQL
	AfterTrial  Texts             `yaml:"after_trial,omitempty" json:"after_trial,omitempty"`   // SQL
	// Commands need allow_commands.
	BeforeTrialCommand Texts `yaml:"before_trial_command,omitempty" json:"before_trial_command,omitempty"`
	AfterTrialCommand  Texts `yaml:"after_trial_command,omitempty" json:"after_trial_command,omitempty"`
	Trace              Texts `yaml:"trace,omitempty" json:"trace,omitempty"` // syscalls, perf
}

// CPUs chooses the CPUs that a private server may use: a list as the kernel
// writes it, or so many cores with so many threads each, chosen from the topology.
type CPUs struct {
	List           string `yaml:"list,omitempty" json:"list,omitempty"`
	Cores          int    `yaml:"cores,omitempty" json:"cores,omitempty"`
	ThreadsPerCore int    `yaml:"threads_per_core,omitempty" json:"threads_per_core,omitempty"`
}

// Any reports whether the case asks for certain CPUs at all.
func (c CPUs) Any() bool { return c != CPUs{} }
