package server

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"
	"unicode"
)

// Bounds of option files: how deep they may include each other, how many there may be in all (each
// file of ten levels could include two more), and how much is read.
const (
	maxIncludes    = 10
	maxOptionFiles = 1000
	maxOptionBytes = 16 << 20
)

// OptionFile is what option files say, in the order in which it occurs, that of included files
// where they are included.
type OptionFile struct {
	lines    []groupedOption
	implicit bool // not named by the user
	files    int  // read so far
	bytes    int64
	Notes    []Note
}

// groupedOption is an option and the group that it is in.
type groupedOption struct {
	group  string
	option Option
}

// ReadOptionFile reads a my.cnf that the user named, as MySQL does: groups,
// name=value or name alone, quotes, # and ; comments, escapes, !include and
// !includedir. A world-writable file is refused.
// Format: https://dev.mysql.com/doc/refman/8.4/en/option-files.html
func ReadOptionFile(path string) (*OptionFile, error) {
	file := &OptionFile{}
	return file, file.read(path, 0)
}

// ReadImplicitOptionFile reads a my.cnf that the user did not name, such as ~/.my.cnf. A
// missing one is empty. As the mysql client does, it ignores a world-writable
// file, and one that is not a regular file, with a note.
func ReadImplicitOptionFile(path string) (*OptionFile, error) {
	file := &OptionFile{implicit: true}
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return file, nil
	}
	return file, file.read(path, 0)
}

// Options gives the options of the groups in the order of the file, whatever the order of the
// groups: the last one of a name counts, as for MySQL's own programs. The case of a group's name
// does not matter.
func (f *OptionFile) Options(groups ...string) []Option {
	var all []Option
	for _, line := range f.lines {
		if slices.ContainsFunc(groups, func(group string) bool { return strings.EqualFold(group, line.group) }) {
			all = append(all, line.option)
		}
	}
	return all
}

func (f *OptionFile) read(path string, depth int) error {
	if depth > maxIncludes {
		return fmt.Errorf("option file %s: more than %d files include each other", path, maxIncludes)
	}
	file, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return fmt.Errorf("option file: %w", err)
	}
	defer file.Close()
	// A regular file has none and needs none.
	file.SetReadDeadline(time.Now().Add(pipeLimit))
	info, err := file.Stat() // of the opened file: the name may lead elsewhere by now
	if err != nil {
		return fmt.Errorf("option file: %w", err)
	}
	if fault := f.untrusted(info); fault != "" {
		if !f.implicit {
			return fmt.Errorf("option file %s is %s", path, fault)
		}
		f.Notes = append(f.Notes, Note{"option-file-ignored", fmt.Sprintf("option file %s is ignored: it is %s", path, fault)})
		return nil
	}
	text, err := io.ReadAll(io.LimitReader(file, maxOptionBytes-f.bytes+1))
	if err != nil {
		return fmt.Errorf("option file: %w", err)
	}
	if len(text) == 0 && !info.Mode().IsRegular() {
		return fmt.Errorf("option file %s is empty: no data from this pipe or device", path)
	}
	f.files, f.bytes = f.files+1, f.bytes+int64(len(text))
	if f.files > maxOptionFiles || f.bytes > maxOptionBytes {
		return fmt.Errorf("option file %s: more than %d files or %d MiB are included: does a file include itself?", path, maxOptionFiles, maxOptionBytes>>20)
	}
	return f.parse(path, text, depth)
}

// pipeLimit bounds the wait for what a pipe brings: shells pass <(command) as a
// named option file. One without a writer is empty at once, as files are opened
// without waiting for one.
const pipeLimit = 10 * time.Second

// untrusted says why options are not taken from a file, "" when they are. Where
// others can write, the host, the password and the library to load are theirs.
func (f *OptionFile) untrusted(info fs.FileInfo) string {
	switch {
	case f.implicit && !info.Mode().IsRegular():
		return "not a regular file"
	case info.Mode().IsRegular() && info.Mode()&0o002 != 0:
		return "world-writable: run chmod o-w on it"
	}
	return ""
}

