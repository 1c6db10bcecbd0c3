package hwinfo

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write facts.schema.json anew from KEYS.md")

// documented is a row of the table in KEYS.md.
type documented struct {
	key, kind, there string
	match            *regexp.Regexp
}

func documentedKeys(t *testing.T) []documented {
	t.Helper()
	data, err := os.ReadFile("KEYS.md")
	if err != nil {
		t.Fatal(err)
	}
	var rows []documented
	for line := range strings.Lines(string(data)) {
		f := strings.Split(strings.TrimSpace(line), "|")
		if len(f) != 7 || strings.TrimSpace(f[1]) == "key" || strings.HasPrefix(f[1], "---") {
			continue
		}
		d := documented{key: strings.TrimSpace(f[1]), kind: strings.TrimSpace(f[2]), there: strings.TrimSpace(f[3])}
		d.match = regexp.MustCompile(d.pattern())
		rows = append(rows, d)
	}
	return rows
}

// pattern of a key with its placeholders.
func (d documented) pattern() string {
	p := regexp.QuoteMeta(d.key)
	p = strings.Replace(p, "NAME", ".+", 1)
	p = strings.Replace(p, "nodeN", `node[0-9]+`, 1)
	return "^" + p + "$"
}

func (d documented) types() []string {
	var types []string
	for kind := range strings.SplitSeq(d.kind, " or ") {
		types = append(types, map[string]string{"text": "string", "integer": "integer", "number": "number", "bool": "boolean"}[kind])
	}
	return append(types, "null")
}

