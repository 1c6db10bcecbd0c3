package plan

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Validate returns every mistake of the plan, as sentences without a full
// stop; none means that it can be run as far as that can be told without
// looking at a machine.
func (p *Plan) Validate(c Catalogue) []string {
	v := &validator{plan: p, catalogue: c}
	v.names()
	v.sweep()
	v.talk()
	v.tables()
	v.workloads()
	v.cases()
	v.where()
	v.answer()
	return v.mistakes
}

type validator struct {
	plan      *Plan
	catalogue Catalogue
	mistakes  []string
}

func (v *validator) say(format string, args ...any) {
	v.mistakes = append(v.mistakes, fmt.Sprintf(format, args...))
}

// one complains unless text is one of the choices.
func (v *validator) one(flag, text string, choices ...string) {
	v.among("--"+flag, text, choices)
}

// key is one for a key of a case, which is no flag.
func (v *validator) key(c Case, name, text string, choices ...string) {
	v.among("case "+c.Name+": "+name, text, choices)
}

func (v *validator) among(what, text string, choices []string) {
	if !slices.Contains(choices, text) {
		v.say("%s %q is unknown%s", what, text, DidYouMean(text, choices))
	}
}

func (v *validator) sweep() {
	p := v.plan
	if len(p.Threads) == 0 {
		v.say("--threads is empty: give at least one thread count")
	}
	v.counts("threads", p.Threads, MaxThreads)
	v.counts("queries", p.Queries, 1e9)
	v.end()
	if p.Repeat < 1 {
		v.say("--repeat %d: each cell must run at least once", p.Repeat)
	}
	if p.Confirm < 0 {
		v.say("--confirm %d is less than 0", p.Confirm)
	}
	if n := p.Trials(); n > 1e6 {
		v.say("the plan has %d trials, more than a million: shorten --threads, --queries or --repeat", n)
	}
	v.one("order", p.Order, "interleaved", "sequential")
}

func (v *validator) counts(flag string, list Ints, most int) {
	seen := map[int]bool{}
	for _, n := range list {
		switch {
		case n < 1:
			v.say("--%s has %d: counts start at 1", flag, n)
		case n > most:
			v.say("--%s has %d, the most is %d", flag, n, most)
		case seen[n]:
			v.say("--%s has %d twice: use --repeat to run cells again", flag, n)
		}
		seen[n] = true
	}
}

// end checks that a trial ends by exactly one of queries, time and events.
func (v *validator) end() {
	p := v.plan
	ends := 0
	for _, set := range []bool{len(p.Queries) > 0, p.Time > 0, p.Events > 0} {
		if set {
			ends++
		}
	}
	switch {
	case ends == 0:
		v.say("a trial has no end: give --queries, --time or --events")
	case ends > 1:
		v.say("a trial has two ends: give only one of --queries, --time and --events")
	}
	if p.Events < 0 {
		v.say("--events %d is less than 0", p.Events)
	}
	if p.Rate > 0 && p.Time == 0 && p.Events == 0 {
		v.say("--rate needs --time or --events: a rate is kept over a whole trial")
	}
}

func (v *validator) talk() {
	p := v.plan
	v.one("arrivals", p.Arrivals, "poisson", "uniform")
	if p.Arrivals == "uniform" && p.Rate == 0 {
		v.say("--arrivals uniform needs --rate: without one a round follows the other")
	}
	v.one("protocol", p.Protocol, "text", "prepared")
	v.one("loadgen", p.LoadGen, "loop", "goroutine")
	if n, err := strconv.Atoi(p.Reconnect); err != nil {
		v.one("reconnect", p.Reconnect, "never", "query", "round")
	} else if n < 1 {
		v.say("--reconnect %d: a thread reconnects after at least one round", n)
	}
	if p.ConnectParallel < 0 {
		v.say("--connect-parallel %d is less than 0", p.ConnectParallel)
	}
	if !(p.Rate >= 0) || math.IsInf(p.Rate, 0) {
		v.say("--rate %g is no number of rounds per second", p.Rate)
	}
	if p.Loops < 0 || p.Loops > 256 {
		v.say("--loops %d: there may be 0 (chosen for the machine) to 256", p.Loops)
	}
	if p.QueryTimeout <= 0 || p.TrialTimeout <= 0 {
		v.say("--query-timeout and --trial-timeout must be more than 0: a hung server would hang the run")
	}
	for _, code := range p.IgnoreErrors {
		if _, err := strconv.Atoi(code); err != nil && code != "all" {
			v.say("--ignore-errors %q is neither a server's error code nor all", code)
		}
	}
}

