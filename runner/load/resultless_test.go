package load_test

import (
	"slices"
	"testing"
	"time"

	"github.com/mysweep/mysweep/runner/load"
	"github.com/mysweep/mysweep/runner/server"
	"github.com/mysweep/mysweep/runner/workload"
)

// TestRowsOfStatements: statements that are sent without thought of rows, and return some, are read
// to their end in both protocols, and changed rows are counted.
func TestRowsOfStatements(t *testing.T) {
	statements := []string{"INSERT INTO numbers VALUES (5000, 'new')", "OPTIMIZE TABLE numbers", "CHECKSUM TABLE numbers", "DELETE FROM numbers WHERE id = 5000"}
	if testServer(t).Flavour == server.MariaDB {
		statements[3] += " RETURNING id, word"
	}
	for _, engine := range engines {
		for _, prepared := range []bool{false, true} {
			round := func(s workload.Session) (workload.Round, error) {
				var handles []workload.Handle
				for _, sql := range statements {
					handles = append(handles, s.Declare(workload.Statement{Type: sql[:8], Kind: workload.KindOf(sql), SQL: sql}))
				}
				return func() error {
					for i, h := range handles {
						out, err := s.Exec(h, nil)
						if err != nil {
							return err
						}
						if changes := i == 0 || i == len(handles)-1; changes != (out.RowsAffected == 1) {
							t.Errorf("%s: %+v", statements[i], out)
						}
					}
					return nil
				}, nil
			}
			m, err := load.Run(t.Context(), target(t, "socket"), rounds(round), load.Trial{Threads: 1, Queries: 3, Prepared: prepared, LoadGen: engine.loadGen, Poller: engine.poller, QueryTimeout: 20 * time.Second, Timeout: 30 * time.Second})
			if err != nil || m.Queries != 12 || m.Errors != 0 || m.Writes != 6 {
				t.Errorf("%s, prepared %t: %d queries, %d writes, %d errors %v, %v", engine, prepared, m.Queries, m.Writes, m.Errors, m.ErrorsBy, err)
			}
			if want := []string{"CHECKSUM", "OPTIMIZE"}; prepared != slices.Equal(m.SentAsText, want) {
				t.Errorf("%s, prepared %t: sent as text %q", engine, prepared, m.SentAsText)
			}
		}
	}
}
