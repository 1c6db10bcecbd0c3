package server

import (
	"context"
	"errors"
	"testing"
	"time"
)

// A lock that is released between its refusal and the question for its holder is taken, and a
// connection that breaks there does not say that another run has it.
func TestLockHolder(t *testing.T) {
	s := commonServer(t)
	l := &Lock{target: s.Target, name: "holder of none"}
	db, err := s.Pool(1)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	conn, err := db.Conn(testContext(t))
	if err != nil {
		t.Fatal(err)
	}
	if err := l.holder(testContext(t), conn); !errors.Is(err, errReleased) {
		t.Errorf("a lock that is free: %v, want %v", err, errReleased)
	}
	gone, cancel := context.WithTimeout(t.Context(), time.Nanosecond)
	defer cancel()
	<-gone.Done()
	var locked *LockedError
	if err := l.holder(gone, conn); err == nil || errors.As(err, &locked) {
		t.Errorf("a connection that breaks: %v, want an error that names no other run", err)
	}
}
