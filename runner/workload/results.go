package workload

// Results are the result sets of one statement, for workloads that need them
// whole (see Session.Fetch). They keep their memory for the next statement.
// NULL is a value of its own; all others are texts.
type Results struct {
	sets  []resultSet
	ends  []int // of each value in bytes, from the first set's first row on
	nulls []bool
	bytes []byte
}

// resultSet is where the values of one set are.
type resultSet struct {
	columns int
	first   int // value
	values  int
}

// Reset forgets all sets.
func (r *Results) Reset() {
	r.sets, r.ends, r.nulls, r.bytes = r.sets[:0], r.ends[:0], r.nulls[:0], r.bytes[:0]
}

// Begin begins the next set.
func (r *Results) Begin(columns int) {
	r.sets = append(r.sets, resultSet{columns: columns, first: len(r.ends)})
}

// Append adds a value to the set that was begun last, row by row.
func (r *Results) Append(value []byte) {
	r.bytes = append(r.bytes, value...)
	r.add(false)
}

// AppendNull adds a NULL.
func (r *Results) AppendNull() { r.add(true) }

func (r *Results) add(null bool) {
	r.ends, r.nulls = append(r.ends, len(r.bytes)), append(r.nulls, null)
	r.sets[len(r.sets)-1].values++
}

// Sets is the number of result sets; a statement without rows to return, such
// as an UPDATE, has none.
func (r *Results) Sets() int { return len(r.sets) }

// Columns is the number of columns of a set.
func (r *Results) Columns(set int) int { return r.sets[set].columns }

// Rows is the number of rows of a set.
func (r *Results) Rows(set int) int {
	if r.sets[set].columns == 0 {
		return 0
	}
	return r.sets[set].values / r.sets[set].columns
}

// Value is one value of a set; ok is false for NULL. It is valid until Reset.
func (r *Results) Value(set, row, column int) (value []byte, ok bool) {
	s := r.sets[set]
	i := s.first + row*s.columns + column
	if r.nulls[i] {
		return nil, false
	}
	from := 0
	if i > 0 {
		from = r.ends[i-1]
	}
	return r.bytes[from:r.ends[i]], true
}
