package server

import (
	"slices"
	"testing"
)

// The observer's own statements are what a counter grows by when nobody else works.
func TestCountersAndStatements(t *testing.T) {
	ctx := testContext(t)
	s := commonServer(t)
	before, err := s.Counters(ctx)
	if err != nil {
		t.Fatal(err)
	}
	sent := s.Statements()
	for range 5 {
		if err := s.Ping(ctx); err != nil {
			t.Error(err)
		}
	}
	if most, err := s.MaxConnections(ctx); err != nil || most != 151 {
		t.Errorf("max_connections %d %v", most, err)
	}
	after, err := s.Counters(ctx)
	if err != nil {
		t.Fatal(err)
	}
	delta := after.Delta(before)
	if own := float64(s.Statements() - sent); delta["Questions"] != own || own != 7 {
		t.Errorf("questions grew by %v, we sent %v", delta["Questions"], own)
	}
	if delta["Com_select"] != 6 || delta["Com_show_status"] != 1 || delta["Connections"] != 0 {
		t.Errorf("select %v, show status %v, connections %v", delta["Com_select"], delta["Com_show_status"], delta["Connections"])
	}
}

func TestFacts(t *testing.T) {
	s := commonServer(t)
	facts, err := s.Facts(testContext(t))
	if err != nil {
		t.Fatal(err)
	}
	if facts.Flavour != s.Binary.Flavour || facts.Version == "" || len(facts.Variables) < 300 || facts.Variables["thread_cache_size"] != "17" {
		t.Errorf("%s %q, %d variables", facts.Flavour, facts.Version, len(facts.Variables))
	}
	found := false
	for _, changed := range facts.Changed {
		found = found || changed.Name == "thread_cache_size" && changed.Value == "17"
		if changed.Name == "sort_buffer_size" {
			t.Errorf("a default is called changed: %+v", changed)
		}
	}
	if !found {
		t.Errorf("thread_cache_size is not among the changed: %+v", facts.Changed)
	}
	if !slices.Contains(facts.Set, "thread_cache_size") || slices.Contains(facts.Set, "max_error_count") {
		t.Errorf("set by somebody: %v", facts.Set)
	}
	exec1(t, s.Target, "SET GLOBAL max_error_count = DEFAULT")
	if facts, err = s.Facts(testContext(t)); err != nil || !slices.Contains(facts.Set, "max_error_count") {
		t.Errorf("set to its default, but not among those that somebody set: %v, %v", facts.Set, err)
	}
}

func TestSetGlobal(t *testing.T) {
	ctx := testContext(t)
	s := commonServer(t)
	names := []string{"thread_cache_size", "innodb_flush_log_at_trx_commit", "sql_mode", "slow_query_log", "long_query_time", "max_heap_table_size", "init_connect", "innodb_old_blocks_pct"}
	values := func() map[string]string {
		all := map[string]string{}
		for _, name := range names {
			all[name] = ask(t, s.Target, "SELECT @@GLOBAL."+name)
		}
		return all
	}
	defer exec1(t, s.Target, "SET GLOBAL init_connect=''")
	exec1(t, s.Target, `SET GLOBAL init_connect='set @a=\'back\\\\slash\''`)
	before := values()
	undo, err := s.SetGlobal(ctx, []Option{
		{Name: "thread-cache-size", Value: "5"},
		{Name: "innodb_flush_log_at_trx_commit", Value: "2"},
		{Name: "sql_mode", Value: ""},
		{Name: "slow_query_log", NoValue: true},
		{Name: "long_query_time", Value: "0.25"},
		{Name: "max_heap_table_size", Value: "2M"},
		{Name: "init_connect", Value: `set @b='\'`},
	})
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"thread_cache_size": "5", "innodb_flush_log_at_trx_commit": "2", "sql_mode": "", "slow_query_log": "1",
		"long_query_time": "0.25", "max_heap_table_size": "2097152", "init_connect": `set @b='\'`,
	} {
		if got := values()[name]; got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	if err := undo(ctx); err != nil {
		t.Fatal(err)
	}
	for name, value := range values() {
		if value != before[name] {
			t.Errorf("%s is %q, was %q", name, value, before[name])
		}
	}
}

func TestSetGlobalFaults(t *testing.T) {
	ctx := testContext(t)
	s := commonServer(t)
	before := ask(t, s.Target, "SELECT @@GLOBAL.thread_cache_size")
	defer exec1(t, s.Target, "SET GLOBAL thread_cache_size="+before)
	for _, row := range []struct {
		options []Option
		want    []string
	}{
		// All at once.
		{[]Option{{Name: "no_such_a", Value: "1"}, {Name: "no_such_b", Value: "1"}}, []string{"no_such_a", "no_such_b"}},
		{[]Option{{Name: "x = 1, y", Value: "1"}}, []string{"invalid variable name"}},
		// Not dynamic.
		{[]Option{{Name: "thread_cache_size", Value: "5"}, {Name: "innodb_page_size", Value: "4096"}}, []string{"innodb_page_size"}},
	} {
		_, err := s.SetGlobal(ctx, row.options)
		for _, want := range row.want {
			if err == nil || !contains(err, want) {
				t.Errorf("%v: got %v, want %q", row.options, err, want)
			}
		}
	}
	if got := ask(t, s.Target, "SELECT @@GLOBAL.thread_cache_size"); got != before {
		t.Errorf("thread_cache_size is %s, was %s: the failed set left a change", got, before)
	}
	err := s.RestoreGlobals(ctx, []Change{{Name: "thread_cache_size", Before: "7"}, {Name: "no_such_c", Before: "1"}})
	if err == nil || !contains(err, "SET GLOBAL no_such_c = 1") {
		t.Errorf("what could not be undone is not said: %v", err)
	}
	if got := ask(t, s.Target, "SELECT @@GLOBAL.thread_cache_size"); got != "7" {
		t.Errorf("thread_cache_size is %s: one that fails must not stop the others", got)
	}
}
