package command

import (
	"cmp"
	"fmt"
	"os"
	"os/user"
	"path/filepath"
	"strconv"

	"github.com/mysweep/mysweep/charts"
	"github.com/mysweep/mysweep/runner/result"
	"github.com/mysweep/mysweep/runner/server"
)

// fromOptionFiles fills what flags did not say from --defaults-file, else from ~/.my.cnf, and
// then from the environment.
func fromOptionFiles(named string, env Env, e server.Endpoint) (server.Endpoint, error) {
	file, err := readOptions(named, homeFolder(env.Getenv))
	if err != nil {
		return e, err
	}
	for _, note := range file.Notes {
		fmt.Fprintln(env.Stderr, "mysweep:", charts.Line(note.Text))
	}
	return e.ClientOptions(server.EnvironmentSource(env.Getenv), file.ClientSource(cmp.Or(named, "~/.my.cnf")))
}

// withIgnoredFile adds the notes on ~/.my.cnf, where existing servers make it count.
func withIgnoredFile(notes []result.Note, env Env, named string, endpoints map[string]*server.Endpoint) ([]result.Note, error) {
	if len(endpoints) == 0 || named != "" {
		return notes, nil
	}
	file, err := readOptions("", homeFolder(env.Getenv))
	if err != nil {
		return nil, err
	}
	for _, n := range file.Notes {
		notes = append(notes, result.Note{Code: n.Code, Text: n.Text})
	}
	return notes, nil
}

func readOptions(named, home string) (*server.OptionFile, error) {
	switch {
	case named != "":
		return server.ReadOptionFile(named)
	case home != "":
		return server.ReadImplicitOptionFile(filepath.Join(home, ".my.cnf"))
	}
	return &server.OptionFile{}, nil
}

// homeFolder is $HOME, else the home directory of our account, else "". It is
// never relative: that would be a folder of whoever owns the current one.
func homeFolder(getenv func(string) string) string {
	if home := getenv("HOME"); filepath.IsAbs(home) {
		return home
	}
	own, err := user.LookupId(strconv.Itoa(os.Getuid()))
	if err != nil || !filepath.IsAbs(own.HomeDir) {
		return ""
	}
	return own.HomeDir
}
