package smack

import (
	"maps"
	"slices"

	"github.com/mysweep/mysweep/runner/workload/syntax"
)

// main reads the body of main and the end of the file.
func (p *parser) main() error {
	if _, err := p.take(symbol('{'), "to begin main"); err != nil {
		return err
	}
	for p.token.kind != symbol('}') {
		line, err := p.line()
		if err != nil {
			return err
		}
		p.file.Main = append(p.file.Main, line)
	}
	if err := p.advance(); err != nil {
		return err
	}
	if p.token.kind != endToken {
		return p.expected("the end of the file after main")
	}
	return nil
}

func (p *parser) line() (Line, error) {
	line := Line{At: p.token.at}
	var err error
	switch p.token.kind {
	case symbol('$'):
		err = p.assignment(&line)
	case word:
		err = p.call(&line)
	default:
		return line, p.expected(`a call such as client.method(), an assignment such as $name = 1, or "}"`)
	}
	if err != nil {
		return line, err
	}
	_, err = p.take(symbol(';'), "at the end of this line of main")
	return line, err
}

func (p *parser) assignment(line *Line) error {
	if err := p.advance(); err != nil {
		return err
	}
	name, err := p.take(word, "of a variable after $")
	if err != nil {
		return err
	}
	if _, err := p.take(symbol('='), "after $"+name.text); err != nil {
		return err
	}
	value, err := p.expr()
	line.Variable, line.Args = name.text, []Expr{value}
	return err
}

func (p *parser) call(line *Line) error {
	line.Client = p.token.text
	if err := p.advance(); err != nil {
		return err
	}
	if _, err := p.take(symbol('.'), "after the client "+line.Client); err != nil {
		return err
	}
	method, err := p.take(word, "of a method after "+line.Client+".")
	if err != nil {
		return err
	}
	want, ok := methods[method.text]
	if !ok {
		return syntax.Errorf(method.at, "unknown method %s%s", method.text, hint(method.text, slices.Sorted(maps.Keys(methods))))
	}
	line.Method, line.MethodAt = method.text, method.at
	if _, err := p.take(symbol('('), "after "+method.text); err != nil {
		return err
	}
	if line.Args, err = p.args(); err != nil {
		return err
	}
	if len(line.Args) != want && method.text != "run_check_result" {
		return syntax.Errorf(method.at, "%s takes %d arguments, here are %d", method.text, want, len(line.Args))
	}
	return nil
}

// args reads arguments up to and with the closing parenthesis.
func (p *parser) args() ([]Expr, error) {
	var args []Expr
	for p.token.kind != symbol(')') {
		if len(args) > 0 {
			if _, err := p.take(symbol(','), "between arguments"); err != nil {
				return nil, err
			}
		}
		arg, err := p.expr()
		if err != nil {
			return nil, err
		}
		args = append(args, arg)
	}
	return args, p.advance()
}

// expr reads operands joined by dots.
func (p *parser) expr() (Expr, error) {
	var e Expr
	for {
		operand, err := p.operand()
		if err != nil {
			return nil, err
		}
		e = append(e, operand)
		if p.token.kind != symbol('.') {
			return e, nil
		}
		if err := p.advance(); err != nil {
			return nil, err
		}
	}
}

func (p *parser) operand() (Operand, error) {
	t := p.token
	o := Operand{At: t.at, Text: t.text}
	switch t.kind {
	case number, text:
		return o, p.advance()
	case word:
		return p.figure(o)
	case symbol('$'):
	default:
		return o, p.expected(`a number, a text, $1, $name or client::figure`)
	}
	if err := p.advance(); err != nil {
		return o, err
	}
	switch o.Text = p.token.text; p.token.kind {
	case number:
		o.Kind = Argument
	case word:
		o.Kind = Variable
	default:
		return o, p.expected("a number or the name of a variable after $")
	}
	return o, p.advance()
}

// figure reads client::figure or client::type::figure.
func (p *parser) figure(o Operand) (Operand, error) {
	o.Kind, o.Client, o.Text = Figure, o.Text, ""
	if err := p.advance(); err != nil {
		return o, err
	}
	var parts []token
	for p.token.kind == colons || len(parts) == 0 {
		if _, err := p.take(colons, "after "+o.Client); err != nil {
			return o, err
		}
		part, err := p.take(word, "of a figure after ::")
		if err != nil {
			return o, err
		}
		parts = append(parts, part)
	}
	known := clientFigures
	last := parts[len(parts)-1]
	if len(parts) > 1 {
		o.Type, known = parts[0].text, typeFigures
	}
	if o.Figure = last.text; len(parts) > 2 || !slices.Contains(known, o.Figure) {
		return o, syntax.Errorf(last.at, "unknown figure %s%s", o.Figure, hint(o.Figure, known))
	}
	return o, nil
}
