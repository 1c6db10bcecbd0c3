package plan

import (
	"fmt"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/lexer"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"
)

// Limits of a plan file. They are checked before anything is expanded: the memory
// of the parser grows with the square of depth and of tokens, and a few lines of
// aliases can expand to billions of values.
const (
	// MaxFileBytes is the size of a plan file.
	MaxFileBytes  = 256 << 10
	maxFileTokens = 20_000
	maxFileDepth  = 64
	maxFileValues = 100_000 // after aliases were replaced
)

// ParseDocument reads the YAML of a plan file and replaces the aliases by what
// they refer to, so that every type can read its own node. The document of an
// empty file is nil.
func ParseDocument(raw []byte) (*ast.MappingNode, error) {
	if err := checkTokens(raw); err != nil {
		return nil, err
	}
	file, err := parser.ParseBytes(raw, 0)
	if err != nil {
		return nil, err
	}
	if len(file.Docs) > 1 {
		err := fmt.Errorf("more than one document: a plan file holds one plan")
		if second := file.Docs[1].Body; second != nil { // an empty one has no place
			err = complain(second, err)
		}
		return nil, err
	}
	if len(file.Docs) == 0 || file.Docs[0].Body == nil {
		return nil, nil
	}
	switch body := file.Docs[0].Body.(type) {
	case *ast.NullNode:
		return nil, nil
	case *ast.MappingNode:
		r := &resolver{anchors: map[string]*anchor{}}
		_, err := r.resolve(body)
		return body, err
	default:
		return nil, complain(body, fmt.Errorf("expected keys with values, such as threads: 10"))
	}
}

// checkTokens refuses files that would take the parser too much memory.
func checkTokens(raw []byte) error {
	if len(raw) > MaxFileBytes {
		return fmt.Errorf("the plan is too large: at most %d KiB", MaxFileBytes>>10)
	}
	tokens := lexer.Tokenize(string(raw))
	if len(tokens) > maxFileTokens {
		// The error quotes no line: that would take long as well.
		return fmt.Errorf("the plan is too large: at most %d tokens", maxFileTokens)
	}
	// open counts open brackets, row counts nodes that begin without a value between them.
	open, row := 0, 0
	for _, t := range tokens {
		switch t.Type {
		case token.SequenceStartType, token.MappingStartType:
			open++
		case token.SequenceEndType, token.MappingEndType:
			open--
		case token.SequenceEntryType, token.MappingKeyType, token.AnchorType, token.TagType:
			row++
		case token.StringType:
			// The name of an anchor is a text as well.
			if t.Prev == nil || t.Prev.Type != token.AnchorType {
				row = 0
			}
		default:
			row = 0
		}
		if open > maxFileDepth || row > maxFileDepth {
			return &yaml.SyntaxError{Message: fmt.Sprintf("nested deeper than %d levels", maxFileDepth), Token: t}
		}
	}
	return nil
}

// resolver replaces aliases and counts the values of the resulting document.
type resolver struct {
	anchors map[string]*anchor
	values  int
}

// anchor is a node that aliases can refer to.
type anchor struct {
	node   ast.Node
	values int  // nodes below it, aliases replaced
	open   bool // its end was not seen yet: an alias to it would hold itself
}

// resolve replaces the aliases below a node and returns the number of values it
// then has. An anchor comes before its aliases, so one pass is enough.
func (r *resolver) resolve(node ast.Node) (values int, err error) {
	values = 1
	add := func(child ast.Node) (ast.Node, error) {
		child, n, err := r.child(child)
		values += n
		return child, err
	}
	switch n := node.(type) {
	case *ast.AnchorNode:
		return r.anchor(n)
	case *ast.TagNode:
		n.Value, err = add(n.Value)
	case *ast.MappingValueNode:
		n.Value, err = add(n.Value)
	case *ast.MappingNode:
		for _, pair := range n.Values {
			if _, err = add(pair); err != nil {
				break
			}
		}
	case *ast.SequenceNode:
		for i := range n.Values {
			if n.Values[i], err = add(n.Values[i]); err != nil {
				break
			}
		}
	}
	return values, err
}

// child resolves a child node: an alias becomes the node that it refers to.
func (r *resolver) child(node ast.Node) (ast.Node, int, error) {
	alias, ok := node.(*ast.AliasNode)
	if !ok {
		n, err := r.resolve(node)
		return node, n, r.count(node, 1, err)
	}
	name := alias.Value.GetToken().Value
	a := r.anchors[name]
	switch {
	case a == nil:
		return node, 0, complain(node, fmt.Errorf("unknown alias *%s: define the anchor &%s before it", name, name))
	case a.open:
		return node, 0, complain(node, fmt.Errorf("alias *%s refers to its own anchor &%s", name, name))
	}
	return a.node, a.values, r.count(node, a.values, nil)
}

func (r *resolver) anchor(n *ast.AnchorNode) (int, error) {
	a := &anchor{open: true}
	r.anchors[n.Name.GetToken().Value] = a
	var err error
	n.Value, a.values, err = r.child(n.Value)
	a.node, a.open = n.Value, false
	return a.values, err
}

// count adds values to those of the document.
func (r *resolver) count(at ast.Node, values int, err error) error {
	if r.values += values; err == nil && r.values > maxFileValues {
		err = complain(at, fmt.Errorf("the plan has more than %d values once its aliases are replaced", maxFileValues))
	}
	return err
}
