package workload

var updateSelect = Spec{
	Name:    "update-select",
	Summary: "super-smack's update-select: one select and one update by user name per round",
	Family:  "super-smack",
	Options: httpAuthOptions,
	Sweep:   Sweep{Queries: "10:100:10"},
	New: func(v Values) (Workload, error) {
		table, err := newHTTPAuth(v)
		return &updateByKey{table}, err
	},
}

// updateByKey is update-select.smack: query_barrel "1 select_by_username
// 1 update_by_username".
type updateByKey struct{ httpAuth }

func (w *updateByKey) Thread(s Session) (Round, error) {
	sel := s.Declare(selectByUsername)
	upd := s.Declare(Statement{Type: "update_index", Kind: Write, SQL: "update http_auth set pass=? where username=?"})
	one, two := make(Args, 1), make(Args, 2)
	return func() error {
		one.SetText(0, w.key(s.Rand()))
		if _, err := s.Query(sel, one); err != nil {
			return err
		}
		two.SetText(0, w.key(s.Rand())) // the original sets pass to a word of its dictionary
		two.SetText(1, w.key(s.Rand()))
		_, err := s.Exec(upd, two)
		return err
	}, nil
}
