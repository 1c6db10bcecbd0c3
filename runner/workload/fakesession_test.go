package workload

import (
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
	"time"
)

// fakeSession is a Session without a server: it records each statement with
// its arguments put in, and answers as told.
type fakeSession struct {
	declared []Statement
	// SQL with the arguments in place of the ?, BEGIN, COMMIT, ROLLBACK, RECONNECT, SLEEP 10ms.
	sent            []string
	kinds           [3]int // statements by Kind
	silent          bool   // record nothing, for counts of allocations and long distributions
	rand            *rand.Rand
	thread, threads int
	atEnd           Round
	interaction     string // the last that the round named
	// answer, if set, is asked for the rows or the affected rows of each
	// statement; without it every statement has one.
	answer func(sql string, args Args) (int64, error)
	// rows, if set, are what Select hands to each.
	rows func(sql string, args Args) [][]any
}

func newFakeSession(thread, threads int) *fakeSession {
	return &fakeSession{rand: rand.New(rand.NewPCG(1, uint64(thread))), thread: thread, threads: threads}
}

func (s *fakeSession) Declare(st Statement) Handle {
	s.declared = append(s.declared, st)
	return Handle(len(s.declared) - 1)
}

func (s *fakeSession) record(kind Kind, text string) {
	s.kinds[kind]++
	if !s.silent {
		s.sent = append(s.sent, text)
	}
}

func (s *fakeSession) send(h Handle, args Args) (int64, error) {
	st := s.declared[h]
	if s.silent {
		s.kinds[st.Kind]++
	} else {
		s.record(st.Kind, filledIn(st.SQL, args))
	}
	if s.answer != nil {
		return s.answer(st.SQL, args)
	}
	return 1, nil
}

func (s *fakeSession) Query(h Handle, args Args) (int64, error) { return s.send(h, args) }

func (s *fakeSession) Select(h Handle, args Args, each func([]any) error) error {
	if _, err := s.send(h, args); err != nil || s.rows == nil {
		return err
	}
	for _, row := range s.rows(s.declared[h].SQL, args) {
		if err := each(row); err != nil {
			return err
		}
	}
	return nil
}

func (s *fakeSession) Exec(h Handle, args Args) (Outcome, error) {
	n, err := s.send(h, args)
	return Outcome{RowsAffected: n, LastInsertID: 1}, err
}

func (s *fakeSession) Raw(h Handle, sql string) (int64, error) {
	s.record(s.declared[h].Kind, strings.Clone(sql)) // its memory is the workload's
	if s.answer != nil {
		return s.answer(sql, nil)
	}
	return 1, nil
}

func (s *fakeSession) Fetch(h Handle, sql string, args Args, _ *Results) (Outcome, error) {
	if sql == "" {
		n, err := s.send(h, args)
		return Outcome{RowsAffected: n}, err
	}
	n, err := s.Raw(h, sql)
	return Outcome{RowsAffected: n}, err
}

func (s *fakeSession) Another() (Session, error) { return s, nil }
func (s *fakeSession) Ended() error              { return nil }

func (s *fakeSession) Begin() error    { s.record(Other, "BEGIN"); return nil }
func (s *fakeSession) Commit() error   { s.record(Other, "COMMIT"); return nil }
func (s *fakeSession) Rollback() error { s.record(Other, "ROLLBACK"); return nil }

func (s *fakeSession) Sleep(d time.Duration) error {
	if !s.silent {
		s.sent = append(s.sent, "SLEEP "+d.String())
	}
	return nil
}

func (s *fakeSession) Think(d time.Duration) error {
	if !s.silent {
		s.sent = append(s.sent, "THINK "+d.String())
	}
	return nil
}

func (s *fakeSession) Interaction(typ string) { s.interaction = typ }

func (s *fakeSession) Reconnect() error {
	if !s.silent {
		s.sent = append(s.sent, "RECONNECT")
	}
	return nil
}

func (s *fakeSession) AtEnd(r Round)    { s.atEnd = r }
func (s *fakeSession) Rand() *rand.Rand { return s.rand }
func (s *fakeSession) Thread() int      { return s.thread }
func (s *fakeSession) Threads() int     { return s.threads }

// take returns what was sent since the last take.
func (s *fakeSession) take() []string {
	sent := s.sent
	s.sent, s.kinds = nil, [3]int{}
	return sent
}

func filledIn(sql string, args Args) string {
	var b strings.Builder
	for _, a := range args {
		before, after, ok := strings.Cut(sql, "?")
		if !ok {
			return "TOO MANY ARGUMENTS FOR " + sql
		}
		b.WriteString(before)
		switch a.Form {
		case Null:
			b.WriteString("NULL")
		case Integer:
			b.WriteString(strconv.FormatInt(a.Int, 10))
		case Real:
			b.WriteString(strconv.FormatFloat(a.Float, 'g', -1, 64))
		case Text:
			b.WriteString("'" + strings.ReplaceAll(a.Text, "'", "''") + "'")
		}
		sql = after
	}
	if strings.Contains(sql, "?") {
		return "TOO FEW ARGUMENTS FOR " + b.String() + sql
	}
	b.WriteString(sql)
	return b.String()
}

// newWorkload makes the workload of that name with options given as
// "name", "value" pairs.
func newWorkload(t testing.TB, name string, options ...string) Workload {
	t.Helper()
	spec, ok := Find(name)
	if !ok {
		t.Fatalf("no workload %s", name)
	}
	set := map[string]string{}
	for i := 0; i < len(options); i += 2 {
		set[options[i]] = options[i+1]
	}
	v, err := NewValues(spec.Options, set)
	if err != nil {
		t.Fatalf("%s %v: %v", name, options, err)
	}
	w, err := spec.New(v)
	if err != nil {
		t.Fatalf("%s %v: %v", name, options, err)
	}
	return w
}

// newRound is the round of one thread of a workload, on a fake session.
func newRound(t testing.TB, w Workload, s *fakeSession) Round {
	t.Helper()
	round, err := w.Thread(s)
	if err != nil {
		t.Fatal(err)
	}
	return round
}

// madeRow returns row i of a table as LOAD DATA would read it.
func madeRow(table Table, i int64) string {
	var w Row
	table.Row(&w, rand.New(rand.NewPCG(7, uint64(i))), i)
	return string(w.Bytes())
}

func TestSelectKeySendsTwoSelects(t *testing.T) {
	s := newFakeSession(0, 1)
	round := newRound(t, newWorkload(t, "select-key", "rows", "10"), s)
	if err := round(); err != nil {
		t.Fatal(err)
	}
	sent := s.take()
	if len(sent) != 2 {
		t.Fatalf("sent %q, want two statements", sent)
	}
	for _, sql := range sent {
		if !strings.HasPrefix(sql, "select * from http_auth where username='") {
			t.Errorf("sent %q", sql)
		}
	}
}
