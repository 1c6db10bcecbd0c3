package plan

import (
	"fmt"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
)

// The types below are read from a YAML node instead of a decoded value, so that
// errors can quote the line, and scalars keep their spelling (0644, 1.10).

// complain returns an error that yaml.FormatError shows with the line of the node.
func complain(node ast.Node, err error) error {
	return &yaml.SyntaxError{Message: err.Error(), Token: node.GetToken()}
}

// scalar is the text of a single value in its original spelling; null is "".
func scalar(node ast.Node) (string, error) {
	switch n := node.(type) {
	case *ast.StringNode:
		return n.Value, nil
	case *ast.LiteralNode:
		return n.Value.Value, nil
	case *ast.NullNode:
		return "", nil
	case *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode, *ast.InfinityNode, *ast.NanNode:
		return n.GetToken().Value, nil
	case *ast.AnchorNode:
		return scalar(n.Value)
	}
	return "", complain(node, fmt.Errorf("expected one value, not a %s", kind(node)))
}

func kind(node ast.Node) string {
	switch node.(type) {
	case *ast.SequenceNode:
		return "list"
	case *ast.MappingNode, *ast.MappingValueNode:
		return "group of keys"
	}
	return strings.ToLower(node.Type().String())
}

// scalars are the texts of a list, or of a single value.
func scalars(node ast.Node) ([]string, error) {
	if anchor, ok := node.(*ast.AnchorNode); ok {
		return scalars(anchor.Value)
	}
	list, ok := node.(*ast.SequenceNode)
	if !ok {
		text, err := scalar(node)
		return []string{text}, err
	}
	texts := make([]string, len(list.Values))
	for i, value := range list.Values {
		var err error
		if texts[i], err = scalar(value); err != nil {
			return nil, err
		}
	}
	return texts, nil
}

// pairs calls do for each key of a group in the order of the file, including the
// keys of merged groups (<<).
func pairs(node ast.Node, do func(key string, value ast.Node) error) error {
	switch n := node.(type) {
	case *ast.AnchorNode:
		return pairs(n.Value, do)
	case *ast.NullNode:
		return nil
	case *ast.MappingNode:
		for _, pair := range n.Values {
			if err := onePair(pair, do); err != nil {
				return err
			}
		}
		return nil
	case *ast.MappingValueNode:
		return onePair(n, do)
	}
	return complain(node, fmt.Errorf("expected a group of keys, not a %s", kind(node)))
}

func onePair(pair *ast.MappingValueNode, do func(string, ast.Node) error) error {
	if pair.Key.IsMergeKey() {
		return pairs(pair.Value, do)
	}
	return do(pair.Key.GetToken().Value, pair.Value)
}

// isGroup reports whether a node has keys.
func isGroup(node ast.Node) bool {
	switch n := node.(type) {
	case *ast.AnchorNode:
		return isGroup(n.Value)
	case *ast.MappingNode, *ast.MappingValueNode:
		return true
	}
	return false
}

// UnmarshalYAML reads a text or a list of texts.
func (t *Texts) UnmarshalYAML(node ast.Node) (err error) {
	*t, err = scalars(node)
	return err
}

// UnmarshalYAML reads values of any kind in the notation of my.cnf: 128M, 0 and OFF
// as they are written, true and false as ON and OFF, null as a name without a value.
func (o *Options) UnmarshalYAML(node ast.Node) error {
	*o = Options{}
	return pairs(node, func(key string, value ast.Node) error {
		text, err := optionText(value)
		(*o)[key] = text
		return err
	})
}

// optionText is a value in the notation of both my.cnf and SET GLOBAL.
func optionText(node ast.Node) (string, error) {
	if b, ok := node.(*ast.BoolNode); ok {
		if b.Value {
			return "ON", nil
		}
		return "OFF", nil
	}
	return scalar(node)
}

// UnmarshalYAML reads names with a list of values, or with a single value.
func (v *Vary) UnmarshalYAML(node ast.Node) error {
	*v = nil
	return pairs(node, func(key string, value ast.Node) error {
		variable := Variable{Name: key}
		list, ok := value.(*ast.SequenceNode)
		if !ok {
			list = &ast.SequenceNode{Values: []ast.Node{value}}
		}
		for _, item := range list.Values {
			text, err := optionText(item)
			if err != nil {
				return err
			}
			variable.Values = append(variable.Values, text)
		}
		*v = append(*v, variable)
		return nil
	})
}

// UnmarshalYAML reads a list of CPUs in the kernel's notation, or the keys.
func (c *CPUs) UnmarshalYAML(node ast.Node) error {
	if isGroup(node) {
		type keys CPUs
		return yaml.NodeToValue(node, (*keys)(c), yaml.Strict())
	}
	texts, err := scalars(node)
	*c = CPUs{List: strings.Join(texts, ",")}
	return err
}

// UnmarshalYAML reads a name, or the keys.
func (w *Workload) UnmarshalYAML(node ast.Node) (err error) {
	if isGroup(node) {
		type keys Workload
		return yaml.NodeToValue(node, (*keys)(w), yaml.Strict())
	}
	w.Name, err = scalar(node)
	return err
}
