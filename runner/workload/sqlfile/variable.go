package sqlfile

import (
	"math/rand/v2"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/mysweep/mysweep/runner/plan"
	"github.com/mysweep/mysweep/runner/workload"
	"github.com/mysweep/mysweep/runner/workload/syntax"
)

// variable draws the values of a rule. It is shared by all threads.
type variable struct {
	draw func(r *rand.Rand, a *workload.Arg)
}

var rules = []string{"uniform", "zipfian", "sequence", "list", "file", "letters"}

// defaultExponent is zipfian's when none is given, as in sysbench.
const defaultExponent = 0.8

// newVariable parses a rule such as "uniform 1 100". Paths of files are relative
// to folder.
func newVariable(rule, folder string, at syntax.Position) (*variable, error) {
	kind, rest, _ := strings.Cut(strings.TrimSpace(rule), " ")
	rest = strings.TrimSpace(rest)
	switch kind {
	case "uniform":
		return numbers(rest, at, "uniform 1 1000", workload.Uniform())
	case "zipfian":
		return zipfian(rest, at)
	case "sequence":
		return sequence(rest, at)
	case "list":
		return oneOf(splitList(rest), at)
	case "file":
		return fromFile(rest, folder, at)
	case "letters":
		return letters(rest, at)
	}
	return nil, syntax.Errorf(at, "unknown rule %q%s", kind, plan.DidYouMean(kind, rules))
}

// bounds reads two whole numbers, the first not above the second.
func bounds(text string, at syntax.Position, example string) (from, to int64, err error) {
	fields := strings.Fields(text)
	if len(fields) != 2 {
		return 0, 0, syntax.Errorf(at, "expected two numbers, found %q: write e.g. %s", text, example)
	}
	from, err = strconv.ParseInt(fields[0], 10, 64)
	if err == nil {
		to, err = strconv.ParseInt(fields[1], 10, 64)
	}
	switch {
	case err != nil:
		return 0, 0, syntax.Errorf(at, "expected two numbers, found %q: write e.g. %s", text, example)
	case from > to || to-from < 0 || to-from+1 <= 0:
		return 0, 0, syntax.Errorf(at, "invalid range: %d is more than %d", from, to)
	}
	return from, to, nil
}

func numbers(text string, at syntax.Position, example string, draw workload.Draw) (*variable, error) {
	from, to, err := bounds(text, at, example)
	if err != nil {
		return nil, err
	}
	return &variable{func(r *rand.Rand, a *workload.Arg) {
		*a = workload.Arg{Form: workload.Integer, Int: draw(r, from, to)}
	}}, nil
}

// zipfian parses "1 1000" or "1 1000 0.9": the first number is the most frequent.
func zipfian(text string, at syntax.Position) (*variable, error) {
	const example = "zipfian 1 1000 0.9"
	exponent := defaultExponent
	if fields := strings.Fields(text); len(fields) == 3 {
		var err error
		if exponent, err = strconv.ParseFloat(fields[2], 64); err != nil || !(exponent > 0 && exponent <= 100) {
			return nil, syntax.Errorf(at, "invalid exponent %q: must be above 0, e.g. %s", fields[2], example)
		}
		text = fields[0] + " " + fields[1]
	}
	return numbers(text, at, example, workload.Zipfian(exponent))
}

// sequence counts up over all threads together. After the last number, if one is
// given, it starts again.
func sequence(text string, at syntax.Position) (*variable, error) {
	if len(strings.Fields(text)) == 1 {
		text += " " + strconv.Itoa(1<<62)
	}
	from, to, err := bounds(text, at, "sequence 1, or sequence 1 1000")
	if err != nil {
		return nil, err
	}
	var next atomic.Int64
	return &variable{func(_ *rand.Rand, a *workload.Arg) {
		*a = workload.Arg{Form: workload.Integer, Int: from + (next.Add(1)-1)%(to-from+1)}
	}}, nil
}

// oneOf draws one of the texts. If all are integers, they are sent as integers.
func oneOf(texts []string, at syntax.Position) (*variable, error) {
	if len(texts) == 0 {
		return nil, syntax.Errorf(at, "the list is empty: write e.g. list Oslo, Rome")
	}
	args := make([]workload.Arg, len(texts))
	whole := true
	for i, text := range texts {
		n, err := strconv.ParseInt(text, 10, 64)
		whole = whole && err == nil && strconv.FormatInt(n, 10) == text
		args[i] = workload.Arg{Form: workload.Integer, Int: n}
	}
	if !whole {
		for i, text := range texts {
			args[i] = workload.Arg{Form: workload.Text, Text: text}
		}
	}
	return &variable{func(r *rand.Rand, a *workload.Arg) { *a = args[r.IntN(len(args))] }}, nil
}

// fromFile draws a line of a file.
func fromFile(name, folder string, at syntax.Position) (*variable, error) {
	if name == "" {
		return nil, syntax.Errorf(at, "the name of the file is missing: write e.g. file words.txt")
	}
	if !filepath.IsAbs(name) {
		name = filepath.Join(folder, name)
	}
	data, err := workload.ReadInput(name, workload.MaxData)
	if err != nil {
		return nil, syntax.Errorf(at, "%v", err)
	}
	var texts []string
	for line := range strings.Lines(string(data)) {
		if line = strings.TrimRight(line, "\r\n"); line != "" {
			texts = append(texts, line)
		}
	}
	if len(texts) == 0 {
		return nil, syntax.Errorf(at, "%s has no line", name)
	}
	return oneOf(texts, at)
}

// letters draws a text of small letters.
func letters(text string, at syntax.Position) (*variable, error) {
	from, to, err := bounds(text, at, "letters 20 40")
	if err != nil {
		return nil, err
	}
	if from < 0 || to > 1<<24 {
		return nil, syntax.Errorf(at, "letters from %d to %d: from 0 to %d can be made", from, to, 1<<24)
	}
	return &variable{func(r *rand.Rand, a *workload.Arg) {
		b := make([]byte, from+r.Int64N(to-from+1))
		for i := range b {
			b[i] = 'a' + byte(r.IntN(26))
		}
		*a = workload.Arg{Form: workload.Text, Text: string(b)}
	}}, nil
}

// splitList parts a list at its commas. An entry may be in single quotes,
// with ” for a quote in it.
func splitList(text string) []string {
	var list []string
	for rest := strings.TrimSpace(text); rest != ""; {
		var entry string
		if rest[0] == '\'' {
			entry, rest = unquote(rest)
			rest = strings.TrimLeft(rest, " \t")
			rest = strings.TrimPrefix(rest, ",")
		} else {
			entry, rest, _ = strings.Cut(rest, ",")
			entry = strings.TrimSpace(entry)
		}
		list = append(list, entry)
		rest = strings.TrimSpace(rest)
	}
	return list
}

// unquote reads the quoted text at the start of s and returns what follows.
func unquote(s string) (text, rest string) {
	var b strings.Builder
	for i := 1; i < len(s); i++ {
		if s[i] == '\'' {
			if i+1 == len(s) || s[i+1] != '\'' {
				return b.String(), s[i+1:]
			}
			i++
		}
		b.WriteByte(s[i])
	}
	return b.String(), ""
}
