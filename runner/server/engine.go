package server

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
)

// fileHasBytes says that something was written already.
func fileHasBytes(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Size() > 0
}

// InnoDBStatus is the text of SHOW ENGINE INNODB STATUS.
func (t *Target) InnoDBStatus(ctx context.Context) (string, error) {
	row, err := t.showRow(ctx, "SHOW ENGINE INNODB STATUS")
	if err != nil {
		return "", fmt.Errorf("innodb status of %s: %w", t.config.Addr, err)
	}
	return row["Status"], nil
}

// SlowLog is the path of a private server's slow query log; it exists when the
// server writes one.
func (s *Server) SlowLog(ctx context.Context) (string, error) {
	var path string
	if err := s.variable(ctx, "slow_query_log_file", &path); err != nil {
		return "", err
	}
	if !filepath.IsAbs(path) {
		path = filepath.Join(s.Datadir(), path)
	}
	return path, nil
}

// FileWait is how long the server's threads waited for one kind of file, by
// performance_schema, since it was started.
type FileWait struct {
	Event        string  `json:"event"` // such as wait/io/file/innodb/innodb_log_file
	Count        int64   `json:"count"`
	Seconds      float64 `json:"seconds"`
	WriteSeconds float64 `json:"write_seconds"`
	OtherSeconds float64 `json:"other_seconds"` // fsync, open, close
}

// FileWaits reads them, the longest first; none when performance_schema is off
// or its file instruments are. MariaDB has no instrument for its redo log since
// 10.8: strace shows those calls.
func (t *Target) FileWaits(ctx context.Context) ([]FileWait, error) {
	const picoseconds = 1e12 // the unit of timers, see the Performance Schema manual
	t.statements.Add(1)
	rows, err := t.observer.QueryContext(ctx, `SELECT EVENT_NAME, COUNT_STAR, SUM_TIMER_WAIT, SUM_TIMER_WRITE, SUM_TIMER_MISC
		FROM performance_schema.file_summary_by_event_name WHERE COUNT_STAR > 0 ORDER BY SUM_TIMER_WAIT DESC`)
	if err != nil {
		return nil, fmt.Errorf("file waits of %s: %w", t.config.Addr, err)
	}
	defer rows.Close()
	var waits []FileWait
	for rows.Next() {
		var w FileWait
		if err := rows.Scan(&w.Event, &w.Count, &w.Seconds, &w.WriteSeconds, &w.OtherSeconds); err != nil {
			return nil, err
		}
		w.Seconds /= picoseconds
		w.WriteSeconds /= picoseconds
		w.OtherSeconds /= picoseconds
		waits = append(waits, w)
	}
	return waits, rows.Err()
}
