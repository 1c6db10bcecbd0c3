package bulk

import (
	"context"
	"database/sql"
	"fmt"
	"runtime"
	"strings"

	"github.com/go-sql-driver/mysql"

	"github.com/mysweep/mysweep/runner/login"
)

// Options say how tables are to be made.
type Options struct {
	Workload        string // for the marker
	WorkloadOptions string // e.g. "rows=90000,smack-key-step=all"
	Seed            uint64
	StorageEngine   string
	Charset         string
	Collation       string
	Parallel        int  // tables loaded at a time; 0 = one for each usable CPU
	NoBinlog        bool // leave the binary log alone: SET sql_log_bin=0
	Fresh           bool // make tables anew even if ready ones fit
	NoLocalInfile   bool // load by INSERT even if the server takes LOAD DATA LOCAL
	// Temporary marks what is loaded as one run's own. Drop then drops such tables alone, and
	// leaves prepared ones.
	Temporary bool
	// Protect keeps complete tables that are not temporary, even if they do not fit: then nothing
	// is loaded, and the error is a *MisfitError. Tables whose rows trials have changed are used as
	// they are, with a note.
	Protect bool
	// Clients is the largest number of threads that will use the tables, for workloads that make
	// them by themselves.
	Clients int
	// Own are tables that this run has made although they have no mark (Loaded.Unmarked).
	Own []string
}

// Loaded is one table that is ready.
type Loaded struct {
	Table  string
	Rows   int64 // counted
	Reused bool  // was there already
	// Prepared says that the table is there to stay: it is not loaded again and not dropped by a
	// run.
	Prepared bool
	Unmarked bool // the server does not keep our mark
	Method   string
	Seconds  float64 // of making, loading, indexing and counting it
	// Note says what is worth knowing, such as why LOAD DATA could not be used.
	Note string
}

// add adds a sentence to the note.
func (l *Loaded) add(sentence string) {
	if l.Note != "" {
		l.Note += "; "
	}
	l.Note += sentence
}

// The ways to load a table.
const (
	ByLoadData = "load data local"
	ByInsert   = "insert"
	ByWorkload = "its script"
)

func (o Options) parallel() int {
	if o.Parallel > 0 {
		return o.Parallel
	}
	return runtime.NumCPU()
}

// pool opens connections to the schema for work beside the measured load. They leave the schema's
// name to the caller's statements when it does not exist yet.
func pool(config *mysql.Config) (*sql.DB, error) {
	c := config.Clone()
	c.InterpolateParams = true
	c.ReadTimeout, c.WriteTimeout = 0, 0
	connector, err := login.NewConnector(c, false)
	if err != nil {
		return nil, fmt.Errorf("server's address and account: %w", err)
	}
	return sql.OpenDB(connector), nil
}

// ensureSchema creates the schema if it is missing; an existing one stays as it is.
func ensureSchema(ctx context.Context, config *mysql.Config, o Options) error {
	if config.DBName == "" {
		return fmt.Errorf("no database was named: the tables need one")
	}
	bare := config.Clone()
	bare.DBName = ""
	db, err := pool(bare)
	if err != nil {
		return err
	}
	defer db.Close()
	var there int
	if err := db.QueryRowContext(ctx, "SELECT COUNT(*) FROM information_schema.schemata WHERE schema_name = ?", config.DBName).Scan(&there); err != nil {
		return fmt.Errorf("look for database %s: %w", config.DBName, err)
	}
	if there > 0 {
		return nil
	}
	conn, err := db.Conn(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	for _, statement := range append(o.sessionSettings(), "CREATE DATABASE IF NOT EXISTS "+name(config.DBName)) {
		if _, err := conn.ExecContext(ctx, statement); err != nil {
			return fmt.Errorf("%s: %w", statement, err)
		}
	}
	return nil
}

// sessionSettings make a connection fit for loading: a table may be loaded before the one it refers
// to, and backslashes mean what the rows mean by them. Unique keys go on being checked: with
// unique_checks=0 as well, MariaDB sorts what is loaded in a buffer of its own, which took it twice
// the CPU.
func (o Options) sessionSettings() []string {
	settings := []string{"SET SESSION foreign_key_checks=0, unique_checks=1, sql_mode='STRICT_ALL_TABLES,NO_AUTO_VALUE_ON_ZERO,NO_ENGINE_SUBSTITUTION'"}
	if o.NoBinlog {
		settings = append(settings, "SET SESSION sql_log_bin=0")
	}
	return settings
}

// name quotes an identifier.
func name(s string) string { return "`" + strings.ReplaceAll(s, "`", "``") + "`" }

// text quotes a literal.
func text(s string) string {
	return "'" + strings.NewReplacer(`\`, `\\`, `'`, `''`).Replace(s) + "'"
}
