package server

import (
	"context"
	"fmt"
	"strings"
)

// Facts is what a server says of itself.
type Facts struct {
	Version   string            `json:"version"` // as SELECT VERSION() says it
	Comment   string            `json:"comment"` // @@version_comment
	Flavour   string            `json:"flavour"` // see flavourOf
	Variables map[string]string `json:"variables"`
	Changed   []Changed         `json:"changed"` // nil: the server does not tell, see Notes
	// Set names the variables that were set, whatever their value; nil: unknown.
	Set   []string `json:"set"`
	Notes []Note   `json:"notes,omitempty"`
}

// Changed is a variable that was set to another value than the compiled default.
type Changed struct {
	Name    string `json:"name"`
	Value   string `json:"value"`
	Default string `json:"default,omitempty"` // empty: unknown
	// Source as the server names it: CONFIG, COMMAND-LINE, SQL, AUTO, EXPLICIT, DYNAMIC ...
	Source string `json:"source"`
}

// secret variables hold passwords on some servers.
var secret = []string{"password", "secret", "wsrep_sst_auth"}

// Facts reads version and all global variables.
func (t *Target) Facts(ctx context.Context) (Facts, error) {
	variables, err := t.show(ctx, "SHOW GLOBAL VARIABLES")
	if err != nil && !isRefused(err) {
		return Facts{}, fmt.Errorf("variables of %s: %w", t.config.Addr, err)
	}
	hideSecrets(variables)
	facts := Facts{
		Version: t.version, Comment: t.comment,
		Flavour: t.Flavour, Variables: variables,
	}
	facts.Changed, facts.Set, err = t.changed(ctx)
	if err != nil {
		facts.Notes = append(facts.Notes, Note{"defaults-unknown",
			fmt.Sprintf("which variables differ from the server's defaults is not known: %v", err)})
	}
	if len(t.untold) > 0 {
		facts.Notes = append(facts.Notes, Note{"variables-unknown",
			"variables that this server does not report: " + strings.Join(t.untold, ", ")})
	}
	return facts, nil
}

func hideSecrets(variables map[string]string) {
	for name, value := range variables {
		if value == "" || value == "ON" || value == "OFF" {
			continue
		}
		for _, word := range secret {
			// such as wsrep_sst_auth; not the rules for passwords, such as
			// default_password_lifetime
			if name == word || strings.HasSuffix(name, "_"+word) {
				variables[name] = "(hidden)"
			}
		}
	}
}

// Where each global value comes from, and whether it is the compiled default,
// which MySQL does not report.
const (
	originsMariaDB = `SELECT VARIABLE_NAME, COALESCE(GLOBAL_VALUE,''), COALESCE(DEFAULT_VALUE,''), GLOBAL_VALUE_ORIGIN,
			NOT GLOBAL_VALUE <=> DEFAULT_VALUE
		FROM information_schema.SYSTEM_VARIABLES WHERE GLOBAL_VALUE_ORIGIN <> 'COMPILE-TIME' ORDER BY VARIABLE_NAME`
	originsMySQL = `SELECT i.VARIABLE_NAME, COALESCE(g.VARIABLE_VALUE,''), '', i.VARIABLE_SOURCE, 1
		FROM performance_schema.variables_info i JOIN performance_schema.global_variables g USING (VARIABLE_NAME)
		WHERE i.VARIABLE_SOURCE <> 'COMPILED' ORDER BY i.VARIABLE_NAME`
	// Origin of values that the server derived from other variables or the machine.
	derivedMariaDB = "AUTO"
)

// changed returns the variables that differ from their defaults, and the names
// of those that were set. Both are nil where the server does not report.
func (t *Target) changed(ctx context.Context) (changed []Changed, set []string, err error) {
	query := originsMySQL
	if !likeMySQL(t.Flavour) {
		query = originsMariaDB
	}
	t.statements.Add(1)
	rows, err := t.observer.QueryContext(ctx, query)
	if err != nil {
		return nil, nil, err
	}
	defer rows.Close()
	changed, set = []Changed{}, []string{}
	for rows.Next() {
		var c Changed
		var differs bool
		if err := rows.Scan(&c.Name, &c.Value, &c.Default, &c.Source, &differs); err != nil {
			return nil, nil, err
		}
		c.Name = strings.ToLower(c.Name)
		if differs {
			changed = append(changed, c)
		}
		if c.Source != derivedMariaDB {
			set = append(set, c.Name)
		}
	}
	if err := rows.Err(); err != nil {
		return nil, nil, err
	}
	return changed, set, nil
}
