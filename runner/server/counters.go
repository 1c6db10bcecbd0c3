package server

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"github.com/go-sql-driver/mysql"

	"github.com/mysweep/mysweep/runner/login"
)

// Counters are the numbers of SHOW GLOBAL STATUS by their names; values that are
// no numbers, such as ON, are left out.
type Counters map[string]float64

// Delta is what was counted since before: only names that both have. Counters
// that the server set back in between come out negative.
func (c Counters) Delta(before Counters) Counters {
	delta := make(Counters, len(c))
	for name, value := range c {
		if old, ok := before[name]; ok {
			delta[name] = value - old
		}
	}
	return delta
}

// Counters reads them all. SHOW is used, as tables of statistics may be off or
// cost more. Each call is one statement, which the server counts itself
// (Queries, Questions, Com_show_status), see Statements.
func (t *Target) Counters(ctx context.Context) (Counters, error) {
	status, err := t.show(ctx, "SHOW GLOBAL STATUS")
	if err != nil {
		return nil, fmt.Errorf("counters of %s: %w", t.config.Addr, err)
	}
	counters := make(Counters, len(status))
	for name, text := range status {
		if value, err := strconv.ParseFloat(text, 64); err == nil {
			counters[name] = value
		}
	}
	return counters, nil
}

// Ping asks for an answer that the server itself has to give: a proxy answers COM_PING.
func (t *Target) Ping(ctx context.Context) error {
	var one int
	t.statements.Add(1)
	if err := t.observer.QueryRowContext(ctx, "SELECT 1").Scan(&one); err != nil {
		return fmt.Errorf("no answer of %s: %w", t.config.Addr, err)
	}
	return nil
}

// Started is when the server's process was started, as it tells by its age in
// whole seconds: up to a second late.
func (t *Target) Started(ctx context.Context) (time.Time, error) {
	status, err := t.show(ctx, "SHOW GLOBAL STATUS LIKE 'Uptime'")
	if err != nil {
		return time.Time{}, fmt.Errorf("uptime of %s: %w", t.config.Addr, err)
	}
	seconds, err := strconv.Atoi(status["Uptime"])
	if err != nil {
		return time.Time{}, fmt.Errorf("uptime of %s: %w", t.config.Addr, err)
	}
	return time.Now().Add(-time.Duration(seconds) * time.Second), nil
}

// Identity tells this server from others, by whatever address it was reached. A server that does
// not tell enough is known by its address.
func (t *Target) Identity(ctx context.Context) (string, error) {
	var host, datadir, port string
	for _, v := range []struct {
		name string
		to   *string
	}{{"hostname", &host}, {"datadir", &datadir}, {"port", &port}} {
		if err := t.variable(ctx, v.name, v.to); err != nil {
			return "", err
		}
	}
	if host == "" || datadir == "" || port == "" {
		return t.config.Addr, nil
	}
	return fmt.Sprintf("%s:%s %s", host, port, datadir), nil
}

// ServerIdentity tells the process that the observer is on from others, as far as it says who it
// is.
func (t *Target) ServerIdentity(ctx context.Context) login.Identity {
	id, err := login.ReadIdentity(func(query string) (map[string]string, error) { return t.show(ctx, query) })
	if err != nil {
		return login.Identity{}
	}
	return id
}

// Datadir is where the server's data lies on its machine, without a slash at the end; "" when the
// server does not report.
func (t *Target) Datadir(ctx context.Context) (string, error) {
	var path string
	if err := t.variable(ctx, "datadir", &path); err != nil || path == "" {
		return "", err
	}
	return filepath.Clean(path), nil
}

// RemembersPages reports whether the server fills its buffer pool at its start with the pages that
// it had before. One that does not report has no such pages.
func (t *Target) RemembersPages(ctx context.Context) (on bool, err error) {
	err = t.variable(ctx, "innodb_buffer_pool_load_at_startup", &on)
	return on, err
}

// MaxConnections is how many connections the server accepts at a time; 0 or less is no limit, or
// one that the server does not report.
func (t *Target) MaxConnections(ctx context.Context) (most int, err error) {
	err = t.variable(ctx, "max_connections", &most)
	return most, err
}

// MaxPrepared is how many prepared statements the server keeps at a time, of all connections
// together; less than 0 is no limit. ok is false when the server does not report.
func (t *Target) MaxPrepared(ctx context.Context) (most int, ok bool, err error) {
	most = math.MinInt
	err = t.variable(ctx, "max_prepared_stmt_count", &most)
	return most, most != math.MinInt, err
}

// variable reads a global variable. One that the server does not report is left as it is and noted.
func (t *Target) variable(ctx context.Context, name string, to any) error {
	return t.ask(ctx, name, "SELECT @@GLOBAL."+name, to)
}

// ask runs a statement that answers with the value of a variable, see variable.
func (t *Target) ask(ctx context.Context, name, query string, to any) error {
	ctx, cancel := withinAnswer(ctx)
	defer cancel()
	t.statements.Add(1)
	err := t.observer.QueryRowContext(ctx, query).Scan(to)
	if isRefused(err) || errors.Is(err, sql.ErrNoRows) {
		t.miss(name)
		return nil
	}
	if err != nil {
		return fmt.Errorf("%s of %s: %w", name, t.config.Addr, err)
	}
	return nil
}

// miss records that the server does not report a variable.
func (t *Target) miss(name string) {
	if !slices.Contains(t.untold, name) {
		t.untold = append(t.untold, name)
	}
}

// isRefused reports whether the server itself answered with an error, and did not go away.
func isRefused(err error) bool {
	var refused *mysql.MySQLError
	return errors.As(err, &refused)
}
