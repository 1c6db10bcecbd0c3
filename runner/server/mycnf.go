package server

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
)

// reserved options are mysweep's own: with another value the server would be
// somebody else's, or could not be reached, stopped and removed.
var reserved = []string{
	"datadir", "socket", "port", "bind_address", "networking", "pid_file", "log_error",
	"user", "init_file", "defaults_file", "defaults_extra_file", "no_defaults", "daemonize", "chroot",
	"mysqlx_port", "mysqlx_socket", "mysqlx_bind_address",
}

// elsewhere are option families of this machine's my.cnf that would join the
// private server to others or listen beside them.
var elsewhere = []string{
	"wsrep_", "group_replication_", "admin_address", "admin_port", "extra_port", "report_", "init_slave", "init_replica",
	"slave_start", "replica_start", "mysqlx_",
}

// writtenDirs name folders that the server writes to. In this machine's my.cnf
// they belong to its own server.
var writtenDirs = []string{
	"tmpdir", "innodb_tmpdir", "slave_load_tmpdir", "replica_load_tmpdir", "innodb_data_home_dir",
	"innodb_log_group_home_dir", "innodb_undo_directory", "innodb_doublewrite_dir", "innodb_directories",
	"innodb_temp_tablespaces_dir", "innodb_log_arch_dir", "aria_log_dir_path", "rocksdb_datadir", "rocksdb_wal_dir",
	"secure_file_priv", "log_basename",
}

// writtenFiles name files that the server writes; their last part below the
// private datadir does as well.
var writtenFiles = []string{
	"log_bin", "log_bin_index", "relay_log", "relay_log_index", "relay_log_info_file", "master_info_file",
	"slow_query_log_file", "log_slow_query_file", "general_log_file", "innodb_buffer_pool_filename",
	"server_audit_file_path", "audit_log_file", "tc_log", "log_tc",
}

// shaping options decide what the empty datadir looks like, so they are given
// to its making as well.
var shaping = []string{
	"innodb_page_size", "innodb_data_file_path", "innodb_data_home_dir", "innodb_log_group_home_dir",
	"innodb_undo_directory", "innodb_undo_tablespaces", "innodb_checksum_algorithm", "innodb_log_file_size",
	"innodb_log_files_in_group", "innodb_redo_log_capacity", "innodb_file_per_table", "lower_case_table_names",
	"innodb_doublewrite_dir", "innodb_directories", "basedir", "plugin_dir", "lc_messages_dir", "character_sets_dir",
}

// ShapesDatadir reports whether an option decides what an empty datadir looks
// like, so that servers with other values need other datadirs.
func ShapesDatadir(name string) bool { return isOneOf(Option{Name: name}, shaping) }

// optionGroups are the groups that a server of this kind reads, weakest first.
func optionGroups(b Binary) []string {
	series := strings.Join(strings.SplitN(b.Version, ".", 3)[:2], ".")
	if b.Flavour == MariaDB {
		return []string{"mysqld", "mysqld-" + series, "server", "mariadb", "mariadb-" + series, "mariadbd", "mariadbd-" + series}
	}
	return []string{"mysqld", "mysqld-" + series, "server"}
}

// Defaults are the options that a private server takes from a my.cnf.
func (b Binary) Defaults(path string) ([]Option, error) {
	options, _, err := readDefaults(path, b)
	return options, err
}

// readDefaults takes a my.cnf that was written for another server: what ties it
// to that server is left out, and said.
func readDefaults(path string, b Binary) ([]Option, []Note, error) {
	file, err := ReadOptionFile(path)
	if err != nil {
		return nil, nil, err
	}
	var kept []Option
	notes := file.Notes
	for _, option := range file.Options(optionGroups(b)...) {
		name := option.canonical()
		switch {
		case isOneOf(option, reserved), isOneOf(option, writtenDirs), hasPrefix(name, elsewhere):
			notes = append(notes, Note{"option-dropped", fmt.Sprintf("%s of %s belongs to that server and was left out", option.Name, path)})
		case isOneOf(option, writtenFiles) && strings.Contains(option.Value, "/"):
			option.Value = filepath.Base(option.Value)
			kept = append(kept, option)
			notes = append(notes, Note{"option-moved", fmt.Sprintf("%s of %s was moved into the private datadir", option.Name, path)})
		default:
			kept = append(kept, option)
		}
	}
	return kept, notes, nil
}

