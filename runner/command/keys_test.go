package command

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/mysweep/mysweep/runner/plan"
)

// writeKeys writes the document of all keys of plan files.
func writeKeys(w io.Writer) error {
	var text strings.Builder
	text.WriteString("# Keys of a plan file\n\n" +
		"A plan file is YAML. Every flag of `mysweep run` that describes the plan is also a key, with `_` for `-`; flags on\n" +
		"the command line override the file. `mysweep plan --schema` prints the keys as a JSON schema, for editors.\n" +
		"Durations (`500ms`, `10s`) and percentages (`5%`) need their unit. Server options are passed as they are written\n" +
		"(`128M`, `OFF`, `0644`); `true` and `false` become ON and OFF.\n")
	all, options := allKeys(), optionKeys()
	maps.DeleteFunc(all, func(key string, _ jsonSchema) bool { return options[key] != nil })
	caseKeys := all["cases"].keysBelow()
	writeTable(&text, "Top level", all, plan.Flags()...)
	writeTable(&text, "A case (`cases:`)", caseKeys)
	writeTable(&text, "The existing server of a case (`server:`)", caseKeys["server"].keysBelow(), plan.GroupFlags("server")...)
	writeTable(&text, "The CPUs of a case (`cpus:`)", caseKeys["cpus"].keysBelow())
	writeTable(&text, "A workload (`workloads:`)", all["workloads"].keysBelow())
	writeTable(&text, "A transaction of a workload (`transactions:`)", all["workloads"].keysBelow()["transactions"].keysBelow())
	writeTable(&text, "Options of workloads\n\nAn option at the top level applies to every workload of the plan that has it. Below\n"+
		"`workloads: [{name, options}]`, names are written with `-`, as `mysweep workloads NAME` shows them", options)
	_, err := io.WriteString(w, text.String())
	return err
}

// keysBelow are the keys of a group of keys, or of the items of a list of groups.
func (s jsonSchema) keysBelow() map[string]jsonSchema {
	if items, ok := s["items"].(jsonSchema); ok {
		s = items
	}
	if forms, ok := s["anyOf"].([]jsonSchema); ok {
		s = forms[len(forms)-1]
	}
	keys, _ := s["properties"].(map[string]jsonSchema)
	return keys
}

// writeTable writes a table of keys; those of flags take what the flags take.
func writeTable(text *strings.Builder, title string, keys map[string]jsonSchema, flags ...plan.Flag) {
	fmt.Fprintf(text, "\n## %s\n\n| key | value | meaning |\n|---|---|---|\n", title)
	forms := map[string]string{}
	for _, f := range flags {
		forms[f.Key()] = formOf(f)
	}
	for _, name := range slices.Sorted(maps.Keys(keys)) {
		form, isFlag := forms[name]
		if !isFlag || keys[name]["anyOf"] != nil {
			form = keys[name].form()
		}
		meaning, _ := keys[name]["description"].(string)
		fmt.Fprintf(text, "| `%s` | %s | %s |\n", name, form, strings.ReplaceAll(meaning, "|", `\|`))
	}
}

// formOf names what the key of a flag takes.
func formOf(f plan.Flag) string {
	switch f.KindOf() {
	case plan.Switch:
		return "true or false"
	case plan.Integer, plan.Number:
		return "number"
	case plan.Span:
		return "duration"
	case plan.Percent:
		return "percentage"
	case plan.Counts:
		return "number, or a list"
	}
	if f.Many() {
		return "text, or a list"
	}
	return "text"
}

// form names what a schema allows.
func (s jsonSchema) form() string {
	if forms, ok := s["anyOf"].([]jsonSchema); ok {
		return forms[0].form() + ", or keys"
	}
	types, _ := s["type"].([]string)
	if single, ok := s["type"].(string); ok {
		types = []string{single}
	}
	switch {
	case slices.Contains(types, "object"):
		return "keys"
	case slices.Contains(types, "string") && slices.Contains(types, "array"):
		return "text, or a list"
	case slices.Contains(types, "array"):
		return "a list"
	case slices.Contains(types, "string"):
		return "text"
	case slices.Contains(types, "boolean"):
		return "true or false"
	}
	return "number"
}
