package smack

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/mysweep/mysweep/runner/plan"
	"github.com/mysweep/mysweep/runner/workload/syntax"
)

// run is the actions of main for one client.
type run struct {
	client  *Client
	threads int
	before  []step // once, before its threads are created
	each    []step // in each thread
	after   []step // once, after its threads are collected
}

// step is one action: unload the barrel for a number of rounds, sleep, or send a
// query.
type step struct {
	at     syntax.Position
	rounds int // of an unload
	sleep  time.Duration
	sql    string
	query  string // the name of a defined query (run_save_result)
}

func (r *run) rounds() int {
	sum := 0
	for _, s := range r.each {
		sum += s.rounds
	}
	return sum
}

// interpreter executes main. Figures of a run and arguments outside a cell are unknown values,
// which are an error only where they are needed.
type interpreter struct {
	file      *File
	arguments []string // $1, $2
	variables map[string]value
	runs      []*run
	rounds    map[string]int // by client
	created   map[string]bool
	collected map[string]bool
}

// value is the value of an expression, or why there is none.
type value struct {
	text    string
	unknown string
}

// interpret executes main with arguments, which are nil outside a cell.
func interpret(f *File, arguments []string) (*interpreter, error) {
	in := &interpreter{file: f, arguments: arguments, variables: map[string]value{},
		rounds: map[string]int{}, created: map[string]bool{}, collected: map[string]bool{}}
	for _, line := range f.Main {
		if err := in.line(line); err != nil {
			return nil, err
		}
	}
	if len(in.runs) == 0 {
		at := syntax.Position{File: f.Path, Line: 1, Column: 1}
		if len(f.Main) > 0 {
			at = f.Main[0].At
		}
		return nil, syntax.Errorf(at, "main calls init() of no client, so nothing would run: add e.g. client.init();")
	}
	return in, nil
}

func (in *interpreter) line(l Line) error {
	args := make([]value, len(l.Args))
	for i, e := range l.Args {
		v, err := in.value(e)
		if err != nil {
			return err
		}
		args[i] = v
	}
	if l.Variable != "" {
		in.variables[l.Variable] = args[0]
		return nil
	}
	if find(in.file.Clients, l.Client).Line == 0 {
		return syntax.Errorf(l.At, "there is no client %s%s", l.Client, hint(l.Client, names(in.file.Clients)))
	}
	r := in.running(l.Client)
	if l.Method == "init" {
		if r == nil {
			in.runs = append(in.runs, in.start(l.Client))
		}
		return nil
	}
	if r == nil {
		return nil // as in the original, a client without init() does nothing
	}
	return in.call(r, l, args)
}

func (in *interpreter) running(client string) *run {
	for _, r := range in.runs {
		if r.client.Name == client {
			return r
		}
	}
	return nil
}

func (in *interpreter) start(client string) *run {
	r := &run{threads: 1}
	for _, c := range in.file.Clients {
		if c.Name == client {
			r.client = c
		}
	}
	in.created[client] = true
	for _, l := range in.file.Main {
		if l.Client == client && l.Method == "create_threads" {
			in.created[client] = false // not yet
		}
	}
	return r
}

func (in *interpreter) call(r *run, l Line, args []value) error {
	name := r.client.Name
	var s step
	var err error
	switch l.Method {
	case "set_num_rounds":
		in.rounds[name], err = count(l, args[0], "rounds")
		return err
	case "create_threads":
		in.created[name] = true
		r.threads, err = count(l, args[0], "threads")
		if err == nil && r.threads > plan.MaxThreads {
			err = syntax.Errorf(l.At, "%d threads are more than %d", r.threads, plan.MaxThreads)
		}
		return err
	case "collect_threads":
		in.collected[name] = true
		return nil
	case "unload_query_barrel":
		return in.unload(r, l)
	case "sleep", "query", "run_save_result":
		if in.later(name, args) {
			return nil
		}
		if s, err = in.step(l, args); err != nil {
			return err
		}
	default: // connect, disconnect, run_check_result and print
		return nil
	}
	switch {
	case in.collected[name]:
		r.after = append(r.after, s)
	case in.created[name]:
		r.each = append(r.each, s)
	default:
		r.before = append(r.before, s)
	}
	return nil
}

