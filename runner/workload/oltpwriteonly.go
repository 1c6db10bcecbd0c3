package workload

var oltpWriteOnly = oltpSpec("oltp_write_only", "sysbench's oltp_write_only: 2 UPDATEs, DELETE and INSERT in a transaction", true, oltpOptionsOf(writeOptions, []string{"skip-trx"}),
	func(w *oltp, s Session) Round {
		return w.transaction(s, w.updateIndex(s), w.updateNonIndex(s), w.deleteInsert(s))
	})
