package workload

var oltpPointSelect = oltpSpec("oltp_point_select", "sysbench's oltp_point_select: one SELECT by id a round", false,
	func(w *oltp, s Session) Round {
		w.pointSelects = 1 // whatever --point-selects says, as in sysbench
		return w.points(s)
	})
