package load

import (
	"strings"
	"testing"
)

// TestMadeOf: a statement in the server's list is known by its text, whatever values it has.
func TestMadeOf(t *testing.T) {
	long := "SELECT '" + strings.Repeat("x", 300) + "'"
	for _, c := range []struct {
		text, listed string
		want         bool
	}{
		{"SELECT a FROM t WHERE id=?", "SELECT a FROM t WHERE id=17", true},
		{"SELECT a FROM t WHERE id=?", "SELECT a FROM t WHERE id='it''s'", true},
		{"SELECT a FROM t WHERE id BETWEEN ? AND ? ORDER BY a", "SELECT a FROM t WHERE id BETWEEN 1 AND 9 ORDER BY a", true},
		{" SELECT 1; ", "SELECT 1", true},
		{"SELECT 1", "SELECT 12", false},
		{"SELECT 1", "DELETE FROM t", false},
		{"SELECT a FROM t WHERE id=?", "SELECT a FROM t2 WHERE id=17", false},
		{"SELECT a FROM t WHERE id=? AND b=1", "SELECT a FROM t WHERE id=17 AND b=2", false},
		{long, long[:longestText], true},
		{long, "DELETE" + long[:longestText-6], false},
		{"INSERT INTO t VALUES (?)", "INSERT INTO t VALUES ('" + strings.Repeat("y", longestText)[:longestText-23], true},
		{"INSERT INTO t VALUES (?)", "INSERT INTO u VALUES ('" + strings.Repeat("y", longestText)[:longestText-23], false},
	} {
		if got := madeOf(c.text, c.listed); got != c.want {
			t.Errorf("%.40q and %.40q: %v, want %v", c.text, c.listed, got, c.want)
		}
	}
}
