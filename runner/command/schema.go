package command

import (
	"encoding/json"
	"io"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/mysweep/mysweep/runner/plan"
)

// writeSchema writes the JSON schema of plan files. It is made of plan.Plan's
// own types and of the flags, so that it cannot fall behind them.
func writeSchema(w io.Writer) error {
	schema := object(planType(), "")
	schema["$schema"] = "https://json-schema.org/draft/2020-12/schema"
	schema["title"] = "mysweep plan"
	properties := schema["properties"].(map[string]any)
	for name, key := range flatKeys() {
		properties[name] = described(flatForm(key), key.usage)
	}
	properties["preset"] = described(map[string]any{"enum": []string{"supersmack"}}, "supersmack: the shell loop around super-smack to the letter")
	encoder := json.NewEncoder(w)
	encoder.SetIndent("", "  ")
	encoder.SetEscapeHTML(false)
	return encoder.Encode(schema)
}

func planType() reflect.Type { return reflect.TypeFor[plan.Plan]() }

// fieldsOf are the YAML keys of a struct.
func fieldsOf(t reflect.Type) map[string]reflect.Type {
	fields := map[string]reflect.Type{}
	for i := range t.NumField() {
		name, _, _ := strings.Cut(t.Field(i).Tag.Get("yaml"), ",")
		if name != "" && name != "-" {
			fields[name] = t.Field(i).Type
		}
	}
	return fields
}

// object is the schema of a struct; path is where it stands, "cases." or "".
func object(t reflect.Type, path string) map[string]any {
	properties := map[string]any{}
	for name, field := range fieldsOf(t) {
		properties[name] = described(form(field, path+name+"."), keyText(path+name))
	}
	return map[string]any{"type": "object", "additionalProperties": false, "properties": properties}
}

func described(schema map[string]any, text string) map[string]any {
	if text != "" {
		schema["description"] = text
	}
	return schema
}

// form is the schema of what a field takes; see plan's UnmarshalYAML methods.
func form(t reflect.Type, path string) map[string]any {
	switch t {
	case reflect.TypeFor[plan.Ints]():
		return map[string]any{"type": []string{"integer", "string", "array"}, "items": map[string]any{"type": []string{"integer", "string"}}}
	case reflect.TypeFor[plan.Texts]():
		return map[string]any{"type": []string{"string", "number", "array"}, "items": map[string]any{"type": []string{"string", "number"}}}
	case reflect.TypeFor[plan.Duration]():
		return map[string]any{"type": []string{"string", "number"}}
	case reflect.TypeFor[plan.Settle]():
		return map[string]any{"type": "string"}
	case reflect.TypeFor[plan.Options](), reflect.TypeFor[map[string]string]():
		return map[string]any{"type": "object", "additionalProperties": value1()}
	case reflect.TypeFor[plan.Vary]():
		list := map[string]any{"type": []string{"array", "string", "number", "boolean"}, "items": value1()}
		return map[string]any{"type": "object", "additionalProperties": list}
	case reflect.TypeFor[plan.CPUs]():
		return oneOf(map[string]any{"type": []string{"string", "integer", "array"}}, object(t, path))
	case reflect.TypeFor[plan.Workload]():
		return oneOf(map[string]any{"type": "string"}, object(t, path))
	case reflect.TypeFor[plan.Private]():
		return oneOf(map[string]any{"type": "boolean"}, object(t, path))
	}
	switch t.Kind() {
	case reflect.Pointer:
		return form(t.Elem(), path)
	case reflect.Slice:
		return map[string]any{"type": "array", "items": form(t.Elem(), path)}
	case reflect.Struct:
		return object(t, path)
	case reflect.Bool:
		return map[string]any{"type": "boolean"}
	case reflect.Int, reflect.Int64, reflect.Uint64:
		return map[string]any{"type": "integer"}
	case reflect.Float64:
		return map[string]any{"type": "number"}
	}
	return map[string]any{"type": []string{"string", "number"}}
}

// value1 is one value of an option.
func value1() map[string]any {
	return map[string]any{"type": []string{"string", "number", "boolean", "null"}}
}

func oneOf(forms ...map[string]any) map[string]any { return map[string]any{"anyOf": forms} }

func flatForm(key flatKey) map[string]any {
	types := []string{"string", "number", "boolean"}
	if key.many {
		types = append(types, "array")
	}
	return map[string]any{"type": types}
}

// schemaKeys are the names of all keys of plan.Plan, those of its parts as well.
func schemaKeys() []string {
	names := map[string]bool{}
	var walk func(t reflect.Type)
	walk = func(t reflect.Type) {
		switch t.Kind() {
		case reflect.Slice, reflect.Pointer:
			walk(t.Elem())
		case reflect.Struct:
			for name, field := range fieldsOf(t) {
				names[name] = true
				walk(field)
			}
		}
	}
	walk(planType())
	return slices.Sorted(maps.Keys(names))
}

func usageOf(f cli.Flag) string {
	if documented, ok := f.(cli.DocGenerationFlag); ok {
		return strings.ReplaceAll(documented.GetUsage(), "`", "")
	}
	return ""
}