// later reports whether a line of a client's threads needs the arguments of a
// cell that are not known yet.
func (in *interpreter) later(client string, args []value) bool {
	each := in.created[client] && !in.collected[client]
	return each && in.arguments == nil && slices.ContainsFunc(args, func(v value) bool { return v.unknown != "" })
}

func (in *interpreter) step(l Line, args []value) (step, error) {
	s := step{at: l.At}
	if l.Method == "sleep" {
		var err error
		s.sleep, err = pause(l, args)
		return s, err
	}
	text, err := args[0].known(l.MethodAt)
	if err != nil {
		return s, err
	}
	if l.Method == "query" {
		s.sql = text
		return s, nil
	}
	if s.query = text; find(in.file.Queries, text).Line == 0 {
		return s, syntax.Errorf(l.MethodAt, "there is no query %s%s", text, hint(text, names(in.file.Queries)))
	}
	return s, nil
}

func (in *interpreter) unload(r *run, l Line) error {
	name := r.client.Name
	rounds, ok := in.rounds[name]
	switch {
	case !ok:
		return syntax.Errorf(l.At, "client %s has no number of rounds: put %s.set_num_rounds($2); before this line", name, name)
	case !r.client.QueryBarrel.Set():
		return syntax.Errorf(l.At, "client %s has no query_barrel to unload", name)
	case !in.created[name]:
		return syntax.Errorf(l.At, "put %s.create_threads($1); before this line", name)
	case in.collected[name]:
		return syntax.Errorf(l.At, "the threads of client %s are collected already", name)
	}
	r.each = append(r.each, step{at: l.At, rounds: rounds})
	return nil
}

// known returns the value's text, or an error if it is unknown.
func (v value) known(at syntax.Position) (string, error) {
	if v.unknown != "" {
		return "", syntax.Errorf(at, "%s", v.unknown)
	}
	return v.text, nil
}

// count parses a number of 1 or more. An unknown one counts as 1.
func count(l Line, v value, what string) (int, error) {
	if v.unknown != "" {
		return 1, nil
	}
	n, err := strconv.Atoi(v.text)
	if err != nil || n < 1 {
		return 1, syntax.Errorf(l.At, "%s: %q is no number of %s", l.Method, v.text, what)
	}
	return n, nil
}

// pause reads the arguments of sleep: seconds and milliseconds.
func pause(l Line, args []value) (time.Duration, error) {
	var sum time.Duration
	for i, unit := range []time.Duration{time.Second, time.Millisecond} {
		text, err := args[i].known(l.MethodAt)
		if err != nil {
			return 0, err
		}
		n, err := strconv.ParseInt(text, 10, 32)
		if err != nil || n < 0 {
			return 0, syntax.Errorf(l.MethodAt, "sleep: %q is no number of seconds or milliseconds", text)
		}
		sum += time.Duration(n) * unit
	}
	return sum, nil
}

func (in *interpreter) value(e Expr) (value, error) {
	var text strings.Builder
	for _, o := range e {
		v, err := in.operand(o)
		if err != nil || v.unknown != "" {
			return v, err
		}
		text.WriteString(v.text)
	}
	return value{text: text.String()}, nil
}

func (in *interpreter) operand(o Operand) (value, error) {
	switch o.Kind {
	case Argument:
		n, err := strconv.Atoi(o.Text)
		switch {
		case err != nil || n < 1 || n > 2:
			return value{}, syntax.Errorf(o.At, "there is no argument $%s: there are $1 (threads) and $2 (queries)", o.Text)
		case n > len(in.arguments):
			return value{unknown: "$" + o.Text + " is known to the threads only: put this after create_threads and before collect_threads"}, nil
		}
		return value{text: in.arguments[n-1]}, nil
	case Variable:
		v, ok := in.variables[o.Text]
		if !ok {
			return v, syntax.Errorf(o.At, "variable $%s has no value yet", o.Text)
		}
		return v, nil
	case Figure:
		return in.figureOf(o)
	}
	return value{text: o.Text}, nil
}

func (in *interpreter) figureOf(o Operand) (value, error) {
	if find(in.file.Clients, o.Client).Line == 0 {
		return value{}, syntax.Errorf(o.At, "there is no client %s%s", o.Client, hint(o.Client, names(in.file.Clients)))
	}
	return value{unknown: o.Client + "::" + o.Figure + " is known only after the run"}, nil
}
