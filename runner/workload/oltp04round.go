package workload

import (
	"math/rand/v2"
	"strconv"
	"time"
	"unsafe"
)

// action is what an item of an event does.
type action uint8

const (
	doBegin action = iota
	doCommit
	doReconnect
	doPoint
	doRange
	doSum
	doOrder
	doDistinct
	doUpdateIndex
	doUpdateOther
	doDelete
	doInsert
)

// oltp04Counts are the options for the number of each statement in a complex
// transaction.
var oltp04Counts = [...]string{
	doPoint:       "oltp-point-selects",
	doRange:       "oltp-simple-ranges",
	doSum:         "oltp-sum-ranges",
	doOrder:       "oltp-order-ranges",
	doDistinct:    "oltp-distinct-ranges",
	doUpdateIndex: "oltp-index-updates",
	doUpdateOther: "oltp-non-index-updates",
}

// item is a part of an event: a statement with its ids, or a reconnect.
type item struct {
	do       action
	id, to   int64
	thinking time.Duration // before it
}

// oltp04Thread is the state of one thread. An event is first planned as a list
// and then run, so that after a deadlock the same list is run again.
type oltp04Thread struct {
	*oltp04
	s       Session
	handles [doInsert + 1]Handle
	sql     [doInsert + 1]string
	list    []item
	failed  bool
	mode    string // reconnect mode of the event, where it is drawn for each
	args    [5]Args
	c, pad  []byte
	noise   *rand.Rand
}

// Thread declares the statements and returns the round, which is an event.
func (w *oltp04) Thread(s Session) (Round, error) {
	t := &oltp04Thread{oltp04: w, s: s, mode: "session", c: make([]byte, 0, 120), pad: make([]byte, 0, 60), noise: newNoise()}
	for n := range t.args {
		t.args[n] = make(Args, n)
	}
	t.declare()
	return func() error {
		if !t.failed {
			t.list = t.list[:0]
			t.plan()
		}
		for i := range t.list {
			if err := t.run(&t.list[i]); err != nil {
				t.failed = true
				return err
			}
		}
		t.failed = false
		return nil
	}, nil
}

func (t *oltp04Thread) declare() {
	for n, st := range [...]Statement{
		doBegin:       {Type: "lock", Kind: Other, SQL: "LOCK TABLES " + t.table + " WRITE"},
		doCommit:      {Type: "unlock", Kind: Other, SQL: "UNLOCK TABLES"},
		doPoint:       {Type: "point_select", SQL: "SELECT c from " + t.table + " where id=?"},
		doRange:       {Type: "simple_range", SQL: "SELECT c from " + t.table + " where id between ? and ?"},
		doSum:         {Type: "sum_range", SQL: "SELECT SUM(K) from " + t.table + " where id between ? and ?"},
		doOrder:       {Type: "order_range", SQL: "SELECT c from " + t.table + " where id between ? and ? order by c"},
		doDistinct:    {Type: "distinct_range", SQL: "SELECT DISTINCT c from " + t.table + " where id between ? and ? order by c"},
		doUpdateIndex: {Type: "update_index", Kind: Write, SQL: "UPDATE " + t.table + " set k=k+1 where id=?"},
		doUpdateOther: {Type: "update_non_index", Kind: Write, SQL: "UPDATE " + t.table + " set c=? where id=?"},
		doDelete:      {Type: "delete", Kind: Write, SQL: "DELETE from " + t.table + " where id=?"},
		doInsert: {Type: "insert", Kind: Write, SQL: "INSERT INTO " + t.table +
			" values(?,0,' ','aaaaaaaaaaffffffffffrrrrrrrrrreeeeeeeeeeyyyyyyyyyy')"},
	} {
		do := action(n)
		switch {
		case st.SQL == "": // a reconnect has no statement
			continue
		case t.test == "nontrx" && do == doPoint:
			st.SQL = "SELECT pad from " + t.table + " where id=?"
		case t.test == "nontrx" && do == doInsert:
			st.SQL = "INSERT INTO " + t.table + " values(?,?,?,?)"
		case t.readOnly && do == doBegin:
			st.SQL = "LOCK TABLES " + t.table + " READ"
		}
		t.sql[do] = st.SQL
		if st.Kind == Other {
			st.SQL = "" // LOCK TABLES cannot be prepared
		}
		t.handles[do] = t.s.Declare(st)
	}
}

// run runs one item.
func (t *oltp04Thread) run(i *item) error {
	if i.thinking > 0 {
		if err := t.s.Sleep(i.thinking); err != nil {
			return err
		}
	}
	switch i.do {
	case doReconnect:
		return t.connect()
	case doBegin:
		return t.border(doBegin, t.s.Begin)
	case doCommit:
		return t.border(doCommit, t.s.Commit)
	case doPoint, doRange, doSum, doOrder, doDistinct:
		_, err := t.s.Query(t.handles[i.do], t.ids(i))
		return err
	case doUpdateOther:
		args := t.args[2]
		args.SetText(0, t.numbers(&t.c, 10))
		args.SetInt(1, i.id)
		_, err := t.s.Exec(t.handles[i.do], args)
		return err
	case doInsert:
		_, err := t.s.Exec(t.handles[i.do], t.row(i))
		return err
	}
	_, err := t.s.Exec(t.handles[i.do], t.ids(i))
	return err
}

// connect reconnects inside the event, its delay included: unless that is 0, it
// dominates the response time of the reconnect modes.
func (t *oltp04Thread) connect() error {
	if err := t.s.Reconnect(); err != nil || t.connectDelay == 0 {
		return err
	}
	return t.s.Sleep(t.connectDelay)
}

// border begins or ends a transaction, or a table lock for an engine without
// transactions.
func (t *oltp04Thread) border(do action, transaction func() error) error {
	if t.engineTrx {
		return transaction()
	}
	_, err := t.s.Raw(t.handles[do], t.sql[do])
	return err
}

func (t *oltp04Thread) ids(i *item) Args {
	args := t.args[1]
	if i.to > 0 {
		args = t.args[2]
		args.SetInt(1, i.to)
	}
	args.SetInt(0, i.id)
	return args
}

// row is the id of a row that was deleted before, or in the mode nontrx a
// whole new row.
func (t *oltp04Thread) row(i *item) Args {
	if t.test != "nontrx" {
		return t.ids(i)
	}
	args := t.args[4]
	args.SetNull(0)
	if !t.autoInc {
		args.SetInt(0, i.to)
	}
	args.SetInt(1, i.id)
	args.SetText(2, t.numbers(&t.c, 10))
	args.SetText(3, t.numbers(&t.pad, 5))
	return args
}

// numbers writes n random numbers of 31 bits joined by - into b. The text
// shares b's memory.
func (t *oltp04Thread) numbers(b *[]byte, n int) string {
	text := (*b)[:0]
	for i := range n {
		if i > 0 {
			text = append(text, '-')
		}
		text = strconv.AppendInt(text, int64(t.noise.Int32()), 10)
	}
	*b = text
	return unsafe.String(unsafe.SliceData(text), len(text))
}
