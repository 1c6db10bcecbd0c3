package server

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Position is a place in a primary's binary log.
type Position struct {
	File   string `json:"file"`
	Offset uint64 `json:"offset"` // bytes
}

// dialect holds the words of replication, which MySQL renamed in 8.0 and 8.4.
type dialect struct{ primaryStatus, replicaStatus, wait string }

func (t *Target) dialect() dialect {
	words := dialect{"SHOW MASTER STATUS", "SHOW SLAVE STATUS", "MASTER_POS_WAIT"}
	if !likeMySQL(t.Flavour) {
		return words
	}
	if versionAtLeast(t.Version, 8, 2, 0) {
		words.primaryStatus = "SHOW BINARY LOG STATUS"
	}
	if versionAtLeast(t.Version, 8, 0, 26) {
		words.replicaStatus, words.wait = "SHOW REPLICA STATUS", "SOURCE_POS_WAIT"
	}
	return words
}

// Position is where the server's binary log ends now.
func (t *Target) Position(ctx context.Context) (Position, error) {
	row, err := t.showRow(ctx, t.dialect().primaryStatus)
	if err != nil {
		return Position{}, fmt.Errorf("binary log of %s: %w", t.config.Addr, err)
	}
	if row["File"] == "" {
		return Position{}, fmt.Errorf("binary log of %s: log_bin is off: replicas cannot be compared", t.config.Addr)
	}
	offset, err := strconv.ParseUint(row["Position"], 10, 64)
	return Position{File: row["File"], Offset: offset}, err
}

// AwaitPosition waits until this replica has repeated all up to the position of
// its primary, and says how many seconds that took.
func (t *Target) AwaitPosition(ctx context.Context, position Position, limit time.Duration) (seconds float64, err error) {
	began := time.Now()
	var events sql.NullInt64
	query := fmt.Sprintf("SELECT %s(?, ?, ?)", t.dialect().wait)
	t.statements.Add(1)
	waiting, cancel := context.WithTimeout(ctx, limit+showLimit) // it may not answer at all
	defer cancel()
	row := t.observer.QueryRowContext(waiting, query, position.File, position.Offset, max(1, int(limit.Seconds())))
	if err := row.Scan(&events); err != nil {
		return 0, fmt.Errorf("replica %s: %w", t.config.Addr, err)
	}
	seconds = time.Since(began).Seconds()
	switch {
	case !events.Valid:
		return seconds, fmt.Errorf("replica %s: replication is not running: %s", t.config.Addr, t.replicaFault(ctx))
	case events.Int64 < 0:
		return seconds, fmt.Errorf("replica %s: not caught up with %s:%d within %v: %s", t.config.Addr, position.File, position.Offset, limit, t.replicaFault(ctx))
	}
	return seconds, nil
}

// Lag is by how many seconds the replica says to be behind; nil: it does not
// know, because it is not connected or does not replicate.
func (t *Target) Lag(ctx context.Context) (*float64, error) {
	row, err := t.showRow(ctx, t.dialect().replicaStatus)
	if err != nil {
		return nil, fmt.Errorf("lag of replica %s: %w", t.config.Addr, err)
	}
	seconds, err := strconv.ParseFloat(either(row, "Seconds_Behind_Source", "Seconds_Behind_Master"), 64)
	if err != nil {
		return nil, nil
	}
	return &seconds, nil
}

func (t *Target) replicaFault(ctx context.Context) string {
	row, err := t.showRow(ctx, t.dialect().replicaStatus)
	if err != nil {
		return err.Error()
	}
	if len(row) == 0 {
		return "no primary is set"
	}
	for _, name := range []string{"Last_IO_Error", "Last_SQL_Error"} {
		if row[name] != "" {
			return row[name]
		}
	}
	return fmt.Sprintf("reading %s, applying %s",
		either(row, "Replica_IO_Running", "Slave_IO_Running"), either(row, "Replica_SQL_Running", "Slave_SQL_Running"))
}

func either(row map[string]string, names ...string) string {
	for _, name := range names {
		if value, ok := row[name]; ok {
			return value
		}
	}
	return ""
}

// Limits of statements: of those that show a state, and of those that read a whole table.
const (
	showLimit  = 10 * time.Second
	tableLimit = time.Hour
)

// showRow reads the first row of a statement by the names of its columns; the
// map is empty when there is none.
func (t *Target) showRow(ctx context.Context, query string) (map[string]string, error) {
	t.statements.Add(1)
	ctx, cancel := context.WithTimeout(ctx, showLimit)
	defer cancel()
	rows, err := t.observer.QueryContext(ctx, query)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	names, err := rows.Columns()
	if err != nil {
		return nil, err
	}
	row := map[string]string{}
	if !rows.Next() {
		return row, rows.Err()
	}
	values := make([]sql.NullString, len(names))
	targets := make([]any, len(names))
	for i := range values {
		targets[i] = &values[i]
	}
	if err := rows.Scan(targets...); err != nil {
		return nil, err
	}
	for i, name := range names {
		row[name] = values[i].String
	}
	return row, nil
}

// TableSum is what two servers must agree on about a table.
type TableSum struct {
	Rows     int64  `json:"rows"`
	Checksum *int64 `json:"checksum"` // of CHECKSUM TABLE; nil: the engine has none
}

// Sums counts and checksums tables. It reads them whole.
func (t *Target) Sums(ctx context.Context, database string, tables []string) (map[string]TableSum, error) {
	sums := map[string]TableSum{}
	for _, table := range tables {
		sum, err := t.sum(ctx, quoteName(database)+"."+quoteName(table))
		if err != nil {
			return nil, err
		}
		sums[table] = sum
	}
	return sums, nil
}

func (t *Target) sum(ctx context.Context, name string) (sum TableSum, err error) {
	ctx, cancel := context.WithTimeout(ctx, tableLimit)
	defer cancel()
	var said string
	t.statements.Add(2)
	if err := t.observer.QueryRowContext(ctx, "SELECT COUNT(*) FROM "+name).Scan(&sum.Rows); err != nil {
		return sum, fmt.Errorf("rows of %s on %s: %w", name, t.config.Addr, err)
	}
	if err := t.observer.QueryRowContext(ctx, "CHECKSUM TABLE "+name).Scan(&said, &sum.Checksum); err != nil {
		return sum, fmt.Errorf("checksum of %s on %s: %w", name, t.config.Addr, err)
	}
	return sum, nil
}

func quoteName(name string) string { return "`" + strings.ReplaceAll(name, "`", "``") + "`" }

// CompareSums names every table in which a replica differs from its primary.
func CompareSums(primary, replica map[string]TableSum) error {
	var faults []error
	for table, want := range primary {
		got, ok := replica[table]
		switch {
		case !ok:
			faults = append(faults, fmt.Errorf("table %s: the replica does not have it", table))
		case got.Rows != want.Rows:
			faults = append(faults, fmt.Errorf("table %s: %d rows on the primary, %d on the replica", table, want.Rows, got.Rows))
		case got.Checksum != nil && want.Checksum != nil && *got.Checksum != *want.Checksum:
			faults = append(faults, fmt.Errorf("table %s: same number of rows, but different checksums: %d on the primary, %d on the replica", table, *want.Checksum, *got.Checksum))
		}
	}
	return errors.Join(faults...)
}
