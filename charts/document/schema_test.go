package document

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"testing"

	"github.com/mysweep/mysweep/runner/verdict"
)

var update = flag.Bool("update", false, "write the schemas anew")

// The schemas in the repository are those of the types, and real output keeps to them.
func TestSchemas(t *testing.T) {
	schema := kept(t, "comparison.schema.json", ComparisonSchema)
	for _, limit := range []float64{0, 0.05, 0.9} {
		c := compared(0.7, limit)
		conforms(t, schema, func(w io.Writer) error { return Comparison(w, &c) })
	}
	if check(schema, map[string]any{"decision": 1.0}, "$") == nil {
		t.Error("an object without its keys passes")
	}
	schema = kept(t, "verdict.schema.json", VerdictSchema)
	for _, a := range archives() {
		v := verdict.Of(a)
		conforms(t, schema, func(w io.Writer) error { return Verdict(w, a, &v) })
	}
}

// kept is the schema in the repository, which must be the one of the types.
func kept(t *testing.T, file string, of func(io.Writer) error) (schema map[string]any) {
	t.Helper()
	var b bytes.Buffer
	if err := of(&b); err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile(file, b.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	content, err := os.ReadFile(file)
	if err != nil || !bytes.Equal(content, b.Bytes()) {
		t.Fatalf("%s is not the schema of the types (%v): go test ./charts/document -update", file, err)
	}
	if err := json.Unmarshal(content, &schema); err != nil {
		t.Fatal(err)
	}
	return schema
}

func conforms(t *testing.T, schema map[string]any, output func(io.Writer) error) {
	t.Helper()
	var b bytes.Buffer
	if err := output(&b); err != nil {
		t.Fatal(err)
	}
	var value any
	if err := json.Unmarshal(b.Bytes(), &value); err != nil {
		t.Fatal(err)
	}
	if err := check(schema, value, "$"); err != nil {
		t.Error(err)
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
	case bool:
		return is(schema, at, "boolean")
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
			if any, open := schema["additionalProperties"].(map[string]any); open {
				property, ok = any, true
			}
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
