package sweep

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"

	"mysweep/runner/plan"
	"mysweep/runner/result"
	"mysweep/runner/workload"
)

// loadTables makes and fills the tables of a workload.
func (s *sweep) loadTables(ctx context.Context, w plan.Workload) error {
	pool, err := s.open.target.Pool(1)
	if err != nil {
		return err
	}
	defer pool.Close()
	if _, err := pool.ExecContext(ctx, "CREATE DATABASE IF NOT EXISTS `"+s.Plan.Server.Database+"`"); err != nil {
		return err
	}
	for _, t := range s.Workloads[w.Label()].Tables() {
		s.doing("loading %s", t.Name)
		if err := s.loadTable(ctx, t); err != nil {
			return fmt.Errorf("table %s: %w", t.Name, err)
		}
		s.open.facts.Tables = append(s.open.facts.Tables, result.TableFact{Workload: w.Label(), Name: t.Name, Rows: t.Rows})
	}
	return s.saveRun()
}

func (s *sweep) loadTable(ctx context.Context, t workload.Table) error {
	if err := s.exec(ctx, fmt.Sprintf("CREATE TABLE %s (%s) ENGINE=%s DEFAULT CHARSET=%s", t.Name, t.Columns, s.Plan.StorageEngine, s.Plan.Charset)); err != nil {
		return err
	}
	var row workload.Row
	r := rand.New(rand.NewPCG(1, 2))
	var b strings.Builder
	for i := int64(0); i < t.Rows; i++ {
		row.Reset()
		t.Row(&row, r, i)
		if b.Len() == 0 {
			fmt.Fprintf(&b, "INSERT INTO %s VALUES ", t.Name)
		} else {
			b.WriteByte(',')
		}
		b.WriteByte('(')
		for f := range row.Len() {
			text, _ := row.Field(f)
			if f > 0 {
				b.WriteByte(',')
			}
			b.WriteString("'" + string(text) + "'")
		}
		b.WriteByte(')')
		if b.Len() > 500000 || i == t.Rows-1 {
			if err := s.exec(ctx, b.String()); err != nil {
				return err
			}
			b.Reset()
		}
	}
	return nil
}

func (s *sweep) dropTables(ctx context.Context, o *opened) error { return nil }
func (s *sweep) tableSize(kase, label string) (*int64, *int64)   { return nil, nil }
