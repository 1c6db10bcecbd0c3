package sqlfile

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/mysweep/mysweep/runner/plan"
	"github.com/mysweep/mysweep/runner/workload"
	"github.com/mysweep/mysweep/runner/workload/syntax"
)

// recorder is a Session that writes down what a thread does.
type recorder struct {
	workload.Session // what these workloads do not call
	statements       []workload.Statement
	log              []string
	interaction      []string
	random           *rand.Rand
	refuse           string // statements that begin so fail
}

var errRefused = errors.New("refused")

func (r *recorder) note(line string) error {
	r.log = append(r.log, line)
	if r.refuse != "" && strings.HasPrefix(line, r.refuse) {
		return errRefused
	}
	return nil
}

func (r *recorder) sent(h workload.Handle, args workload.Args) string {
	text := r.statements[h].Type + ": " + r.statements[h].SQL
	for _, a := range args {
		value := any(a.Int)
		if a.Form == workload.Text {
			value = a.Text
		}
		text += fmt.Sprintf(" | %v", value)
	}
	return text
}

func (r *recorder) Declare(s workload.Statement) workload.Handle {
	r.statements = append(r.statements, s)
	return workload.Handle(len(r.statements) - 1)
}
func (r *recorder) Query(h workload.Handle, args workload.Args) (int64, error) {
	return 1, r.note("query " + r.sent(h, args))
}
func (r *recorder) Select(workload.Handle, workload.Args, func([]any) error) error { return nil }
func (r *recorder) Exec(h workload.Handle, args workload.Args) (workload.Outcome, error) {
	return workload.Outcome{}, r.note("exec " + r.sent(h, args))
}
func (r *recorder) Raw(h workload.Handle, sql string) (int64, error) {
	return 0, r.note("raw " + r.statements[h].Type + ": " + sql)
}
func (r *recorder) Begin() error              { return r.note("begin") }
func (r *recorder) Commit() error             { return r.note("commit") }
func (r *recorder) Rollback() error           { return r.note("rollback") }
func (r *recorder) Sleep(time.Duration) error { return nil }
func (r *recorder) Think(time.Duration) error { return nil }
func (r *recorder) Interaction(name string)   { r.interaction = append(r.interaction, name) }
func (r *recorder) Reconnect() error          { return nil }
func (r *recorder) AtEnd(workload.Round)      {}
func (r *recorder) Rand() *rand.Rand          { return r.random }
func (r *recorder) Thread() int               { return 0 }
func (r *recorder) Threads() int              { return 1 }

func start(t *testing.T, spec workload.Spec, err error) (workload.Workload, *recorder, workload.Round) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	w, err := spec.New(workload.Values{})
	if err != nil {
		t.Fatal(err)
	}
	r := &recorder{random: rand.New(rand.NewPCG(1, 2))}
	round, err := w.Thread(r)
	if err != nil {
		t.Fatal(err)
	}
	return w, r, round
}

func TestFile(t *testing.T) {
	spec, err := Open("testdata/shop.sql")
	w, r, round := start(t, spec, err)
	setup := w.(workload.Preparer).Setup()
	if len(setup) != 2 || !strings.HasPrefix(setup[0], "CREATE TABLE") || !strings.HasSuffix(setup[1], `(2, "a -- b", 7)`) {
		t.Errorf("setup is %q", setup)
	}
	if spec.Family != "own" {
		t.Errorf("the file is of family %s", spec.Family)
	}
	const rounds = 4000
	for range rounds {
		if err := round(); err != nil {
			t.Fatal(err)
		}
	}
	bought := strings.Count(strings.Join(r.interaction, " "), "buy")
	if len(r.interaction) != rounds || bought < rounds/10-60 || bought > rounds/10+60 {
		t.Errorf("%d of %d rounds buy, want about a tenth", bought, len(r.interaction))
	}
	look := regexp.MustCompile(`^query look_1_select: SELECT name, '12:30' AS t /\* :id is none here \*/ FROM article WHERE id = \? OR stock = \? \| [12] \| \d+$`)
	take := regexp.MustCompile(`^exec take: UPDATE article SET stock = stock - 1, name = \? WHERE id = \? \| (.*) \| ([12])$`)
	seen := regexp.MustCompile(`^raw buy_3_select: SELECT @seen:=([12]), '\?', '(.*)', '(Oslo|Rio, old|It''s)', [123], '[a-z]{5,8}', (\d+)$`)
	order := 10
	for i := 0; i < len(r.log); i++ {
		if look.MatchString(r.log[i]) {
			continue
		}
		if i+3 >= len(r.log) || r.log[i] != "begin" || r.log[i+3] != "commit" {
			t.Fatalf("call %d is %q", i, r.log[i])
		}
		one, two := take.FindStringSubmatch(r.log[i+1]), seen.FindStringSubmatch(r.log[i+2])
		if one == nil || two == nil || one[2] != two[1] || strings.ReplaceAll(one[1], "'", "''") != two[2] || two[4] != fmt.Sprint(order) {
			t.Fatalf("one round sends %q and %q, in order %d", r.log[i+1], r.log[i+2], order)
		}
		order++
		i += 3
	}
}