// schema makes the JSON schema of the facts from the table.
func schema(rows []documented) []byte {
	properties, patterns := map[string]any{}, map[string]any{}
	var required []string
	for _, d := range rows {
		value := map[string]any{"type": d.types()}
		if d.pattern() == "^"+regexp.QuoteMeta(d.key)+"$" {
			properties[d.key] = value
			if d.there == "always" {
				required = append(required, d.key)
			}
		} else {
			patterns[d.pattern()] = value
		}
	}
	note := map[string]any{"type": "object", "required": []string{"code", "text"}, "additionalProperties": false,
		"properties": map[string]any{"code": map[string]any{"type": "string"}, "text": map[string]any{"type": "string"}}}
	s := map[string]any{
		"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "Facts of a machine", "type": "object",
		"required": []string{"facts", "sources", "notes"}, "additionalProperties": false,
		"properties": map[string]any{
			"facts":   map[string]any{"type": "object", "required": required, "properties": properties, "patternProperties": patterns, "additionalProperties": false},
			"sources": map[string]any{"type": "object", "additionalProperties": map[string]any{"type": "string"}},
			"notes":   map[string]any{"type": "array", "items": note},
		},
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	e.Encode(s)
	return b.Bytes()
}

func TestSchemaIsThatOfTheTable(t *testing.T) {
	want := schema(documentedKeys(t))
	if *update {
		if err := os.WriteFile("facts.schema.json", want, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile("facts.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Error("facts.schema.json is not made from KEYS.md: go test ./hwinfo -run TestSchema -update")
	}
}

// conform checks what Read gave against the schema.
func conform(t *testing.T, f Facts, rows []documented) {
	t.Helper()
	data, err := json.Marshal(f)
	if err != nil {
		t.Fatal(err)
	}
	var whole struct {
		Facts map[string]any `json:"facts"`
	}
	if err := json.Unmarshal(data, &whole); err != nil {
		t.Fatal(err)
	}
	values := whole.Facts
	for _, d := range rows {
		if _, ok := values[d.key]; d.there == "always" && !ok && !strings.Contains(d.key, "NAME") {
			t.Errorf("%s is missing", d.key)
		}
	}
	for key, value := range values {
		if err := allowed(rows, key, value); err != nil {
			t.Error(err)
		}
	}
}

func allowed(rows []documented, key string, value any) error {
	for _, d := range rows {
		if d.key != key && !d.match.MatchString(key) {
			continue
		}
		if d.there == "id" {
			return fmt.Errorf("%s identifies, and was not asked for", key)
		}
		for _, kind := range d.types() {
			if isOf(kind, value) {
				return nil
			}
		}
		return fmt.Errorf("%s = %v (%T) is not %s", key, value, value, d.kind)
	}
	return fmt.Errorf("%s is not in KEYS.md", key)
}

func isOf(kind string, value any) bool {
	switch v := value.(type) {
	case nil:
		return kind == "null"
	case string:
		return kind == "string"
	case bool:
		return kind == "boolean"
	case float64:
		return kind == "number" || kind == "integer" && v == float64(int64(v))
	}
	return false
}

func TestThisMachineConforms(t *testing.T) {
	conform(t, Read(context.Background(), Options{}), documentedKeys(t))
}

func TestEmptyMachineConforms(t *testing.T) {
	f := Read(context.Background(), Options{Root: Memory(nil, nil)})
	conform(t, f, documentedKeys(t))
	for _, fact := range f.List {
		allowedValue := fact.Key == "datadir.path" || fact.Key == "kernel.psi" || fact.Value == "unknown"
		if fact.Value != nil && !allowedValue {
			t.Errorf("an empty machine has %s = %v", fact.Key, fact.Value)
		}
	}
}

func TestJSONRoundTrip(t *testing.T) {
	f := Read(context.Background(), Options{})
	first, err := json.Marshal(f)
	if err != nil {
		t.Fatal(err)
	}
	var g Facts
	if err := json.Unmarshal(first, &g); err != nil {
		t.Fatal(err)
	}
	second, err := json.Marshal(g)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(first, second) {
		t.Error("reading and writing again gives other bytes")
	}
	if len(g.List) != len(f.List) {
		t.Fatalf("%d facts of %d", len(g.List), len(f.List))
	}
	for i := range f.List {
		a, b := f.List[i], g.List[i]
		if a.Key != b.Key || a.Unit != b.Unit || a.Source != b.Source || Text(a.Value) != Text(b.Value) || (a.Value == nil) != (b.Value == nil) {
			t.Errorf("%+v became %+v", a, b)
		}
	}
}

func TestIdentifyingFactsOnlyWhenAsked(t *testing.T) {
	files := map[string][]byte{
		"/sys/class/dmi/id/product_serial": []byte("SER123\n"), "/sys/class/dmi/id/product_uuid": []byte("UU-ID\n"),
		"/sys/class/net/eth0/address": []byte("02:00:00:00:00:01\n"), "/sys/class/net/eth0/mtu": []byte("1500\n"),
		"/sys/block/sda/device/serial": []byte("DISK9\n"), "/sys/block/sda/size": []byte("100\n"), "/etc/machine-id": []byte("m1\n"),
		"/proc/cmdline":                    []byte("BOOT_IMAGE=/vmlinuz root=UUID=12-34 ip=192.0.2.7 quiet\n"),
		"/run/systemd/sessions/1":          []byte("USER=alice\nCLASS=user\nSTATE=active\n"),
		"/run/systemd/sessions/2":          []byte("USER=gdm\nCLASS=greeter\nSTATE=active\n"),
		"/sys/class/dmi/id/board_serial":   []byte("BS1\n"),
		"/sys/class/dmi/id/product_name":   []byte("X\n"),
		"/sys/class/dmi/id/chassis_type":   []byte("3\n"),
		"/sys/class/dmi/id/product_family": []byte("F\n"),
	}
	secrets := []string{"SER123", "UU-ID", "02:00:00:00:00:01", "DISK9", "12-34", "192.0.2.7", "alice", "BS1"}
	for _, identify := range []bool{false, true} {
		data, err := json.Marshal(Read(context.Background(), Options{Root: Memory(files, nil), Identify: identify}))
		if err != nil {
			t.Fatal(err)
		}
		for _, secret := range secrets {
			if got := bytes.Contains(data, []byte(secret)); got != identify {
				t.Errorf("Identify %v: %s is there: %v", identify, secret, got)
			}
		}
		if !bytes.Contains(data, []byte(`"users.logged_in":1`)) {
			t.Error("one user is logged in")
		}
	}
}
