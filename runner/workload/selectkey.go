package workload

var selectKey = Spec{
	Name:    "select-key",
	Summary: "super-smack's select-key: select by user name, twice per round",
	Family:  "super-smack",
	Options: httpAuthOptions,
	Sweep:   Sweep{Queries: "10:100:10"},
	New: func(v Values) (Workload, error) {
		table, err := newHTTPAuth(v)
		return &selectByKey{table}, err
	},
}

// selectByKey is select-key.smack: query_barrel "2 select_by_username".
type selectByKey struct{ httpAuth }

func (w *selectByKey) Thread(s Session) (Round, error) {
	sel := s.Declare(selectByUsername)
	args := make(Args, 1)
	return func() error {
		for range 2 {
			args.SetText(0, w.key(s.Rand()))
			if _, err := s.Query(sel, args); err != nil {
				return err
			}
		}
		return nil
	}, nil
}