func TestPlan(t *testing.T) {
	spec, err := FromPlan(plan.Workload{
		Name:      "mine",
		Setup:     plan.Texts{"CREATE TABLE a (id INT); INSERT INTO a VALUES (1)"},
		Variables: map[string]string{"id": "uniform 7 7"},
		Transactions: []plan.Transaction{
			{Name: "read", Weight: 3, SQL: plan.Texts{"SELECT * FROM a WHERE id = :id"}},
			{SQL: plan.Texts{"BEGIN", "UPDATE a SET id = :id; COMMIT"}},
		},
	}, ".")
	w, r, round := start(t, spec, err)
	if setup := w.(workload.Preparer).Setup(); len(setup) != 2 {
		t.Errorf("setup is %q", setup)
	}
	for range 100 {
		if err := round(); err != nil {
			t.Fatal(err)
		}
	}
	all := strings.Join(r.log, "\n")
	for _, want := range []string{"query read_1_select: SELECT * FROM a WHERE id = ? | 7", "begin\nexec transaction_2_2_update: UPDATE a SET id = ? | 7\ncommit"} {
		if !strings.Contains(all, want) {
			t.Errorf("%q is not in\n%s", want, all)
		}
	}
}

// A round ends with the first error.
func TestFailure(t *testing.T) {
	spec, err := FromPlan(plan.Workload{Name: "mine", Transactions: []plan.Transaction{{SQL: plan.Texts{"BEGIN; DELETE FROM a; COMMIT"}}}}, ".")
	_, r, round := start(t, spec, err)
	r.refuse = "exec"
	if err := round(); !errors.Is(err, errRefused) || len(r.log) != 2 {
		t.Errorf("the round says %v after %q", err, r.log)
	}
}

func TestFaults(t *testing.T) {
	for source, want := range map[string]string{
		"":                                 "f.sql:1:1: no statement to run",
		"-- @setup\nselect 1":              "f.sql:1:1: no statement to run",
		"select 1;\n  select 'a":           "f.sql:2:10: unclosed '",
		"select /* 1":                      "f.sql:1:8: unclosed /*",
		"select 1;\nselect é, :id":         "f.sql:2:11: :id has no rule: put e.g. -- :id = uniform 1 1000 before it",
		"-- :id = uniform 1 2\nselect :ie": "f.sql:2:8: :ie has no rule, did you mean id?",
		"\n-- :id = unifrom 1 2":           `f.sql:2:1: unknown rule "unifrom", did you mean uniform?`,
		"-- :id uniform 1 2":               `invalid rule ":id uniform 1 2"`,
		"-- :id = uniform 1":               "expected two numbers",
		"-- :id = uniform 2 1":             "invalid range: 2 is more than 1",
		"-- :id = zipfian 1 2 -1":          `invalid exponent "-1"`,
		"-- :id = list":                    "the list is empty",
		"-- :id = file nowhere.txt":        "nowhere.txt: no such file",
		"-- :id = file":                    "the name of the file is missing",
		"-- :id = letters -1 5":            "letters from -1 to 5",
		"-- :a = list 1\n-- :a = list 1":   "f.sql:2:1: duplicate rule for :a",
		"-- @trans x":                      "unknown section @trans x",
		"-- @setpu":                        "unknown section @setpu, did you mean setup?",
		"-- @transaction":                  "expected a name and a weight",
		"-- @transaction a 0":              "invalid weight 0: must be above 0",
		"-- @transaction a b":              `invalid weight "b"`,
		"-- @transaction a\n-- @transaction b\nselect 1": "transaction a has no statement",
		"-- @setup\n-- :a = list 1\nselect :a":           "f.sql:3:8: :a cannot be drawn in the set-up",
	} {
		_, err := parse("f.sql", source)
		var fault *syntax.Error
		if err == nil || !strings.Contains(err.Error(), want) || !errors.As(err, &fault) {
			t.Errorf("%q: got %v, want %s", source, err, want)
		}
	}
}

func TestRules(t *testing.T) {
	folder, err := filepath.Abs("testdata")
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(3, 3))
	for rule, want := range map[string]string{
		"uniform -2 0":        "-2 -1 0",
		"zipfian 5 7":         "5 6 7",
		"sequence 8 9":        "8 9",
		"list 1, 2":           "1 2",
		"list 01, 2":          "'01' '2'", // 01 is a text: as a number it would lose its zero
		"list 'a,''b', c d ,": "'a,''b' 'c d'",
		"file words.txt":      "'O''Hare' 'anna' 'bert'",
		"letters 0 0":         "''",
		"sequence 9223372036854775806 9223372036854775807": "9223372036854775806 9223372036854775807",
	} {
		v, err := newVariable(rule, folder, syntax.Position{})
		if err != nil {
			t.Errorf("%s: %v", rule, err)
			continue
		}
		seen := map[string]bool{}
		for range 200 {
			var a workload.Arg
			v.draw(r, &a)
			seen[string(appendLiteral(nil, a))] = true
		}
		for _, value := range regexp.MustCompile(`'(?:[^']|'')*'|-?\d+`).FindAllString(want, -1) {
			if !seen[value] {
				t.Errorf("%s never gives %s", rule, value)
			}
			delete(seen, value)
		}
		if len(seen) > 0 {
			t.Errorf("%s gives %v", rule, seen)
		}
	}
}

func FuzzParse(f *testing.F) {
	data, err := os.ReadFile("testdata/shop.sql")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(string(data))
	f.Add("-- :a = sequence 1\nselect :a, '\\'', `x`; /*! set x = ? */")
	f.Fuzz(func(t *testing.T, source string) {
		_, err := parse("testdata/f.sql", source)
		var fault *syntax.Error
		if err != nil && (!errors.As(err, &fault) || fault.Line < 1 || fault.Column < 1) {
			t.Errorf("%q: %v", source, err)
		}
	})
}
