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

// rowless are the statements of kind Other that never return rows.
var rowless = []string{"set", "do", "begin", "start", "commit", "rollback", "savepoint", "release", "create", "alter", "drop", "rename",
	"grant", "revoke", "flush", "reset", "lock", "unlock", "use", "kill", "prepare", "deallocate"}

// IsRowless reports whether a statement of kind Other never returns rows, by
// its first word. Of others, such as OPTIMIZE and CHECKSUM, only the server knows.
func IsRowless(sql string) bool { return slices.Contains(rowless, firstWord(afterComments(sql))) }

// KindOf returns the kind of a statement by its first word after comments. A
// statement that starts with a parenthesis is a SELECT.
func KindOf(sql string) Kind {
	sql = afterComments(sql)
	if strings.HasPrefix(sql, "(") {
		return Read
	}
	switch first := firstWord(sql); {
	case slices.Contains(reads, first):
		return Read
	case slices.Contains(writes, first):
		return Write
	}
	return Other
}

// firstWord is the letters at the beginning, in lower case.
func firstWord(sql string) string {
	if end := strings.IndexFunc(sql, func(r rune) bool { return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') }); end >= 0 {
		sql = sql[:end]
	}
	return strings.ToLower(sql)
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
