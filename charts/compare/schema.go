package compare

import (
	"encoding/json"
	"io"
	"reflect"
	"strings"
)

// Schema writes the JSON schema of what JSON writes. It is made of the types, and kept as comparison.schema.json.
func Schema(w io.Writer) error {
	schema := schemaOf(reflect.TypeFor[document]())
	schema["$schema"] = "https://json-schema.org/draft/2020-12/schema"
	schema["title"] = "mysweep comparison"
	encoder := json.NewEncoder(w)
	encoder.SetIndent("", "  ")
	return encoder.Encode(schema)
}

func schemaOf(t reflect.Type) map[string]any {
	switch t.Kind() {
	case reflect.Pointer:
		return map[string]any{"anyOf": []any{schemaOf(t.Elem()), map[string]any{"type": "null"}}}
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
	case reflect.Int:
		return map[string]any{"type": "integer"}
	case reflect.Float64:
		return map[string]any{"type": "number"}
	}
	return map[string]any{"type": "string"}
}
