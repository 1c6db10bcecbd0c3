package plan

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

func setPreset(p *Plan, name string) error {
	if name != "supersmack" {
		return fmt.Errorf("invalid value %q: expected supersmack", name)
	}
	p.SuperSmack()
	return nil
}

// addWorkload is a Flag.Set that adds a workload to those of the plan.
func addWorkload(workload func(text string) Workload) func(*Plan, string) error {
	return func(p *Plan, text string) error {
		p.Workloads = append(p.Workloads, workload(text))
		return nil
	}
}

// Clear empties a set of settings before others take their place.
func (p *Plan) Clear(a Alternatives) {
	switch a {
	case Ends:
		p.Queries, p.Time, p.Events, p.RampUp = nil, 0, 0, 0
	case WorkloadNames:
		p.Workloads = nil
	}
}

func setTag(p *Plan, text string) error {
	k, v, ok := strings.Cut(text, "=")
	if !ok || k == "" {
		return fmt.Errorf("invalid tag %q: expected KEY=VALUE", text)
	}
	if p.Tags == nil {
		p.Tags = map[string]string{}
	}
	p.Tags[k] = v
	return nil
}

func setConnectParallel(p *Plan, text string) (err error) {
	if text == "all" {
		p.ConnectParallel = 0
		return nil
	}
	if p.ConnectParallel, err = parseInteger(text); err != nil || p.ConnectParallel < 0 {
		return fmt.Errorf("invalid value %q: expected a number of connections, or all", text)
	}
	return nil
}

func checkReconnect(p *Plan) string {
	n, err := strconv.Atoi(p.Reconnect)
	if err == nil && n >= 1 || slices.Contains([]string{"never", "query", "round"}, p.Reconnect) {
		return ""
	}
	return fmt.Sprintf("invalid --reconnect %q: expected never, query, round or a number of rounds", p.Reconnect)
}

func checkErrorCodes(p *Plan) string {
	for _, code := range p.IgnoreErrors {
		if _, err := strconv.Atoi(code); err != nil && code != "all" {
			return fmt.Sprintf("invalid --ignore-errors %q: expected an error code of the server, or all", code)
		}
	}
	return ""
}

func checkRequire(p *Plan) string {
	var wrong []string
	for _, text := range p.Require {
		if _, err := ParseRequirements(text); err != nil {
			wrong = append(wrong, "--require: "+err.Error())
		}
	}
	return strings.Join(wrong, "\n")
}

func checkBaseline(p *Plan) string {
	if runs, err := strconv.Atoi(p.Baseline); err == nil && runs < 1 {
		return fmt.Sprintf("invalid --baseline %d: must be at least 1 run", runs)
	}
	return ""
}

func checkDatabase(p *Plan) string {
	switch name := p.Server.Database; strings.ToLower(name) {
	case "mysql", "sys", "information_schema", "performance_schema":
		return fmt.Sprintf("invalid --database %s: a system schema; mysweep needs a schema of its own", name)
	default:
		if strings.ContainsFunc(name, notIdentifier) {
			return fmt.Sprintf("invalid --database %q: "+identifierRule, name)
		}
	}
	return ""
}

const identifierRule = "only letters, digits, _, - and $ are allowed"

// identifier is a Flag.Check for a name that stands in SQL unquoted.
func identifier(flag string, text func(*Plan) string) func(*Plan) string {
	return func(p *Plan) string {
		if strings.ContainsFunc(text(p), notIdentifier) {
			return fmt.Sprintf("invalid --%s %q: "+identifierRule, flag, text(p))
		}
		return ""
	}
}

func notIdentifier(r rune) bool {
	return !(r == '_' || r == '-' || r == '$' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z')
}
