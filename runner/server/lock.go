package server

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"strconv"
	"time"
)

// maxLockName is how long a name GET_LOCK takes, see lock functions in the manual.
const maxLockName = 64

// LockedError says that another session holds the lock.
type LockedError struct {
	Name       string
	Connection int64         // its connection id
	User, Host string        // empty when we may not see it
	Since      time.Duration // how long its session has been in its present state
}

func (e *LockedError) Error() string {
	text := fmt.Sprintf("lock %q is held by connection %d", e.Name, e.Connection)
	if e.User != "" {
		text += fmt.Sprintf(" of %s from %s", e.User, e.Host)
	}
	return text + ": another run is using this server: wait for it to finish, or kill that connection"
}

// ErrNoLocks says that the server has no user locks: some proxies and clusters.
var ErrNoLocks = errors.New("the server has no user locks (GET_LOCK): two runs at a time cannot be excluded")

// Lock is a user lock that this run holds on a server. A dead holder blocks
// nobody: the lock ends with its session.
type Lock struct {
	name   string
	target *Target
	db     *sql.DB
	conn   *sql.Conn
	id     int64 // of the session that holds it or held it last
}

// Lock takes the named lock on a connection of its own, without waiting. It
// answers *LockedError when another holds it, ErrNoLocks when there are no locks.
func (t *Target) Lock(ctx context.Context, name string) (*Lock, error) {
	if len(name) > maxLockName {
		sum := sha256.Sum256([]byte(name))
		name = name[:maxLockName-17] + "/" + hex.EncodeToString(sum[:8])
	}
	db, err := t.pool(1)
	if err != nil {
		return nil, t.connectError(err)
	}
	lock := &Lock{name: name, target: t, db: db}
	if err := lock.take(ctx); err != nil {
		db.Close()
		return nil, err
	}
	return lock, nil
}

// ClusterSize is how many nodes the server's Galera cluster has, 0 for a server
// that is not in one.
func (t *Target) ClusterSize(ctx context.Context) int {
	status, err := t.show(ctx, "SHOW GLOBAL STATUS LIKE 'wsrep\\_cluster\\_size'")
	if err != nil {
		return 0
	}
	nodes, _ := strconv.Atoi(status["wsrep_cluster_size"])
	return nodes
}

func (l *Lock) take(ctx context.Context) error {
	ctx, cancel := withinAnswer(ctx)
	defer cancel()
	conn, err := l.db.Conn(ctx)
	if err != nil {
		return l.target.connectError(err)
	}
	err = l.acquire(ctx, conn)
	var held *LockedError
	if errors.As(err, &held) && l.isOwn(held) {
		err = l.takeOver(ctx, conn)
	}
	if err == nil {
		err = conn.QueryRowContext(ctx, "SELECT CONNECTION_ID()").Scan(&l.id)
	}
	if err != nil {
		conn.Close()
		return err
	}
	l.conn = conn
	return nil
}

// isOwn reports whether the lock is held by our own former session: after a cut
// of the network the server may not know for hours that it is gone.
func (l *Lock) isOwn(held *LockedError) bool {
	return l.id != 0 && held.Connection == l.id && held.User == l.target.config.User
}

// takeOver ends our own former session and takes the lock.
func (l *Lock) takeOver(ctx context.Context, conn *sql.Conn) error {
	if _, err := conn.ExecContext(ctx, fmt.Sprintf("KILL %d", l.id)); err != nil {
		return fmt.Errorf("lock %q is held by an earlier session of this run (%d), which cannot be killed: %w", l.name, l.id, err)
	}
	for {
		err := l.acquire(ctx, conn)
		var held *LockedError
		if !errors.As(err, &held) || held.Connection != l.id {
			return err
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(50 * time.Millisecond):
		}
	}
}

func (l *Lock) acquire(ctx context.Context, conn *sql.Conn) error {
	// A long trial must not end the session: a week is the most that all servers take.
	if _, err := conn.ExecContext(ctx, "SET SESSION wait_timeout = 604800"); err != nil && !isRefused(err) {
		return fmt.Errorf("lock %q: %w", l.name, err)
	}
	for {
		var got sql.NullInt64
		if err := conn.QueryRowContext(ctx, "SELECT GET_LOCK(?, 0)", l.name).Scan(&got); err != nil {
			return fmt.Errorf("lock %q: %w: %w", l.name, ErrNoLocks, err)
		}
		switch {
		case !got.Valid:
			return fmt.Errorf("lock %q: %w", l.name, ErrNoLocks)
		case got.Int64 == 1:
			return nil
		}
		if err := l.holder(ctx, conn); !errors.Is(err, errReleased) {
			return err
		}
	}
}

// errReleased says that a lock was released after it had been refused.
var errReleased = errors.New("released in the meantime")

// holder finds out who has the lock: a *LockedError, or errReleased. A fault of the connection is
// an error of its own: it does not say that another run has the lock.
func (l *Lock) holder(ctx context.Context, conn *sql.Conn) error {
	locked := &LockedError{Name: l.name}
	var id sql.NullInt64
	if err := conn.QueryRowContext(ctx, "SELECT IS_USED_LOCK(?)", l.name).Scan(&id); err != nil {
		return fmt.Errorf("lock %q: its holder: %w", l.name, err)
	}
	if !id.Valid {
		return errReleased
	}
	locked.Connection = id.Int64
	var seconds int64
	row := conn.QueryRowContext(ctx, "SELECT USER, HOST, TIME FROM information_schema.PROCESSLIST WHERE ID = ?", id.Int64)
	if row.Scan(&locked.User, &locked.Host, &seconds) == nil {
		locked.Since = time.Duration(seconds) * time.Second
	}
	return locked
}

// Keep is called between trials: it says whether the lock is still held, and
// takes it again when its session was lost. *LockedError means that another run
// was faster.
func (l *Lock) Keep(ctx context.Context) error {
	if l.held(ctx) {
		return nil
	}
	l.conn.Close()
	return l.take(ctx)
}

func (l *Lock) held(ctx context.Context) bool {
	ctx, cancel := withinAnswer(ctx)
	defer cancel()
	var holder, self sql.NullInt64
	row := l.conn.QueryRowContext(ctx, "SELECT IS_USED_LOCK(?), CONNECTION_ID()", l.name)
	return row.Scan(&holder, &self) == nil && holder.Valid && holder.Int64 == self.Int64
}

// Abandon leaves the lock to end with its session, for a server that hangs.
func (l *Lock) Abandon() error {
	if l.conn != nil {
		l.conn.Close()
	}
	return l.db.Close()
}

// releaseTimeout bounds how long a lock is given back in so many words.
const releaseTimeout = 2 * time.Second

// Release gives the lock back. It would end with its session too, but only
// when the server has noticed that the session is gone.
func (l *Lock) Release() error {
	if l.conn != nil {
		ctx, cancel := context.WithTimeout(context.Background(), releaseTimeout)
		defer cancel()
		l.conn.ExecContext(ctx, "DO RELEASE_LOCK(?)", l.name) // else it ends with the session
	}
	return l.Abandon()
}
