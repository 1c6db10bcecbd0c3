package command

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
)

// writeKeys writes the document of all keys of plan files.
func writeKeys(w io.Writer) error {
	var text strings.Builder
	text.WriteString("# Keys of a plan file\n\n" +
		"A plan file is YAML. Every flag that makes a plan has its key, the same name with `_` for `-`;\n" +
		"flags override what the file says. `mysweep plan --schema` prints these keys as a JSON schema, for editors.\n" +
		"Values of options are taken as they are written (`128M`, `OFF`, `0644`); `true` and `false` become ON and OFF.\n")
	root := object(planType(), "")["properties"].(map[string]any)
	flat := map[string]any{"preset": described(map[string]any{"type": "string"}, "supersmack: the shell loop around super-smack to the letter")}
	options := map[string]any{}
	of := map[string]bool{}
	for _, o := range workloadOptions() {
		of[keyOf(o.Name)] = true
	}
	for name, key := range flatKeys() {
		if of[name] {
			options[name] = described(flatForm(key), key.usage)
		} else {
			flat[name] = described(flatForm(key), key.usage)
		}
	}
	maps.Copy(flat, root)
	writeTable(&text, "At the top level", flat)
	writeTable(&text, "A case (`cases:`)", propertiesOf(root["cases"]))
	writeTable(&text, "The existing server of a case (`server:`)", propertiesOf(propertiesOf(root["cases"])["server"]))
	writeTable(&text, "CPUs of a case (`cpus:`)", propertiesOf(propertiesOf(root["cases"])["cpus"]))
	writeTable(&text, "A workload (`workloads:`)", propertiesOf(root["workloads"]))
	writeTable(&text, "A round that the plan writes down (`transactions:`)", propertiesOf(propertiesOf(root["workloads"])["transactions"]))
	writeTable(&text, "Options of workloads\n\nEach goes to the workloads of the plan that have it. Below `workloads: [{name, options}]` they are written as `mysweep workloads` does", options)
	_, err := io.WriteString(w, text.String())
	return err
}

// propertiesOf are the keys below a key.
func propertiesOf(schema any) map[string]any {
	s, _ := schema.(map[string]any)
	if items, ok := s["items"].(map[string]any); ok {
		s = items
	}
	if forms, ok := s["anyOf"].([]map[string]any); ok {
		s = forms[1]
	}
	properties, _ := s["properties"].(map[string]any)
	return properties
}

func writeTable(text *strings.Builder, title string, properties map[string]any) {
	fmt.Fprintf(text, "\n## %s\n\n| key | value | meaning |\n|---|---|---|\n", title)
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		schema := properties[name].(map[string]any)
		meaning, _ := schema["description"].(string)
		fmt.Fprintf(text, "| `%s` | %s | %s |\n", name, plainForm(schema), strings.ReplaceAll(meaning, "|", `\|`))
	}
}
