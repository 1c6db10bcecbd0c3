package smack

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/mysweep/mysweep/runner/workload/syntax"
)

// words are the words of a dictionary, shared by all threads.
type words struct {
	kind     string // rand, seq or unique
	list     []string
	template string       // of unique, with one verb for fmt
	next     atomic.Int64 // of unique
}

// reader reads the words of a dictionary for one thread.
type reader struct {
	words *words
	at    int // of seq: index of the next word
}

// next returns a random word, the following one, or a new one.
func (d *reader) next(r *rand.Rand) string {
	w := d.words
	switch w.kind {
	case "rand":
		return w.list[r.IntN(len(w.list))]
	case "seq":
		word := w.list[d.at]
		d.at = (d.at + 1) % len(w.list)
		return word
	}
	n := w.next.Add(1) - 1
	if w.template == "%d" {
		return strconv.FormatInt(n, 10)
	}
	return fmt.Sprintf(w.template, n)
}

// words builds the words of a dictionary. With thin only every step-th line of a
// file is used, as in the original.
func (c *compiler) words(d *Dictionary) (*words, error) {
	w := &words{kind: d.Type.Text}
	kinds := []string{"rand", "seq", "unique"}
	switch {
	case !d.Type.Set():
		return nil, syntax.Errorf(d.At, "dictionary %s has no type: there are %s", d.Name, list(kinds))
	case w.kind != "rand" && w.kind != "seq" && w.kind != "unique":
		return nil, syntax.Errorf(d.Type.At(), "unknown type %s of dictionary %s%s", w.kind, d.Name, hint(w.kind, kinds))
	case w.kind == "unique":
		return w, w.setTemplate(d)
	}
	var err error
	sources := []string{"file", "list", "template"}
	switch d.SourceType.Text {
	case "file":
		w.list, err = c.fileWords(d)
	case "list":
		w.list = splitList(d.Source.Text)
	case "template":
		err = syntax.Errorf(d.SourceType.At(), "source_type template is for dictionaries of type unique, %s is %s", d.Name, w.kind)
	case "":
		err = syntax.Errorf(d.At, "dictionary %s has no source_type: there are %s", d.Name, list(sources))
	default:
		err = syntax.Errorf(d.SourceType.At(), "unknown source_type %s of dictionary %s%s", d.SourceType.Text, d.Name, hint(d.SourceType.Text, sources))
	}
	return w, err
}

func (c *compiler) fileWords(d *Dictionary) ([]string, error) {
	source, err := c.sourceData(d)
	if err != nil {
		return nil, err
	}
	step, err := c.step(d, source)
	if err != nil {
		return nil, err
	}
	delim := byte('\n')
	if d.Delim.Text != "" {
		delim = d.Delim.Text[0]
	}
	list := make([]string, 0, source.lines()/step)
	var b []byte
	for i := step - 1; i < source.lines(); i += step {
		b = source.line(b[:0], i)
		word, _, _ := strings.Cut(string(b), string(delim))
		list = append(list, strings.Clone(word))
	}
	if len(list) == 0 {
		return nil, syntax.Errorf(d.At, "dictionary %s has no word: its source has %d lines and every %dth is taken", d.Name, source.lines(), step)
	}
	return list, nil
}

// step is the number of lines per word: the size of the file divided by
// file_size_equiv, rounded down, with thinning; 1 without.
func (c *compiler) step(d *Dictionary, source data) (int64, error) {
	if !d.FileSizeEquiv.Set() {
		return 1, nil
	}
	equiv, err := strconv.ParseInt(d.FileSizeEquiv.Text, 10, 64)
	if err != nil || equiv < 0 {
		return 1, syntax.Errorf(d.FileSizeEquiv.At(), "file_size_equiv %q is no number of bytes", d.FileSizeEquiv.Text)
	}
	if !c.thin || equiv == 0 {
		return 1, nil
	}
	return max(1, size(source)/equiv), nil
}

// splitList splits a list at commas; \, is a comma and \\ a backslash.
func splitList(s string) []string {
	var list []string
	var word []byte
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '\\' && i+1 < len(s) && (s[i+1] == ',' || s[i+1] == '\\'):
			i++
			word = append(word, s[i])
		case s[i] == ',':
			list, word = append(list, string(word)), word[:0]
		default:
			word = append(word, s[i])
		}
	}
	return append(list, string(word))
}

var verb = regexp.MustCompile(`^%([-+ #0]*)(\d*)(?:l|ll)?([diuxXo])`)

// setTemplate converts the printf template of a unique dictionary.
func (w *words) setTemplate(d *Dictionary) error {
	if d.SourceType.Set() && d.SourceType.Text != "template" {
		return syntax.Errorf(d.SourceType.At(), "a dictionary of type unique has source_type template, not %s", d.SourceType.Text)
	}
	source := d.Source.Text
	if !d.Source.Set() {
		source = "%d"
	}
	var b strings.Builder
	values := 0
	for i := 0; i < len(source); {
		found := verb.FindStringSubmatch(source[i:])
		switch {
		case source[i] != '%':
			b.WriteByte(source[i])
			i++
		case strings.HasPrefix(source[i:], "%%"):
			b.WriteString("%%")
			i += 2
		case found == nil:
			return syntax.Errorf(d.Source.token.inside(i), "after %% the template of dictionary %s needs d, x, X or o, e.g. %%08d", d.Name)
		case len(found[2]) > 3:
			return syntax.Errorf(d.Source.token.inside(i), "a number of %s characters is too long", found[2])
		default:
			letter := strings.NewReplacer("i", "d", "u", "d").Replace(found[3])
			b.WriteString("%" + found[1] + found[2] + letter)
			i += len(found[0])
			values++
		}
	}
	if values != 1 {
		return syntax.Errorf(d.Source.At(), "the template of dictionary %s has %d numbers: it needs one, e.g. user%%d", d.Name, values)
	}
	w.template = b.String()
	return nil
}
