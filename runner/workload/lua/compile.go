package lua

import (
	"fmt"
	"os"
	"strings"
	"sync"

	vm "github.com/yuin/gopher-lua"
	"github.com/yuin/gopher-lua/ast"
	"github.com/yuin/gopher-lua/parse"
)

// tickName is the function that every pass of a loop calls. It ends loops that
// would never end by themselves: a script shares its event loop with others,
// and the interpreter's own check costs more, as it looks before each
// instruction. No script can write this name.
const tickName = "(tick)"

// library holds compiled files, each compiled once for all threads.
type library struct {
	mu     sync.Mutex
	protos map[string]*vm.FunctionProto
}

// load compiles a file. Errors name file and line.
func (l *library) load(path string) (*vm.FunctionProto, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if proto := l.protos[path]; proto != nil {
		return proto, nil
	}
	source, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	proto, err := compile(string(source), path)
	if err != nil {
		return nil, err
	}
	l.protos[path] = proto
	return proto, nil
}

// compile compiles a chunk, with a tick in each loop. A first line that starts
// with # is left out, as the lua program does.
func compile(source, name string) (*vm.FunctionProto, error) {
	source = strings.TrimPrefix(source, "\ufeff")
	if strings.HasPrefix(source, "#") {
		source = "--" + source
	}
	chunk, err := parse.Parse(strings.NewReader(source), name)
	if err != nil {
		return nil, syntaxError(err)
	}
	block(chunk).instrument()
	proto, err := vm.Compile(append([]ast.Stmt{localTick()}, chunk...), name)
	if err != nil {
		return nil, syntaxError(err)
	}
	return proto, nil
}

// syntaxError puts the interpreter's messages into the form FILE:LINE: TEXT.
func syntaxError(err error) error {
	if e, ok := err.(*parse.Error); ok {
		if e.Pos.Line == parse.EOF {
			return fmt.Errorf("%s: unexpected end of file", e.Pos.Source)
		}
		return fmt.Errorf("%s:%d: %s near %q", e.Pos.Source, e.Pos.Line, e.Message, e.Token)
	}
	return fmt.Errorf("%s", strings.TrimSpace(err.Error()))
}

// block is a list of statements.
type block []ast.Stmt

// instrument adds a tick to each loop in the block, at any depth.
func (b block) instrument() {
	for _, s := range b {
		switch s := s.(type) {
		case *ast.WhileStmt:
			functionsIn(s.Condition)
			s.Stmts = ticking(s.Stmts, s.Line())
		case *ast.RepeatStmt:
			functionsIn(s.Condition)
			s.Stmts = ticking(s.Stmts, s.Line())
		case *ast.NumberForStmt:
			functionsIn(s.Init, s.Limit, s.Step)
			s.Init, s.Limit, s.Step = asNumber(s.Init), asNumber(s.Limit), asNumber(s.Step)
			s.Stmts = ticking(s.Stmts, s.Line())
		case *ast.GenericForStmt:
			functionsIn(s.Exprs...)
			s.Stmts = ticking(s.Stmts, s.Line())
		case *ast.DoBlockStmt:
			block(s.Stmts).instrument()
		case *ast.IfStmt:
			functionsIn(s.Condition)
			block(s.Then).instrument()
			block(s.Else).instrument()
		case *ast.AssignStmt:
			functionsIn(s.Lhs...)
			functionsIn(s.Rhs...)
		case *ast.LocalAssignStmt:
			functionsIn(s.Exprs...)
		case *ast.FuncCallStmt:
			functionsIn(s.Expr)
		case *ast.FuncDefStmt:
			functionsIn(s.Func)
		case *ast.ReturnStmt:
			functionsIn(s.Exprs...)
		}
	}
	b.instrumentGotos()
}

// asNumber adds 0 to a bound of a numeric for: Lua takes a text that looks like
// a number there, and options of old scripts are texts; the interpreter does
// not.
func asNumber(e ast.Expr) ast.Expr {
	if _, ok := e.(*ast.NumberExpr); ok || e == nil {
		return e
	}
	zero := &ast.NumberExpr{Value: "0"}
	sum := &ast.ArithmeticOpExpr{Operator: "+", Lhs: e, Rhs: zero}
	line := e.(ast.PositionHolder).Line()
	for _, node := range []ast.PositionHolder{zero, sum} {
		node.SetLine(line)
		node.SetLastLine(line)
	}
	return sum
}

// instrumentGotos makes a jump tick as well, as it may make a loop: the label
// is where it lands.
func (b block) instrumentGotos() {
	for i, s := range b {
		if g, ok := s.(*ast.GotoStmt); ok {
			do := &ast.DoBlockStmt{Stmts: []ast.Stmt{tick(g.Line()), g}}
			do.SetLine(g.Line())
			b[i] = do
		}
	}
}

// ticking is the body of a loop with a tick at its head.
func ticking(body []ast.Stmt, line int) []ast.Stmt {
	block(body).instrument()
	return append([]ast.Stmt{tick(line)}, body...)
}

// localTick makes the global function a local variable of the file, which is
// faster and is still found by functions whose environment was replaced.
func localTick() ast.Stmt {
	s := &ast.LocalAssignStmt{Names: []string{tickName}, Exprs: []ast.Expr{&ast.IdentExpr{Value: tickName}}}
	for _, node := range []ast.PositionHolder{s, s.Exprs[0].(*ast.IdentExpr)} {
		node.SetLine(1)
		node.SetLastLine(1)
	}
	return s
}

func tick(line int) ast.Stmt {
	name := &ast.IdentExpr{Value: tickName}
	call := &ast.FuncCallExpr{Func: name}
	s := &ast.FuncCallStmt{Expr: call}
	for _, node := range []ast.PositionHolder{name, call, s} {
		node.SetLine(line)
		node.SetLastLine(line)
	}
	return s
}

// functionsIn instruments the functions that expressions define.
func functionsIn(list ...ast.Expr) {
	for _, e := range list {
		switch e := e.(type) {
		case *ast.FunctionExpr:
			block(e.Stmts).instrument()
		case *ast.AttrGetExpr:
			functionsIn(e.Object, e.Key)
		case *ast.TableExpr:
			for _, f := range e.Fields {
				functionsIn(f.Key, f.Value)
			}
		case *ast.FuncCallExpr:
			functionsIn(e.Func, e.Receiver)
			functionsIn(e.Args...)
		case *ast.LogicalOpExpr:
			functionsIn(e.Lhs, e.Rhs)
		case *ast.RelationalOpExpr:
			functionsIn(e.Lhs, e.Rhs)
		case *ast.StringConcatOpExpr:
			functionsIn(e.Lhs, e.Rhs)
		case *ast.ArithmeticOpExpr:
			functionsIn(e.Lhs, e.Rhs)
		case *ast.UnaryMinusOpExpr:
			functionsIn(e.Expr)
		case *ast.UnaryNotOpExpr:
			functionsIn(e.Expr)
		case *ast.UnaryLenOpExpr:
			functionsIn(e.Expr)
		}
	}
}
