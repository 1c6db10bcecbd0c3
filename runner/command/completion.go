package command

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/mysweep/mysweep/runner/plan"
	"github.com/mysweep/mysweep/runner/workload"
)

// completionCommand prints scripts that complete command lines, made of the flags.
func completionCommand(env Env) *cli.Command {
	shells := map[string]func(io.Writer, []*cli.Command) error{"bash": writeBash, "zsh": writeZsh, "fish": writeFish}
	return &cli.Command{
		Name:        "completion",
		Usage:       "print shell completions",
		ArgsUsage:   "bash|zsh|fish",
		Description: "To use them: source <(mysweep completion bash), or put them where the shell looks for completions.",
		Action: func(c *cli.Context) error {
			write := shells[c.Args().First()]
			if write == nil || c.Args().Len() != 1 {
				return usage("name a shell: mysweep completion bash, zsh or fish")
			}
			return write(env.Stdout, listed(c.App.Commands))
		},
	}
}

// listed are the commands that the help lists.
func listed(commands []*cli.Command) []*cli.Command {
	return slices.DeleteFunc(slices.Clone(commands), func(c *cli.Command) bool { return c.Hidden })
}

// choicesOf are the values that a flag takes, nil when it takes any.
func choicesOf(name string) []string {
	if name == "workload" {
		var names []string
		for _, spec := range workload.All() {
			names = append(names, spec.Name)
		}
		return names
	}
	for _, f := range slices.Concat(plan.Flags(), runMailFlags(), []plan.Flag{printFlag()}) {
		if f.Name == name {
			return f.Choices
		}
	}
	return nil
}

// takesValue reports whether a flag is followed by a value.
func takesValue(f cli.Flag) bool {
	documented, ok := f.(cli.DocGenerationFlag)
	return ok && documented.TakesValue()
}

// helpOf is the help of a flag in one line, without its placeholder.
func helpOf(f cli.Flag) string {
	if documented, ok := f.(cli.DocGenerationFlag); ok {
		_, text := splitUsage(documented.GetUsage())
		return strings.Join(strings.Fields(text), " ")
	}
	return ""
}

// spelled are the names of a flag as they are typed.
func spelled(f cli.Flag) []string {
	var names []string
	for _, name := range f.Names() {
		names = append(names, dashed(name))
	}
	return names
}

func writeBash(w io.Writer, commands []*cli.Command) error {
	var flags, values strings.Builder
	var names []string
	seen := map[string]bool{}
	for _, c := range commands {
		names = append(names, c.Name)
		var all []string
		for _, f := range c.Flags {
			all = append(all, spelled(f)...)
			if choices := choicesOf(f.Names()[0]); choices != nil && !seen[f.Names()[0]] {
				seen[f.Names()[0]] = true
				fmt.Fprintf(&values, "\t%s) COMPREPLY=($(compgen -W '%s' -- \"$cur\")); return ;;\n", strings.Join(spelled(f), "|"), strings.Join(choices, " "))
			}
		}
		fmt.Fprintf(&flags, "\t%s) flags='%s' ;;\n", c.Name, strings.Join(all, " "))
	}
	_, err := fmt.Fprintf(w, `# bash completion for mysweep
_mysweep() {
	local cur=${COMP_WORDS[COMP_CWORD]} flags=
	COMPREPLY=()
	if [[ $COMP_CWORD == 1 ]]; then
		COMPREPLY=($(compgen -W '%s' -- "$cur"))
		return
	fi
	case ${COMP_WORDS[COMP_CWORD-1]} in
%s	esac
	case ${COMP_WORDS[1]} in
%s	esac
	if [[ $cur == -* ]]; then
		COMPREPLY=($(compgen -W "$flags" -- "$cur"))
	fi
}
complete -o default -F _mysweep mysweep
`, strings.Join(names, " "), values.String(), flags.String())
	return err
}

// zshText takes the meaning off characters of a description in _arguments.
var zshText = strings.NewReplacer(`'`, `'\''`, `[`, `\[`, `]`, `\]`, `:`, `\:`, "`", "")

func writeZsh(w io.Writer, commands []*cli.Command) error {
	var names, cases strings.Builder
	for _, c := range commands {
		fmt.Fprintf(&names, "\t\t'%s:%s'\n", c.Name, zshText.Replace(c.Usage))
		fmt.Fprintf(&cases, "\t%s)\n\t\t_arguments \\\n", c.Name)
		for _, f := range c.Flags {
			for _, name := range spelled(f) {
				value := ""
				if choices := choicesOf(f.Names()[0]); choices != nil {
					value = ":value:(" + strings.Join(choices, " ") + ")"
				} else if takesValue(f) {
					value = ":value:_files"
				}
				fmt.Fprintf(&cases, "\t\t\t'*%s[%s]%s' \\\n", name, zshText.Replace(helpOf(f)), value)
			}
		}
		cases.WriteString("\t\t\t'*:file:_files'\n\t\t;;\n")
	}
	_, err := fmt.Fprintf(w, `#compdef mysweep
_mysweep() {
	local -a commands=(
%s	)
	if (( CURRENT == 2 )); then
		_describe command commands
		return
	fi
	local command=$words[2]
	shift words
	(( CURRENT-- ))
	case $command in
%s	esac
}
if [[ $funcstack[1] == _mysweep ]]; then
	_mysweep "$@"
else
	compdef _mysweep mysweep
fi
`, names.String(), cases.String())
	return err
}

// fishText quotes a text for fish.
func fishText(text string) string {
	return "'" + strings.NewReplacer(`\`, `\\`, `'`, `\'`).Replace(strings.ReplaceAll(text, "`", "")) + "'"
}

func writeFish(w io.Writer, commands []*cli.Command) error {
	var b strings.Builder
	b.WriteString("# fish completion for mysweep\n")
	for _, c := range commands {
		fmt.Fprintf(&b, "complete -c mysweep -n __fish_use_subcommand -f -a %s -d %s\n", c.Name, fishText(c.Usage))
	}
	for _, c := range commands {
		for _, f := range c.Flags {
			fmt.Fprintf(&b, "complete -c mysweep -n '__fish_seen_subcommand_from %s'", c.Name)
			for _, name := range f.Names() {
				if len(name) == 1 {
					b.WriteString(" -s " + name)
				} else {
					b.WriteString(" -l " + name)
				}
			}
			if choices := choicesOf(f.Names()[0]); choices != nil {
				fmt.Fprintf(&b, " -x -a %s", fishText(strings.Join(choices, " ")))
			} else if takesValue(f) {
				b.WriteString(" -r")
			}
			fmt.Fprintf(&b, " -d %s\n", fishText(helpOf(f)))
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}
