package plan

import (
	"fmt"
	"strings"
)

// ReplicaLag is the name of a limit on how far replicas are behind, in seconds.
const ReplicaLag = "replica_lag"

// LoadLimit is the most that a status variable of the server, or the lag of its replicas in
// seconds, may be.
type LoadLimit struct {
	Name string  `json:"name"`
	Most float64 `json:"most"`
}

// LoadLimits guard a server that others use: they are checked before each trial.
type LoadLimits []LoadLimit

// ParseLoadLimits reads "Threads_running=50,replica_lag=10s".
func ParseLoadLimits(text string) (LoadLimits, error) {
	var limits LoadLimits
	for _, part := range strings.Split(text, ",") {
		name, value, ok := strings.Cut(strings.TrimSpace(part), "=")
		if !ok || name == "" || strings.ContainsFunc(name, notIdentifier) {
			return nil, fmt.Errorf("invalid limit %q: expected e.g. Threads_running=50 or replica_lag=10s", part)
		}
		l := LoadLimit{Name: name}
		var err error
		if name == ReplicaLag {
			var span Duration
			span, err = ParseDuration(value)
			l.Most = float64(span) / 1e9
		} else if l.Most, err = parseNumber(value); err == nil && !(l.Most >= 0) {
			err = fmt.Errorf("invalid number %q: must be at least 0", value)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		limits = append(limits, l)
	}
	return limits, nil
}

// Lag reports whether there is a limit on the lag of replicas.
func (l LoadLimits) Lag() bool {
	for _, limit := range l {
		if limit.Name == ReplicaLag {
			return true
		}
	}
	return false
}

// hasReplicas reports whether some case has replicas whose lag can be known.
func hasReplicas(p *Plan) bool {
	for _, c := range p.Cases {
		if c.Replicas > 0 {
			return true
		}
	}
	return len(p.Replicas) > 0
}

// checkLag is a Flag.Check for limits on the lag of replicas, which must be known.
func checkLag(flag string, limits func(*Plan) LoadLimits) func(*Plan) string {
	return func(p *Plan) string {
		if limits(p).Lag() && !hasReplicas(p) {
			return fmt.Sprintf("--%s: replica_lag requires --replica, or a case with replicas", flag)
		}
		return ""
	}
}
