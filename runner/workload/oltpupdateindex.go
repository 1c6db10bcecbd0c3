package workload

var oltpUpdateIndex = oltpSpec("oltp_update_index", "sysbench's oltp_update_index: one UPDATE of an indexed column a round", false, oltpOptionsOf([]string{"index-updates"}),
	func(w *oltp, s Session) Round { return w.updateIndex(s) })
