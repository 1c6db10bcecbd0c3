package workload

// oltpDelete removes rows and brings none back, so that sooner or later most
// DELETEs find nothing (sysbench counts those as "other"): the default of
// 10,000 rows lasts for a moment.
var oltpDelete = Spec{
	Name:    "oltp_delete",
	Summary: "sysbench's oltp_delete: one DELETE by id a round",
	Family:  "sysbench",
	Options: oltpOptionsOf(),
	Sweep:   Sweep{Time: "10s"},
	New: func(v Values) (Workload, error) {
		w, err := newOltp(v)
		w.round = (*oltp).deleteOne
		return &oltpDeletes{w}, err
	},
}

type oltpDeletes struct{ *oltp }

// Tables are sysbench's, with the warning that they shrink.
func (w *oltpDeletes) Tables() []Table {
	tables := w.oltp.Tables()
	for i := range tables {
		tables[i].Shrinks = true
	}
	return tables
}

func (w *oltp) deleteOne(s Session) Round {
	remove := w.declare(s, "delete", Write, "DELETE FROM sbtest%d WHERE id=?")
	args := make(Args, 1)
	return func() error {
		h := pick(s.Rand(), remove)
		args.SetInt(0, w.id(s.Rand()))
		_, err := s.Exec(h, args)
		return err
	}
}
