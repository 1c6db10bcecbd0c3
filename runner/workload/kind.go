package workload

import (
	"slices"
	"strings"
)

// reads and writes are the statements that return and change rows, by their
// first word. All others are of kind Other.
var (
	reads  = []string{"select", "with", "table", "values", "show", "describe", "desc", "explain", "call", "handler", "check", "analyze"}
	writes = []string{"insert", "update", "delete", "replace", "load", "truncate"}
)

// KindOf returns the kind of a statement by its first word after comments. A
// statement that starts with a parenthesis is a SELECT.
func KindOf(sql string) Kind {
	sql = afterComments(sql)
	if strings.HasPrefix(sql, "(") {
		return Read
	}
	first := sql
	if end := strings.IndexFunc(sql, func(r rune) bool { return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') }); end >= 0 {
		first = sql[:end]
	}
	switch first = strings.ToLower(first); {
	case slices.Contains(reads, first):
		return Read
	case slices.Contains(writes, first):
		return Write
	}
	return Other
}

// afterComments removes blanks and comments from the start of a statement.
func afterComments(sql string) string {
	for {
		sql = strings.TrimLeft(sql, " \t\r\n;")
		end := "\n"
		switch {
		case strings.HasPrefix(sql, "/*") && !strings.HasPrefix(sql, "/*!"):
			end = "*/"
		case strings.HasPrefix(sql, "--"), strings.HasPrefix(sql, "#"):
		default:
			return sql
		}
		_, rest, found := strings.Cut(sql, end)
		if !found {
			return ""
		}
		sql = rest
	}
}
