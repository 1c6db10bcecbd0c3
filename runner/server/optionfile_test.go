package server

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"syscall"
	"testing"
	"time"
)

func writeFile(t *testing.T, path, text string) string {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestParseOptionLine(t *testing.T) {
	for _, row := range []struct {
		line string
		want Option
	}{
		{"user=me", Option{Name: "user", Value: "me"}},
		{"user = me \t", Option{Name: "user", Value: "me"}}, // blanks around both
		// A switch.
		{"skip-name-resolve", Option{Name: "skip-name-resolve", NoValue: true}},
		{"sql_mode=", Option{Name: "sql_mode"}},                            // set to nothing
		{"password=p#q", Option{Name: "password", Value: "p"}},             // a comment in the line
		{`password="p#q"`, Option{Name: "password", Value: "p#q"}},         // quoted, so no comment
		{`password='a b' # why`, Option{Name: "password", Value: "a b"}},   // comment after quotes
		{`password=p;q`, Option{Name: "password", Value: "p;q"}},           // ; only starts lines
		{`password=a=b`, Option{Name: "password", Value: "a=b"}},           // first = counts
		{`password="a b'\"\\"`, Option{Name: "password", Value: `a b'"\`}}, // escapes in quotes
		// \s and \n, unknown \P stays.
		{`basedir="C:\Program\sFiles\new"`, Option{Name: "basedir", Value: "C:\\Program Files\n" + "ew"}},
		// UTF-8.
		{"password=p\u00e4ss", Option{Name: "password", Value: "p\u00e4ss"}},
		{`password="half`, Option{Name: "password", Value: `"half`}}, // one quote is a character
	} {
		if got := parseOptionLine(row.line); got != row.want {
			t.Errorf("%s: got %+v, want %+v", row.line, got, row.want)
		}
	}
}

func TestReadOptionFile(t *testing.T) {
	dir := t.TempDir()
	path := writeFile(t, filepath.Join(dir, "my.cnf"), "# comment\n; comment\n\n[client]\nuser=a\n!includedir conf.d\n[mysweep]\nuser=c\n[mysqld]\nport=1\n!include more.cnf\n")
	writeFile(t, filepath.Join(dir, "conf.d/a.cnf"), "[client]\nuser=b\n[other]\nx=1\n")
	writeFile(t, filepath.Join(dir, "conf.d/ignored.txt"), "this is no option file\n")
	writeFile(t, filepath.Join(dir, "more.cnf"), "[mysqld]\nport=2\n")
	file, err := ReadOptionFile(path)
	if err != nil {
		t.Fatal(err)
	}
	want := []Option{{Name: "user", Value: "a"}, {Name: "user", Value: "b"}, {Name: "user", Value: "c"}}
	if got := file.Options("client", "mysweep"); !reflect.DeepEqual(got, want) {
		t.Errorf("client, mysweep: %+v", got)
	}
	if got := file.Options("mysqld"); len(got) != 2 || got[1].Value != "2" {
		t.Errorf("mysqld: %+v", got)
	}
}

func TestReadOptionFileFaults(t *testing.T) {
	for _, row := range []struct{ text, want string }{
		{"user=me\n", `line 1: option "user" before the first [group]`},
		{"password=secret\n", `"password" before`}, // and not the value
		{"[client\n", "missing ]"},
		{"[client]\n!includ /x\n", "line 2: invalid directive !includ"},
		{"[client]\n!includedir missing.d\n", "line 2: open"},
		{"!include my.cnf\n", "include each other"}, // itself
	} {
		_, err := ReadOptionFile(writeFile(t, filepath.Join(t.TempDir(), "my.cnf"), row.text))
		if err == nil || !strings.Contains(err.Error(), row.want) || strings.Contains(err.Error(), "secret") {
			t.Errorf("%q: got %v, want %q", row.text, err, row.want)
		}
	}
}

// A world-writable file could send the password anywhere: one that the user did not name
// is ignored, one that was named is refused, and so is what either includes.
func TestUntrustedOptionFiles(t *testing.T) {
	dir := t.TempDir()
	open := writeFile(t, filepath.Join(dir, "open.cnf"), "[client]\nhost=evil\n")
	if err := os.Chmod(open, 0o666); err != nil {
		t.Fatal(err)
	}
	including := writeFile(t, filepath.Join(dir, "including.cnf"), "[client]\nuser=me\n!include open.cnf\n")
	fifo := filepath.Join(dir, "fifo.cnf")
	if err := syscall.Mkfifo(fifo, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, row := range []struct {
		path, ignored, refused string // "" for neither
		options                int
	}{
		{open, "world-writable", "world-writable", 0},
		{including, "open.cnf is ignored", "open.cnf is world-writable", 1},
		{fifo, "not a regular file", "", 0},
		{filepath.Join(dir, "missing.cnf"), "", "no such file", 0},
	} {
		file, err := ReadImplicitOptionFile(row.path)
		if err != nil || len(file.Options("client")) != row.options || row.ignored != "" && (len(file.Notes) != 1 || !strings.Contains(file.Notes[0].Text, row.ignored)) {
			t.Errorf("%s: got %+v, %v, want the note %q", row.path, file, err, row.ignored)
		}
		if row.refused == "" {
			continue // reading it would wait for its writer
		}
		if _, err := ReadOptionFile(row.path); err == nil || !strings.Contains(err.Error(), row.refused) {
			t.Errorf("named %s: got %v, want %q", row.path, err, row.refused)
		}
	}
}

// my_print_defaults is the server's own reader: what it prints is right.
func TestReadOptionFileAsTheServer(t *testing.T) {
	printer, err := exec.LookPath("my_print_defaults")
	if err != nil {
		t.Skip("my_print_defaults is not installed")
	}
	var text strings.Builder
	text.WriteString("[mysqld]\n")
	for _, value := range awkwardValues {
		text.WriteString(Option{Name: "init_connect", Value: value}.String() + "\n")
	}
	for _, line := range []string{"a = b # c", `a="b # c" # d`, `a='b'`, `a=b\sc`, `a = "it's"`, "a", "a=", "a=x;y", `a=x\#y`} {
		text.WriteString(line + "\n")
	}
	path := writeFile(t, filepath.Join(t.TempDir(), "my.cnf"), text.String())
	out, err := exec.Command(printer, "--defaults-file="+path, "mysqld").Output()
	if err != nil {
		t.Fatal(err)
	}
	file, err := ReadOptionFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var got strings.Builder
	for _, option := range file.Options("mysqld") {
		got.WriteString("--" + option.Name)
		if !option.NoValue {
			got.WriteString("=" + option.Value)
		}
		got.WriteString("\n")
	}
	if got.String() != string(out) {
		t.Errorf("ours:\n%s\nthe server's:\n%s\nfile:\n%s", got.String(), out, text.String())
	}
}

// awkwardValues are what a value may hold without being changed on its way.
var awkwardValues = []string{
	"plain", "", "a b", "a#b", "#a", "a;b", ";a", `it's`, `say "x"`, `back\slash`, `\n`, "tab\there", " padded ",
	`"quoted"`, `'quoted'`, "p\u00e4ss", "a=b", "%41", "SET @a='x', @b=\"y\"",
}

func TestQuoteOptionValue(t *testing.T) {
	for _, value := range append(awkwardValues, "line\nbreak", "cr\rhere") {
		line := Option{Name: "x", Value: value}.String()
		if got := parseOptionLine(line); got.Value != value {
			t.Errorf("%q was written as %s and read as %q", value, line, got.Value)
		}
	}
}

func TestOptionSame(t *testing.T) {
	for _, row := range []struct {
		option, name string
		want         bool
	}{
		{"max-connections", "max_connections", true},
		{"Loose-Max_Connections", "max_connections", true},
		{"skip-networking", "networking", true},
		{"bind-address", "bind_address", true},
		{"innodb_log_file_size", "innodb_log_file", false},
		{"skip-name-resolve", "name_resolve", true},
		{"port", "report_port", false},
	} {
		if got := (Option{Name: row.option}).same(row.name); got != row.want {
			t.Errorf("%s and %s: %v", row.option, row.name, got)
		}
	}
}

// A named option file may be a pipe: it is read if somebody writes to it, and
// refused, not waited for, if nobody does.
func TestOptionFilePipe(t *testing.T) {
	silent := filepath.Join(t.TempDir(), "silent.cnf")
	if err := syscall.Mkfifo(silent, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := ReadOptionFile(silent); err == nil || !strings.Contains(err.Error(), "no data from this pipe") {
		t.Errorf("a pipe without a writer: %v", err)
	}
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	go func() {
		time.Sleep(50 * time.Millisecond)
		fmt.Fprint(w, "[client]\nuser=piped\n")
		w.Close()
	}()
	file, err := ReadOptionFile(fmt.Sprintf("/dev/fd/%d", r.Fd()))
	if err != nil || len(file.Options("client")) != 1 {
		t.Errorf("a pipe with a writer: %v", err)
	}
}
