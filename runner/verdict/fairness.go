package verdict

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/mysweep/mysweep/hwinfo"
	"github.com/mysweep/mysweep/runner/plan"
	"github.com/mysweep/mysweep/runner/result"
)

// machineKeys are the facts of a machine that decide a figure.
var machineKeys = [...]string{
	"cpu.model", "cpu.online", "cpu.usable", "cpu.sockets", "cpu.cores", "cpu.threads_per_core", "cpu.hyperthreading", "cpu.governor",
	"memory.total_bytes", "memory.limit_bytes", "kernel.release", "os.pretty_name", "machine.product",
	"virtualization.hypervisor", "virtualization.container", "datadir.filesystem", "datadir.disks",
}

// RunDifferences lists in what two runs differ that decides a figure: machine,
// server, mysweep, and how was measured. What the plans set differently of the
// server was asked for; so was what asked names.
func RunDifferences(base, fresh *result.Run, asked ...string) []Difference {
	d := differ{asked: asked, storage: ownStorage(base) && ownStorage(fresh)}
	d.server = base.Plan.Server.Existing() && base.Plan.Server != fresh.Plan.Server
	d.both("mysweep version", base.Version, fresh.Version, false)
	d.method(&base.Plan, &fresh.Plan)
	d.both("poller", poller(base), poller(fresh), base.Plan.Poller != fresh.Plan.Poller && pinned(base) && pinned(fresh))
	d.facts("client", &base.Client, &fresh.Client, false)
	if base.Server != nil && fresh.Server != nil && !(base.SharedHost && fresh.SharedHost) {
		d.facts("server", base.Server, fresh.Server, d.server)
	}
	d.both("client and server on one machine", fmt.Sprint(base.SharedHost), fmt.Sprint(fresh.SharedHost), false)
	d.private(&base.Plan.Private, &fresh.Plan.Private)
	if base.Plan.Threads.Max() != fresh.Plan.Threads.Max() {
		// A private server gets what the plan needs.
		d.asked = append(d.asked, "max_connections", "max_prepared_stmt_count")
	}
	d.parents = base.Plan.Private.DatadirParent != fresh.Plan.Private.DatadirParent
	for i := range fresh.Cases {
		if other := partnerCase(base, fresh, i); other != nil {
			d.cases(other, &fresh.Cases[i], planCase(&base.Plan, other.Name), planCase(&fresh.Plan, fresh.Cases[i].Name))
		}
	}
	return d.list
}

// partnerCase is the case of base that the i-th of fresh is compared with.
func partnerCase(base, fresh *result.Run, i int) *result.Case {
	if len(base.Cases) == 1 && len(fresh.Cases) == 1 {
		return &base.Cases[0]
	}
	return caseOf(base, fresh.Cases[i].Name)
}

// CaseDifferences lists in what the servers of two cases of a run differ.
func CaseDifferences(run *result.Run, base, fresh string) []Difference {
	a, b := caseOf(run, base), caseOf(run, fresh)
	if a == nil || b == nil || a.Variables == nil || b.Variables == nil {
		return nil // of a server that never answered nothing is known
	}
	d := differ{}
	d.cases(a, b, planCase(&run.Plan, base), planCase(&run.Plan, fresh))
	return d.list
}

func planCase(p *plan.Plan, name string) plan.Case {
	for _, c := range p.Cases {
		if c.Name == name {
			return c
		}
	}
	return plan.Case{Name: name}
}

// poller is the kernel interface of a run's event loops, "" where it had none.
func poller(run *result.Run) string {
	if run.Poller == "" && run.Plan.LoadGen == "loop" {
		return "epoll" // all there was before the choice
	}
	return run.Poller
}

// pinned reports whether the plan names a poller, rather than leave the choice to the machine.
func pinned(run *result.Run) bool { return run.Plan.Poller == "epoll" || run.Plan.Poller == "uring" }

// differ gathers differences.
type differ struct {
	asked  []string // names that may differ
	server bool     // another server was asked for, and so all that it has
	moved  bool     // the machines differ
	// storage says that cases have facts of their own data directory, which the machine's are not.
	storage bool
	parents bool // the plans make the data directories of private servers in different places
	list    []Difference
}

// both notes a difference unless both sides are the same.
func (d *differ) both(what, base, fresh string, asked bool) {
	if base == fresh {
		return
	}
	d.add(Difference{What: what, Base: base, New: fresh, Asked: asked || d.mayDiffer(what)})
}

// mayDiffer reports whether a difference is among those asked for, by its whole
// name or by the last word of it.
func (d *differ) mayDiffer(what string) bool {
	return slices.Contains(d.asked, what[strings.LastIndexByte(what, ' ')+1:]) || slices.Contains(d.asked, what)
}

