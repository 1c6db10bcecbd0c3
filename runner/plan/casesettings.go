package plan

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Settings lists what the case sets, by the keys of plan files and in their order. It has neither
// the address of an existing server nor what further cases derive from.
func (c Case) Settings() []Setting {
	list := []Setting{
		{"mysqld", c.Mysqld}, {"options", c.Options.String()}, {"options_file", c.OptionsFile}, {"if_known", onOrNothing(c.IfKnown)},
		{"datadir_parent", c.DatadirParent}, {"copy_datadir_from", c.CopyDatadirFrom},
		{"wrap", c.Wrap}, {"env", c.Env.String()}, {"cpus", c.CPUs.String()}, {"smt", c.SMT}, {"start", c.Start},
		{"transport", c.Transport}, {"replicas", countOrNothing(c.Replicas)}, {"restart", statements(c.Restart)},
		{"set_global", c.SetGlobal.String()}, {"after_start", statements(c.AfterStart)},
		{"before_trial", statements(c.BeforeTrial)}, {"after_trial", statements(c.AfterTrial)},
		{"before_trial_command", statements(c.BeforeTrialCommand)}, {"after_trial_command", statements(c.AfterTrialCommand)},
		{"trace", strings.Join(c.Trace, ", ")},
	}
	return slices.DeleteFunc(list, func(s Setting) bool { return s.Value == "" })
}

// String lists options as name=value, sorted by name.
func (o Options) String() string {
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(o)) {
		text := name
		if o[name] != "" {
			text += "=" + o[name]
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, " ")
}

// String is the list, or how many cores with how many threads each; empty for no choice.
func (c CPUs) String() string {
	switch {
	case c.List != "":
		return c.List
	case c.Cores > 0 && c.ThreadsPerCore > 0:
		return fmt.Sprintf("cores: %d, threads_per_core: %d", c.Cores, c.ThreadsPerCore)
	case c.Cores > 0:
		return fmt.Sprintf("cores: %d", c.Cores)
	case c.ThreadsPerCore > 0:
		return fmt.Sprintf("threads_per_core: %d", c.ThreadsPerCore)
	}
	return ""
}

func statements(list Texts) string { return strings.Join(list, "; ") }

func onOrNothing(on bool) string {
	if on {
		return "on"
	}
	return ""
}

func countOrNothing(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprint(n)
}
