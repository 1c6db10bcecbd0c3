package workload

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strconv"
)

var httpAuthOptions = []Option{
	{Name: "rows", Usage: "rows of http_auth", Default: "90000", Form: "int"},
	{Name: "smack-key-step", Usage: "keys to draw from: all, or every 120th as with super-smack's file_size_equiv (750 of 90,000)",
		Default: "all", Form: "text", Choices: []string{"all", "original"}},
}

var selectByUsername = Statement{Type: "select_index", Kind: Read, SQL: "select * from http_auth where username=?"}

// httpAuth is the table of super-smack's samples and the keys of its
// dictionary.
type httpAuth struct {
	rows int64
	step int64
	keys []string // nil where there are too many to keep: then each is made when it is drawn
}

// mostKeys is how many keys are kept in memory.
const mostKeys = 1_000_000

func newHTTPAuth(v Values) (httpAuth, error) {
	a := httpAuth{rows: v.Int("rows"), step: 1}
	if err := atLeast(v, 1, "rows"); err != nil {
		return a, err
	}
	if v.Text("smack-key-step") == "original" {
		a.step = 120 // words.dat has 5,421,337 bytes, file_size_equiv is 45000
	}
	if a.drawn() > mostKeys {
		return a, nil
	}
	for i := int64(0); i < a.rows; i += a.step {
		a.keys = append(a.keys, username(i))
	}
	return a, nil
}

// drawn is how many keys are drawn from.
func (a *httpAuth) drawn() int64 { return (a.rows-1)/a.step + 1 }

func (a *httpAuth) key(r *rand.Rand) string {
	if a.keys == nil {
		return username(r.Int64N(a.drawn()) * a.step)
	}
	return a.keys[r.IntN(len(a.keys))]
}

// Tables makes the rows that `gen-data -n 90000 -f %12-12s%n,%25-25s,%n,%d`
// would: 12 letters and the row's number, 25 letters, the number, a random
// number. The letters follow from the row's number alone, so that keys need
// not be read back from the server.
func (a *httpAuth) Tables() []Table {
	return []Table{{
		Name:    "http_auth",
		Columns: "username char(255) not null primary key, pass char(25), uid int, gid int",
		Load:    []string{"username", "pass", "uid", "gid"},
		Rows:    a.rows,
		SizedBy: "rows",
		Row: func(w *Row, r *rand.Rand, i int64) {
			w.Text(username(i))
			w.Text(letters(r, 25))
			w.Int(i + 1)
			w.Int(int64(r.Int32()))
		},
	}}
}

// Adopt reads the keys of an existing table.
func (a *httpAuth) Adopt(ctx context.Context, query Query) error {
	rows, err := query(ctx, "select username from http_auth order by username")
	if err != nil {
		return err
	}
	a.keys = a.keys[:0]
	for i := int64(0); i < int64(len(rows)); i += a.step {
		a.keys = append(a.keys, rows[i][0])
	}
	if len(a.keys) == 0 {
		return fmt.Errorf("table http_auth is empty: no user name to select")
	}
	return nil
}

func username(i int64) string {
	return letters(rand.New(rand.NewPCG(12, uint64(i))), 12) + strconv.FormatInt(i+1, 10)
}

// letters draws n letters from a to y: gen-data never generates a z.
func letters(r *rand.Rand, n int) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = 'a' + byte(r.IntN(25))
	}
	return string(b)
}