func (d *differ) add(found Difference) {
	if !slices.Contains(d.list, found) {
		d.list = append(d.list, found)
	}
}

// method compares how was measured: what the same server would answer
// differently to.
func (d *differ) method(a, b *plan.Plan) {
	d.both("plan protocol", a.Protocol, b.Protocol, false)
	d.both("plan reconnect", a.Reconnect, b.Reconnect, false)
	d.both("plan rate", fmt.Sprint(a.Rate), fmt.Sprint(b.Rate), false)
	d.both("plan time", a.Time.String(), b.Time.String(), false)
	d.both("plan min_time", a.MinTime.String(), b.MinTime.String(), false)
	d.both("plan loadgen", a.LoadGen, b.LoadGen, false)
	d.both("plan loops", fmt.Sprint(a.Loops), fmt.Sprint(b.Loops), false)
	d.both("plan compress", fmt.Sprint(a.Compress), fmt.Sprint(b.Compress), false)
	d.both("plan storage_engine", a.StorageEngine, b.StorageEngine, false)
	d.both("plan charset", a.Charset, b.Charset, false)
	d.both("plan collation", a.Collation, b.Collation, false)
	for _, w := range b.Workloads {
		if other := workloadOf(a, w.Label()); other != nil {
			d.both("options of workload "+w.Label(), settings(other.Options), settings(w.Options), false)
		}
	}
}

// settings writes a map in the order of its keys.
func settings(m map[string]string) string {
	var parts []string
	for _, k := range slices.Sorted(maps.Keys(m)) {
		parts = append(parts, k+"="+m[k])
	}
	return strings.Join(parts, " ")
}

func (d *differ) facts(role string, a, b *hwinfo.Facts, asked bool) {
	for _, key := range machineKeys {
		x, y := a.String(key), b.String(key)
		if d.storage && strings.HasPrefix(key, "datadir.") || x == "" || y == "" || key == "memory.total_bytes" && near(x, y, 0.01) {
			continue // unknown is no difference; kernels keep a little memory
		}
		d.moved = d.moved || x != y
		d.both(role+" "+key, x, y, asked)
	}
}

// near reports whether two numbers differ by at most a share of the first.
func near(x, y string, share float64) bool {
	a, err1 := strconv.ParseFloat(x, 64)
	b, err2 := strconv.ParseFloat(y, 64)
	return err1 == nil && err2 == nil && max(a-b, b-a) <= share*a
}

// private notes what the plans set differently for all private servers.
func (d *differ) private(a, b *plan.Private) {
	d.server = d.server || a.Mysqld != b.Mysqld || a.DefaultsFile != b.DefaultsFile
	d.both("plan mysqld", a.Mysqld, b.Mysqld, true)
	d.both("plan mysqld_defaults_file", a.DefaultsFile, b.DefaultsFile, true)
	for name := range changed(optionMap(a.Options), optionMap(b.Options)) {
		d.asked = append(d.asked, name)
	}
}

// optionMap reads options given as name=value.
func optionMap(list plan.Texts) map[string]string {
	m := map[string]string{}
	for _, text := range list {
		name, value, _ := strings.Cut(text, "=")
		m[name] = value
	}
	return m
}

// changed are the names, as variables are written, that two maps set differently.
func changed(a, b map[string]string) map[string]bool {
	names := map[string]bool{}
	for _, pair := range [][2]map[string]string{{a, b}, {b, a}} {
		for k, v := range pair[0] {
			if other, ok := pair[1][k]; !ok || other != v {
				names[strings.TrimPrefix(strings.ReplaceAll(k, "-", "_"), "loose_")] = true
			}
		}
	}
	return names
}

