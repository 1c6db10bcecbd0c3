package lua

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// write writes files into a new folder and returns the first one's path.
func write(t *testing.T, files ...string) string {
	t.Helper()
	folder := t.TempDir()
	for i := 0; i < len(files); i += 2 {
		if err := os.WriteFile(filepath.Join(folder, files[i]), []byte(files[i+1]), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return filepath.Join(folder, files[0])
}

// prints runs a main chunk and returns what it printed.
func prints(t *testing.T, source string) string {
	t.Helper()
	s, err := Open(write(t, "script.lua", source), Script{})
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	in, err := s.loaded(environment{command: "run", thread: 0, threads: 1, print: func(text string) { out.WriteString(text) }})
	if err != nil {
		t.Fatal(err)
	}
	in.close()
	return out.String()
}

func TestFormat(t *testing.T) {
	tests := []struct{ call, want string }{
		{`string.format("sbtest%u", 3)`, "sbtest3"},
		{`string.format("%d|%5d|%-5d|%05d", 42, 42, 42, 42)`, "42|   42|42   |00042"},
		{`string.format("%d", 3.9)`, "3"},
		{`string.format("%f %.2f", 0.5, 2/3)`, "0.500000 0.67"},
		{`string.format("%g %g", 0.1, 1e20)`, "0.1 1e+20"},
		{`string.format("%s %s %s", nil, true, {} ~= nil)`, "nil true true"},
		{`string.format("%5s|%-5s|%.2s", "ab", "ab", "abc")`, "   ab|ab   |ab"},
		{`string.format("%x %X %o %c %%", 255, 255, 8, 65)`, "ff FF 10 A %"},
		{`string.format("%q", 'a"b')`, `"a\"b"`},
		{`("%d"):format(7)`, "7"},
		{`string.format("%d", 9007199254740992)`, "9007199254740992"},
	}
	for _, test := range tests {
		if got := strings.TrimSuffix(prints(t, "print("+test.call+")"), "\n"); got != test.want {
			t.Errorf("%s = %q, want %q", test.call, got, test.want)
		}
	}
}

func TestBit(t *testing.T) {
	tests := []struct{ call, want string }{
		{"bit.bor(5, 2)", "7"},
		{"bit.band(0xff, 0x0f, 6)", "6"},
		{"bit.bxor(1, 3)", "2"},
		{"bit.bnot(0)", "-1"},
		{"bit.lshift(1, 31)", "-2147483648"},
		{"bit.rshift(-1, 28)", "15"},
		{"bit.arshift(-16, 2)", "-4"},
		{"bit.rol(0x12345678, 12)", "1164411171"},
		{"bit.tohex(255)", "000000ff"},
		{"bit.tohex(255, -2)", "FF"},
		{"bit.tobit(0xffffffff)", "-1"},
		{"bit.bswap(0x12345678)", "2018915346"},
	}
	for _, test := range tests {
		if got := strings.TrimSuffix(prints(t, "print("+test.call+")"), "\n"); got != test.want {
			t.Errorf("%s = %s, want %s", test.call, got, test.want)
		}
	}
}

// TestRand: each of sysbench.rand's functions keeps to its interval.
func TestRand(t *testing.T) {
	out := prints(t, `
for _, name in ipairs({"default", "uniform", "gaussian", "special", "pareto", "zipfian"}) do
  for i = 1, 1000 do
    local n = sysbench.rand[name](10, 19)
    if n < 10 or n > 19 or n ~= math.floor(n) then print(name, n) end
  end
end
local seen = {}
for i = 1, 1000 do
  local n = sysbench.rand.unique(1, 1000)
  if n < 1 or n > 1000 or seen[n] then print("unique", n) end
  seen[n] = true
end
if not sysbench.rand.string("abc-###-@@@-xyz"):match("^abc%-%d%d%d%-%l%l%l%-xyz$") then print("string") end
local s = sysbench.rand.varstring(1, 23)
if #s < 1 or #s > 23 then print("varstring", s) end
if sysbench.rand.uniform_double() >= 1 then print("double") end
`)
	if out != "" {
		t.Errorf("printed:\n%s", out)
	}
}

// TestHistogram is the example of sysbench's own test.
func TestHistogram(t *testing.T) {
	out := prints(t, `
h = sysbench.histogram.new(1000, 1, 10)
for _, v in ipairs({1, 2, 0, 10, 100, 5.001}) do h:update(v) end
h:print()`)
	want := `       value  ------------- distribution ------------- count
       1.000 |**************************************** 2
       2.001 |********************                     1
       4.997 |********************                     1
      10.000 |**************************************** 2
`
	if out != want {
		t.Errorf("got\n%s\nwant\n%s", out, want)
	}
}

func TestOptions(t *testing.T) {
	source := `
sysbench.cmdline.options = {
  table_size = {"Number of rows", 10000},
  skip_trx = {"No transactions", false},
  engine = {"Engine", "innodb"},
  variant = {"Nothing by default"},
  list = {"Words", {"a", "b"}},
}
function event() end
function help() end
sysbench.cmdline.commands = {warm = {function() end, sysbench.cmdline.PARALLEL_COMMAND}}`
	path := write(t, "script.lua", source)
	set, err := ParseArguments([]string{"--table-size=5K", "--skip_trx", "--list=x,y,z"})
	if err != nil {
		t.Fatal(err)
	}
	s, err := Open(path, Script{Set: set})
	if err != nil {
		t.Fatal(err)
	}
	in, err := s.loaded(environment{command: "run", thread: 0, threads: 4})
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	in.print = func(text string) { out.WriteString(text) }
	proto, _ := compile(`local o = sysbench.opt
print(o.table_size + 1, o.skip_trx, o.engine, o.variant, #o.list, table_size, o.threads)`, "look")
	if err := in.run(proto); err != nil {
		t.Fatal(err)
	}
	if got, want := out.String(), "5121\ttrue\tinnodb\tnil\t3\t5120\t4\n"; got != want {
		t.Errorf("printed %q, want %q", got, want)
	}
	if len(s.Options()) != 5 || len(s.Commands()) != 2 {
		t.Errorf("options %v, commands %v", s.Options(), s.Commands())
	}
	if _, err := Open(path, Script{Set: map[string]string{"tabel_size": "1"}}); err == nil || !strings.Contains(err.Error(), "unknown option --tabel_size") {
		t.Errorf("a misspelt option gives %v", err)
	}
	if _, err := ParseArguments([]string{"--threads=4"}); err == nil || !strings.Contains(err.Error(), "mysweep's own --threads") {
		t.Errorf("--threads of sysbench gives %v", err)
	}
}

// TestSandbox: what reaches out of the script's folder fails and names the way
// out.
func TestSandbox(t *testing.T) {
	for _, call := range []string{`os.execute("true")`, `io.popen("true")`, `os.remove("x")`, `io.open("x", "w")`, `io.open("/etc/passwd")`,
		`package.loadlib("x", "y")`, `os.rename("a", "b")`} {
		out := prints(t, `
local ok, a, b = pcall(function() return `+call+` end)
print(ok and b or a)`)
		if !strings.Contains(out, "--allow-commands") {
			t.Errorf("%s says %q", call, out)
		}
	}
	path := write(t, "main.lua", `local m = require("part"); print(m.n); for line in io.lines("words.txt") do print(line) end`,
		"part.lua", `return {n = 7}`, "words.txt", "one\ntwo\n")
	s, err := Open(path, Script{})
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	if _, err := s.loaded(environment{command: "run", print: func(text string) { out.WriteString(text) }}); err != nil || out.String() != "7\none\ntwo\n" {
		t.Errorf("printed %q: %v", out.String(), err)
	}
}

func TestSyntaxErrors(t *testing.T) {
	_, err := Open(write(t, "bad.lua", "x = 1\nfor do\n"), Script{})
	if err == nil || !strings.Contains(err.Error(), "bad.lua:2:") {
		t.Errorf("got %v, want a message with file and line", err)
	}
	_, err = Open(write(t, "bad.lua", "\nnosuch.field = 1\n"), Script{})
	if err == nil || !strings.Contains(err.Error(), "bad.lua:2:") {
		t.Errorf("got %v, want a message with file and line", err)
	}
}
