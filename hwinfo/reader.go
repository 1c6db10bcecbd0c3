package hwinfo

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// reader collects the facts of one machine.
type reader struct {
	*tree
	opt     Options
	facts   Facts
	index   map[string]int // key -> place in facts.List
	missing []gap
	cpuinfo *cpuinfo
	topo    *topology
	books   *bool // see hasBooks
	// First sample of the processes of this machine, and its time.
	firstTasks map[int]taskTime
	began      time.Time
}

// gap is a fact that could not be read.
type gap struct{ key, path, cause string }

func newReader(o Options) *reader {
	if o.Root == nil {
		o.Root, o.Live = newDirFS("/"), true
	}
	if o.Datadir == "" {
		o.Datadir = DefaultDatadir
	}
	if o.Live && o.Now.IsZero() {
		o.Now = time.Now()
	}
	return &reader{tree: newTree(o.Root), opt: o, index: map[string]int{}}
}

// put records a fact unless its key is recorded already.
func (r *reader) put(key string, value any, source string) {
	if _, ok := r.index[key]; ok {
		return
	}
	r.index[key] = len(r.facts.List)
	switch v := value.(type) {
	case int:
		value = int64(v)
	case uint64:
		value = int64(v)
	}
	r.facts.Add(key, value, source)
}

// unknown records that key is not known, and why.
func (r *reader) unknown(key, path string, why error) {
	if _, ok := r.index[key]; ok {
		return
	}
	r.put(key, nil, path)
	r.missing = append(r.missing, gap{key, path, why.Error()})
}

// absent records that the machine has no such thing, which needs no note.
func (r *reader) absent(key, path string) { r.put(key, nil, path) }

// known returns the value of a key that was recorded before.
func (r *reader) known(key string) (any, bool) {
	i, ok := r.index[key]
	if !ok || r.facts.List[i].Value == nil {
		return nil, false
	}
	return r.facts.List[i].Value, true
}

func (r *reader) note(code, format string, args ...any) {
	r.facts.Notes = append(r.facts.Notes, Note{Code: code, Text: fmt.Sprintf(format, args...)})
}

// putText records the content of a small file, and returns it.
func (r *reader) putText(key, path string) string {
	s, err := r.text(path)
	if err != nil {
		r.unknown(key, path, err)
		return ""
	}
	r.put(key, s, path)
	return s
}

// number reads a file that contains one integer.
func (r *reader) number(path string) (int64, error) {
	s, err := r.text(path)
	if err != nil {
		return 0, err
	}
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil {
		return 0, fmt.Errorf("%q is not a number", shorten(s))
	}
	return n, nil
}

// noteUnknown writes one note for all facts that are unknown for the same reason
// and file. The files of all disks or cards count as the same one, so that forty
// disks do not give forty notes.
func (r *reader) noteUnknown() {
	type kind struct{ path, cause string }
	keys := map[kind][]string{}
	paths := map[kind]string{}
	var kinds []kind
	for _, g := range r.missing {
		k := kind{pathPattern(g.key, g.path), g.cause}
		if keys[k] == nil {
			kinds = append(kinds, k)
			paths[k] = g.path
		} else if paths[k] != g.path {
			paths[k] = k.path
		}
		keys[k] = append(keys[k], g.key)
	}
	for _, k := range kinds {
		r.note("unknown", "%s: %s (%s)", paths[k], k.cause, several(keys[k]))
	}
}

// several lists up to five keys.
func several(keys []string) string {
	const most = 5
	if len(keys) > most {
		return fmt.Sprintf("%s and %d more", strings.Join(keys[:most], ", "), len(keys)-most)
	}
	return strings.Join(keys, ", ")
}

// pathPattern replaces the name of a disk or card in a path by a star.
func pathPattern(key, path string) string {
	for _, prefix := range []string{"nic", "disk"} {
		if name, ok := nameIn(key, prefix); ok {
			return strings.Replace(path, "/"+name+"/", "/*/", 1)
		}
	}
	return path
}

func shorten(s string) string {
	if len(s) > 40 {
		return s[:40] + "..."
	}
	return s
}
