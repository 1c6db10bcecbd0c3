package smack

import (
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/mysweep/mysweep/runner/workload/syntax"
)

// faults changes a right file in one place and says what must be told.
var faults = []struct{ old, new, want string }{
	{`client "admin"`, `clinet "admin"`, "f:2:1: unknown section clinet, did you mean client?"},
	{`user "root"`, `usr "root"`, "f:4:2: a client has no key usr, did you mean user?"},
	{`type "rand"`, `colour "rand"`, "f:27:3: a dictionary has no key colour: expected delim, file_size_equiv, source, source_type or type"},
	{`user "root";`, `user "root"`, `f:5:2: expected ";" after the value of user, found host`},
	{`user "root";`, `user root;`, `f:4:7: expected a text in double quotes as the value of user, found root`},
	{`delim ",";`, `delim ","; delim ";";`, "f:30:14: delim is set already, at line 30"},
	{`dictionary "word"`, `dictionary "wrod"`, `f:36:52: query select_by_username: there is no dictionary word, did you mean wrod?`},
	{`query "select_by_username"`, `query "select_by_user"`, `f:49:18: there is no query select_by_username, did you mean select_by_user?`},
	{`"2 select_by_username"`, `"two select_by_username"`, "f:49:16: expected how often a query runs in the barrel of client smacker1, found two"},
	{`"2 select_by_username"`, `"2 select_by_username -x"`, "f:49:37: -x is no sleep in seconds"},
	{`"2 select_by_username"`, `"2"`, "f:49:17: expected the name of a query after 2"},
	{`"2 select_by_username"`, `""`, "the barrel of client smacker1 is empty"},
	{`smacker1.init();`, `smacker2.init();`, "f:54:3: there is no client smacker2, did you mean smacker1?"},
	{`smacker1.init();`, ``, "main calls init() of no client"},
	{`.connect()`, `.conect()`, "f:57:12: unknown method conect, did you mean connect?"},
	{`smacker1.set_num_rounds($2);`, ``, "client smacker1 has no number of rounds"},
	{`set_num_rounds($2)`, `set_num_rounds()`, "f:55:12: set_num_rounds takes 1 arguments, here are 0"},
	{`set_num_rounds($2)`, `set_num_rounds($3)`, "f:55:27: there is no argument $3"},
	{`set_num_rounds($2)`, `set_num_rounds($n)`, "f:55:27: variable $n has no value yet"},
	{`set_num_rounds($2)`, `set_num_rounds("many")`, `set_num_rounds: "many" is no number of rounds`},
	{`smacker1.unload_query_barrel();`, ``, "client smacker1 never unloads its barrel"},
	{`create_threads($1)`, `create_threads($1`, `f:56:29: expected "," between arguments, found ";"`},
	{`smacker1.disconnect();`, `smacker1.print(smacker1::avg_conect_time);`, "f:60:28: unknown figure avg_conect_time, did you mean avg_connect_time?"},
	{`smacker1.disconnect();`, `smacker1.query("x" . $1);`, "$1 is known to the threads only"},
	{`create "create table http_auth`, `create "create table httpauth`, "create of table http_auth creates table httpauth"},
	{`create "create table http_auth`, `create "drop table http_auth`, "create of table http_auth is not a CREATE TABLE statement"},
	{`min_rows "90000"`, `min_rows "many"`, `f:20:12: invalid min_rows "many": expected a number of rows`},
	{`min_rows "90000"`, `alter "alter table other add index (uid)"; min_rows "90000"`, "f:20:9: alter of table http_auth changes table other"},
	{`min_rows "90000"`, `alter "drop table http_auth"; min_rows "90000"`, "f:20:9: alter of table http_auth is not an ALTER TABLE statement"},
	{`gen-data -n 90000 -f`, `perl gen.pl -f`, `f:22:17: gen_data_file of table http_auth: command "perl" is not gen-data, and no other command is run`},
	{`%12-12s%n`, `%12-2s%n`, "invalid width: 12 is more than 2"},
	{`gen_data_file "gen-data -n 90000 -f %12-12s%n,%25-25s,%n,%d";`, ``, "data_file of table http_auth is neither there"},
	{`source "words.dat"`, `source "word.dat"`, "source of dictionary word is neither there"},
	{`type "rand"`, `type "random"`, `f:27:8: unknown type random of dictionary word, did you mean rand?`},
	{`source_type "file"`, `source_type "template"`, "source_type template is for dictionaries of type unique"},
	{`source_type "file"`, `source_type "flie"`, "unknown source_type flie of dictionary word, did you mean file?"},
	{`client "admin";`, `client "amdin";`, "there is no client amdin, did you mean admin?"},
	{"main\n", "main2\n", "unknown section main2, did you mean main?"},
	{`disconnect();`, "disconnect();\n }\n x", "f:62:2: expected the end of the file after main, found x"},
	{`db "test";`, `db "test;`, ""},
	{`smacker1.disconnect();`, `smacker1.disconnect(); @`, "f:60:26: unexpected character '@'"},
}

func TestFaults(t *testing.T) {
	data, err := os.ReadFile("testdata/select-key.smack")
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range faults {
		source := strings.Replace(string(data), test.old, test.new, 1)
		if source == string(data) {
			t.Errorf("%q is not in the file", test.old)
			continue
		}
		err := check("f", source)
		var fault *syntax.Error
		switch {
		case err == nil:
			t.Errorf("%q for %q is accepted", test.new, test.old)
		case !strings.Contains(err.Error(), test.want):
			t.Errorf("%q for %q: got\n  %v, want\n  %s", test.new, test.old, err, test.want)
		case !errors.As(err, &fault) || fault.Line < 1 || fault.Column < 1:
			t.Errorf("%v has no place", err)
		}
	}
}

func check(path, source string) error {
	file, err := Parse(path, source)
	if err != nil {
		return err
	}
	_, err = compile(file, false)
	return err
}

func TestUnclosed(t *testing.T) {
	for source, want := range map[string]string{
		"":                       "f:1:1: expected a section",
		"client \"a":             "f:1:8: missing closing quote",
		"client \"a\" {":         `f:1:13: expected a key of this client or "}", found the end of the file`,
		"// nothing\n":           "f:2:1: expected a section",
		"client \"é\" { é":       "f:1:14: unexpected character 'é'",
		"client \"a\" {} main {": `expected a call such as client.method()`,
	} {
		if err := check("f", source); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v, want %s", source, err, want)
		}
	}
}

// Whatever a file holds, it is read or refused with a place; nothing else.
func FuzzParse(f *testing.F) {
	for _, name := range []string{"select-key", "update-select", "everything"} {
		data, err := os.ReadFile("testdata/" + name + ".smack")
		if err != nil {
			f.Fatal(err)
		}
		f.Add(strings.ReplaceAll(string(data), "90000", "50"))
	}
	for _, test := range faults {
		f.Add(test.new)
	}
	f.Fuzz(func(t *testing.T, source string) {
		if strings.Contains(source, "gen-data") && !strings.Contains(source, "-n 50") {
			return // right, but may be slow
		}
		err := check("f", source)
		var fault *syntax.Error
		if err != nil && (!errors.As(err, &fault) || fault.Line < 1 || fault.Column < 1 || fault.Message == "") {
			t.Errorf("%q: %v", source, err)
		}
	})
}
