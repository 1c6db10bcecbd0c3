package page

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"mysweep/charts"
	"mysweep/runner/result"
)

// server is the server of one case.
type server struct {
	Title         string
	Rows          []pair
	SettingsTitle string
	Settings      []pair
	Remarks       []string
}

func servers(run *result.Run) []server {
	list := make([]server, len(run.Cases))
	for i := range run.Cases {
		list[i] = newServer(&run.Cases[i], len(run.Cases) == 1)
	}
	return list
}

func newServer(c *result.Case, only bool) server {
	s := server{Title: "Case " + c.Name}
	if only && c.Name == "default" {
		s.Title = "Server"
	}
	kind := "existing"
	if c.Private {
		kind = "private, started by mysweep"
	}
	rows := []pair{
		{Name: "version", Value: strings.TrimSpace(c.Flavour + " " + c.Version)}, {Name: "comment", Value: c.Comment},
		{Name: "server", Value: kind}, {Name: "transport", Value: strings.TrimSpace(c.Transport + " " + c.TLSCipher)},
		{Name: "CPUs", Value: c.CPUs}, {Name: "started with", Value: strings.Join(c.Options, " ")},
	}
	if c.StartSeconds != nil {
		rows = append(rows, pair{Name: "start took", Value: charts.Significant(c.StartSeconds) + " s"})
	}
	if c.LoadSeconds != nil {
		rows = append(rows, pair{Name: "loading took", Value: charts.Significant(c.LoadSeconds) + " s"})
	}
	if c.FsyncP50 != nil {
		rows = append(rows, pair{Name: "write + fsync", Value: charts.Milliseconds(c.FsyncP50) + " ms (median)"})
	}
	for _, t := range c.Tables {
		rows = append(rows, pair{Name: "table " + t.Name, Value: tableInWords(t)})
	}
	for _, p := range rows {
		if p.Value != "" {
			s.Rows = append(s.Rows, p)
		}
	}
	if c.Status != result.OK && c.Error != "" {
		s.Remarks = append(s.Remarks, fmt.Sprintf("This case %s: %s", became(c.Status), c.Error))
	}
	s.settings(c)
	for _, name := range c.UnknownOptions {
		s.Remarks = append(s.Remarks, "Left out, as this server does not know it: "+name)
	}
	return s
}

func became(s result.Status) string {
	if s == result.Skipped {
		return "was skipped"
	}
	return "failed"
}

func tableInWords(t result.TableFact) string {
	rows := float64(t.Rows)
	text := charts.Grouped(&rows) + " rows"
	if t.DataBytes != nil {
		text += ", " + charts.Bytes(*t.DataBytes)
	}
	if t.Reused {
		text += ", as it was found"
	}
	return text
}

// settings lists the variables that differ from the server's own defaults.
func (s *server) settings(c *result.Case) {
	if len(c.Variables) == 0 {
		return
	}
	if len(c.Defaults) == 0 {
		s.Remarks = append(s.Remarks, "This server does not tell its defaults; all its variables are in facts.csv.")
		return
	}
	for _, name := range slices.Sorted(maps.Keys(c.Variables)) {
		standard, known := c.Defaults[name]
		if !known || local(name) || same(c.Variables[name], standard) {
			continue
		}
		s.Settings = append(s.Settings, pair{Name: name, Value: shown(c.Variables[name]), Default: shown(standard)})
	}
	s.SettingsTitle = "Variables that differ from the server's defaults"
	if len(s.Settings) == 0 {
		s.Remarks = append(s.Remarks, "All variables have the server's defaults.")
	}
}

// differing is the table of variables in which the cases differ, nil with fewer than two cases or no difference.
func differing(cases []result.Case) *table {
	var open []result.Case
	names := map[string]bool{}
	for _, c := range cases {
		if len(c.Variables) == 0 {
			continue
		}
		open = append(open, c)
		for name := range c.Variables {
			names[name] = true
		}
	}
	t := table{Columns: []string{"variable"}}
	for _, c := range open {
		t.Columns = append(t.Columns, c.Name)
	}
	for _, name := range slices.Sorted(maps.Keys(names)) {
		if local(name) {
			continue
		}
		fields, differ := []string{name}, false
		for _, c := range open {
			value, known := c.Variables[name]
			first, firstKnown := open[0].Variables[name]
			differ = differ || known != firstKnown || !same(value, first)
			if !known {
				value = "(unknown to it)"
			}
			fields = append(fields, shown(value))
		}
		if differ {
			t.Rows = append(t.Rows, row{Fields: fields})
		}
	}
	if len(open) < 2 || len(t.Rows) == 0 {
		return nil
	}
	return &t
}

// local reports whether a variable names places or states of one server rather than a setting of it.
func local(name string) bool {
	for _, word := range []string{
		"basedir", "character_sets_dir", "datadir", "general_log_file", "gtid_binlog_pos", "gtid_binlog_state", "gtid_current_pos",
		"gtid_executed", "gtid_purged", "hostname", "identity", "last_insert_id", "lc_messages_dir", "log_bin_basename", "log_bin_index", "log_error",
		"pid_file", "plugin_dir", "port", "pseudo_thread_id", "rand_seed1", "rand_seed2", "relay_log", "relay_log_basename", "relay_log_index",
		"relay_log_info_file", "report_host", "report_port", "secure_file_priv", "server_uid", "server_uuid", "slow_query_log_file", "socket", "timestamp", "tmpdir",
		"slave_load_tmpdir", "replica_load_tmpdir", "innodb_data_home_dir", "innodb_log_group_home_dir", "innodb_undo_directory", "mysqlx_port", "mysqlx_socket",
		"license", "system_time_zone", "version_compile_machine", "version_compile_os", "version_source_revision", "error_count", "warning_count", "in_transaction",
	} {
		if name == word {
			return true
		}
	}
	return false
}

// same compares values as a server means them: ON is 1, and letters' case does not count.
func same(a, b string) bool { return canonical(a) == canonical(b) }

func canonical(v string) string {
	switch v = strings.ToLower(strings.TrimSpace(v)); v {
	case "on", "yes", "true":
		return "1"
	case "off", "no", "false":
		return "0"
	}
	if whole, zeros, found := strings.Cut(v, "."); found && strings.Trim(zeros, "0") == "" {
		return whole
	}
	return v
}

func shown(value string) string {
	if value == "" {
		return "(empty)"
	}
	return value
}
