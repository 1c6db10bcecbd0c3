package workload

import "time"

// plan makes the list of the next event.
func (t *oltp04Thread) plan() {
	switch t.test {
	case "simple":
		t.add(item{do: doPoint, id: t.id(t.s.Rand())})
	case "nontrx":
		t.add(t.alone())
	default:
		t.transaction()
		return
	}
	if t.reconnect == "query" || t.reconnect == "random" && t.s.Rand().IntN(2) == 1 {
		t.add(item{do: doReconnect})
	}
}

// alone is the only statement of the mode nontrx.
func (t *oltp04Thread) alone() item {
	switch t.nontrx {
	case "update_key":
		return item{do: doUpdateIndex, id: t.id(t.s.Rand())}
	case "update_nokey":
		return item{do: doUpdateOther, id: t.id(t.s.Rand())}
	case "insert":
		i := item{do: doInsert, id: t.id(t.s.Rand())}
		if !t.autoInc {
			i.to = t.uniqueID()
		}
		return i
	case "delete":
		return item{do: doDelete, id: t.uniqueID()}
	}
	return item{do: doPoint, id: t.id(t.s.Rand())}
}

// transaction is an event of the mode complex.
func (t *oltp04Thread) transaction() {
	mode := t.reconnect
	if mode == "random" {
		mode = t.nextMode()
	}
	if !t.skipTrx {
		t.list = append(t.list, item{do: doBegin})
	}
	t.repeat(mode, doPoint)
	for _, do := range []action{doRange, doSum, doOrder, doDistinct} {
		t.repeat(mode, do)
	}
	if !t.readOnly {
		t.repeat(mode, doUpdateIndex)
		t.repeat(mode, doUpdateOther)
		t.replaceRow()
	}
	if t.skipTrx {
		return // and so the mode transaction never reconnects
	}
	t.list = append(t.list, item{do: doCommit})
	if mode == "transaction" {
		t.add(item{do: doReconnect})
	}
}

// Reconnects is the reconnect mode as far as it ever reconnects.
func (w *oltp04) Reconnects() string {
	switch {
	case w.reconnect == "query", w.reconnect == "random":
		return w.reconnect
	case w.reconnect == "transaction" && w.test == "complex" && !w.skipTrx:
		return "round"
	}
	return ""
}

// nextMode draws the reconnect mode of the event. A change from session to
// another mode begins with a reconnect.
func (t *oltp04Thread) nextMode() string {
	before := t.mode
	t.mode = [...]string{"session", "query", "transaction"}[t.s.Rand().IntN(3)]
	if before == "session" && t.mode != "session" {
		t.add(item{do: doReconnect})
	}
	return t.mode
}

// repeat adds the number of statements that the option sets, each followed by a
// reconnect in the mode query.
func (t *oltp04Thread) repeat(mode string, do action) {
	for range t.times[do] {
		i := item{do: do, id: t.id(t.s.Rand())}
		if do >= doRange && do <= doDistinct {
			i.id, i.to = t.span(i.id, do)
		}
		t.add(i)
		if mode == "query" {
			t.add(item{do: doReconnect})
		}
	}
}

// span is the range of ids from id on, kept inside the table. The one of
// SELECT DISTINCT is longer by a row.
func (t *oltp04Thread) span(id int64, do action) (from, to int64) {
	if id+t.rangeSize > t.rows {
		id = t.rows - t.rangeSize
	}
	id = max(id, 1)
	if do == doDistinct {
		return id, id + t.rangeSize
	}
	return id, id + t.rangeSize - 1
}

// replaceRow updates a row, deletes it and inserts it again. 0.4.12 always
// sends that UPDATE in addition to oltp-index-updates, and never reconnects
// between the three.
func (t *oltp04Thread) replaceRow() {
	id := t.id(t.s.Rand())
	t.add(item{do: doUpdateIndex, id: id})
	t.add(item{do: doDelete, id: id})
	t.add(item{do: doInsert, id: id})
}

// add appends an item with its think time.
func (t *oltp04Thread) add(i item) {
	i.thinking = t.thinkMin
	if spread := t.thinkMax - t.thinkMin; spread > 0 {
		i.thinking += time.Duration(t.s.Rand().Int64N(int64(spread/time.Microsecond))) * time.Microsecond
	}
	t.list = append(t.list, i)
}
