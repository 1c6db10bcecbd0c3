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
	// Create is a whole CREATE TABLE statement to be used instead of Columns,
	// as it is: somebody else wrote it, with its own engine and charset. The
	// mark of ownership is put on with ALTER TABLE ... COMMENT.
	Create string
	Load   []string // the columns that Row writes, in order; empty means all that the table has
	Rows   int64
	// Row writes row i (from 0) in the order of Load.
	Row   func(w *Row, r *rand.Rand, i int64)
	After []string // statements after the load, e.g. CREATE INDEX
	// Grows says that trials add rows, so that only Rows "at least" can be
	// checked and the table wants to be loaded anew between cases.
	Grows bool
	// Shrinks says that trials take rows away, so that only Rows "at most" can
	// be checked; like Grows it wants the table loaded anew between cases.
	Shrinks bool
	// Bookkeeping marks a table that no round touches: it is not looked for
	// among existing tables, and keeps its rows as long as it fits.
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

// Int writes a whole number.
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

// Field returns field i as an SQL literal would need it: its text as written
// (escaped as LOAD DATA wants it) and whether it is NULL.
func (w *Row) Field(i int) (text []byte, null bool) {
	end := len(w.buf)
	if i+1 < len(w.starts) {
		end = w.starts[i+1] - 1
	}
	text = w.buf[w.starts[i]:end]
	return text, string(text) == `\N`
}
