package bulk

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/mysweep/mysweep/runner/workload"
)

// longestInsert bounds one INSERT: beyond it nothing is won, and memory is lost on both sides.
const longestInsert = 16 << 20

// insert loads the table with multi-row INSERTs near the server's max_allowed_packet.
func (l *loader) insert(ctx context.Context, conn *sql.Conn, t workload.Table) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	out, done := l.chunks(ctx, t, appendValues)
	head := "INSERT INTO " + name(t.Name) + columnList(t) + " VALUES "
	room := int(min(l.packet, longestInsert)) - len(head) - 1024 // for the packet's own head
	send := func(values []byte) error {
		// The last comma is left out.
		if _, err := conn.ExecContext(ctx, head+string(values[:len(values)-1])); err != nil {
			return fmt.Errorf("%s...: %w", head, err)
		}
		return nil
	}
	var values []byte
	for c := range out {
		for data := c.data; len(data) > 0; {
			row := data[:rowEnd(data)]
			if len(values) > 0 && len(values)+len(row) > room {
				if err := send(values); err != nil {
					return err
				}
				values = values[:0]
			}
			values = append(values, row...)
			data = data[len(row):]
		}
		done(c)
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if len(values) > 0 {
		return send(values)
	}
	return nil
}

// appendValues appends a row as "('1','text',NULL),". Row's escapes are those of a string literal,
// but for the quote.
func appendValues(to []byte, row *workload.Row) []byte {
	to = append(to, '(')
	for i := range row.Len() {
		if i > 0 {
			to = append(to, ',')
		}
		field, null := row.Field(i)
		if null {
			to = append(to, "NULL"...)
			continue
		}
		to = append(to, '\'')
		for _, c := range field {
			if c == '\'' {
				to = append(to, '\'')
			}
			to = append(to, c)
		}
		to = append(to, '\'')
	}
	return append(to, ')', ',')
}

// rowEnd finds where the first row of "(...),(...)," ends.
func rowEnd(data []byte) int {
	quoted := false
	for i := 0; i < len(data); i++ {
		switch c := data[i]; {
		case quoted && c == '\\':
			i++
		case c == '\'':
			quoted = !quoted
		case c == ')' && !quoted:
			return i + 2
		}
	}
	return len(data)
}
