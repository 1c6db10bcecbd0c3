package command

import (
	"encoding/json"
	"io"
	"reflect"
	"strings"

	"github.com/mysweep/mysweep/runner/plan"
)

// jsonSchema is a JSON schema, or a part of one.
type jsonSchema map[string]any

// writeSchema writes the JSON schema of plan files.
func writeSchema(w io.Writer) error {
	schema := jsonSchema{
		"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "mysweep plan",
		"type": "object", "additionalProperties": false, "properties": allKeys(),
	}
	encoder := json.NewEncoder(w)
	encoder.SetIndent("", "  ")
	encoder.SetEscapeHTML(false)
	return encoder.Encode(schema)
}

// allKeys are the keys at the top level of a plan file, with their schemas.
func allKeys() map[string]jsonSchema {
	keys := keysOfStruct(reflect.TypeFor[plan.FileKeys](), "")
	for _, f := range plan.Flags() {
		keys[f.Key()] = schemaOfFlag(f)
	}
	for _, group := range []string{"server", "private"} {
		nested := map[string]jsonSchema{}
		for _, f := range plan.GroupFlags(group) {
			nested[f.Key()] = schemaOfFlag(f)
		}
		schema := jsonSchema{"type": "object", "additionalProperties": false, "properties": nested}
		if group == "private" {
			nested["wanted"] = nested["private"]
			delete(nested, "private")
			schema = anyOf(jsonSchema{"type": "boolean"}, schema)
		}
		keys[group] = schema.described(keyTexts()[group])
	}
	for key, schema := range optionKeys() {
		keys[key] = schema
	}
	return keys
}

// optionKeys are the keys of the options of workloads.
func optionKeys() map[string]jsonSchema {
	keys := map[string]jsonSchema{}
	for _, o := range workloadOptions() {
		schema := jsonSchema{"type": []string{"string", "number", "boolean"}}
		keys[strings.ReplaceAll(o.Name, "-", "_")] = schema.described(o.Usage + " (" + strings.Join(o.workloads, ", ") + ")")
	}
	return keys
}

// schemaOfFlag is the schema of the values of a flag's key.
func schemaOfFlag(f plan.Flag) jsonSchema {
	schema := jsonSchema{}
	switch f.KindOf() {
	case plan.Switch:
		schema["type"] = "boolean"
	case plan.Integer:
		schema["type"] = []string{"integer", "string"}
	case plan.Number:
		schema["type"] = "number"
	case plan.Span:
		schema = withUnit(f, `^([0-9.]+(ns|us|µs|ms|s|m|h))+$|^0$`)
	case plan.Percent:
		schema = withUnit(f, `^[0-9.]+ *%$|^0$`)
	case plan.Counts:
		schema["type"], schema["items"] = []string{"integer", "string", "array"}, jsonSchema{"type": []string{"integer", "string"}}
	default:
		schema = schemaOfText(f)
	}
	return schema.described(meaning(f))
}

// withUnit is the schema of a text with a unit, or 0 where the flag takes it.
func withUnit(f plan.Flag, pattern string) jsonSchema {
	if f.Positive {
		return jsonSchema{"type": "string", "pattern": pattern}
	}
	return jsonSchema{"type": []string{"string", "integer"}, "pattern": pattern, "minimum": 0, "maximum": 0}
}

func schemaOfText(f plan.Flag) jsonSchema {
	switch {
	case len(f.Choices) > 0:
		return jsonSchema{"enum": f.Choices}
	case f.Many():
		return schemaOfTexts()
	}
	return jsonSchema{"type": []string{"string", "number"}}
}

func schemaOfTexts() jsonSchema {
	return jsonSchema{"type": []string{"string", "number", "array"}, "items": jsonSchema{"type": []string{"string", "number"}}}
}

func (s jsonSchema) described(text string) jsonSchema {
	if text != "" {
		s["description"] = text
	}
	return s
}

// keysOfStruct are the YAML keys of a struct; path is where they are, such as
// "cases." or "".
func keysOfStruct(t reflect.Type, path string) map[string]jsonSchema {
	keys := map[string]jsonSchema{}
	for i := range t.NumField() {
		name, _, _ := strings.Cut(t.Field(i).Tag.Get("yaml"), ",")
		if name != "" && name != "-" {
			keys[name] = schemaOfType(t.Field(i).Type, path+name+".").described(keyText(path + name))
		}
	}
	return keys
}

func schemaOfStruct(t reflect.Type, path string) jsonSchema {
	return jsonSchema{"type": "object", "additionalProperties": false, "properties": keysOfStruct(t, path)}
}

// schemaOfType is the schema of what a field takes, see the UnmarshalYAML
// methods of package plan.
func schemaOfType(t reflect.Type, path string) jsonSchema {
	switch t {
	case reflect.TypeFor[plan.Texts]():
		return schemaOfTexts()
	case reflect.TypeFor[plan.Options](), reflect.TypeFor[map[string]string]():
		return jsonSchema{"type": "object", "additionalProperties": scalarSchema()}
	case reflect.TypeFor[plan.Vary]():
		list := jsonSchema{"type": []string{"array", "string", "number", "boolean"}, "items": scalarSchema()}
		return jsonSchema{"type": "object", "additionalProperties": list}
	case reflect.TypeFor[plan.CPUs]():
		return anyOf(jsonSchema{"type": []string{"string", "integer", "array"}}, schemaOfStruct(t, path))
	case reflect.TypeFor[plan.Workload]():
		return anyOf(jsonSchema{"type": "string"}, schemaOfStruct(t, path))
	}
	switch t.Kind() {
	case reflect.Pointer:
		return schemaOfType(t.Elem(), path)
	case reflect.Slice:
		return jsonSchema{"type": "array", "items": schemaOfType(t.Elem(), path)}
	case reflect.Struct:
		return schemaOfStruct(t, path)
	case reflect.Bool:
		return jsonSchema{"type": "boolean"}
	case reflect.Int:
		return jsonSchema{"type": "integer"}
	case reflect.Float64:
		return jsonSchema{"type": "number"}
	}
	return jsonSchema{"type": []string{"string", "number"}}
}

// scalarSchema is one value of an option.
func scalarSchema() jsonSchema {
	return jsonSchema{"type": []string{"string", "number", "boolean", "null"}}
}

func anyOf(forms ...jsonSchema) jsonSchema { return jsonSchema{"anyOf": forms} }
