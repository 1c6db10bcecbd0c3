package server

import (
	"fmt"
	"strings"
)

// Option is one server option as my.cnf names it, such as
// innodb_buffer_pool_size=1G. A switch that is named alone, such as
// skip-name-resolve, has NoValue.
type Option struct {
	Name    string `json:"name"`
	Value   string `json:"value,omitempty"`
	NoValue bool   `json:"no_value,omitempty"`
}

// ParseOption reads name=value, or a name alone.
func ParseOption(text string) (Option, error) {
	name, value, valued := strings.Cut(text, "=")
	name = strings.TrimLeft(strings.TrimSpace(name), "-")
	if !plainOptionName(name) {
		return Option{}, fmt.Errorf("server option %q: invalid name: expected name=value as in my.cnf", text)
	}
	return Option{Name: name, Value: strings.TrimSpace(value), NoValue: !valued}, nil
}

// String is the option as one line of my.cnf.
func (o Option) String() string {
	if o.NoValue {
		return o.Name
	}
	return o.Name + "=" + quoteOptionValue(o.Value)
}

// canonical is the name that variables have: lower case, underscores, without
// the prefixes that only say how strict the server shall be.
func (o Option) canonical() string {
	name := strings.ReplaceAll(strings.ToLower(o.Name), "-", "_")
	for _, prefix := range []string{"loose_", "maximum_"} {
		name = strings.TrimPrefix(name, prefix)
	}
	return name
}

// on reads the option as a switch.
func (o Option) on() bool {
	switch strings.ToLower(o.Value) {
	case "0", "off", "false":
		return false
	}
	return true
}

// same says whether both set the same variable: skip_x, disable_x and enable_x
// are other ways to write x.
func (o Option) same(name string) bool {
	mine := o.canonical()
	return mine == name || mine == "skip_"+name || "skip_"+mine == name || mine == "disable_"+name || mine == "enable_"+name
}

func plainOptionName(name string) bool {
	if name == "" {
		return false
	}
	for _, r := range name {
		letter := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9'
		if !letter && !strings.ContainsRune("-_.:", r) {
			return false
		}
	}
	return true
}

// quoteOptionValue writes a value so that my.cnf's own escapes, comments and
// blanks cannot change it.
func quoteOptionValue(value string) string {
	plain := value != "" && strings.Trim(value, "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_-./:,") == ""
	if plain {
		return value
	}
	replacer := strings.NewReplacer(`\`, `\\`, "\n", `\n`, "\r", `\r`, "\t", `\t`, `"`, `\"`)
	return `"` + replacer.Replace(value) + `"`
}

func findOption(options []Option, name string) (Option, bool) {
	for i := len(options) - 1; i >= 0; i-- {
		if options[i].same(name) {
			return options[i], true
		}
	}
	return Option{}, false
}
