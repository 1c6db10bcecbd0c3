package command_test

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"os"
	"path/filepath"
	"testing"
	"unicode/utf16"
)

// badFiles writes what the rows of TestBadInput name into the working directory.
func badFiles(t *testing.T) {
	t.Helper()
	files := map[string][]byte{
		"a-file": []byte("a\n"), "full/letter.txt": []byte("a\n"), "folder/x": nil, "empty.txt": nil, "world.txt": []byte("secret\n"),
		"newer/run.json": []byte(`{"schema_version": 999, "mysweep_version": "9.0"}`), "brokenrun/run.json": []byte(`{"schema_`),
		"bad.cnf": []byte("[client\nuser=x\n"), "loop.cnf": []byte("[client]\n!include loop.cnf\n"), "binary.cnf": {0, 1, 2, 0xff, '\n', '=', 0},
		"empty.yaml": nil, "list.yaml": []byte("- a\n- b\n"), "tab.yaml": []byte("threads:\n\t1\n"), "key.yaml": []byte("thread: 3\n"),
		"value.yaml": []byte("threads: [1, two]\n"), "twice.yaml": []byte("threads: 1\nthreads: 2\n"), "anchor.yaml": []byte("threads: *nothing\n"),
		"utf16.yaml": wide("threads: 1\n"), "binary.yaml": {0, 1, 2, 0xff, 0xfe, 0},
		"cases.yaml":      []byte("cases:\n  - name: a\n  - name: a\n"),
		"caseoption.yaml": []byte("cases:\n  - name: a\n    colour: red\n"),
		"nocommands.yaml": []byte("cases:\n  - name: a\n    wrap: nice\n"),
		"deep.yaml":       append(bytes.Repeat([]byte("["), 100_000), '\n'),
		"empty.sql":       nil, "comment.sql": []byte("-- nothing\n/* at all */\n"), "utf16.sql": wide("SELECT 1;\n"), "gzip.sql": zipped(t, "SELECT 1;\n"),
		"binary.sql": {0, 1, 2, 0xff, ';', 0}, "unclosed.sql": []byte("SELECT 'a;\n"), "setbad.sql": []byte("\\set x nothing(\nSELECT 1;\n"), "a.sql": []byte("SELECT 1;\n"),
		"empty.smack": nil, "bad.smack": []byte("client \"a\" {\n"), "unknown.smack": []byte("colour red\n"), "utf16.smack": wide("client \"a\" { }\n"),
		"unclosed.smack": []byte("query \"a\nb"), "empty.lua": nil, "syntax.lua": []byte("function event(\n"),
	}
	for name, text := range files {
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chmod("world.txt", 0o666); err != nil {
		t.Fatal(err)
	}
}

// wide is UTF-16 as editors of Windows write it.
func wide(text string) []byte {
	raw := []byte{0xff, 0xfe}
	for _, unit := range utf16.Encode([]rune(text)) {
		raw = binary.LittleEndian.AppendUint16(raw, unit)
	}
	return raw
}

func zipped(t *testing.T, text string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := z.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}
