package verdict

import (
	"maps"
	"slices"
	"strings"

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
func AskedVariables(run *result.Run, kase string) map[string]bool {
	c := planCase(&run.Plan, kase)
	names := changed(optionMap(run.Plan.Private.Options), nil)
	maps.Copy(names, changed(c.Options, nil))
	maps.Copy(names, changed(c.SetGlobal, nil))
	return names
}

// cpus stands among the variables that were varied for the CPUs that a server
// may use: it counts them.
const cpus = "cpus"

// followers are variables that servers derive from others when nobody sets them.
func followers(of string) []string {
	switch of {
	case cpus:
		return []string{"thread_pool_size", "innodb_page_cleaners", "innodb_purge_threads", "innodb_read_io_threads", "innodb_parallel_read_threads",
			"innodb_buffer_pool_instances", "innodb_log_writer_threads"}
	case "max_connections":
		return []string{"open_files_limit", "table_open_cache", "table_open_cache_instances", "table_definition_cache", "thread_cache_size",
			"back_log", "host_cache_size", "performance_schema_*"}
	case "performance_schema":
		return []string{"performance_schema_*"}
	case "innodb_buffer_pool_size":
		return []string{"innodb_buffer_pool_chunk_size", "innodb_buffer_pool_instances", "innodb_lru_flush_size", "innodb_page_cleaners",
			"innodb_redo_log_capacity", "innodb_log_file_size", "innodb_log_writer_threads"}
	case "innodb_flush_log_at_trx_commit": // MariaDB lets the page cache buffer its log where commits do not wait for the disk
		return []string{"innodb_log_file_buffering"}
	case "innodb_io_capacity":
		return []string{"innodb_io_capacity_max"}
	case "table_open_cache":
		return []string{"open_files_limit", "table_definition_cache", "performance_schema_*"}
	case "start": // a fresh server begins without the pages of before
		return []string{"innodb_buffer_pool_dump_at_shutdown", "innodb_buffer_pool_load_at_startup"}
	case "datadir_parent": // the server fits its log to the file system
		return []string{"innodb_log_*", "innodb_flush_method", "innodb_use_native_aio", "innodb_data_file_*", "innodb_doublewrite"}
	case "transport": // a private server listens where its clients come from
		return []string{"skip_networking", "skip_name_resolve", "have_ssl", "have_openssl", "require_secure_transport"}
	case "log_bin":
		return []string{"log_bin_basename", "log_bin_index", "binlog_*", "sync_binlog"}
	}
	return nil
}

// follows reports whether a variable is derived from one that was varied, or
// that may differ.
func (d *differ) follows(name string, varied map[string]bool) bool {
	derived := func(from string) bool {
		return slices.ContainsFunc(followers(from), func(pattern string) bool {
			prefix, all := strings.CutSuffix(pattern, "*")
			return name == pattern || all && strings.HasPrefix(name, prefix)
		})
	}
	for from := range varied {
		if derived(from) {
			return true
		}
	}
	return slices.ContainsFunc(d.asked, derived)
}
