package bulk

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/go-sql-driver/mysql"

	"github.com/mysweep/mysweep/runner/workload"
)

// create makes an empty table with our mark, as the workload wants it before its rows come.
func (l *loader) create(ctx context.Context, conn *sql.Conn, t workload.Table) error {
	if err := l.createMarked(ctx, conn, t); err != nil {
		return err
	}
	for _, statement := range t.Before {
		if err := run(ctx, conn, statement); err != nil {
			return err
		}
	}
	return nil
}

func (l *loader) createMarked(ctx context.Context, conn *sql.Conn, t workload.Table) error {
	mark := l.marker(t, loading)
	if t.Create != "" {
		if err := run(ctx, conn, t.Create); err != nil {
			return Explained(err)
		}
		l.created = append(l.created, t.Name)
		return run(ctx, conn, "ALTER TABLE "+name(t.Name)+" COMMENT="+text(mark))
	}
	err := run(ctx, conn, l.definition(t, "")+" COMMENT="+text(mark))
	if requirer(err) != "" {
		if err = run(ctx, conn, l.definition(t, rowKey)+" COMMENT="+text(mark)); err == nil {
			l.keyed[t.Name] = true
		}
	}
	if err == nil {
		l.created = append(l.created, t.Name)
	}
	return err
}

// checkMarks looks whether the server keeps the marks of tables that were made, in a state:
// without, no later run would know that they are ours, or complete. A run remembers its own tables
// instead.
func (l *loader) checkMarks(ctx context.Context, state string) error {
	if len(l.created) == 0 {
		return nil
	}
	comments, err := l.comments(ctx)
	if err != nil {
		return err
	}
	for _, table := range l.created {
		switch comment := comments[table]; {
		case isMarker(comment) && (l.Temporary || markerField(comment, "state") == state):
		case l.Temporary:
			l.unmarked[table] = true
		default:
			return fmt.Errorf("table %s.%s: the server does not keep its COMMENT, by which mysweep knows its own tables: let each run load its own, or make the table by hand and use it with --existing-tables",
				l.schema, table)
		}
	}
	return nil
}

// rowKey is the primary key of a table whose definition has none, on a server that requires one. No
// statement sees it, and its values grow from row to row as those of InnoDB's own hidden key do.
const rowKey = ", mysweep_key BIGINT UNSIGNED NOT NULL DEFAULT (UUID_SHORT()) INVISIBLE PRIMARY KEY"

// definition is the statement that creates a table, with more columns.
func (l *loader) definition(t workload.Table, more string) string {
	sql := "CREATE TABLE " + name(t.Name) + " (" + t.Columns + more + ")"
	for _, option := range [][2]string{{"ENGINE", l.StorageEngine}, {"DEFAULT CHARACTER SET", l.Charset}, {"COLLATE", l.Collation}} {
		if option[1] != "" {
			sql += " " + option[0] + "=" + option[1]
		}
	}
	return sql
}

// requirer is the variable by which the server refuses a table without a primary key, "" if that is
// not what err says: MySQL's ER_TABLE_WITHOUT_PK, MariaDB's ER_REQUIRES_PRIMARY_KEY.
func requirer(err error) string {
	var refused *mysql.MySQLError
	switch {
	case !errors.As(err, &refused):
	case refused.Number == 3750:
		return "sql_require_primary_key"
	case refused.Number == 1173:
		return "innodb_force_primary_key"
	}
	return ""
}

// Explained adds the way out to the refusal of a table that somebody else has defined.
func Explained(err error) error {
	if variable := requirer(err); variable != "" {
		return fmt.Errorf("%w (the server's %s is on: add a primary key to this CREATE TABLE, or switch the variable off for the run)", err, variable)
	}
	return err
}

// undoTime bounds how long what a failed load has made is dropped.
const undoTime = 30 * time.Second

// undo drops what a failed load has created, also after it was cut off, and returns why it failed.
func (l *loader) undo(ctx context.Context, why error) error {
	if len(l.created) == 0 {
		return why
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), undoTime)
	defer cancel()
	conn, err := l.conn(ctx)
	if err == nil {
		defer conn.Close()
		for _, table := range slices.Backward(l.created) {
			err = errors.Join(err, run(ctx, conn, "DROP TABLE IF EXISTS "+name(table)))
		}
	}
	if err != nil {
		return fmt.Errorf("%w; its tables could not be dropped: %w: mysweep cleanup does it", why, err)
	}
	return why
}
