package server

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/go-sql-driver/mysql"
)

// Change is a global variable before and after SET GLOBAL, both as SQL literals:
// plain data that can be written down first, so that a later run can undo what a
// killed one has left.
type Change struct {
	Name   string `json:"name"`
	Before string `json:"before"`
	After  string `json:"after"`
}

// PlanGlobals reads what SetGlobals would change. Unknown variables are all
// named at once, and nothing is set.
func (t *Target) PlanGlobals(ctx context.Context, options []Option) ([]Change, error) {
	var changes []Change
	var mistakes []error
	for _, option := range options {
		change, err := t.planGlobal(ctx, option)
		if err != nil {
			mistakes = append(mistakes, err)
			continue
		}
		changes = append(changes, change)
	}
	return changes, errors.Join(mistakes...)
}

func (t *Target) planGlobal(ctx context.Context, option Option) (Change, error) {
	name := strings.ReplaceAll(option.Name, "-", "_")
	if !plainOptionName(name) || strings.Contains(name, ":") {
		return Change{}, fmt.Errorf("set global %q: invalid variable name", option.Name)
	}
	var before any
	t.statements.Add(1)
	ctx, cancel := context.WithTimeout(ctx, globalLimit)
	defer cancel()
	if err := t.observer.QueryRowContext(ctx, "SELECT @@GLOBAL."+name).Scan(&before); err != nil {
		var refused *mysql.MySQLError
		if errors.As(err, &refused) && refused.Number == errUnknownVariable {
			return Change{}, &UnknownVariableError{option.Name, strings.TrimSpace(t.Flavour + " " + t.Version)}
		}
		return Change{}, fmt.Errorf("set global %s: %w", option.Name, err)
	}
	value := option.Value
	if option.NoValue {
		value = "ON"
	}
	_, text := before.([]byte)
	return Change{Name: name, Before: sqlLiteral(before), After: sqlValue(value, text)}, nil
}

// Knows says whether the server has a global variable of that name.
func (t *Target) Knows(ctx context.Context, name string) (bool, error) {
	_, err := t.planGlobal(ctx, Option{Name: name})
	var unknown *UnknownVariableError
	if errors.As(err, &unknown) {
		return false, nil
	}
	return err == nil, err
}

// UnknownVariableError says that a server has no variable of that name.
type UnknownVariableError struct{ Name, Server string }

func (e *UnknownVariableError) Error() string {
	return fmt.Sprintf("set global %s: %s has no such variable", e.Name, e.Server)
}

// SetGlobals makes the changes in their order. When one fails, those before it
// are undone.
func (t *Target) SetGlobals(ctx context.Context, changes []Change) error {
	for i, change := range changes {
		if err := t.setGlobal(ctx, change.Name, change.After); err != nil {
			return errors.Join(err, t.RestoreGlobals(context.WithoutCancel(ctx), changes[:i]))
		}
	}
	return nil
}

// RestoreGlobals undoes changes in reverse order, as many as it can; its error
// names every variable that was left changed.
func (t *Target) RestoreGlobals(ctx context.Context, changes []Change) error {
	var faults []error
	for _, change := range slices.Backward(changes) {
		if err := t.setGlobal(ctx, change.Name, change.Before); err != nil {
			faults = append(faults, fmt.Errorf("%s is still %s: %w; restore it by hand: %s", change.Name, change.After, err, UndoByHand([]Change{change})))
		}
	}
	return errors.Join(faults...)
}

// UndoByHand is what one types to put variables back.
func UndoByHand(changes []Change) string {
	var statements []string
	for _, change := range slices.Backward(changes) {
		statements = append(statements, fmt.Sprintf("SET GLOBAL %s = %s;", change.Name, change.Before))
	}
	return strings.Join(statements, " ")
}

// SetGlobal plans and makes changes, and returns how to undo them.
func (t *Target) SetGlobal(ctx context.Context, options []Option) (undo func(context.Context) error, err error) {
	changes, err := t.PlanGlobals(ctx, options)
	if err != nil {
		return nil, err
	}
	if err := t.SetGlobals(ctx, changes); err != nil {
		return nil, err
	}
	return func(ctx context.Context) error { return t.RestoreGlobals(ctx, changes) }, nil
}

// globalLimit bounds a statement that reads or sets a variable. Some wait for others' locks, and a
// buffer pool takes seconds to shrink.
const globalLimit = time.Minute

func (t *Target) setGlobal(ctx context.Context, name, literal string) error {
	t.statements.Add(1)
	ctx, cancel := context.WithTimeout(ctx, globalLimit)
	defer cancel()
	if _, err := t.observer.ExecContext(ctx, fmt.Sprintf("SET GLOBAL %s = %s", name, literal)); err != nil {
		return fmt.Errorf("set global %s = %s: %w", name, literal, err)
	}
	return nil
}

// sqlLiteral writes what the server answered as it takes it back.
func sqlLiteral(value any) string {
	switch v := value.(type) {
	case nil:
		return "NULL"
	case []byte:
		return quoteSQL(string(v))
	case string:
		return quoteSQL(v)
	case float32:
		return strconv.FormatFloat(float64(v), 'f', -1, 32)
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	return fmt.Sprint(value)
}

var plainNumber = regexp.MustCompile(`^[-+]?[0-9]+(\.[0-9]+)?$`)

// sqlValue writes what a plan asks for. The server takes numbers only unquoted,
// and knows no 128M there as it does in my.cnf.
func sqlValue(value string, text bool) string {
	if text {
		return quoteSQL(value)
	}
	if plainNumber.MatchString(value) {
		return value
	}
	if number, ok := expandSize(value); ok {
		return strconv.FormatInt(number, 10)
	}
	return quoteSQL(value)
}

// expandSize reads 128K, 128M, 1G, 2T as my.cnf does: powers of 1024.
func expandSize(value string) (int64, bool) {
	if value == "" {
		return 0, false
	}
	shift := strings.IndexByte("KMGT", value[len(value)-1]&^0x20)
	number, err := strconv.ParseInt(value[:len(value)-1], 10, 64)
	if err != nil || shift < 0 {
		return 0, false
	}
	return number << (10 * (shift + 1)), true
}

// quoteSQL is safe in every sql_mode: a quote is doubled, and a backslash is
// only doubled where it has a meaning, so texts with one go as hexadecimal.
func quoteSQL(text string) string {
	if strings.Contains(text, `\`) {
		return fmt.Sprintf("CONVERT(x'%x' USING utf8mb4)", text)
	}
	return "'" + strings.ReplaceAll(text, "'", "''") + "'"
}
