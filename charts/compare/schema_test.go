package compare

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"os"
	"slices"
	"testing"
)

var update = flag.Bool("update", false, "write comparison.schema.json anew")

// The schema in the repository is that of the types, and real output keeps to it.
func TestSchema(t *testing.T) {
	var b bytes.Buffer
	if err := Schema(&b); err != nil {
		t.Fatal(err)
	}
	const file = "comparison.schema.json"
	if *update {
		if err := os.WriteFile(file, b.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	kept, err := os.ReadFile(file)
	if err != nil || !bytes.Equal(kept, b.Bytes()) {
		t.Fatalf("%s is not the schema of the types (%v): go test ./charts/compare -update", file, err)
	}
	var schema map[string]any
	if err := json.Unmarshal(kept, &schema); err != nil {
		t.Fatal(err)
	}
	for _, limit := range []float64{0, 0.05, 0.9} {
		b.Reset()
		if err := JSON(&b, comparison(t, 0.7, limit)); err != nil {
			t.Fatal(err)
		}
		var value any
		if err := json.Unmarshal(b.Bytes(), &value); err != nil {
			t.Fatal(err)
		}
		if err := check(schema, value, "$"); err != nil {
			t.Errorf("limit %v: %v", limit, err)
		}
	}
	if check(schema, map[string]any{"decision": 1.0}, "$") == nil {
		t.Error("an object without its keys passes")
	}
}

// check holds a value against the part of JSON schema that Schema uses.
func check(schema map[string]any, value any, at string) error {
	if options, ok := schema["anyOf"].([]any); ok {
		for _, o := range options {
			if check(o.(map[string]any), value, at) == nil {
				return nil
			}
		}
		return fmt.Errorf("%s: %v fits none", at, value)
	}
	switch v := value.(type) {
	case nil:
		return is(schema, at, "null")
	case string:
		return is(schema, at, "string")
	case float64:
		if v == math.Trunc(v) {
			return is(schema, at, "number", "integer")
		}
		return is(schema, at, "number")
	case []any:
		for i, item := range v {
			items, _ := schema["items"].(map[string]any)
			if err := check(items, item, fmt.Sprintf("%s[%d]", at, i)); err != nil {
				return err
			}
		}
		return is(schema, at, "array")
	case map[string]any:
		properties, _ := schema["properties"].(map[string]any)
		required, _ := schema["required"].([]any)
		for _, name := range required {
			if _, ok := v[name.(string)]; !ok {
				return fmt.Errorf("%s lacks %v", at, name)
			}
		}
		for name, item := range v {
			property, ok := properties[name].(map[string]any)
			if !ok {
				return fmt.Errorf("%s has %s", at, name)
			}
			if err := check(property, item, at+"."+name); err != nil {
				return err
			}
		}
		return is(schema, at, "object")
	}
	return fmt.Errorf("%s: %T", at, value)
}

func is(schema map[string]any, at string, types ...string) error {
	if name, _ := schema["type"].(string); !slices.Contains(types, name) {
		return fmt.Errorf("%s is %v, not %v", at, types, schema["type"])
	}
	return nil
}
