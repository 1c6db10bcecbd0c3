package workload

import (
	"fmt"
	"math/rand/v2"
)

// tpcb is TPC-B as in pgbench and mysqlbench: account, teller and branch are
// drawn independently of each other, so that a teller need not belong to the
// branch. select-only, skip-some-updates and connect-per-transaction are
// pgbench's -S, -N and -C.
var tpcb = Spec{
	Name:    "tpcb",
	Summary: "TPC-B as in mysqlbench and pgbench: 3 UPDATEs, SELECT and INSERT in a transaction",
	Family:  "tpc-b",
	Options: []Option{
		{Name: "scale", Usage: "number of branches; each has 10 tellers and 100,000 accounts", Default: "1", Form: "int"},
		{Name: "select-only", Usage: "only the SELECT, without a transaction (pgbench -S)", Default: "false", Form: "bool"},
		{Name: "skip-some-updates", Usage: "no UPDATE of tellers and branches (pgbench -N)", Default: "false", Form: "bool"},
		{Name: "connect-per-transaction", Usage: "a new connection for each transaction (pgbench -C)", Default: "false", Form: "bool"},
		{Name: "delta-min", Usage: "minimum amount of a transaction; pgbench of 2002 had 1", Default: "-5000", Form: "int"},
		{Name: "delta-max", Usage: "maximum amount of a transaction; pgbench of 2002 had 1000, which in time overflows the balance of a branch", Default: "5000", Form: "int"},
	},
	Sweep: Sweep{Time: "10s"},
	New:   newTPCB,
}

const (
	tellersPerBranch  = 10
	accountsPerBranch = 100_000
)

// bank is the workload with its options.
type bank struct {
	branches, tellers, accounts int64
	least, span                 int64 // of an amount
	selectOnly                  bool
	skipSome                    bool
	connectEach                 bool
	before                      sums // of existing tables
	adopted                     bool
}

func newTPCB(v Values) (Workload, error) {
	scale, least, most := v.Int("scale"), v.Int("delta-min"), v.Int("delta-max")
	switch {
	case scale < 1 || scale*accountsPerBranch > 1<<31-1:
		return nil, fmt.Errorf("invalid scale %d: must be between 1 and %d (account numbers are INT)", scale, (1<<31-1)/accountsPerBranch)
	case least > most || least < -1<<31 || most > 1<<31-1:
		return nil, fmt.Errorf("invalid range of amounts: delta-min %d, delta-max %d", least, most)
	case v.Bool("select-only") && v.Bool("skip-some-updates"):
		return nil, fmt.Errorf("select-only and skip-some-updates are mutually exclusive")
	}
	return &bank{
		branches:    scale,
		tellers:     scale * tellersPerBranch,
		accounts:    scale * accountsPerBranch,
		least:       least,
		span:        most - least + 1,
		selectOnly:  v.Bool("select-only"),
		skipSome:    v.Bool("skip-some-updates"),
		connectEach: v.Bool("connect-per-transaction"),
	}, nil
}

// Tables are the four of TPC-B, all balances 0, and history_carried, which
// keeps the sums of history when that is emptied. pgbench assigns each 100,000th
// account to the next branch; here it belongs to its own.
func (w *bank) Tables() []Table {
	return []Table{
		{
			Name:    "branches",
			Columns: "bid INT NOT NULL PRIMARY KEY, bbalance INT, filler CHAR(88)",
			Load:    []string{"bid", "bbalance", "filler"},
			Rows:    w.branches,
			SizedBy: "scale",
			Row:     func(row *Row, _ *rand.Rand, i int64) { fill(row, "", i+1, 0) },
		}, {
			Name:    "tellers",
			Columns: "tid INT NOT NULL PRIMARY KEY, bid INT, tbalance INT, filler CHAR(84)",
			Load:    []string{"tid", "bid", "tbalance", "filler"},
			Rows:    w.tellers,
			SizedBy: "scale", RowsPerSize: tellersPerBranch,
			Row: func(row *Row, _ *rand.Rand, i int64) { fill(row, "", i+1, i/tellersPerBranch+1, 0) },
		}, {
			Name:    "accounts",
			Columns: "aid INT NOT NULL PRIMARY KEY, bid INT, abalance INT, filler CHAR(84)",
			Load:    []string{"aid", "bid", "abalance", "filler"},
			Rows:    w.accounts,
			SizedBy: "scale", RowsPerSize: accountsPerBranch,
			Row: func(row *Row, _ *rand.Rand, i int64) { fill(row, "", i+1, i/accountsPerBranch+1, 0) },
		}, {
			Name:    "history",
			Columns: "tid INT, bid INT, aid INT, delta INT, mtime TIMESTAMP NULL, filler CHAR(22)",
			Load:    []string{"tid", "bid", "aid", "delta", "mtime", "filler"},
			Grows:   true,
		}, {
			Name:    "history_carried",
			Columns: "accounts BIGINT NOT NULL, tellers BIGINT NOT NULL, branches BIGINT NOT NULL",
			Load:    []string{"accounts", "tellers", "branches"},

			Bookkeeping: true,
		},
	}
}

