package workload

var oltpUpdateNonIndex = oltpSpec("oltp_update_non_index", "sysbench's oltp_update_non_index: one UPDATE of an unindexed column a round", false, oltpOptionsOf([]string{"non-index-updates"}),
	func(w *oltp, s Session) Round { return w.updateNonIndex(s) })
