package verdict

import (
	"maps"
	"slices"
	"strings"

	"github.com/mysweep/mysweep/runner/plan"
	"github.com/mysweep/mysweep/runner/result"
)

// ignored reports whether a server variable says nothing about speed: names
// of the machine and of files, identities, and what changes by itself.
func ignored(name string) bool {
	switch name {
	case "hostname", "datadir", "basedir", "socket", "port", "extra_port", "pid_file", "log_error", "tmpdir", "slave_load_tmpdir", "replica_load_tmpdir",
		"innodb_undo_directory", "innodb_tmpdir", "aria_log_dir_path", "init_file", "secure_file_priv", "log_bin_basename", "log_bin_index", "relay_log", "relay_log_basename",
		"relay_log_index", "bind_address", "mysqlx_port", "mysqlx_socket", "mysqlx_bind_address", "admin_port", "admin_address", "wsrep_node_name", "wsrep_node_address", "wsrep_data_home_dir",
		"server_id", "server_uid", "timestamp", "identity", "last_insert_id", "insert_id", "rand_seed1", "rand_seed2", "pseudo_thread_id",
		"error_count", "warning_count", "last_gtid", "in_transaction", "statement_id", "proxy_user", "external_user", "system_time_zone",
		"original_server_version", "immediate_server_version", "local_infile",
		"version", "version_comment", "version_compile_machine", "version_compile_os", "version_source_revision", "version_ssl_library",
		"version_malloc_library", "version_suffix", "version_compile_zlib":
		return true // the version is compared by itself
	}
	for _, end := range []string{"_file", "_dir", "_uuid"} {
		if strings.HasSuffix(name, end) {
			return true
		}
	}
	for _, start := range []string{"gtid_", "ssl_", "tls_", "admin_ssl_", "mysqlx_ssl_", "report_"} {
		if strings.HasPrefix(name, start) {
			return true
		}
	}
	return false
}

// AskedVariables are the variables that the plan sets for a case, by its own
// options or by those of all private servers.
func AskedVariables(run *result.Run, caseName string) map[string]bool {
	c := planCase(&run.Plan, caseName)
	names := changed(optionMap(run.Plan.Private.Options), nil)
	maps.Copy(names, changed(c.Options, nil))
	maps.Copy(names, changed(c.SetGlobal, nil))
	return names
}

// ownVariables are those that mysweep itself sets for a private server because
// of a key of its case.
func ownVariables(key string) []string {
	switch key {
	case "start": // a server that starts fresh forgets the pages of before
		return []string{"innodb_buffer_pool_dump_at_shutdown", "innodb_buffer_pool_load_at_startup"}
	case "transport": // it listens where its clients come from
		return []string{"skip_networking"}
	case "replicas": // they read its binary log, over TCP
		return []string{"skip_networking", "log_bin"}
	}
	return nil
}

// derivation tells the variables that two servers derived by themselves from
// those that were set.
type derivation struct {
	known bool            // who set what is known of both
	set   map[string]bool // names set on either server
	sql   string          // statements that ran on either after its start
}

// newDerivation takes what private servers were started with. An existing
// server gives its own account of where a value came from, or none.
func newDerivation(a, b *result.Case, pa, pb plan.Case) derivation {
	d := derivation{set: changed(pa.SetGlobal, nil), sql: statements(pa, pb)}
	maps.Copy(d.set, changed(pb.SetGlobal, nil))
	for _, c := range []*result.Case{a, b} {
		maps.Copy(d.set, changed(optionMap(c.Options), nil))
		for _, name := range c.Set {
			d.set[name] = true
		}
	}
	d.known = a.Private && b.Private || !a.Private && !b.Private && a.Set != nil && b.Set != nil
	return d
}

// follows reports whether a variable was set on neither server.
func (d *derivation) follows(name string) bool {
	return d.known && !d.set[name] && !d.set["skip_"+name] && !d.set[strings.TrimPrefix(name, "skip_")] && !strings.Contains(d.sql, name)
}

// statements is the SQL that cases run after the start of their servers, in
// lower case.
func statements(a, b plan.Case) string {
	return strings.ToLower(strings.Join(slices.Concat(a.AfterStart, b.AfterStart), "\n"))
}
