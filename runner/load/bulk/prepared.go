package bulk

import (
	"context"
	"fmt"

	"github.com/go-sql-driver/mysql"

	"github.com/mysweep/mysweep/runner/workload"
)

// MisfitError says that a prepared table does not hold what is asked for. It is left as it is.
type MisfitError struct {
	Table         string // schema.table
	Found, Wanted string // what the table was made from, and what is asked for
}

func (e *MisfitError) Error() string {
	if e.Found == e.Wanted {
		e.Wanted += ", whose definition or rows are others in this version"
	}
	return fmt.Sprintf("table %s was prepared for %s, this needs %s: ask for the same, use another --database, or remove it with mysweep cleanup",
		e.Table, e.Found, e.Wanted)
}

// CheckPrepared looks, without touching any, whether tables that are prepared fit. Its error is a
// *MisfitError if one does not.
func CheckPrepared(ctx context.Context, config *mysql.Config, tables []workload.Table, o Options) error {
	bare := config.Clone()
	bare.DBName = "" // it may not be there yet
	db, err := pool(bare)
	if err != nil {
		return err
	}
	defer db.Close()
	l := &loader{Options: o, db: db, schema: config.DBName}
	comments, err := l.comments(ctx)
	if err != nil {
		return err
	}
	return l.misfit(tables, comments)
}

// misfit finds the first prepared table that does not fit.
func (l *loader) misfit(tables []workload.Table, comments map[string]string) error {
	if !l.Protect {
		return nil
	}
	for _, t := range tables {
		if comment := comments[t.Name]; isPrepared(comment) && !l.fits(t, comment) {
			return &MisfitError{Table: l.schema + "." + t.Name, Found: description(comment), Wanted: description(l.marker(t, ready))}
		}
	}
	return nil
}
