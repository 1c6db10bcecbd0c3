package hwinfo

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
)

// MarshalJSON writes {"facts":{KEY:VALUE},"sources":{KEY:PATH},"notes":[...]}
// with the keys in the order of the list; an unknown value is null. A fact
// without a source has no line in sources.
func (f Facts) MarshalJSON() ([]byte, error) {
	var facts, sources object
	for _, fact := range f.List {
		if err := facts.add(fact.Key, finite(fact.Value)); err != nil {
			return nil, fmt.Errorf("fact %s: %w", fact.Key, err)
		}
		if fact.Source == "" {
			continue
		}
		if err := sources.add(fact.Key, fact.Source); err != nil {
			return nil, fmt.Errorf("source of fact %s: %w", fact.Key, err)
		}
	}
	notes := f.Notes
	if notes == nil {
		notes = []Note{}
	}
	return json.Marshal(struct {
		Facts   json.RawMessage `json:"facts"`
		Sources json.RawMessage `json:"sources"`
		Notes   []Note          `json:"notes"`
	}{facts.close(), sources.close(), notes})
}

// UnmarshalJSON reads what MarshalJSON wrote, in the same order. Numbers
// without a fraction become int64.
func (f *Facts) UnmarshalJSON(data []byte) error {
	var raw struct {
		Facts   json.RawMessage   `json:"facts"`
		Sources map[string]string `json:"sources"`
		Notes   []Note            `json:"notes"`
	}
	if err := json.Unmarshal(data, &raw); err != nil {
		return err
	}
	f.List, f.Notes = nil, raw.Notes
	if len(raw.Facts) == 0 || string(raw.Facts) == "null" {
		return nil
	}
	return f.decode(raw.Facts, raw.Sources)
}

func (f *Facts) decode(facts []byte, sources map[string]string) error {
	d := json.NewDecoder(bytes.NewReader(facts))
	d.UseNumber()
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return fmt.Errorf("facts: expected an object, got %v (%v)", t, err)
	}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return fmt.Errorf("facts: %w", err)
		}
		var value any
		if err := d.Decode(&value); err != nil {
			return fmt.Errorf("fact %v: %w", key, err)
		}
		name := key.(string)
		v, err := plain(value)
		if err != nil {
			return fmt.Errorf("fact %s: %w", name, err)
		}
		f.Add(name, v, sources[name])
	}
	return nil
}

// plain turns a decoded JSON value into the types that a Fact may hold.
func plain(value any) (any, error) {
	switch v := value.(type) {
	case nil, string, bool:
		return v, nil
	case json.Number:
		if n, err := v.Int64(); err == nil {
			return n, nil
		}
		return v.Float64()
	}
	return nil, fmt.Errorf("invalid value: expected a string, number, boolean or null")
}

// finite keeps NaN and infinities out of JSON: what is not a number is unknown.
func finite(value any) any {
	if v, ok := value.(float64); ok && (math.IsNaN(v) || math.IsInf(v, 0)) {
		return nil
	}
	return value
}

// object builds a JSON object that keeps the order of its keys.
type object struct{ bytes.Buffer }

func (o *object) add(key string, value any) error {
	k, err := json.Marshal(key)
	if err != nil {
		return err
	}
	v, err := json.Marshal(value)
	if err != nil {
		return err
	}
	if o.Len() == 0 {
		o.WriteByte('{')
	} else {
		o.WriteByte(',')
	}
	o.Write(k)
	o.WriteByte(':')
	o.Write(v)
	return nil
}

func (o *object) close() json.RawMessage {
	if o.Len() == 0 {
		o.WriteByte('{')
	}
	o.WriteByte('}')
	return o.Bytes()
}
