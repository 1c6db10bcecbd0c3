package lua

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	vm "github.com/yuin/gopher-lua"
)

// Types of options, with the numbers that sysbench gives them
// (sysbench.cmdline.ARG_*).
const (
	argNull = iota
	argBool
	argInt
	argSize
	argDouble
	argString
	argList
	argFile
)

var argNames = map[string]int{"ARG_NULL": argNull, "ARG_BOOL": argBool, "ARG_INT": argInt, "ARG_SIZE": argSize,
	"ARG_DOUBLE": argDouble, "ARG_STRING": argString, "ARG_LIST": argList, "ARG_FILE": argFile}

// Option is an option that a script declares in sysbench.cmdline.options, or
// one of sysbench's own that scripts read from sysbench.opt.
type Option struct {
	Name    string // with underscores
	Usage   string
	Default string // as text; "" for none
	form    int
	unset   bool // there is no default: nil
}

// declared reads sysbench.cmdline.options.
func declared(table *vm.LTable) ([]Option, error) {
	var list []Option
	var err error
	table.ForEach(func(key, value vm.LValue) {
		definition, ok := value.(*vm.LTable)
		if !ok && err == nil {
			err = fmt.Errorf("sysbench.cmdline.options: %s: expected a table {description, default}", key)
		}
		if err != nil {
			return
		}
		o := Option{Name: underscored(key.String()), Usage: definition.RawGetInt(1).String()}
		if err = o.setDefault(definition.RawGetInt(2), definition.RawGetInt(3)); err == nil {
			list = append(list, o)
		}
	})
	slices.SortFunc(list, func(a, b Option) int { return strings.Compare(a.Name, b.Name) })
	return list, err
}

// setDefault takes default and, when no type is given, the type from it.
func (o *Option) setDefault(value, form vm.LValue) error {
	switch value := value.(type) {
	case *vm.LNilType:
		o.unset, o.form = true, argString
	case vm.LBool:
		o.form = argBool
		o.Default = "off"
		if value {
			o.Default = "on"
		}
	case vm.LNumber:
		o.form, o.Default = argDouble, value.String()
	case vm.LString:
		o.form, o.Default = argString, string(value)
	case *vm.LTable:
		var words []string
		value.ForEach(func(_, v vm.LValue) { words = append(words, v.String()) })
		o.form, o.Default = argList, strings.Join(words, ",")
	default:
		return fmt.Errorf("sysbench.cmdline.options: %s: a default cannot be a %s", o.Name, value.Type())
	}
	if n, ok := form.(vm.LNumber); ok {
		o.form = int(n)
	}
	return nil
}

func underscored(name string) string { return strings.ReplaceAll(name, "-", "_") }

// value is what a script sees in sysbench.opt for a text.
func (o *Option) value(l *vm.LState, text string) (vm.LValue, error) {
	switch o.form {
	case argBool:
		switch strings.ToLower(text) {
		case "on", "true", "yes", "1", "":
			return vm.LTrue, nil
		case "off", "false", "no", "0":
			return vm.LFalse, nil
		}
		return nil, fmt.Errorf("option --%s: invalid value %q: expected on or off", o.Name, text)
	case argInt, argSize, argDouble:
		n, err := number(text)
		if err != nil {
			return nil, fmt.Errorf("option --%s: invalid number %q", o.Name, text)
		}
		return vm.LNumber(n), nil
	case argList:
		list := l.NewTable()
		for word := range strings.SplitSeq(text, ",") {
			if word != "" {
				list.Append(vm.LString(word))
			}
		}
		return list, nil
	}
	return vm.LString(text), nil
}

// number reads a number; as in sysbench it may end with K, M, G or T, powers
// of 1,024.
func number(text string) (float64, error) {
	factor := 1.0
	if i := strings.IndexAny(text, "kKmMgGtT"); i > 0 && i == len(text)-1 {
		factor = float64(uint64(1) << (10 * (1 + strings.IndexByte("kmgt", text[i]|0x20))))
		text = text[:i]
	}
	n, err := strconv.ParseFloat(text, 64)
	return n * factor, err
}

// ParseArguments reads options as sysbench takes them: --name=value,
// --name value is not among its forms; --name alone switches a flag on.
func ParseArguments(args []string) (map[string]string, error) {
	set := map[string]string{}
	for _, arg := range args {
		name, ok := strings.CutPrefix(arg, "--")
		if !ok || name == "" {
			return nil, fmt.Errorf("invalid script option %q: expected --name=value", arg)
		}
		name, value, _ := strings.Cut(name, "=")
		set[name] = value
	}
	return normalized(set)
}

// normalized refuses options that mysweep has as flags of its own, and writes
// names with underscores.
func normalized(set map[string]string) (map[string]string, error) {
	same := map[string]string{}
	for name, value := range set {
		if flag := ours[underscored(name)]; flag != "" {
			return nil, fmt.Errorf("script option --%s: use mysweep's own --%s, before the --", name, flag)
		}
		same[underscored(name)] = value
	}
	return same, nil
}

// ours are options of sysbench that mysweep has as flags of its own, with those.
var ours = map[string]string{
	"threads":        "threads",
	"num_threads":    "threads",
	"time":           "time",
	"max_time":       "time",
	"events":         "events",
	"max_requests":   "events",
	"rate":           "rate",
	"tx_rate":        "rate",
	"mysql_host":     "host",
	"mysql_port":     "port",
	"mysql_socket":   "socket",
	"mysql_user":     "user",
	"mysql_password": "password-file",
	"mysql_db":       "database",
	"mysql_ssl":      "ssl-mode",
}

// general are sysbench's own options that scripts may read and set.
var general = []Option{
	{Name: "db_driver", Default: "mysql", form: argString},
	{Name: "db_ps_mode", Default: "auto", form: argString},
	{Name: "db_debug", Default: "off", form: argBool},
	{Name: "debug", Default: "off", form: argBool},
	{Name: "histogram", Default: "off", form: argBool},
	{Name: "mysql_ignore_errors", Default: "1213,1020,1205", form: argList},
	{Name: "mysql_storage_engine", Default: "innodb", form: argString},
	{Name: "mysql_table_options", Default: "", form: argString},
	{Name: "percentile", Default: "95", form: argInt},
	{Name: "rand_type", Default: "uniform", form: argString},
	{Name: "rand_seed", Default: "0", form: argInt},
	{Name: "rand_spec_iter", Default: "12", form: argInt},
	{Name: "rand_spec_pct", Default: "1", form: argInt},
	{Name: "rand_spec_res", Default: "75", form: argInt},
	{Name: "rand_pareto_h", Default: "0.2", form: argDouble},
	{Name: "rand_zipfian_exp", Default: "0.8", form: argDouble},
	{Name: "report_interval", Default: "0", form: argInt},
	{Name: "validate", Default: "off", form: argBool},
	{Name: "verbosity", Default: "3", form: argInt},
	{Name: "warmup_time", Default: "0", form: argInt},
	{Name: "thread_init_timeout", Default: "30", form: argInt},
}

// findOption is the option of that name.
func findOption(list []Option, name string) (*Option, bool) {
	i := slices.IndexFunc(list, func(o Option) bool { return o.Name == name })
	if i < 0 {
		return nil, false
	}
	return &list[i], true
}
