package plan

import "slices"

// maxReplicas bounds the servers that a case starts on this machine beside its own.
const maxReplicas = 16

func (v *validator) cases() {
	if len(v.plan.Cases) == 0 {
		v.say("the plan has no case")
	}
	seen := map[string]bool{}
	for _, c := range v.plan.Cases {
		switch {
		case c.Name == "":
			v.say("a case has no name")
		case seen[c.Name]:
			v.say("duplicate case name %s", c.Name)
		}
		seen[c.Name] = true
		if wrong := printable("case", c.Name); wrong != "" {
			v.say("%s", wrong)
			continue
		}
		v.checkCase(c)
		v.caseServer(c)
	}
	if v.plan.At != "" {
		v.choice("at", v.plan.At, "knee")
	}
	if v.plan.AtKnee() && !slices.ContainsFunc(v.plan.Cases, func(c Case) bool { return c.Of != "" }) {
		v.say("at: knee has no effect: no case has vary or grid")
	}
}

func (v *validator) checkCase(c Case) {
	key := func(name string) string { return "case " + c.Name + ": " + name }
	if c.Start != "" {
		v.choice(key("start"), c.Start, "cold", "restart", "warm")
	}
	if c.Transport != "" {
		v.choice(key("transport"), c.Transport, "socket", "tcp", "tls")
	}
	if !v.plan.AllowCommands && len(c.BeforeTrialCommand)+len(c.AfterTrialCommand)+len(c.Restart) > 0 {
		v.say("case %s runs commands: this requires --allow-commands", c.Name)
	}
	if c.Around != "" {
		v.say("case %s: around names %q: expected another case of the plan, and vary or grid in this one", c.Name, c.Around)
	}
	if c.SMT != "" {
		v.choice(key("smt"), c.SMT, "on", "off")
		if !v.plan.AllowSMTChange {
			v.say("case %s switches SMT for the whole machine: this requires --allow-smt-change", c.Name)
		}
	}
	for _, trace := range c.Trace {
		v.choice(key("trace"), trace, "syscalls", "perf", "innodb-status", "slow-log")
	}
	if c.Replicas < 0 || c.Replicas > maxReplicas {
		v.say("case %s: invalid replicas %d: must be between 0 and %d", c.Name, c.Replicas, maxReplicas)
	}
	cpus := c.CPUs
	if cpus.Cores < 0 || cpus.ThreadsPerCore < 0 || cpus.Cores == 0 && cpus.ThreadsPerCore > 0 || cpus.Cores > 0 && cpus.List != "" {
		v.say("case %s: invalid cpus: expected either a list, or cores with threads_per_core", c.Name)
	}
}

// caseServer checks the existing server of a case.
func (v *validator) caseServer(c Case) {
	existing := v.plan.Existing(c)
	if existing && v.privateOnly(c) != "" {
		v.say("case %s: %s requires a private server, but an existing one is named", c.Name, v.privateOnly(c))
	}
	if !existing && len(c.Restart) > 0 {
		v.say("case %s: restart is for existing servers, and this one is private: use start", c.Name)
	}
	s := c.Server
	if s == nil {
		return
	}
	if !s.Named() {
		v.say("case %s: server has no address: set host, port, socket, dsn or defaults_file", c.Name)
	}
	if s.Database != "" {
		v.say("case %s: database is the same for all cases: set it at the top level of the plan", c.Name)
	}
	if s.Port < 0 || s.Port > 65535 {
		v.say("case %s: invalid port %d: must be between 1 and 65535", c.Name, s.Port)
	}
	mode := FlagNamed("ssl-mode")
	if s.SSLMode != "" {
		v.choice("case "+c.Name+": ssl_mode", mode.canonical(s.SSLMode), mode.Choices...)
	}
}

// privateOnly is the first key of a case that only a private server has.
func (v *validator) privateOnly(c Case) string {
	for _, key := range []struct {
		name string
		set  bool
	}{
		{"mysqld", c.Mysqld != ""}, {"options_file", c.OptionsFile != ""},
		{"datadir_parent", c.DatadirParent != ""}, {"copy_datadir_from", c.CopyDatadirFrom != ""}, {"wrap", c.Wrap != ""},
		{"env", len(c.Env) > 0}, {"cpus", c.CPUs.Any()}, {"replicas", c.Replicas > 0},
		{"options", len(c.Options) > len(c.Varied)}, {"transport", c.Transport != ""},
	} {
		if key.set {
			return key.name
		}
	}
	return ""
}