// cases compares two servers, given what their plans asked for.
func (d *differ) cases(a, b *result.Case, pa, pb plan.Case) {
	all := d.server || pa.Mysqld != pb.Mysqld || pa.OptionsFile != pb.OptionsFile || (pa.Server == nil) != (pb.Server == nil) ||
		// Restart commands may change anything.
		pa.Server != nil && *pa.Server != *pb.Server || !slices.Equal(pa.Restart, pb.Restart)
	varied := variedBetween(pa, pb)
	sql := ""
	if !slices.Equal(pa.AfterStart, pb.AfterStart) {
		sql = statements(pa, pb)
	}
	d.both("server version", plainVersion(a.Version), plainVersion(b.Version), all)
	d.both("transport", a.Transport, b.Transport, pa.Transport != pb.Transport)
	d.both("tls cipher", a.TLSCipher, b.TLSCipher, pa.Transport != pb.Transport)
	d.both("server CPUs", a.CPUs, b.CPUs, pa.CPUs != pb.CPUs || d.server)
	d.storages(a, b, all || d.parents || pa.DatadirParent != pb.DatadirParent)
	cause := len(varied) > 0 || sql != "" || slices.ContainsFunc(d.asked, func(name string) bool { return a.Variables[name] != b.Variables[name] })
	derived := derivation{}
	if cause && !d.moved && plainVersion(a.Version) == plainVersion(b.Version) {
		derived = newDerivation(a, b, pa, pb)
	}
	for _, name := range slices.Sorted(maps.Keys(b.Variables)) {
		base, known := a.Variables[name]
		if !known || sameValue(base, b.Variables[name]) || ignored(name) && !varied[name] {
			continue
		}
		what := "variable " + name
		asked := all || varied[name] || sql != "" && strings.Contains(sql, name) || d.mayDiffer(what)
		follows := !asked && derived.follows(name)
		d.add(Difference{What: what, Base: base, New: b.Variables[name], Asked: asked || follows, Follows: follows})
	}
	d.sessions(a, b, all || varied["init_connect"] || strings.Contains(sql, "init_connect"))
	if all { // other builds know other variables: how many says enough
		d.both("variables that the other does not have", lacking(a, b), lacking(b, a), true)
	}
}

// storageKeys are the facts of a data directory that decide a figure.
var storageKeys = [...]string{"datadir.filesystem", "datadir.disks", "datadir.models", "datadir.transport", "datadir.options"}

// storages compares where two servers keep their data. The mount options of a layered file system
// name paths of one container, those of one in memory its size: both are left out.
func (d *differ) storages(a, b *result.Case, asked bool) {
	if a.Datadir == nil || b.Datadir == nil {
		return
	}
	for _, key := range storageKeys {
		x, y := a.Datadir.String(key), b.Datadir.String(key)
		if key == "datadir.options" && (a.Datadir.String("datadir.filesystem") == "overlay" || a.Datadir.String("datadir.transport") == "memory") {
			continue
		}
		if x != "" && y != "" {
			d.both("server "+key, x, y, asked)
		}
	}
}

// ownStorage reports whether a case of a run has facts of its own data directory.
func ownStorage(run *result.Run) bool {
	return slices.ContainsFunc(run.Cases, func(c result.Case) bool { return c.Datadir != nil })
}

// variedBetween names what the plan sets differently in two cases: variables,
// and what decides variables of which a private server gets its own.
func variedBetween(a, b plan.Case) map[string]bool {
	varied := changed(a.Options, b.Options)
	maps.Copy(varied, changed(a.SetGlobal, b.SetGlobal))
	for what, differs := range map[string]bool{
		"cpus":           a.CPUs != b.CPUs,
		"datadir_parent": a.DatadirParent != b.DatadirParent,
		"env":            !maps.Equal(a.Env, b.Env),
		"replicas":       a.Replicas != b.Replicas,
		"smt":            a.SMT != b.SMT,
		"start":          a.FreshStart() != b.FreshStart(),
		"transport":      a.Transport != b.Transport,
		"wrap":           a.Wrap != b.Wrap,
	} {
		if !differs {
			continue
		}
		varied[what] = true
		for _, name := range ownVariables(what) {
			varied[name] = true
		}
	}
	return varied
}

// sessions compares what new sessions began with, where it is not the global
// variable that differs already.
func (d *differ) sessions(a, b *result.Case, asked bool) {
	for _, name := range slices.Sorted(maps.Keys(b.Session)) {
		base, known := a.Session[name]
		if known && sameValue(a.Variables[name], b.Variables[name]) && !sameValue(base, b.Session[name]) {
			d.both("session variable "+name, base, b.Session[name], asked)
		}
	}
}

// plainVersion leaves out what servers add to their version when they write a log; that log is a
// variable.
func plainVersion(version string) string { return strings.TrimSuffix(version, "-log") }

// sameValue sees through the forms of a number: servers write 10 as 10.000000.
func sameValue(a, b string) bool {
	if a == b {
		return true
	}
	x, errX := strconv.ParseFloat(a, 64)
	y, errY := strconv.ParseFloat(b, 64)
	return errX == nil && errY == nil && x == y
}

// lacking counts the variables of a that b does not have.
func lacking(a, b *result.Case) string {
	n := 0
	for name := range a.Variables {
		if _, known := b.Variables[name]; !known && !ignored(name) {
			n++
		}
	}
	return fmt.Sprint(n)
}
