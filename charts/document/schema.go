package document

import (
	"encoding/json"
	"io"
	"reflect"
	"strings"
)

// ComparisonSchema and VerdictSchema write the JSON schemas of what Comparison and Verdict write.
// They are made of the types, and kept as comparison.schema.json, verdict.schema.json and
// index.schema.json.
func ComparisonSchema(w io.Writer) error { return writeSchema[comparison](w, "mysweep comparison") }

// VerdictSchema is described at ComparisonSchema.
func VerdictSchema(w io.Writer) error { return writeSchema[outcome](w, "mysweep verdict") }

// IndexSchema is described at ComparisonSchema.
func IndexSchema(w io.Writer) error { return writeSchema[index](w, "mysweep index") }

func writeSchema[T any](w io.Writer, title string) error {
	schema := schemaOf(reflect.TypeFor[T]())
	schema["$schema"] = "https://json-schema.org/draft/2020-12/schema"
	schema["title"] = title
	return write(w, schema)
}

func write(w io.Writer, value any) error {
	encoder := json.NewEncoder(w)
	encoder.SetIndent("", "  ")
	encoder.SetEscapeHTML(false)
	return encoder.Encode(value)
}

func schemaOf(t reflect.Type) map[string]any {
	switch t.Kind() {
	case reflect.Pointer:
		return map[string]any{"anyOf": []any{schemaOf(t.Elem()), map[string]any{"type": "null"}}}
	case reflect.Map:
		return map[string]any{"type": "object", "additionalProperties": schemaOf(t.Elem())}
	case reflect.Slice:
		return map[string]any{"type": "array", "items": schemaOf(t.Elem())}
	case reflect.Struct:
		properties, required := map[string]any{}, []string{}
		for _, f := range reflect.VisibleFields(t) {
			name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
			if !f.Anonymous && name != "" {
				properties[name], required = schemaOf(f.Type), append(required, name)
			}
		}
		return map[string]any{"type": "object", "additionalProperties": false, "properties": properties, "required": required}
	case reflect.Bool:
		return map[string]any{"type": "boolean"}
	case reflect.Int, reflect.Int64:
		return map[string]any{"type": "integer"}
	case reflect.Float64:
		return map[string]any{"type": "number"}
	}
	return map[string]any{"type": "string"}
}
