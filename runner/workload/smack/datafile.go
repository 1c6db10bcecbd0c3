package smack

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/mysweep/mysweep/runner/workload"
	"github.com/mysweep/mysweep/runner/workload/gendata"
	"github.com/mysweep/mysweep/runner/workload/syntax"
)

// smackData is where super-smack keeps its data files.
const smackData = "/var/smack-data"

// data is the lines of a data file, from disk or generated on demand. It is safe
// for concurrent use.
type data interface {
	lines() int64
	// line appends line i, counted from 0, without its end.
	line(b []byte, i int64) []byte
}

// size is the size of the data as a file, in bytes.
func size(d data) int64 {
	if f, ok := d.(*fileData); ok {
		return int64(len(f.text))
	}
	var n int64
	var b []byte
	for i := range d.lines() {
		b = d.line(b[:0], i)
		n += int64(len(b)) + 1
	}
	return n
}

// fileData are the lines of a file, all of it in memory.
type fileData struct {
	text   []byte
	starts []int // where each line begins, and the end of the text
}

// readData reads a data file from the folder of the .smack file, or from
// super-smack's own folder. found is false if it is in neither.
func readData(smackPath, name string) (d data, found bool, err error) {
	for _, path := range places(smackPath, name) {
		info, err := os.Stat(path)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			continue
		case err != nil:
			return nil, true, err
		case !info.Mode().IsRegular():
			return nil, true, fmt.Errorf("%s is not a regular file", path)
		}
		text, err := workload.ReadInput(path, workload.MaxData)
		return newFileData(text), true, err
	}
	return nil, false, nil
}

func places(smackPath, name string) []string {
	if filepath.IsAbs(name) {
		return []string{name}
	}
	return []string{filepath.Join(filepath.Dir(smackPath), name), filepath.Join(smackData, name)}
}

func newFileData(text []byte) *fileData {
	f := &fileData{text: text}
	for at := 0; at < len(text); {
		f.starts = append(f.starts, at)
		n := bytes.IndexByte(text[at:], '\n')
		if n < 0 {
			break
		}
		at += n + 1
	}
	f.starts = append(f.starts, len(text))
	return f
}

func (f *fileData) lines() int64 { return int64(len(f.starts) - 1) }

func (f *fileData) line(b []byte, i int64) []byte {
	line := f.text[f.starts[i]:f.starts[i+1]]
	line = bytes.TrimSuffix(line, []byte("\n"))
	return append(b, bytes.TrimSuffix(line, []byte("\r"))...)
}

// generated are the lines that gen-data would print.
type generated struct {
	rows       int64
	generators sync.Pool
}

func newGenerated(c gendata.Command) (*generated, error) {
	format, err := gendata.Parse(c.Format)
	if err != nil {
		return nil, err
	}
	g := &generated{rows: c.Rows}
	g.generators.New = func() any { return gendata.New(format, c.Seed) }
	return g, nil
}

func (g *generated) lines() int64 { return g.rows }

func (g *generated) line(b []byte, i int64) []byte {
	generator := g.generators.Get().(*gendata.Generator)
	b = generator.Append(b, i)
	g.generators.Put(generator)
	return b
}

// tableData reads or generates the data of a table. A table without data_file
// and gen_data_file has none.
func tableData(smackPath string, t *Table) (data, error) {
	if t.DataFile.Set() {
		d, found, err := readData(smackPath, t.DataFile.Text)
		if err != nil {
			return nil, syntax.Errorf(t.DataFile.At(), "data_file of table %s: %v", t.Name, err)
		}
		if found {
			return d, nil
		}
	}
	if t.GenDataFile.Set() {
		command, err := gendata.ParseCommand(t.GenDataFile.Text)
		if err != nil {
			return nil, syntax.Errorf(t.GenDataFile.At(), "gen_data_file of table %s: %v", t.Name, err)
		}
		return newGenerated(command)
	}
	if t.DataFile.Set() {
		return nil, syntax.Errorf(t.DataFile.At(), "data_file of table %s is neither there (looked at %s) nor generated: add gen_data_file",
			t.Name, strings.Join(places(smackPath, t.DataFile.Text), " and "))
	}
	return &generated{}, nil
}

// sourceData finds the data that a dictionary names: those of a table of the
// same file, or a file on disk.
func (c *compiler) sourceData(d *Dictionary) (data, error) {
	name := d.Source.Text
	for i, t := range c.file.Tables {
		if t.DataFile.Set() && t.DataFile.Text == name {
			return c.data[i], nil
		}
	}
	found, ok, err := readData(c.file.Path, name)
	switch {
	case err != nil:
		return nil, syntax.Errorf(d.Source.At(), "source of dictionary %s: %v", d.Name, err)
	case !ok:
		return nil, syntax.Errorf(d.Source.At(), "source of dictionary %s is neither there (looked at %s) nor the data_file of a table",
			d.Name, strings.Join(places(c.file.Path, name), " and "))
	case found.lines() == 0:
		return nil, syntax.Errorf(d.Source.At(), "source of dictionary %s is empty", d.Name)
	}
	return found, nil
}

// fields splits a line like LOAD DATA ... FIELDS TERMINATED BY ',', and calls
// text or null for each field.
func fields(line []byte, text func(string), null func()) {
	var field []byte
	put := func(start []byte) {
		if string(start) == `\N` {
			null()
		} else {
			text(string(field))
		}
		field = field[:0]
	}
	start := 0
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case c == ',':
			put(line[start:i])
			start = i + 1
		case c == '\\' && i+1 < len(line):
			i++
			field = append(field, unescaped(line[i]))
		default:
			field = append(field, c)
		}
	}
	put(line[start:])
}

// unescaped is the character that LOAD DATA reads for a backslash and c.
func unescaped(c byte) byte {
	switch c {
	case '0':
		return 0
	case 'b':
		return '\b'
	case 'n':
		return '\n'
	case 'r':
		return '\r'
	case 't':
		return '\t'
	case 'Z':
		return 26
	}
	return c
}
