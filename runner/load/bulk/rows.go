package bulk

import (
	"context"
	"runtime"

	"github.com/mysweep/mysweep/runner/workload"
)

// chunk is the rows of one chunk in some form, in the order of the table.
type chunk struct {
	data []byte
	rows int64
}

// format appends a row to a buffer in the form that the server is sent.
type format func(to []byte, row *workload.Row) []byte

// chunks makes a table's rows, in order, with several goroutines that work ahead. The channel is
// closed at the table's end or after ctx has ended. The receiver gives each chunk back through the
// returned function when it is done with it.
func (l *loader) chunks(ctx context.Context, t workload.Table, form format) (<-chan chunk, func(chunk)) {
	workers := max(1, min(runtime.NumCPU(), 4))
	spare := make(chan []byte, 2*workers)
	ordered := make(chan chan chunk, workers) // each promise is kept by one worker
	go func() {
		defer close(ordered)
		for first := int64(0); first < t.Rows; first += chunkRows {
			promise := make(chan chunk, 1)
			select {
			case ordered <- promise:
			case <-ctx.Done():
				return
			}
			var memory []byte
			select {
			case memory = <-spare:
			default:
			}
			go func() { promise <- l.makeChunk(t, first, form, memory[:0]) }()
		}
	}()
	out := make(chan chunk)
	go func() {
		defer close(out)
		for promise := range ordered {
			select {
			case out <- <-promise:
			case <-ctx.Done():
				return
			}
		}
	}()
	return out, func(c chunk) {
		select {
		case spare <- c.data:
		default:
		}
	}
}

func (l *loader) makeChunk(t workload.Table, first int64, form format, to []byte) chunk {
	r := l.generator(t.Name, first/chunkRows)
	end := min(first+chunkRows, t.Rows)
	var row workload.Row
	for i := first; i < end; i++ {
		row.Reset()
		t.Row(&row, r, i)
		to = form(to, &row)
	}
	return chunk{to, end - first}
}