// fill writes numbers and, as the last field, a text.
func fill(row *Row, text string, numbers ...int64) {
	for _, n := range numbers {
		row.Int(n)
	}
	row.Text(text)
}

// Thread makes the round of one thread: one transaction.
func (w *bank) Thread(s Session) (Round, error) {
	round := w.transaction
	if w.selectOnly {
		round = func(s Session) Round { return w.balance(s, w.account) }
	}
	if !w.connectEach {
		return round(s), nil
	}
	return inOrder([]Round{s.Reconnect, round(s)}), nil
}

// Reconnects is once a transaction, or not at all.
func (w *bank) Reconnects() string {
	if w.connectEach {
		return "round"
	}
	return ""
}

func (w *bank) account(r *rand.Rand) int64 { return r.Int64N(w.accounts) + 1 }

// balance reads the balance of an account.
func (w *bank) balance(s Session, account func(*rand.Rand) int64) Round {
	args := make(Args, 1)
	sel := s.Declare(Statement{Type: "select_account", Kind: Read, SQL: "SELECT abalance FROM accounts WHERE aid = ?"})
	return func() error {
		args.SetInt(0, account(s.Rand()))
		_, err := s.Query(sel, args)
		return err
	}
}

// transaction is BEGIN, the five statements of TPC-B, COMMIT.
func (w *bank) transaction(s Session) Round {
	var account, teller, branch, delta int64
	change := func(typ, sql string, of *int64) Round {
		h, args := s.Declare(Statement{Type: typ, Kind: Write, SQL: sql}), make(Args, 2)
		return func() error {
			args.SetInt(0, delta)
			args.SetInt(1, *of)
			_, err := s.Exec(h, args)
			return err
		}
	}
	draw := func() error {
		r := s.Rand()
		account = w.account(r)
		teller = r.Int64N(w.tellers) + 1
		branch = r.Int64N(w.branches) + 1
		delta = r.Int64N(w.span) + w.least
		return nil
	}
	parts := []Round{
		draw,
		s.Begin,
		change("update_account", "UPDATE accounts SET abalance = abalance + ? WHERE aid = ?", &account),
		w.balance(s, func(*rand.Rand) int64 { return account }),
	}
	if !w.skipSome {
		parts = append(parts,
			change("update_teller", "UPDATE tellers SET tbalance = tbalance + ? WHERE tid = ?", &teller),
			change("update_branch", "UPDATE branches SET bbalance = bbalance + ? WHERE bid = ?", &branch))
	}
	insert := s.Declare(Statement{Type: "insert_history", Kind: Write,
		SQL: "INSERT INTO history (tid, bid, aid, delta, mtime) VALUES (?, ?, ?, ?, CURRENT_TIMESTAMP)"})
	args := make(Args, 4)
	record := func() error {
		for i, v := range [...]int64{teller, branch, account, delta} {
			args.SetInt(i, v)
		}
		_, err := s.Exec(insert, args)
		return err
	}
	return inOrder(append(parts, record, s.Commit))
}
