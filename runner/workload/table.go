package workload

import (
	"math/rand/v2"
	"strconv"
)

// Table is one table that a workload needs.
//
// Its rows are a function of the seed and the row's number: rows are made in
// chunks, each with a generator of its own seeded by (seed, table, chunk), so
// that the same seed gives the same table however many loaders share the work.
//
// Tables are created and loaded in the order in which a workload lists them
// and dropped in the reverse order, so that foreign keys can name earlier ones.
type Table struct {
	Name    string
	Columns string // the text between the parentheses of CREATE TABLE
	// Create is a complete CREATE TABLE statement from a user's file, used
	// unchanged instead of Columns, with its own engine and charset. The mark
	// of ownership is added by ALTER TABLE ... COMMENT.
	Create string
	Load   []string // the columns that Row writes, in order; empty means all that the table has
	Rows   int64
	// SizedBy is the option by which the user sets Rows, and RowsPerSize how many
	// rows each of its units gives, 0 for one. It is "" when rounds do not depend
	// on Rows.
	SizedBy     string
	RowsPerSize int64
	// Row writes row i (from 0) in the order of Load.
	Row    func(w *Row, r *rand.Rand, i int64)
	Before []string // statements between creation and load
	After  []string // statements after the load, e.g. CREATE INDEX
	// Grows says that trials add rows: the table has at least Rows, and is
	// loaded again between cases.
	Grows bool
	// Shrinks says that trials delete rows: the table has at most Rows, and is
	// loaded again between cases.
	Shrinks bool
	// Bookkeeping marks a table that no round uses: it need not exist among
	// existing tables, and keeps its rows as long as its columns match.
	Bookkeeping bool
}

// Row collects the fields of one row in the form LOAD DATA reads by default
// (tab between fields, \ escapes, \N for NULL). The loader owns the buffer.
type Row struct {
	buf    []byte
	starts []int // where each field begins in buf
}

// Reset empties the row and keeps its memory.
func (w *Row) Reset() { w.buf, w.starts = w.buf[:0], w.starts[:0] }

// Bytes is the row as LOAD DATA reads it, without the newline at its end.
func (w *Row) Bytes() []byte { return w.buf }

// Len is the number of fields written so far.
func (w *Row) Len() int { return len(w.starts) }

func (w *Row) next() {
	if len(w.starts) > 0 {
		w.buf = append(w.buf, '\t')
	}
	w.starts = append(w.starts, len(w.buf))
}

// Int writes an integer.
func (w *Row) Int(v int64) {
	w.next()
	w.buf = strconv.AppendInt(w.buf, v, 10)
}

// Decimal writes v / 10^scale with all its digits, e.g. Decimal(1234, 2) is 12.34.
func (w *Row) Decimal(v int64, scale int) {
	w.next()
	if v < 0 {
		w.buf = append(w.buf, '-')
		v = -v
	}
	unit := int64(1)
	for range scale {
		unit *= 10
	}
	w.buf = strconv.AppendInt(w.buf, v/unit, 10)
	if scale == 0 {
		return
	}
	w.buf = append(w.buf, '.')
	digits := strconv.Itoa(int(v%unit + unit)) // the leading 1 keeps zeros
	w.buf = append(w.buf, digits[1:]...)
}

// Text writes a text.
func (w *Row) Text(s string) {
	w.next()
	for i := range len(s) {
		w.buf = appendEscaped(w.buf, s[i])
	}
}

// Null writes NULL.
func (w *Row) Null() {
	w.next()
	w.buf = append(w.buf, '\\', 'N')
}

func appendEscaped(b []byte, c byte) []byte {
	switch c {
	case '\t':
		return append(b, '\\', 't')
	case '\n':
		return append(b, '\\', 'n')
	case '\\':
		return append(b, '\\', '\\')
	case 0:
		return append(b, '\\', '0')
	}
	return append(b, c)
}

// Field returns field i as it was written, escaped for LOAD DATA, and whether
// it is NULL.
func (w *Row) Field(i int) (text []byte, null bool) {
	end := len(w.buf)
	if i+1 < len(w.starts) {
		end = w.starts[i+1] - 1
	}
	text = w.buf[w.starts[i]:end]
	return text, string(text) == `\N`
}