func (v *validator) tables() {
	for _, name := range []struct{ flag, text string }{
		{"storage-engine", v.plan.StorageEngine}, {"charset", v.plan.Charset},
		{"collation", v.plan.Collation}, {"database", v.plan.Server.Database},
	} {
		if strings.ContainsFunc(name.text, notIdentifier) {
			v.say("--%s %q has other characters than letters, digits, _, - and $", name.flag, name.text)
		}
	}
	switch strings.ToLower(v.plan.Server.Database) {
	case "mysql", "sys", "information_schema", "performance_schema":
		v.say("--database %s is the server's own: mysweep works in a schema of its own", v.plan.Server.Database)
	}
}

func notIdentifier(r rune) bool {
	return !(r == '_' || r == '-' || r == '$' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z')
}

func (v *validator) workloads() {
	if len(v.plan.Workloads) == 0 {
		v.say("the plan has no workload")
	}
	seen := map[string]bool{}
	for _, w := range v.plan.Workloads {
		if seen[w.Label()] {
			v.say("workload %s stands in the plan twice", w.Label())
		}
		seen[w.Label()] = true
		if w.WrittenDown() {
			v.writtenDown(w)
		} else if w.Name != "" {
			v.workload(w)
		} else if w.Smack == "" && w.SQL == "" {
			v.say("a workload has neither a name nor a file")
		}
	}
}

func (v *validator) writtenDown(w Workload) {
	if _, taken := v.catalogue.Workloads[w.Name]; taken || w.Name == "" {
		v.say("workload %q has statements of its own: give it a name of its own too", w.Name)
	}
	for i, t := range w.Transactions {
		v.shown("transaction", t.Name)
		if len(t.SQL) == 0 {
			v.say("workload %s: transaction %d has no statement (sql)", w.Name, i+1)
		}
		if t.Weight < 0 {
			v.say("workload %s: transaction %d: weight %g is less than 0", w.Name, i+1, t.Weight)
		}
	}
}

func (v *validator) workload(w Workload) {
	options, ok := v.catalogue.Workloads[w.Name]
	if !ok {
		v.say("unknown workload %q%s", w.Name, DidYouMean(w.Name, slices.Sorted(maps.Keys(v.catalogue.Workloads))))
		return
	}
	for _, name := range slices.Sorted(maps.Keys(w.Options)) {
		check, ok := options[name]
		if !ok {
			v.say("workload %s has no option --%s%s", w.Name, name, DidYouMean(name, slices.Sorted(maps.Keys(options))))
			continue
		}
		if err := check(w.Options[name]); err != nil {
			v.say("workload %s: --%v", w.Name, err)
		}
	}
}

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
			v.say("case %s stands in the plan twice", c.Name)
		}
		seen[c.Name] = true
		v.kase(c)
	}
	if v.plan.At != "" {
		v.one("at", v.plan.At, "knee")
	}
	if v.plan.AtKnee() && !slices.ContainsFunc(v.plan.Cases, func(c Case) bool { return c.Of != "" }) {
		v.say("at: knee has nothing to run there: no case has vary or grid")
	}
}

func (v *validator) kase(c Case) {
	if c.Start != "" {
		v.key(c, "start", c.Start, "cold", "restart", "warm")
	}
	if c.Transport != "" {
		v.key(c, "transport", c.Transport, "socket", "tcp", "tls")
	}
	if !v.plan.AllowCommands && len(c.BeforeTrialCommand)+len(c.AfterTrialCommand)+len(c.Restart) > 0 {
		v.say("case %s runs commands: that needs --allow-commands", c.Name)
	}
	if c.Around != "" {
		v.say("case %s: around names %q: it must be a case of the plan that runs itself, and this one needs vary or grid", c.Name, c.Around)
	}
	if c.SMT != "" {
		v.key(c, "smt", c.SMT, "on", "off")
		if !v.plan.AllowSMTChange {
			v.say("case %s switches SMT for the whole machine: that needs --allow-smt-change", c.Name)
		}
	}
	for _, trace := range c.Trace {
		v.key(c, "trace", trace, "syscalls", "perf", "innodb-status", "slow-log")
	}
	if c.Replicas < 0 {
		v.say("case %s: replicas %d is less than 0", c.Name, c.Replicas)
	}
	if c.CPUs.Cores < 0 || c.CPUs.ThreadsPerCore < 0 || c.CPUs.Cores == 0 && c.CPUs.ThreadsPerCore > 0 || c.CPUs.Cores > 0 && c.CPUs.List != "" {
		v.say("case %s: cpus is either a list, or cores with threads_per_core", c.Name)
	}
	v.caseServer(c)
}

