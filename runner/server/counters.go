package server

import (
	"context"
	"fmt"
	"path/filepath"
	"strconv"
	"time"
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

// ThreadsRunning is how many of the server's threads work at this moment, the
// one that answers included.
func (t *Target) ThreadsRunning(ctx context.Context) (int, error) {
	status, err := t.show(ctx, "SHOW GLOBAL STATUS LIKE 'Threads\\_running'")
	if err != nil {
		return 0, fmt.Errorf("threads running of %s: %w", t.config.Addr, err)
	}
	return strconv.Atoi(status["Threads_running"])
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

// Identity tells this server from others, by whatever address it was reached.
func (t *Target) Identity(ctx context.Context) (string, error) {
	ctx, cancel := withinAnswer(ctx)
	defer cancel()
	var host, datadir string
	var port int
	t.statements.Add(1)
	if err := t.observer.QueryRowContext(ctx, "SELECT @@GLOBAL.hostname, @@GLOBAL.datadir, @@GLOBAL.port").Scan(&host, &datadir, &port); err != nil {
		return "", fmt.Errorf("identity of %s: %w", t.config.Addr, err)
	}
	return fmt.Sprintf("%s:%d %s", host, port, datadir), nil
}

// Datadir is where the server's data lies on its machine, without a slash at the
// end.
func (t *Target) Datadir(ctx context.Context) (string, error) {
	var path string
	if err := t.variable(ctx, "datadir", &path); err != nil {
		return "", err
	}
	return filepath.Clean(path), nil
}

// RemembersPages reports whether the server fills its buffer pool at its start
// with the pages that it had before.
func (t *Target) RemembersPages(ctx context.Context) (on bool, err error) {
	err = t.variable(ctx, "innodb_buffer_pool_load_at_startup", &on)
	return on, err
}

// MaxConnections is how many connections the server accepts at a time.
func (t *Target) MaxConnections(ctx context.Context) (most int, err error) {
	err = t.variable(ctx, "max_connections", &most)
	return most, err
}

// MaxPrepared is how many prepared statements the server keeps at a time, of
// all connections together.
func (t *Target) MaxPrepared(ctx context.Context) (most int, err error) {
	err = t.variable(ctx, "max_prepared_stmt_count", &most)
	return most, err
}

// variable reads a global variable.
func (t *Target) variable(ctx context.Context, name string, to any) error {
	ctx, cancel := withinAnswer(ctx)
	defer cancel()
	t.statements.Add(1)
	if err := t.observer.QueryRowContext(ctx, "SELECT @@GLOBAL."+name).Scan(to); err != nil {
		return fmt.Errorf("%s of %s: %w", name, t.config.Addr, err)
	}
	return nil
}