func isOneOf(option Option, names []string) bool { return slices.ContainsFunc(names, option.same) }

func hasPrefix(name string, prefixes []string) bool {
	name = strings.TrimPrefix(name, "skip_")
	return slices.ContainsFunc(prefixes, func(prefix string) bool { return strings.HasPrefix(name, prefix) })
}

// ownOptions keep a private server private, whatever was asked otherwise.
func (s *Server) ownOptions() []Option {
	own := []Option{
		{Name: "datadir", Value: s.folder.file("data")},
		{Name: "socket", Value: s.folder.socket},
		{Name: "pid_file", Value: s.folder.file("mysqld.pid")},
		{Name: "log_error", Value: s.folder.file(errorLog)},
		{Name: "init_file", Value: s.folder.file("init.sql")},
	}
	if s.private.listens() {
		own = append(own, Option{Name: "bind_address", Value: loopback}, Option{Name: "port", Value: fmt.Sprint(s.port)})
	} else {
		own = append(own, Option{Name: "skip_networking", NoValue: true})
	}
	if s.folder.owner.uid == 0 {
		own = append(own, Option{Name: "user", Value: "root"})
	}
	if s.Binary.Flavour == MySQL && s.Binary.atLeast(8, 0, 11) {
		own = append(own, Option{Name: "mysqlx", Value: "OFF"}, Option{Name: "persisted_globals_load", Value: "OFF"})
	}
	return own
}

// fallbackOptions stand only where nobody set the same.
func (s *Server) fallbackOptions() []Option {
	fallback := []Option{{Name: "tmpdir", Value: s.folder.file("tmp")}}
	if s.private.MaxConnections > 0 {
		fallback = append(fallback, Option{Name: "max_connections", Value: fmt.Sprint(s.private.MaxConnections)})
	}
	if s.private.ForgetPages {
		fallback = append(fallback, Option{Name: "loose_innodb_buffer_pool_dump_at_shutdown", Value: "OFF"},
			Option{Name: "loose_innodb_buffer_pool_load_at_startup", Value: "OFF"})
	}
	// A copied datadir may be that of a replica.
	skipReplica := "skip_slave_start"
	if s.Binary.Flavour == MySQL && s.Binary.atLeast(8, 0, 26) {
		skipReplica = "skip_replica_start"
	}
	fallback = append(fallback, Option{Name: skipReplica, NoValue: true})
	if s.Binary.Flavour == MySQL {
		// Tables are loaded by LOAD DATA LOCAL where that is allowed, which is faster; MySQL has it
		// off since 8.0.
		fallback = append(fallback, Option{Name: "secure_file_priv", Value: "NULL"}, Option{Name: "local_infile", Value: "ON"})
	}
	if s.private.TLS {
		fallback = append(fallback, s.certificateOptions()...)
	}
	return fallback
}

// effectiveOptions is the whole my.cnf of the private server in the order in
// which it is written; the last one of a name counts.
func (s *Server) effectiveOptions() []Option {
	asked := append(slices.Clone(s.defaults), s.private.Options...)
	var all []Option
	for _, option := range s.fallbackOptions() {
		if _, set := findOption(asked, option.canonical()); !set {
			all = append(all, option)
		}
	}
	return append(append(all, asked...), s.ownOptions()...)
}

// shapingOptions is the my.cnf with which an empty datadir is made.
func (s *Server) shapingOptions() []Option {
	options := []Option{
		{Name: "datadir", Value: s.folder.file("data")},
		{Name: "log_error", Value: s.folder.file(bootstrapLog)},
		{Name: "tmpdir", Value: s.folder.file("tmp")},
		// A datadir that is half made when the machine fails is worth nothing anyway.
		{Name: "loose_innodb_flush_method", Value: "nosync"},
		{Name: "loose_innodb_doublewrite", Value: "OFF"},
		// MariaDB syncs a thousand times otherwise, mostly its log of table definitions.
		{Name: "loose_debug_no_sync", NoValue: true},
	}
	for _, option := range append(slices.Clone(s.defaults), s.private.Options...) {
		if isOneOf(option, shaping) {
			options = append(options, option)
		}
	}
	if s.folder.owner.uid == 0 {
		options = append(options, Option{Name: "user", Value: "root"})
	}
	return options
}

func formatMyCnf(options []Option) string {
	var text strings.Builder
	text.WriteString("[mysqld]\n")
	for _, option := range options {
		text.WriteString(option.String() + "\n")
	}
	return text.String()
}
