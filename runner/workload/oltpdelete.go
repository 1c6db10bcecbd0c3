package workload

// oltpDelete removes rows and inserts none, so that most DELETEs soon find no
// row (sysbench counts those as "other"): the default of 10,000 rows is used up
// within a second.
var oltpDelete = Spec{
	Name:    "oltp_delete",
	Summary: "sysbench's oltp_delete: one DELETE by id per round",
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

// Tables are sysbench's, marked as shrinking.
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
	return repeat(s, remove, 1, func(h Handle) error {
		args.SetInt(0, w.id(s.Rand()))
		_, err := s.Exec(h, args)
		return err
	})
}
