package server

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// maxIncludes bounds how deep option files may include each other.
const maxIncludes = 10

// OptionFile is what option files said: the options of each group in the order
// in which they stand, those of included files where they are included.
type OptionFile struct {
	groups map[string][]Option
	Notes  []Note
}

// ReadOptionFile reads a my.cnf as MySQL does: groups, name=value or name alone,
// quotes, # and ; comments, escapes, !include and !includedir.
// Format: https://dev.mysql.com/doc/refman/8.4/en/option-files.html
func ReadOptionFile(path string) (*OptionFile, error) {
	file := &OptionFile{groups: map[string][]Option{}}
	if err := file.read(path, 0); err != nil {
		return nil, err
	}
	return file, nil
}

// ReadOptionFiles merges several files, later ones last. Files that do not
// exist are passed over.
func ReadOptionFiles(paths ...string) (*OptionFile, error) {
	file := &OptionFile{groups: map[string][]Option{}}
	for _, path := range paths {
		if err := file.read(path, 0); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
	}
	return file, nil
}

// Options gives the options of the groups, group by group, so that a later one
// overrides an earlier one.
func (f *OptionFile) Options(groups ...string) []Option {
	var all []Option
	for _, group := range groups {
		all = append(all, f.groups[group]...)
	}
	return all
}

func (f *OptionFile) read(path string, depth int) error {
	if depth > maxIncludes {
		return fmt.Errorf("option file %s: more than %d files include each other", path, maxIncludes)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return fmt.Errorf("option file: %w", err)
	}
	// The mysql client passes over such files too: anybody could have put
	// another host or password there.
	if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() && info.Mode()&0o002 != 0 {
		f.Notes = append(f.Notes, Note{"option-file-ignored", fmt.Sprintf("%s was ignored because everybody may write to it (chmod o-w)", path)})
		return nil
	}
	return f.parse(path, text, depth)
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
			err = fmt.Errorf("%q stands before the first [group]", firstWord(line))
		default:
			f.groups[group] = append(f.groups[group], parseOptionLine(line))
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

func (f *OptionFile) include(from, line string, depth int) error {
	directive, target, _ := strings.Cut(line, " ")
	target = strings.TrimSpace(target)
	if !filepath.IsAbs(target) {
		target = filepath.Join(filepath.Dir(from), target)
	}
	switch directive {
	case "!include":
		return f.read(target, depth+1)
	case "!includedir":
		return f.includeDir(target, depth)
	}
	return fmt.Errorf("%s is neither !include nor !includedir", directive)
}

// includeDir takes the *.cnf files by name; the servers take them in the order
// of the folder, so sorting is only one of their possible orders.
func (f *OptionFile) includeDir(dir string, depth int) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, entry := range entries {
		if !slices.Contains([]string{".cnf", ".ini"}, filepath.Ext(entry.Name())) {
			continue
		}
		if err := f.read(filepath.Join(dir, entry.Name()), depth+1); err != nil {
			return err
		}
	}
	return nil
}

func parseGroup(line string) (string, error) {
	end := strings.IndexByte(line, ']')
	if end < 0 {
		return "", fmt.Errorf("%q lacks its closing ]", line)
	}
	return strings.TrimSpace(line[1:end]), nil
}

// parseOptionLine reads one line of a group. The line is cut at a # that stands
// outside of quotes; the value loses its outer quotes, then its escapes.
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