func isMany(f cli.Flag) bool {
	_, ok := f.(*cli.StringSliceFlag)
	return ok
}

// keyText says what the key at a path is for: what its flag says, else what is
// said here.
func keyText(path string) string {
	if text := keyTexts()[path]; text != "" && strings.Contains(path, ".") {
		return text
	}
	for _, settings := range [][]setting{serverSettings(), accessSettings(), privateSettings(), sweepSettings(), answerSettings()} {
		for _, s := range settings {
			name := keyOf(s.flag.Names()[0])
			if path == name || path == "server."+name || path == "private."+name || path == "cases.server."+name {
				return usageOf(s.flag)
			}
		}
	}
	return keyTexts()[path]
}

// keyTexts says what those keys are for that are no flags.
func keyTexts() map[string]string {
	return map[string]string{
		"name":           "name of the run",
		"tags":           "k: v kept with the run",
		"server":         "an existing server; its keys may stand at the top level too",
		"private":        "true, or how the private server is made; its keys may stand at the top level too",
		"private.wanted": "start a private server, whatever else runs on this machine",

		"workloads":                     "what to run: names, or names with options, files, or statements of their own",
		"workloads.name":                "its name",
		"workloads.options":             "its options, see mysweep workloads",
		"workloads.smack":               "a .smack file instead of a name",
		"workloads.sql":                 "an .sql file instead of a name",
		"workloads.setup":               "SQL, once a case before the first trial",
		"workloads.variables":           "what :name in the statements is drawn by, e.g. uniform 1 1000",
		"workloads.transactions":        "the rounds of a workload that the plan writes down",
		"workloads.transactions.name":   "its name",
		"workloads.transactions.weight": "share of the rounds against the others (default 1)",
		"workloads.transactions.sql":    "its statements, BEGIN and COMMIT among them",

		"cases":                       "server configurations to compare; the first is what the others are compared with",
		"cases.name":                  "its name in the results",
		"cases.mysqld":                "server program, instead of the plan's",
		"cases.options":               "server options by the names of my.cnf; no value is a name alone",
		"cases.options_file":          "a my.cnf to take options from",
		"cases.if_known":              "leave out variables that this server does not know, instead of failing the case",
		"cases.datadir_parent":        "folder for the datadir, instead of the plan's",
		"cases.copy_datadir_from":     "a prepared datadir to copy",
		"cases.wrap":                  "command in front of the server, e.g. numactl --interleave=all",
		"cases.env":                   "environment of the server, NAME: value",
		"cases.cpus":                  "CPUs that the server may use: a list such as 0-3,8, or cores; the load generator keeps off them",
		"cases.cpus.list":             "a list such as 0-3,8",
		"cases.cpus.cores":            "so many cores, chosen from the topology",
		"cases.cpus.threads_per_core": "so many threads of each core (default 1)",
		"cases.smt":                   "on or off for the whole machine while the case runs; needs allow_smt_change",
		"cases.start":                 "state of the caches: cold (page cache dropped, restarted), restart, or warm (warmed up, dirty pages flushed)",
		"cases.transport":             "socket, tcp or tls",
		"cases.replicas":              "so many private replicas of the private server",
		"cases.server":                "an existing server for this case, instead of the plan's; what it does not say of the login is as the plan says it",
		"cases.server.database":       "not here: the schema is the same for all cases",
		"cases.restart":               "commands that restart an existing server, when the case begins and wherever start asks for it; needs allow_commands",
		"cases.set_global":            "variables to SET GLOBAL while the case runs; what they were is restored",
		"cases.after_start":           "SQL after each start",
		"cases.before_trial":          "SQL before each trial",
		"cases.after_trial":           "SQL after each trial",
		"cases.before_trial_command":  "commands before each trial; needs allow_commands",
		"cases.after_trial_command":   "commands after each trial; needs allow_commands",
		"cases.trace":                 "deeper looks during a trial that is not measured: syscalls, perf, innodb-status, slow-log",
		"cases.vary":                  "name: [values]; a further case for each value, one variable changed at a time",
		"cases.grid":                  "name: [values]; a further case for each combination",
		"cases.around":                "vary and grid of this case change the one named here, and it does not run itself",
		"at":                          "knee: run the cases that vary another one only at its knee",
		"replica":                     "DSN of a replica to wait for and to compare after each case",
	}
}

// plainForm names what a key takes, for the document of all keys.
func plainForm(schema map[string]any) string {
	if forms, ok := schema["anyOf"].([]map[string]any); ok {
		return plainForm(forms[0]) + ", or keys"
	}
	types, _ := schema["type"].([]string)
	if single, ok := schema["type"].(string); ok {
		types = []string{single}
	}
	text := ""
	switch {
	case slices.Contains(types, "string"), schema["enum"] != nil:
		text = "text"
	case slices.Contains(types, "object"):
		return "keys"
	case slices.Contains(types, "boolean"):
		return "true or false"
	case slices.Contains(types, "integer"), slices.Contains(types, "number"):
		return "number"
	}
	if slices.Contains(types, "array") {
		text += ", or a list"
	}
	return strings.TrimPrefix(text, ", or ")
}
