package workload

var oltpPointSelect = oltpSpec("oltp_point_select", "sysbench's oltp_point_select: one SELECT by id a round", false, oltpOptionsOf(),
	func(w *oltp, s Session) Round {
		w.pointSelects = 1 // sysbench ignores --point-selects here
		return w.points(s)
	})
