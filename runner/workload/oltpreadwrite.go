package workload

var oltpReadWrite = oltpSpec("oltp_read_write", "sysbench's oltp_read_write: 14 SELECTs, 2 UPDATEs, DELETE and INSERT in a transaction", true, oltpOptions,
	func(w *oltp, s Session) Round {
		return w.transaction(s, w.points(s), w.ranges(s), w.updateIndex(s), w.updateNonIndex(s), w.deleteInsert(s))
	})
