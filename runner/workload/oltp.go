package workload

import "slices"

// oltpOptions are those of sysbench 1.x's oltp_common. There, every oltp_*
// script takes all of them; here a workload has those that it obeys. The
// --mysql-storage-engine and --reconnect of sysbench are --storage-engine and
// --reconnect of every workload.
var oltpOptions = append([]Option{
	{Name: "tables", Usage: "number of tables", Default: "1", Form: "int", Most: 100_000},
	{Name: "range-size", Usage: "rows of a range SELECT", Default: "100", Form: "int"},
	{Name: "point-selects", Usage: "point SELECTs per transaction", Default: "10", Form: "int"},
	{Name: "simple-ranges", Usage: "simple range SELECTs per transaction", Default: "1", Form: "int"},
	{Name: "sum-ranges", Usage: "SELECT SUM() queries per transaction", Default: "1", Form: "int"},
	{Name: "order-ranges", Usage: "SELECT ORDER BY queries per transaction", Default: "1", Form: "int"},
	{Name: "distinct-ranges", Usage: "SELECT DISTINCT queries per transaction", Default: "1", Form: "int"},
	{Name: "index-updates", Usage: "updates of the indexed column k per transaction", Default: "1", Form: "int"},
	{Name: "non-index-updates", Usage: "updates of the column c per transaction", Default: "1", Form: "int"},
	{Name: "delete-inserts", Usage: "pairs of DELETE and INSERT a transaction", Default: "1", Form: "int"},
	{Name: "range-selects", Usage: "range SELECTs at all", Default: "true", Form: "bool"},
	{Name: "skip-trx", Usage: "no BEGIN and COMMIT: every statement commits itself", Default: "false", Form: "bool"},
}, sbtestOptions...)

// The options that parts of a round obey.
var (
	rangeOptions = []string{"range-selects", "range-size", "simple-ranges", "sum-ranges", "order-ranges", "distinct-ranges"}
	readOptions  = append([]string{"point-selects"}, rangeOptions...)
	writeOptions = []string{"index-updates", "non-index-updates", "delete-inserts"}
)

// oltpOptionsOf are the named ones of oltpOptions, and those of the tables.
func oltpOptionsOf(lists ...[]string) []Option {
	names := slices.Concat(append(lists, []string{"tables"})...)
	return slices.DeleteFunc(slices.Clone(oltpOptions), func(o Option) bool {
		ofTables := slices.ContainsFunc(sbtestOptions, func(t Option) bool { return t.Name == o.Name })
		return !ofTables && !slices.Contains(names, o.Name)
	})
}

// sysbench 1.x's oltp_* workloads whose rounds are made of the parts in
// oltpparts.go; oltp_insert and oltp_delete have files of their own.
var (
	oltpPointSelect = oltpSpec("oltp_point_select", "sysbench's oltp_point_select: one SELECT by id per round", oltpOptionsOf(),
		func(w *oltp, s Session) Round {
			w.pointSelects = 1 // sysbench ignores --point-selects here
			return w.points(s)
		})

	oltpReadOnly = oltpSpec("oltp_read_only", "sysbench's oltp_read_only: 10 point and 4 range SELECTs in a transaction", oltpOptionsOf(readOptions, []string{"skip-trx"}),
		func(w *oltp, s Session) Round { return w.transaction(s, w.points(s), w.ranges(s)) })

	oltpReadWrite = oltpSpec("oltp_read_write", "sysbench's oltp_read_write: 14 SELECTs, 2 UPDATEs, DELETE and INSERT in a transaction", oltpOptions,
		func(w *oltp, s Session) Round {
			return w.transaction(s, w.points(s), w.ranges(s), w.updateIndex(s), w.updateNonIndex(s), w.deleteInsert(s))
		})

	oltpWriteOnly = oltpSpec("oltp_write_only", "sysbench's oltp_write_only: 2 UPDATEs, DELETE and INSERT in a transaction", oltpOptionsOf(writeOptions, []string{"skip-trx"}),
		func(w *oltp, s Session) Round {
			return w.transaction(s, w.updateIndex(s), w.updateNonIndex(s), w.deleteInsert(s))
		})

	oltpUpdateIndex = oltpSpec("oltp_update_index", "sysbench's oltp_update_index: one UPDATE of an indexed column per round", oltpOptionsOf([]string{"index-updates"}),
		func(w *oltp, s Session) Round { return w.updateIndex(s) })

	oltpUpdateNonIndex = oltpSpec("oltp_update_non_index", "sysbench's oltp_update_non_index: one UPDATE of an unindexed column per round", oltpOptionsOf([]string{"non-index-updates"}),
		func(w *oltp, s Session) Round { return w.updateNonIndex(s) })
)

// oltp is one of sysbench 1.x's oltp_* workloads.
type oltp struct {
	sbtest
	rangeSize     int64
	pointSelects  int64
	simpleRanges  int64
	sumRanges     int64
	orderRanges   int64
	distinctRange int64
	indexUpdates  int64
	otherUpdates  int64
	deleteInserts int64
	rangeSelects  bool
	skipTrx       bool
	round         func(*oltp, Session) Round
}

// Thread makes the round of one thread.
func (w *oltp) Thread(s Session) (Round, error) { return w.round(w, s), nil }

// oltpSpec describes a workload whose round is made by round.
func oltpSpec(name, summary string, options []Option, round func(*oltp, Session) Round) Spec {
	return Spec{
		Name:    name,
		Summary: summary,
		Family:  "sysbench",
		Options: options,
		Sweep:   Sweep{Time: "10s"},
		New: func(v Values) (Workload, error) {
			w, err := newOltp(v)
			w.round = round
			return w, err
		},
	}
}

func newOltp(v Values) (*oltp, error) {
	v.options = oltpOptions // those that the workload does not have are at their defaults
	tables, err := newSbtest(v, v.Int("tables"))
	w := &oltp{
		sbtest:        tables,
		rangeSize:     v.Int("range-size"),
		pointSelects:  v.Int("point-selects"),
		simpleRanges:  v.Int("simple-ranges"),
		sumRanges:     v.Int("sum-ranges"),
		orderRanges:   v.Int("order-ranges"),
		distinctRange: v.Int("distinct-ranges"),
		indexUpdates:  v.Int("index-updates"),
		otherUpdates:  v.Int("non-index-updates"),
		deleteInserts: v.Int("delete-inserts"),
		rangeSelects:  v.Bool("range-selects"),
		skipTrx:       v.Bool("skip-trx"),
	}
	if err != nil {
		return w, err
	}
	if err := atLeast(v, 1, "tables", "range-size"); err != nil {
		return w, err
	}
	return w, atLeast(v, 0, "point-selects", "simple-ranges", "sum-ranges", "order-ranges", "distinct-ranges",
		"index-updates", "non-index-updates", "delete-inserts")
}

// transaction is BEGIN, the parts in order, COMMIT; with skip-trx the parts alone.
func (w *oltp) transaction(s Session, parts ...Round) Round {
	all := inOrder(parts)
	if w.skipTrx {
		return all
	}
	return inOrder([]Round{s.Begin, all, s.Commit})
}

func inOrder(parts []Round) Round {
	parts = slices.DeleteFunc(parts, func(p Round) bool { return p == nil })
	if len(parts) == 1 {
		return parts[0]
	}
	return func() error {
		for _, part := range parts {
			if err := part(); err != nil {
				return err
			}
		}
		return nil
	}
}
