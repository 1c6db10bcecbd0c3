package server

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// makeDatadir fills the private datadir: with a copy, or with the system tables
// of an empty server.
func (s *Server) makeDatadir(ctx context.Context) error {
	if source := s.private.CopyDatadirFrom; source != "" {
		return s.copyDatadir(ctx, source)
	}
	if err := s.folder.write("bootstrap.cnf", formatMyCnf(s.shapingOptions())); err != nil {
		return err
	}
	ctx, cancel := s.bounded(ctx)
	defer cancel()
	began := time.Now()
	if err := s.initialize(ctx); err != nil {
		return s.startError("make its datadir", bootstrapLog, err)
	}
	s.InitializeSeconds = time.Since(began).Seconds()
	return nil
}

func (s *Server) initialize(ctx context.Context) error {
	if s.Binary.Flavour == MySQL {
		return s.runServer(ctx, "bootstrap.cnf", nil, "--initialize-insecure")
	}
	scripts, err := s.Binary.systemTableScripts(ctx)
	if err == nil {
		return s.bootstrap(ctx, scripts)
	}
	installer, lookErr := exec.LookPath("mariadb-install-db")
	if lookErr != nil {
		return fmt.Errorf("%w; mariadb-install-db is not in PATH either", err)
	}
	return s.install(ctx, installer)
}

// systemTables are the scripts that mariadb-install-db feeds to the server,
// without its help texts. MariaDB 11 renamed them; the first name that exists counts.
var systemTables = [][]string{
	{"mariadb_system_tables.sql", "mysql_system_tables.sql"},
	{"mariadb_performance_tables.sql", "mysql_performance_tables.sql"},
	{"mariadb_system_tables_data.sql", "mysql_system_tables_data.sql"},
	{"maria_add_gis_sp_bootstrap.sql"},
	{"mariadb_sys_schema.sql", "mysql_sys_schema.sql"},
}

// systemTableScripts finds them in the share folder beside the binary, or else, as the binary may
// be a script that starts a server elsewhere, where the server itself says that its files are.
func (b Binary) systemTableScripts(ctx context.Context) ([]string, error) {
	scripts, err := scriptsBeside(b.Path)
	if err == nil {
		return scripts, nil
	}
	text, helpErr := b.help(ctx)
	if helpErr != nil {
		return nil, errors.Join(err, helpErr)
	}
	values := parseDefaults(text)
	for _, dir := range []string{values["lc_messages_dir"], filepath.Join(values["character_sets_dir"], "..")} {
		if found := scriptsIn(dir); filepath.IsAbs(dir) && len(found) > 0 {
			return found, nil
		}
	}
	return nil, err
}

// scriptsBeside looks in the share folders of the tree that the binary is part of.
func scriptsBeside(binary string) ([]string, error) {
	if resolved, err := filepath.EvalSymlinks(binary); err == nil {
		binary = resolved
	}
	base := filepath.Dir(filepath.Dir(binary))
	for _, share := range []string{"share/mysql", "share/mariadb", "share", "scripts"} {
		if found := scriptsIn(filepath.Join(base, share)); len(found) > 0 {
			return found, nil
		}
	}
	return nil, fmt.Errorf("no mysql_system_tables.sql in %s/share/mysql, share/mariadb or share", base)
}

func scriptsIn(dir string) []string {
	var found []string
	for i, names := range systemTables {
		for _, name := range names {
			path := filepath.Join(dir, name)
			if _, err := os.Stat(path); err == nil {
				found = append(found, path)
				break
			}
		}
		if i == 0 && len(found) == 0 {
			return nil
		}
	}
	return found
}

// bootstrap does what mariadb-install-db does, with the very binary that will
// run, and leaves no account but root@localhost.
func (s *Server) bootstrap(ctx context.Context, scripts []string) error {
	var sql strings.Builder
	sql.WriteString("create database if not exists mysql;\nuse mysql;\nset @auth_root_socket=NULL;\n")
	for _, path := range scripts {
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		sql.Write(text)
		sql.WriteString("\n")
	}
	accounts := "global_priv"
	if !s.Binary.atLeast(10, 4, 0) {
		accounts = "user"
	}
	sql.WriteString("delete from mysql." + accounts + " where User='' or (User='root' and Host<>'localhost');\n")
	if err := s.folder.write("bootstrap.sql", sql.String()); err != nil {
		return err
	}
	input, err := os.Open(s.folder.file("bootstrap.sql"))
	if err != nil {
		return err
	}
	defer os.Remove(input.Name())
	defer input.Close()
	return s.runServer(ctx, "bootstrap.cnf", input, "--bootstrap", "--log-warnings=0",
		"--enforce-storage-engine=", "--max-allowed-packet=8M", "--net-buffer-length=16K")
}

// runServer runs the server program for a while, not as a server.
func (s *Server) runServer(ctx context.Context, config string, input *os.File, args ...string) error {
	cmd := exec.Command(s.Binary.Path, append([]string{"--defaults-file=" + s.folder.file(config)}, args...)...)
	return s.runTool(ctx, cmd, input)
}

func (s *Server) install(ctx context.Context, installer string) error {
	cmd := exec.Command(installer, "--defaults-file="+s.folder.file("bootstrap.cnf"), "--datadir="+s.folder.file("data"),
		"--auth-root-authentication-method=normal", "--skip-test-db", "--skip-name-resolve")
	cmd.Env = append(s.environment(), "MYSQLD_BOOTSTRAP="+s.Binary.Path)
	return s.runTool(ctx, cmd, nil)
}

// runTool sends what the program says to one log, which tells why something failed.
func (s *Server) runTool(ctx context.Context, cmd *exec.Cmd, input *os.File) error {
	log, err := s.openLog(bootstrapLog)
	if err != nil {
		return err
	}
	defer log.Close()
	if input != nil {
		cmd.Stdin = input
	}
	cmd.Stdout, cmd.Stderr = log, log
	cmd.Dir = s.folder.path
	if cmd.Env == nil {
		cmd.Env = s.environment()
	}
	return run(ctx, cmd, s.folder.owner, nil)
}

func (s *Server) openLog(name string) (*os.File, error) {
	path := s.folder.file(name)
	log, err := os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, err
	}
	return log, s.folder.owner.own(path)
}

// copyDatadir copies a prepared datadir that no server uses at the moment.
func (s *Server) copyDatadir(ctx context.Context, source string) error {
	if pid, used := datadirUser(source); used {
		return fmt.Errorf("copy datadir %s: in use by the server with pid %d: stop it first", source, pid)
	}
	if _, err := os.Stat(source); err != nil {
		return fmt.Errorf("copy datadir: %w", err)
	}
	if _, err := os.Stat(filepath.Join(source, "mysql")); err != nil {
		return fmt.Errorf("copy datadir %s: not a data directory: it has no schema mysql", source)
	}
	began := time.Now()
	copied, err := copyTree(ctx, source, s.folder.file("data"), s.folder.owner)
	if err != nil {
		return fmt.Errorf("copy datadir %s: %w", source, err)
	}
	s.Copied = &copied
	s.Copied.Seconds = time.Since(began).Seconds()
	// Servers tell each other apart by the uuid in here; the copy makes its own.
	if err := os.Remove(s.folder.file("data/auto.cnf")); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return nil
}
