package server

import (
	"errors"
	"strings"
	"testing"
)

func TestLockContention(t *testing.T) {
	ctx := testContext(t)
	s := commonServer(t)
	first, err := s.Lock(ctx, "mysweep/d")
	if err != nil {
		t.Fatal(err)
	}
	_, err = s.Lock(ctx, "mysweep/d")
	var locked *LockedError
	if !errors.As(err, &locked) || locked.User != privateUser || !strings.HasPrefix(locked.Host, "localhost") || locked.Connection == 0 {
		t.Fatalf("got %v %+v", err, locked)
	}
	t.Log(err)
	if other, err := s.Lock(ctx, "mysweep/e"); err != nil {
		t.Errorf("another name: %v", err)
	} else {
		other.Release()
	}
	if err := first.Keep(ctx); err != nil {
		t.Errorf("keep: %v", err)
	}
	if err := first.Release(); err != nil {
		t.Error(err)
	}
	eventually(t, "the lock is free", func() bool {
		again, err := s.Lock(ctx, "mysweep/d")
		if err == nil {
			again.Release()
		}
		return err == nil
	})
}

// A session may be lost, with the lock; whoever is first then has it.
func TestLockOfALostSession(t *testing.T) {
	ctx := testContext(t)
	s := commonServer(t)
	lock, err := s.Lock(ctx, "mysweep/d")
	if err != nil {
		t.Fatal(err)
	}
	defer lock.Release()
	lose := func() {
		exec1(t, s.Target, "KILL CONNECTION "+ask(t, s.Target, "SELECT IS_USED_LOCK('mysweep/d')"))
		eventually(t, "the lock is lost", func() bool {
			return ask(t, s.Target, "SELECT IS_FREE_LOCK('mysweep/d')") == "1"
		})
	}
	lose()
	if err := lock.Keep(ctx); err != nil {
		t.Fatalf("not taken anew: %v", err)
	}
	if ask(t, s.Target, "SELECT IS_FREE_LOCK('mysweep/d')") != "0" {
		t.Error("it was not taken anew")
	}
	lose()
	faster, err := s.Lock(ctx, "mysweep/d")
	if err != nil {
		t.Fatal(err)
	}
	defer faster.Release()
	var locked *LockedError
	if err := lock.Keep(ctx); !errors.As(err, &locked) {
		t.Errorf("two hold it: %v", err)
	}
	if err := lock.Keep(ctx); !errors.As(err, &locked) { // and again, without a session
		t.Errorf("two hold it: %v", err)
	}
}

func TestLongLockName(t *testing.T) {
	ctx := testContext(t)
	s := commonServer(t)
	one, err := s.Lock(ctx, strings.Repeat("x", 100)+"1")
	if err != nil {
		t.Fatal(err)
	}
	defer one.Release()
	two, err := s.Lock(ctx, strings.Repeat("x", 100)+"2")
	if err != nil {
		t.Fatalf("long names that differ at the end: %v", err)
	}
	two.Release()
}

// After a cut of the network the server goes on holding the lock for the run's
// own former session, which is known by its number and ended.
func TestLockOfOurOwnFormerSession(t *testing.T) {
	ctx := testContext(t)
	s := commonServer(t)
	lock, err := s.Lock(ctx, "mysweep/d")
	if err != nil {
		t.Fatal(err)
	}
	former := lock.conn // the server sees no end of it
	defer former.Close()
	cut, err := s.pool(1)
	if err != nil {
		t.Fatal(err)
	}
	lock.db, lock.conn = cut, nil
	if lock.conn, err = cut.Conn(ctx); err != nil {
		t.Fatal(err)
	}
	defer lock.Release()
	if err := lock.Keep(ctx); err != nil {
		t.Fatalf("our own former session keeps us out: %v", err)
	}
	if ask(t, s.Target, "SELECT IS_FREE_LOCK('mysweep/d')") != "0" {
		t.Error("nobody holds it")
	}
	if err := former.PingContext(ctx); err == nil {
		t.Error("the former session is still there")
	}
}
