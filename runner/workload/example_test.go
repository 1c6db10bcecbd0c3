package workload_test

import (
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/mysweep/mysweep/runner/workload"
)

// A workload in Go is one file in this folder. This one, a counter for each
// page of a web site, is complete; in its own file it would say package
// workload, and its line in All (list.go) would be
//
//	pageViews,
//
// Then `mysweep run -w page_views --pages 100` loads its table and runs it,
// `mysweep workloads page_views` shows it, and its options are flags and keys
// of plans.
var pageViews = workload.Spec{
	Name:    "page_views",
	Summary: "read a page and count the view",
	Family:  "own",
	Options: []workload.Option{
		{Name: "pages", Usage: "rows of the table page", Default: "1000", Form: "int"},
	},
	Sweep: workload.Sweep{Time: "10s"}, // when nothing else is asked for
	New: func(v workload.Values) (workload.Workload, error) {
		pages := v.Int("pages")
		if pages < 1 {
			return nil, fmt.Errorf("pages=%d: one or more are needed", pages)
		}
		return &counter{pages}, nil
	},
}

// counter holds what all threads share, and is not changed while they run.
type counter struct{ pages int64 }

// Tables says what must be there. Row i is made from its number and a
// generator that the seed and the number decide, so that the same seed gives
// the same table.
func (w *counter) Tables() []workload.Table {
	return []workload.Table{{
		Name:    "page",
		Columns: "id INT NOT NULL PRIMARY KEY, title VARCHAR(40) NOT NULL, views INT NOT NULL",
		Load:    []string{"id", "title", "views"},
		Rows:    w.pages,
		Row: func(row *workload.Row, r *rand.Rand, i int64) {
			row.Int(i + 1)
			row.Text(fmt.Sprintf("page %d of %c", i+1, 'A'+rune(r.IntN(26))))
			row.Int(0)
		},
	}}
}

// Thread is called once for each thread: it declares the statements, makes the
// arguments, and returns the round. A round is written as if every call
// blocked; whether it does is the load generator's affair.
func (w *counter) Thread(s workload.Session) (workload.Round, error) {
	read := s.Declare(workload.Statement{Type: "read", Kind: workload.Read, SQL: "SELECT title FROM page WHERE id = ?"})
	count := s.Declare(workload.Statement{Type: "count", Kind: workload.Write, SQL: "UPDATE page SET views = views + 1 WHERE id = ?"})
	args := make(workload.Args, 1) // filled anew each round, so that a round allocates nothing
	return func() error {
		args.SetInt(0, 1+s.Rand().Int64N(w.pages))
		if err := s.Begin(); err != nil {
			return err // counted already: a round that got an error just ends
		}
		if _, err := s.Query(read, args); err != nil {
			return err
		}
		if _, err := s.Exec(count, args); err != nil {
			return err
		}
		return s.Commit()
	}, nil
}

// BeforeTrial, if there is one, are statements between trials, outside every
// clock. There are more such optional methods: see Checker, Limiter, Preparer.
func (w *counter) BeforeTrial() []string { return []string{"UPDATE page SET views = 0"} }

// Example writes a workload in Go and looks at one of its rounds.
func Example() {
	values, err := workload.NewValues(pageViews.Options, map[string]string{"pages": "50"})
	if err != nil {
		fmt.Println(err)
		return
	}
	w, err := pageViews.New(values)
	if err != nil {
		fmt.Println(err)
		return
	}

	var row workload.Row
	table := w.Tables()[0]
	table.Row(&row, rand.New(rand.NewPCG(1, 1)), 6)
	fmt.Printf("%s has %d rows, the seventh is %q\n", table.Name, table.Rows, row.Bytes())

	round, err := w.Thread(&printer{rand: rand.New(rand.NewPCG(1, 1))})
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := round(); err != nil {
		fmt.Println(err)
	}
	// Output:
	// page has 50 rows, the seventh is "7\tpage 7 of Z\t0"
	// BEGIN
	// SELECT title FROM page WHERE id = ? [50]
	// UPDATE page SET views = views + 1 WHERE id = ? [50]
	// COMMIT
}

// printer is a Session that prints what it is given.
type printer struct {
	workload.Session // what this workload does not call
	statements       []workload.Statement
	rand             *rand.Rand
}

func (p *printer) say(h workload.Handle, args workload.Args) {
	var values []any
	for _, a := range args {
		values = append(values, a.Int)
	}
	fmt.Println(p.statements[h].SQL, values)
}

func (p *printer) Declare(s workload.Statement) workload.Handle {
	p.statements = append(p.statements, s)
	return workload.Handle(len(p.statements) - 1)
}

func (p *printer) Query(h workload.Handle, args workload.Args) (int64, error) {
	p.say(h, args)
	return 1, nil
}

func (p *printer) Select(h workload.Handle, args workload.Args, _ func([]any) error) error {
	p.say(h, args)
	return nil
}

func (p *printer) Exec(h workload.Handle, args workload.Args) (workload.Outcome, error) {
	p.say(h, args)
	return workload.Outcome{RowsAffected: 1}, nil
}

func (p *printer) Raw(_ workload.Handle, sql string) (int64, error) {
	fmt.Println(sql)
	return 0, nil
}

func (p *printer) Begin() error              { fmt.Println("BEGIN"); return nil }
func (p *printer) Commit() error             { fmt.Println("COMMIT"); return nil }
func (p *printer) Rollback() error           { fmt.Println("ROLLBACK"); return nil }
func (p *printer) Sleep(time.Duration) error { return nil }
func (p *printer) Think(time.Duration) error { return nil }
func (p *printer) Interaction(string)        {}
func (p *printer) Reconnect() error          { return nil }
func (p *printer) AtEnd(workload.Round)      {}
func (p *printer) Rand() *rand.Rand          { return p.rand }
func (p *printer) Thread() int               { return 0 }
func (p *printer) Threads() int              { return 1 }
