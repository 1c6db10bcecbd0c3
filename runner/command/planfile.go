package command

import (
	"errors"
	"fmt"
	"io"
	"os"
	"reflect"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"

	"github.com/mysweep/mysweep/runner/plan"
)

// readPlanFile lets a plan file change p. Its keys are those of plan.Plan, and
// the name of every flag that makes a plan, with _ for -.
func readPlanFile(file string, stdin io.Reader, p *plan.Plan) error {
	var raw []byte
	var err error
	if file == "-" {
		raw, err = io.ReadAll(stdin)
	} else {
		raw, err = os.ReadFile(file)
	}
	if err != nil {
		return usage("plan file: %w", err)
	}
	if err := decodePlan(raw, p); err != nil {
		return usage("plan file %s: %s", file, yaml.FormatError(err, false, true))
	}
	return nil
}

func decodePlan(raw []byte, p *plan.Plan) error {
	file, err := parser.ParseBytes(raw, 0)
	if err != nil {
		return err
	}
	if len(file.Docs) > 1 {
		return &yaml.SyntaxError{Message: "a plan file holds one plan", Token: file.Docs[1].GetToken()}
	}
	if len(file.Docs) == 0 || file.Docs[0].Body == nil {
		return nil
	}
	body, ok := file.Docs[0].Body.(*ast.MappingNode)
	if !ok {
		if _, empty := file.Docs[0].Body.(*ast.NullNode); empty {
			return nil
		}
		return &yaml.SyntaxError{Message: "a plan file has keys with values, such as threads: 10", Token: file.Docs[0].Body.GetToken()}
	}
	resolve(body)
	return decodeKeys(body, p)
}

// decodeKeys gives the keys that are flags to what the flags do, and the
// others to the plan's own fields.
func decodeKeys(body *ast.MappingNode, p *plan.Plan) error {
	flat := flatKeys()
	var rest, workloads, given []*ast.MappingValueNode
	for _, pair := range body.Values {
		key := pair.Key.GetToken().Value
		_, isFlag := flat[key]
		switch {
		case key == "preset":
			if err := decodePreset(pair, p); err != nil {
				return err
			}
		case key == "workload" || key == "smack" || key == "sql":
			workloads = append(workloads, pair)
		case isFlag:
			given = append(given, pair)
		default:
			rest = append(rest, pair)
		}
	}
	body.Values = rest
	if len(rest) > 0 {
		if err := yaml.NodeToValue(body, p, yaml.Strict()); err != nil {
			return known(err, flat)
		}
	}
	for _, pair := range append(workloads, given...) { // whose options may be among the others
		if err := flat[pair.Key.GetToken().Value].decode(p, pair.Value); err != nil {
			return err
		}
	}
	return nil
}

func decodePreset(pair *ast.MappingValueNode, p *plan.Plan) error {
	if err := setPreset(p, pair.Value.GetToken().Value); err != nil {
		return &yaml.SyntaxError{Message: err.Error(), Token: pair.Value.GetToken()}
	}
	return nil
}

// known adds what was probably meant to the complaint about an unknown key.
func known(err error, flat map[string]flatKey) error {
	var unknown *yaml.UnknownFieldError
	if !errors.As(err, &unknown) {
		return err
	}
	names := schemaKeys()
	for name := range flat {
		names = append(names, name)
	}
	message := fmt.Sprintf("unknown key %q", unknown.Token.Value)
	if near := plan.Nearest(unknown.Token.Value, names); near != "" {
		message += ", did you mean " + near + "?"
	} else {
		message += ": mysweep plan --schema lists them all"
	}
	return &yaml.SyntaxError{Message: message, Token: unknown.Token}
}

// flatKey is a top-level key that is a flag.
type flatKey struct {
	usage string
	many  bool // a list is taken as well
	set   func(p *plan.Plan, text string) error
}

// flatKeys are the flags that are no field of plan.Plan at its top level. The
// plan's own fields have the same names and read themselves.
func flatKeys() map[string]flatKey {
	keys := map[string]flatKey{
		"workload": {"the workload to run, or several", true, func(p *plan.Plan, s string) error {
			return addWorkload(p, plan.Workload{Name: s})
		}},
		"smack": {"a .smack file to run, or several", true, func(p *plan.Plan, s string) error {
			return addWorkload(p, plan.Workload{Smack: s})
		}},
		"sql": {"an .sql file to run, or several", true, func(p *plan.Plan, s string) error {
			return addWorkload(p, plan.Workload{SQL: s})
		}},
		"tag": {"k=v kept with the run, or several", true, setTag},
	}
	fields := fieldsOf(planType())
	for _, settings := range [][]setting{serverSettings(), accessSettings(), privateSettings(), sweepSettings(), answerSettings()} {
		for _, s := range settings {
			name := keyOf(s.flag.Names()[0])
			field, own := fields[name]
			if !own || isNumber(field) {
				keys[name] = flatKey{usageOf(s.flag), isMany(s.flag), s.set}
			}
		}
	}
	for _, o := range workloadOptions() {
		keys[keyOf(o.Name)] = flatKey{o.Usage + " (" + strings.Join(o.workloads, ", ") + ")", false, func(p *plan.Plan, s string) error {
			return giveOption(p, o, s)
		}}
	}
	return keys
}

func isNumber(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Int, reflect.Float64:
		return true
	case reflect.Int64, reflect.Uint64:
		return t.PkgPath() == "" // no type of ours, which reads itself
	}
	return false
}

// keyOf is a flag's key in a plan file.
func keyOf(flag string) string { return strings.ReplaceAll(flag, "-", "_") }

// addWorkload puts a workload into the plan in place of the default one.
func addWorkload(p *plan.Plan, w plan.Workload) error {
	if len(p.Workloads) == 1 && p.Workloads[0].Label() == plan.Default().Workloads[0].Name && len(p.Workloads[0].Options) == 0 {
		p.Workloads = nil
	}
	p.Workloads = append(p.Workloads, w)
	return nil
}

func (k flatKey) decode(p *plan.Plan, node ast.Node) error {
	var texts plan.Texts
	if err := yaml.NodeToValue(node, &texts); err != nil {
		return err
	}
	if len(texts) != 1 && !k.many {
		return &yaml.SyntaxError{Message: "one value was expected", Token: node.GetToken()}
	}
	for _, text := range texts {
		if err := k.set(p, text); err != nil {
			return &yaml.SyntaxError{Message: err.Error(), Token: node.GetToken()}
		}
	}
	return nil
}

// resolve puts what an anchor (&) names in the place of each alias (*), so that
// every type can read its own node.
func resolve(node ast.Node) {
	anchors := map[string]ast.Node{}
	ast.Walk(replacer(anchors), node)
}

type replacer map[string]ast.Node

// Visit sees parents before children and earlier before later ones, as YAML
// wants anchors to stand before their aliases.
func (r replacer) Visit(node ast.Node) ast.Visitor {
	switch n := node.(type) {
	case *ast.AnchorNode:
		r[n.Name.GetToken().Value] = n.Value
	case *ast.MappingValueNode:
		n.Value = r.of(n.Value)
	case *ast.SequenceNode:
		for i, value := range n.Values {
			n.Values[i] = r.of(value)
		}
	}
	return r
}

func (r replacer) of(node ast.Node) ast.Node {
	alias, ok := node.(*ast.AliasNode)
	if !ok {
		return node
	}
	if value := r[alias.Value.GetToken().Value]; value != nil {
		return value
	}
	return node
}