// caseServer checks what a case says of an existing server.
func (v *validator) caseServer(c Case) {
	existing := v.plan.Existing(c)
	if existing && v.privateOnly(c) != "" {
		v.say("case %s: %s needs a private server, and one that exists is named", c.Name, v.privateOnly(c))
	}
	if !existing && len(c.Restart) > 0 {
		v.say("case %s: restart has the commands for a server that exists, and this one is private: it is restarted without commands, see start", c.Name)
	}
	s := c.Server
	if s == nil {
		return
	}
	if !s.Named() {
		v.say("case %s: server names none: give it host, port, socket, dsn or defaults_file", c.Name)
	}
	if s.Database != "" {
		v.say("case %s: database is the same for all cases: it stands at the plan's top level", c.Name)
	}
	if s.Port < 0 || s.Port > 65535 {
		v.say("case %s: port %d is no port", c.Name, s.Port)
	}
	if s.SSLMode != "" {
		v.one("ssl-mode", strings.ToLower(s.SSLMode), sslModes...)
	}
}

var sslModes = []string{"disabled", "preferred", "required", "verify-ca", "verify-identity"}

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

func (v *validator) where() {
	s := v.plan.Server
	v.mistakes = append(v.mistakes, v.plan.Misplaced()...)
	if s.Port < 0 || s.Port > 65535 {
		v.say("--port %d is no port", s.Port)
	}
	if s.SSLMode != "" {
		v.one("ssl-mode", strings.ToLower(s.SSLMode), sslModes...)
	}
	if v.plan.Private.Transport != "" {
		v.one("transport", v.plan.Private.Transport, "socket", "tcp", "tls")
	}
	private := func(c Case) bool { return !v.plan.Existing(c) }
	if v.plan.ExistingTables && slices.ContainsFunc(v.plan.Cases, private) {
		v.say("--existing-tables needs a named server: a private one has no tables")
	}
}

func (v *validator) answer() {
	for _, text := range v.plan.Require {
		if _, err := ParseRequirements(text); err != nil {
			v.say("--require: %v", err)
		}
	}
	if runs, err := strconv.Atoi(v.plan.Baseline); err == nil && runs < 1 {
		v.say("invalid --baseline %d: must be at least 1 run", runs)
	}
}

// Fill completes a plan after flags and file were read: the case "default"
// where none is named, those that vary and grid make, and the workload's own sweep where no threads, or
// neither queries nor time nor events, were asked for.
func (p *Plan) Fill(sweep Sweep) {
	p.Expand()
	if len(p.Cases) == 0 {
		p.Cases = []Case{{Name: "default"}}
	}
	if p.Server.Database == "" {
		p.Server.Database = "mysweep"
	}
	if d := Default(); p.Charset != d.Charset && p.Collation == d.Collation {
		p.Collation = binaryCollation(p.Charset)
	}
	if len(p.Threads) == 0 {
		p.Threads = sweep.Threads
	}
	if len(p.Threads) == 0 {
		p.Threads = Ints{1, 2, 4, 8, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100}
	}
	if len(p.Queries) == 0 && p.Time == 0 && p.Events == 0 {
		p.Queries, p.Time = sweep.Queries, sweep.Time
		if p.RampUp == 0 {
			p.RampUp = sweep.RampUp
		}
	}
	if len(p.Queries) == 0 {
		p.MinTime = 0 // --time and --events never repeat bursts
	}
}

// binaryCollation is the collation of a character set that compares by code, as the default is of utf8mb4.
func binaryCollation(charset string) string {
	switch charset {
	case "binary":
		return "binary"
	case "utf8":
		return "utf8mb3_bin"
	}
	return charset + "_bin"
}

// Sweep is a workload's default sweep.
type Sweep struct {
	Threads, Queries Ints
	Time, RampUp     Duration
}

// About is roughly how long the plan takes, without loading tables and
// settling: the warm-up of each case, and each trial's time or min-time with
// what bursts cost beside it.
func (p *Plan) About() time.Duration {
	trial := time.Duration(p.MinTime)*6/5 + 50*time.Millisecond
	if p.Time > 0 {
		trial = time.Duration(p.Time+p.RampUp) + 100*time.Millisecond
	}
	warmups := len(p.Cases) * len(p.Workloads) // at least: a server that was away is warmed up again
	return time.Duration(p.Trials())*trial + time.Duration(warmups)*time.Duration(p.Warmup)
}