func (f *OptionFile) parse(path string, text []byte, depth int) error {
	group := ""
	lines := bufio.NewScanner(bytes.NewReader(text))
	lines.Buffer(nil, 1<<20)
	for number := 1; lines.Scan(); number++ {
		line := strings.TrimSpace(strings.TrimPrefix(lines.Text(), "\ufeff"))
		var err error
		switch {
		case line == "" || line[0] == '#' || line[0] == ';':
		case line[0] == '!':
			err = f.include(path, line, depth)
		case line[0] == '[':
			group, err = parseGroup(line)
		case group == "":
			err = fmt.Errorf("option %q before the first [group]", firstWord(line))
		default:
			f.lines = append(f.lines, groupedOption{group, parseOptionLine(line)})
		}
		var included *includedError
		if errors.As(err, &included) {
			return err // it names the file and line at fault
		}
		if err != nil {
			return fmt.Errorf("option file %s line %d: %w", path, number, err)
		}
	}
	if err := lines.Err(); err != nil {
		return fmt.Errorf("option file %s: %w", path, err)
	}
	return nil
}

// includedError is a mistake in a file that another one includes.
type includedError struct{ error }

func (e *includedError) Unwrap() error { return e.error }

// include reads what a directive names. As for MySQL's own programs, a file that is missing, or is
// a folder, is no mistake; a missing folder is one.
func (f *OptionFile) include(from, line string, depth int) error {
	end := strings.IndexFunc(line, unicode.IsSpace)
	if end < 0 {
		end = len(line)
	}
	directive, target := line[:end], strings.TrimSpace(line[end:])
	if !filepath.IsAbs(target) {
		target = filepath.Join(filepath.Dir(from), target)
	}
	switch directive {
	case "!include":
		return f.includeFile(target, depth)
	case "!includedir":
		return f.includeDir(target, depth)
	}
	return fmt.Errorf("invalid directive %s: expected !include or !includedir", directive)
}

func (f *OptionFile) includeFile(path string, depth int) error {
	if info, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) || err == nil && info.IsDir() {
		return nil
	}
	if err := f.read(path, depth+1); err != nil {
		return &includedError{err}
	}
	return nil
}

// includeDir takes the *.cnf files by name; the servers take them in the order
// of the folder, so sorting is only one of their possible orders.
func (f *OptionFile) includeDir(dir string, depth int) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, entry := range entries {
		if filepath.Ext(entry.Name()) != ".cnf" {
			continue
		}
		if err := f.includeFile(filepath.Join(dir, entry.Name()), depth); err != nil {
			return err
		}
	}
	return nil
}

func parseGroup(line string) (string, error) {
	end := strings.IndexByte(line, ']')
	if end < 0 {
		return "", fmt.Errorf("invalid group %q: missing ]", line)
	}
	return strings.TrimRightFunc(line[1:end], unicode.IsSpace), nil
}

// parseOptionLine reads one line of a group. The line is cut at a # outside of quotes; the value
// loses its outer quotes, then its escapes.
func parseOptionLine(line string) Option {
	line = strings.TrimSpace(cutComment(line))
	name, value, valued := strings.Cut(line, "=")
	name = strings.TrimSpace(name)
	value = strings.TrimSpace(value)
	if n := len(value); n >= 2 && (value[0] == '"' || value[0] == '\'') && value[n-1] == value[0] {
		value = value[1 : n-1]
	}
	return Option{Name: name, Value: unescapeOptionValue(value), NoValue: !valued}
}

// cutComment follows the server's reader: a quote opens only when no other is
// open, and a backslash counts within quotes only.
func cutComment(line string) string {
	var quote byte
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case quote != 0 && c == '\\':
			i++
		case quote != 0 && c == quote:
			quote = 0
		case quote == 0 && (c == '"' || c == '\''):
			quote = c
		case quote == 0 && c == '#':
			return line[:i]
		}
	}
	return line
}

func unescapeOptionValue(value string) string {
	var out strings.Builder
	for i := 0; i < len(value); i++ {
		if value[i] != '\\' || i+1 == len(value) {
			out.WriteByte(value[i])
			continue
		}
		i++
		switch value[i] {
		case 'n':
			out.WriteByte('\n')
		case 't':
			out.WriteByte('\t')
		case 'r':
			out.WriteByte('\r')
		case 'b':
			out.WriteByte('\b')
		case 's':
			out.WriteByte(' ')
		case '"', '\'', '\\':
			out.WriteByte(value[i])
		default: // an unknown escape stays as it is written
			out.WriteByte('\\')
			out.WriteByte(value[i])
		}
	}
	return out.String()
}

func firstWord(line string) string {
	word, _, _ := strings.Cut(line, "=") // never the value: it may be a password
	return strings.TrimSpace(word)
}
