package testbed

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/mysweep/mysweep/runner/plan"
	"github.com/mysweep/mysweep/runner/result"
	"github.com/mysweep/mysweep/runner/server"
)

// checkVariables looks, before anything runs, for variables that the server of a
// case does not know. Such a case fails by their names; with if_known they are left
// out, and a case that would vary nothing else is left out as a whole.
func (s *Site) checkVariables(ctx context.Context) error {
	unknown, err := s.unknownVariables(ctx)
	if err != nil || len(unknown) == 0 {
		return err
	}
	var remaining []plan.Case // in a list of its own: the run keeps the plan as it was asked
	for _, c := range s.plan.Cases {
		if names := unknown[c.Name]; len(names) == 0 || s.dropUnknown(&c, names) {
			remaining = append(remaining, c)
		}
	}
	s.plan.Cases = remaining
	return nil
}

// dropUnknown takes unknown variables from a case, or refuses it. Its answer is
// false when the case is to be left out of the plan, since it varies nothing else.
func (s *Site) dropUnknown(c *plan.Case, names []string) bool {
	text := strings.Join(names, ", ")
	facts := s.report.Case(c.Name)
	facts.UnknownOptions = names
	if !c.IfKnown {
		err := fmt.Errorf("the server does not know %s: remove it, or set if_known: true", text)
		s.refused[c.Name] = err
		facts.Status, facts.Error = result.Failed, err.Error()
		return true
	}
	if slices.ContainsFunc(c.Varied, func(v plan.Setting) bool { return slices.Contains(names, v.Name) }) {
		facts.Status, facts.Error = result.Skipped, "the server does not know "+text+", and if_known says to leave it out"
		return false
	}
	c.Options, c.SetGlobal = maps.Clone(c.Options), maps.Clone(c.SetGlobal)
	for _, name := range names {
		delete(c.Options, name)
		delete(c.SetGlobal, name)
	}
	return true
}

// unknownVariables are the names that servers do not know, by case.
func (s *Site) unknownVariables(ctx context.Context) (map[string][]string, error) {
	unknown := map[string][]string{}
	helps := map[string]help{}
	for _, c := range s.plan.Cases {
		if s.endpoint(c) != nil {
			if names := s.unknownToExisting(ctx, c); len(names) > 0 {
				unknown[c.Name] = names
			}
			continue
		}
		if len(c.Options) == 0 && c.OptionsFile == "" {
			continue
		}
		program := first(c.Mysqld, s.plan.Private.Mysqld)
		if _, asked := helps[program]; !asked {
			helps[program] = s.askHelp(ctx, program)
		}
		for _, o := range askedOptions(c, helps[program].binary) {
			if helps[program].unknown[o.Name] {
				unknown[c.Name] = append(unknown[c.Name], o.Name)
			}
		}
	}
	return unknown, ctx.Err()
}

// askedOptions are the options that a case sets on a private server, those of its file first. A
// file that cannot be read is left to the start of the server.
func askedOptions(c plan.Case, binary server.Binary) []server.Option {
	var options []server.Option
	if c.OptionsFile != "" {
		options, _ = binary.Defaults(c.OptionsFile)
	}
	return append(options, differing(nil, c.Options)...)
}

// help is what a server program says of the options of all its cases.
type help struct {
	binary  server.Binary
	unknown map[string]bool
}

// askHelp asks a program once. One without such help, such as a wrapper
// script, is left to its start.
func (s *Site) askHelp(ctx context.Context, program string) help {
	h := help{unknown: map[string]bool{}}
	binary, err := server.FindBinary(ctx, program)
	if err != nil {
		return h
	}
	h.binary = binary
	var options []server.Option
	for _, c := range s.plan.Cases {
		if s.endpoint(c) == nil && first(c.Mysqld, s.plan.Private.Mysqld) == program {
			options = append(options, askedOptions(c, binary)...)
		}
	}
	names, err := binary.Unknown(ctx, options)
	if err != nil {
		return h
	}
	for _, name := range names {
		h.unknown[name] = true
	}
	return h
}

// unknownToExisting asks the existing server of a case for each variable that
// the case would set. One that does not answer is left to the case itself.
func (s *Site) unknownToExisting(ctx context.Context, c plan.Case) (names []string) {
	options := append(differing(nil, c.SetGlobal), differing(nil, c.Options)...)
	if len(options) == 0 {
		return nil
	}
	target, err := server.Open(ctx, *s.endpoint(c))
	if err != nil {
		return nil
	}
	defer target.Close()
	for _, o := range options {
		if known, err := target.Knows(ctx, o.Name); err == nil && !known {
			names = append(names, o.Name)
		}
	}
	return names
}

// plainName is a variable as the server writes it.
func plainName(name string) string {
	return strings.TrimPrefix(strings.ReplaceAll(strings.ToLower(name), "-", "_"), "loose_")
}
