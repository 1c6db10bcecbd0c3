package lua

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"

	vm "github.com/yuin/gopher-lua"

	"github.com/mysweep/mysweep/runner/workload"
)

// Script is a sysbench script with its options.
type Script struct {
	// Set are the options that were given; in names, - and _ are the same.
	Set map[string]string
	// AllowCommands lets the script run commands and read and write any file.
	AllowCommands bool
	// Path is LUA_PATH, where modules are looked for as well.
	Path string
	// Database is the schema that the script works in.
	Database string

	path     string // absolute
	main     *vm.FunctionProto
	library  *library
	declared []Option
	names    []string        // of its commands
	defined  map[string]bool // global functions that are called around trials
	source   string
	unique   *atomic.Uint64 // of a trial's draws without repetition
}

// sysbenchFolders are where sysbench installs its own scripts.
var sysbenchFolders = []string{"/usr/share/sysbench", "/usr/local/share/sysbench"}

// Open reads and compiles a script, and runs its main chunk once to learn its
// options and commands. A name without a folder that is not in the current one
// is looked for among the scripts that sysbench brings.
func Open(path string, script Script) (*Script, error) {
	s := &script
	var wrong error
	if s.Set, wrong = normalized(s.Set); wrong != nil {
		return nil, wrong
	}
	s.unique = new(atomic.Uint64)
	var err error
	if s.path, err = find(path); err != nil {
		return nil, err
	}
	source, err := os.ReadFile(s.path)
	if err != nil {
		return nil, fmt.Errorf("lua script: %w", err)
	}
	s.source = string(source)
	s.library = &library{protos: map[string]*vm.FunctionProto{}}
	if s.main, err = s.library.load(s.path); err != nil {
		return nil, fmt.Errorf("lua script: %w", err)
	}
	if err := s.inspect(); err != nil {
		return nil, fmt.Errorf("lua script: %w", err)
	}
	return s, s.checkOptions()
}

// find is the absolute path of a script.
func find(path string) (string, error) {
	if !strings.HasSuffix(path, ".lua") {
		if _, err := os.Stat(path); err != nil {
			path += ".lua"
		}
	}
	_, err := os.Stat(path)
	if err == nil {
		return filepath.Abs(path)
	}
	if !strings.Contains(path, "/") {
		for _, folder := range sysbenchFolders {
			if found := filepath.Join(folder, path); exists(found) {
				return found, nil
			}
		}
	}
	return "", fmt.Errorf("lua script: %w", err)
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// errNoServer is what a script meets that connects while only its options are
// read.
var errNoServer = errors.New("no server at this point: connect in thread_init(), event() or prepare()")

// inspect runs the main chunk without a server. A script whose main chunk
// needs one shows the options that it declared before.
func (s *Script) inspect() error {
	in, err := s.loaded(environment{command: "help", thread: -1, threads: 1})
	if err != nil && !errors.Is(err, errNoServer) {
		return err
	}
	if in == nil {
		return nil
	}
	defer in.close()
	if s.declared, err = in.options(); err != nil {
		return err
	}
	for name := range in.commands() {
		s.names = append(s.names, name)
	}
	s.defined = map[string]bool{"init": in.function("init") != nil, "done": in.function("done") != nil}
	return nil
}

// loaded is an instance without a connection.
func (s *Script) loaded(env environment) (*instance, error) {
	env.connect = func() (link, error) { return nil, errNoServer }
	env.rand = rand.New(rand.NewPCG(1, 1))
	return newInstance(s, env)
}

// checkOptions refuses options that a script does not have. A script that
// declares none, as those for sysbench 0.5 do, takes any.
func (s *Script) checkOptions() error {
	if len(s.declared) == 0 {
		return nil
	}
	var errs []error
	for name := range s.Set {
		_, known := findOption(s.declared, name)
		if _, isGeneral := findOption(general, name); !known && !isGeneral {
			errs = append(errs, fmt.Errorf("script %s: unknown option --%s", filepath.Base(s.path), name))
		}
	}
	return errors.Join(errs...)
}

// Options are the options that the script declares.
func (s *Script) Options() []Option { return s.declared }

// Commands are the names of the script's commands besides run.
func (s *Script) Commands() []string { return s.names }

// option is the value of one of sysbench's general options.
func (s *Script) option(name string) string {
	if text, ok := s.Set[name]; ok {
		return text
	}
	o, _ := findOption(general, name)
	return o.Default
}

// draws are the distributions that the script's --rand-* options set, by name.
func (s *Script) draws() (map[string]workload.Draw, error) {
	draws := map[string]workload.Draw{}
	for _, name := range []string{"uniform", "gaussian", "special", "pareto", "zipfian"} {
		set := map[string]string{"rand-type": name}
		for _, o := range []string{"rand_spec_iter", "rand_spec_pct", "rand_spec_res", "rand_pareto_h", "rand_zipfian_exp"} {
			set[strings.ReplaceAll(o, "_", "-")] = s.option(o)
		}
		draw, err := workload.NewDraw(set)
		if err != nil {
			return nil, fmt.Errorf("script option %w", err)
		}
		draws[name] = draw
	}
	draw, ok := draws[s.option("rand_type")]
	if !ok {
		return nil, fmt.Errorf("script option --rand-type: invalid distribution %q: expected uniform, special, gaussian, pareto or zipfian",
			s.option("rand_type"))
	}
	draws["default"] = draw
	return draws, nil
}

// ignoreAll among the ignored errors stands for all of them.
const ignoreAll = -1

// ignoredErrors are the numbers of --mysql-ignore-errors.
func (s *Script) ignoredErrors() (map[int]bool, error) {
	ignored := map[int]bool{}
	for word := range strings.SplitSeq(s.option("mysql_ignore_errors"), ",") {
		switch word = strings.TrimSpace(word); word {
		case "":
		case "all":
			ignored[ignoreAll] = true
		default:
			n, err := strconv.Atoi(word)
			if err != nil {
				return nil, fmt.Errorf("script option --mysql-ignore-errors: invalid error number %q", word)
			}
			ignored[n] = true
		}
	}
	return ignored, nil
}

// paths are the patterns by which modules are found, most important first.
func (s *Script) paths() []string {
	folder := filepath.Dir(s.path)
	// The folder above is where sysbench is started for scripts that name
	// their own folder: require("joins/common").
	list := []string{folder + "/?.lua", folder + "/?/init.lua", folder + "/src/lua/?.lua", filepath.Dir(folder) + "/?.lua"}
	for pattern := range strings.SplitSeq(s.Path, ";") {
		if pattern != "" {
			list = append(list, pattern)
		}
	}
	for _, f := range sysbenchFolders {
		list = append(list, f+"/?.lua")
	}
	return list
}

// folders are where the script may read files: its own, and those of modules.
func (s *Script) folders() []string {
	list := []string{filepath.Dir(s.path)}
	for _, pattern := range s.paths()[4:] {
		if head, _, ok := strings.Cut(pattern, "?"); ok && filepath.IsAbs(head) {
			list = append(list, filepath.Clean(head))
		}
	}
	return list
}
