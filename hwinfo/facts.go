package hwinfo

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Fact is one property of a machine; its value may be unknown.
type Fact struct {
	Key    string // stable dotted key, e.g. cpu.model; KEYS.md lists them
	Value  any    // string, int64, float64 or bool; nil when unknown
	Unit   string // base unit of a number: bytes, seconds, MHz ...; empty for counts and text
	Source string // path or system call that was read; the most likely one when unknown
}

// Note is a remark that belongs to the facts and travels with them.
type Note struct {
	Code string `json:"code"` // short and stable, e.g. unknown, not-idle
	Text string `json:"text"` // a sentence that names path and cause
}

// Facts is what Read found, in the order of KEYS.md.
type Facts struct {
	List  []Fact
	Notes []Note
}

// Get returns the value of key and whether it is known.
func (f Facts) Get(key string) (any, bool) {
	for i := range f.List {
		if f.List[i].Key == key {
			return f.List[i].Value, f.List[i].Value != nil
		}
	}
	return nil, false
}

// Has reports whether key is listed, known or not.
func (f Facts) Has(key string) bool {
	for i := range f.List {
		if f.List[i].Key == key {
			return true
		}
	}
	return false
}

// String returns the value of key as text, empty when it is unknown.
func (f Facts) String(key string) string {
	v, _ := f.Get(key)
	return Text(v)
}

// Int returns an integer and whether key has one.
func (f Facts) Int(key string) (int64, bool) {
	v, _ := f.Get(key)
	switch n := v.(type) {
	case int64:
		return n, true
	case float64:
		if n == math.Trunc(n) && math.Abs(n) < 1<<53 {
			return int64(n), true
		}
	}
	return 0, false
}

// Float returns a number and whether key has one.
func (f Facts) Float(key string) (float64, bool) {
	v, _ := f.Get(key)
	switch n := v.(type) {
	case int64:
		return float64(n), true
	case float64:
		return n, true
	}
	return 0, false
}

// Bool returns a boolean and whether key has one.
func (f Facts) Bool(key string) (value, ok bool) {
	v, _ := f.Get(key)
	value, ok = v.(bool)
	return value, ok
}

// Names returns the distinct NAME parts of keys PREFIX.NAME.REST in the order of
// the list: Names("nic") are the network interfaces. Interface names may contain
// dots (eth0.1015): NAME ends at the last dot.
func (f Facts) Names(prefix string) []string {
	var names []string
	seen := map[string]bool{}
	for i := range f.List {
		name, ok := nameIn(f.List[i].Key, prefix)
		if ok && !seen[name] {
			seen[name] = true
			names = append(names, name)
		}
	}
	return names
}

// Storage returns the facts of the data directory and of the disks below it: datadir.* and
// disk.NAME.* of datadir.disks.
func (f Facts) Storage() Facts {
	disks := strings.Split(f.String("datadir.disks"), ";")
	var storage Facts
	for _, fact := range f.List {
		name, ok := nameIn(fact.Key, "disk")
		if strings.HasPrefix(fact.Key, "datadir.") || ok && slices.Contains(disks, name) {
			storage.List = append(storage.List, fact)
		}
	}
	return storage
}

// Sort orders the facts by key.
func (f *Facts) Sort() {
	slices.SortStableFunc(f.List, func(a, b Fact) int { return cmp.Compare(a.Key, b.Key) })
}

// Add appends a fact with the unit of its key; a nil value is unknown.
func (f *Facts) Add(key string, value any, source string) {
	f.List = append(f.List, Fact{Key: key, Value: value, Unit: UnitOf(key), Source: source})
}

// Text is the shortest text that parses as the same value; empty for nil.
func Text(value any) string {
	switch v := value.(type) {
	case string:
		return v
	case int64:
		return strconv.FormatInt(v, 10)
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	case bool:
		return strconv.FormatBool(v)
	}
	return ""
}

// UnitOf derives the unit from the suffix of a key.
func UnitOf(key string) string {
	for _, u := range []struct{ end, unit string }{
		{"_bits_per_second", "bit/s"}, {"_bytes", "bytes"}, {"_seconds", "seconds"},
		{"_ratio", "ratio"}, {"_percent", "percent"}, {".mhz_max", "MHz"}, {".mhz_min", "MHz"},
		{".mhz_base", "MHz"}, {".mhz_current", "MHz"}, {"_transfers_per_second", "transfers/s"},
	} {
		if strings.HasSuffix(key, u.end) {
			return u.unit
		}
	}
	return ""
}

func nameIn(key, prefix string) (string, bool) {
	rest, ok := strings.CutPrefix(key, prefix+".")
	if !ok {
		return "", false
	}
	i := strings.LastIndexByte(rest, '.')
	if i <= 0 {
		return "", false
	}
	return rest[:i], true
}
