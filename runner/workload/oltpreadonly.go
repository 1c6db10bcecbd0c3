package workload

var oltpReadOnly = oltpSpec("oltp_read_only", "sysbench's oltp_read_only: 10 point and 4 range SELECTs in a transaction", true, oltpOptionsOf(readOptions, []string{"skip-trx"}),
	func(w *oltp, s Session) Round { return w.transaction(s, w.points(s), w.ranges(s)) })
