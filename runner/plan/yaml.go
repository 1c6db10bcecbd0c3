package plan

import (
	"fmt"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
)

// The types below read themselves from a YAML node and not from a decoded
// value, for two reasons: a complaint can quote the line, and a scalar keeps
// the text in which it was written (0644 stays 0644, 1.10 stays 1.10).

// complain makes err one that yaml.FormatError shows with the node's line.
func complain(node ast.Node, err error) error {
	return &yaml.SyntaxError{Message: err.Error(), Token: node.GetToken()}
}

// scalar is the text of a node that is one value, as it was written; null is "".
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

// scalars is the texts of a list, or of one value alone.
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

// pairs calls do for each key of a group in the order in which they stand;
// groups that are merged in (<<) come first.
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

// UnmarshalYAML takes a text or a list of texts.
func (t *Texts) UnmarshalYAML(node ast.Node) (err error) {
	*t, err = scalars(node)
	return err
}

// UnmarshalYAML takes values of any kind as my.cnf wants them: 128M, 0, OFF as
// they are written, true and false as ON and OFF, nothing for a name alone.
func (o *Options) UnmarshalYAML(node ast.Node) error {
	*o = Options{}
	return pairs(node, func(key string, value ast.Node) error {
		text, err := optionText(value)
		(*o)[key] = text
		return err
	})
}

// optionText is what my.cnf and SET GLOBAL both understand.
func optionText(node ast.Node) (string, error) {
	if b, ok := node.(*ast.BoolNode); ok {
		if b.Value {
			return "ON", nil
		}
		return "OFF", nil
	}
	return scalar(node)
}

// UnmarshalYAML takes names with their values: a list, or one value alone.
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

// UnmarshalYAML takes a list of CPUs as the kernel writes it, or the keys.
func (c *CPUs) UnmarshalYAML(node ast.Node) error {
	if isGroup(node) {
		type keys CPUs
		return yaml.NodeToValue(node, (*keys)(c), yaml.Strict())
	}
	texts, err := scalars(node)
	*c = CPUs{List: strings.Join(texts, ",")}
	return err
}

// UnmarshalYAML takes a name, or the keys.
func (w *Workload) UnmarshalYAML(node ast.Node) (err error) {
	if isGroup(node) {
		type keys Workload
		return yaml.NodeToValue(node, (*keys)(w), yaml.Strict())
	}
	w.Name, err = scalar(node)
	return err
}
