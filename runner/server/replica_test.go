package server

import (
	"testing"
	"time"
)

func TestReplicas(t *testing.T) {
	t.Parallel()
	ctx := testContext(t)
	primary := startServer(t, Private{TCP: true, Options: PrimaryOptions()})
	replicas, err := StartReplicas(ctx, primary, 1, Private{DatadirParent: parentFolder(t)})
	if err != nil {
		t.Fatal(err)
	}
	replica := replicas[0]
	defer replica.Stop()
	exec1(t, primary.Target, "CREATE DATABASE d")
	exec1(t, primary.Target, "CREATE TABLE d.`a``b` (id INT PRIMARY KEY, v VARCHAR(20)) ENGINE=InnoDB")
	exec1(t, primary.Target, "INSERT INTO d.`a``b` VALUES (1,'x'),(2,'y')")
	tables := []string{"a`b"}
	position, err := primary.Position(ctx)
	if err != nil {
		t.Fatal(err)
	}
	seconds, err := replica.AwaitPosition(ctx, position, time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("caught up within %.3f s", seconds)
	eventually(t, "the lag is 0", func() bool {
		lag, err := replica.Lag(ctx)
		return err == nil && lag != nil && *lag == 0
	})
	want, err := primary.Sums(ctx, "d", tables)
	if err != nil {
		t.Fatal(err)
	}
	got, err := replica.Sums(ctx, "d", tables)
	if err != nil {
		t.Fatal(err)
	}
	if want["a`b"].Rows != 2 || want["a`b"].Checksum == nil {
		t.Errorf("sums %+v", want)
	}
	if err := CompareSums(want, got); err != nil {
		t.Error(err)
	}

	// A replica that was changed behind its primary's back is found out.
	exec1(t, replica.Target, "UPDATE d.`a``b` SET v='z' WHERE id=2")
	if got, err = replica.Sums(ctx, "d", tables); err != nil {
		t.Fatal(err)
	}
	if err := CompareSums(want, got); err == nil || !contains(err, "different checksums") {
		t.Errorf("the difference was not found: %v", err)
	}

	// One that stopped says so.
	stop := "STOP SLAVE"
	if replica.Flavour == MySQL {
		stop = "STOP REPLICA"
	}
	exec1(t, replica.Target, stop)
	exec1(t, primary.Target, "INSERT INTO d.`a``b` VALUES (3,'z')")
	if position, err = primary.Position(ctx); err != nil {
		t.Fatal(err)
	}
	if _, err := replica.AwaitPosition(ctx, position, time.Second); err == nil || !contains(err, replica.config.Addr) {
		t.Errorf("a replica that is stopped has caught up: %v", err)
	}
	if lag, err := replica.Lag(ctx); err != nil || lag != nil {
		t.Errorf("a replica that is stopped has a lag: %v %v", lag, err)
	}
}

func TestNoReplicas(t *testing.T) {
	ctx := testContext(t)
	s := commonServer(t)
	if lag, err := s.Lag(ctx); err != nil || lag != nil {
		t.Errorf("lag %v %v", lag, err)
	}
	if _, err := s.AwaitPosition(ctx, Position{File: "binlog.000001", Offset: 4}, time.Second); err == nil || !contains(err, "replication is not running: no primary is set") {
		t.Errorf("got %v", err)
	}
	if s.Flavour == MariaDB { // MySQL has the binary log on
		if _, err := s.Position(ctx); err == nil || !contains(err, "log_bin") {
			t.Errorf("got %v", err)
		}
	}
}

func TestCompareSums(t *testing.T) {
	one, two := int64(1), int64(2)
	for _, row := range []struct {
		primary, replica TableSum
		want             string // empty: the same
	}{
		{TableSum{10, &one}, TableSum{10, &one}, ""},
		{TableSum{10, nil}, TableSum{10, &one}, ""}, // unknown is no difference
		{TableSum{10, &one}, TableSum{9, &one}, "10 rows on the primary, 9 on the replica"},
		{TableSum{10, &one}, TableSum{10, &two}, "different checksums"},
	} {
		err := CompareSums(map[string]TableSum{"t": row.primary}, map[string]TableSum{"t": row.replica})
		if (err == nil) != (row.want == "") || err != nil && !contains(err, row.want) {
			t.Errorf("%+v: %v", row, err)
		}
	}
	if err := CompareSums(map[string]TableSum{"t": {}}, nil); err == nil {
		t.Error("a missing table was not found")
	}
}
