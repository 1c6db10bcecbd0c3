package plan

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
)

// FileKeys are the keys of a plan file that are no flags.
type FileKeys struct {
	Tags      map[string]string `yaml:"tags"`
	Cases     []Case            `yaml:"cases"`
	Workloads []Workload        `yaml:"workloads"`
	At        string            `yaml:"at"`
}

// Decode changes p as a plan file says. Its keys are FileKeys, the flags and the
// options of workloads (with _ for -), and server and private, groups of flags.
// Errors can be shown by yaml.FormatError, which quotes the line.
func (p *Plan) Decode(raw []byte, c Catalogue) error {
	body, err := ParseDocument(raw)
	if err != nil || body == nil {
		return err
	}
	d := &decoder{catalogue: c, flags: map[string]ast.Node{}, options: map[string]ast.Node{}}
	if err := d.sort(body); err != nil {
		return err
	}
	return d.decode(p)
}

// decoder has the keys of a plan file by what they are.
type decoder struct {
	catalogue      Catalogue
	flags, options map[string]ast.Node
	rest           []*ast.MappingValueNode
}

func (d *decoder) sort(body *ast.MappingNode) error {
	options := d.catalogue.options()
	for _, pair := range body.Values {
		key := pair.Key.GetToken().Value
		option := strings.ReplaceAll(key, "_", "-")
		group := isGroup(pair.Value)
		switch {
		case key == "server", key == "private" && group:
			if err := pairs(pair.Value, func(inner string, value ast.Node) error { return d.inGroup(key, inner, value) }); err != nil {
				return err
			}
		case hasKey(Flags(), key):
			d.flags[key] = pair.Value
		case slices.Contains(options, option):
			d.options[option] = pair.Value
		default:
			d.rest = append(d.rest, pair)
		}
	}
	return nil
}

// inGroup notes a flag below server or private.
func (d *decoder) inGroup(group, key string, value ast.Node) error {
	if group == "private" && key == "wanted" {
		key = "private"
	}
	flags := GroupFlags(group)
	if !hasKey(flags, key) {
		var names []string
		for _, f := range flags {
			names = append(names, f.Key())
		}
		return complain(value, fmt.Errorf("unknown key %q in %s%s", key, group, DidYouMean(key, names)))
	}
	d.flags[key] = value
	return nil
}

// GroupFlags are the flags that a plan file may group under server or private.
func GroupFlags(key string) []Flag {
	if key == "server" {
		return serverFlags()
	}
	return privateFlags()
}

func hasKey(flags []Flag, key string) bool {
	return slices.ContainsFunc(flags, func(f Flag) bool { return f.Key() == key })
}

// decode gives the plan the keys: first those that are no flags, then the flags
// in their order, then the options, which go to workloads that are named by then.
func (d *decoder) decode(p *Plan) error {
	var file FileKeys
	if len(d.rest) > 0 {
		body := ast.Mapping(d.rest[0].GetToken(), false, d.rest...)
		if err := yaml.NodeToValue(body, &file, yaml.Strict()); err != nil {
			return d.unknown(err)
		}
	}
	file.into(p)
	for _, f := range Flags() {
		node := d.flags[f.Key()]
		if node == nil {
			continue
		}
		if f.Alternatives == WorkloadNames && file.Workloads == nil {
			p.Clear(WorkloadNames)
			file.Workloads = []Workload{}
		}
		if err := f.decode(p, node); err != nil {
			return err
		}
	}
	for _, option := range d.catalogue.options() {
		node := d.options[option]
		if node == nil {
			continue
		}
		text, err := scalar(node)
		if err == nil {
			if err = p.SetOption(d.catalogue, option, text); err != nil {
				err = complain(node, err)
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (k *FileKeys) into(p *Plan) {
	for key, value := range k.Tags {
		if p.Tags == nil {
			p.Tags = map[string]string{}
		}
		p.Tags[key] = value
	}
	if k.Cases != nil {
		p.Cases = k.Cases
	}
	if k.Workloads != nil {
		p.Workloads = k.Workloads
	}
	if k.At != "" {
		p.At = k.At
	}
}

// decode sets the flag to what a plan file has. A key without a value
// leaves the default.
func (f Flag) decode(p *Plan, node ast.Node) error {
	texts, err := scalars(node)
	if err != nil {
		return err
	}
	if _, empty := node.(*ast.NullNode); empty {
		return nil
	}
	switch {
	case f.KindOf() == Counts:
		texts = []string{strings.Join(texts, ",")}
	case len(texts) != 1 && !f.Many():
		return complain(node, errors.New("expected one value, not a list"))
	}
	for _, text := range texts {
		if err := f.Apply(p, text); err != nil {
			return complain(node, err)
		}
	}
	return nil
}

// unknown adds what was probably meant to the error about an unknown key.
func (d *decoder) unknown(err error) error {
	var unknown *yaml.UnknownFieldError
	if !errors.As(err, &unknown) {
		return err
	}
	names := keysOf(reflect.TypeFor[FileKeys]())
	for _, f := range Flags() {
		names = append(names, f.Key())
	}
	for _, option := range d.catalogue.options() {
		names = append(names, strings.ReplaceAll(option, "-", "_"))
	}
	message := fmt.Sprintf("unknown key %q", unknown.Token.Value)
	if slices.Contains(names, unknown.Token.Value) {
		message += " here: " + d.belongs(unknown.Token.Value)
	} else if near := Nearest(unknown.Token.Value, names); near != "" {
		message += ", did you mean " + near + "?"
	} else {
		message += ": mysweep plan --schema lists all keys"
	}
	return &yaml.SyntaxError{Message: message, Token: unknown.Token}
}

// belongs says where a key belongs that is known, but not where it was found.
func (d *decoder) belongs(key string) string {
	if slices.Contains(d.catalogue.options(), strings.ReplaceAll(key, "_", "-")) {
		return fmt.Sprintf("it belongs below options: {name: WORKLOAD, options: {%s: ...}}", key)
	}
	return "mysweep plan --schema shows where it belongs"
}

// keysOf lists the YAML keys of a type and of its parts.
func keysOf(t reflect.Type) (keys []string) {
	switch t.Kind() {
	case reflect.Slice, reflect.Pointer:
		return keysOf(t.Elem())
	case reflect.Struct:
		for i := range t.NumField() {
			key, _, _ := strings.Cut(t.Field(i).Tag.Get("yaml"), ",")
			if key != "" && key != "-" {
				keys = append(append(keys, key), keysOf(t.Field(i).Type)...)
			}
		}
	}
	return keys
}
