package servertest

import (
	"context"
	"sync"

	"github.com/mysweep/mysweep/runner/server"
)

// templates are empty data directories by server program. Making one takes the
// server a second of CPU time; a copy takes a fraction of that.
var templates struct {
	sync.Mutex
	made map[string]*server.Server // have run once, so that their root has a password
}

// canCopy reports whether a server can start from a copy: nothing asks for
// another data directory, or shapes an empty one.
func canCopy(p server.Private) bool {
	if p.CopyDatadirFrom != "" || p.DefaultsFile != "" {
		return false
	}
	for _, option := range p.Options {
		if server.ShapesDatadir(option.Name) {
			return false
		}
	}
	return true
}

// template returns the data directory for a server program, made on the first call.
func template(ctx context.Context, mysqld string) (string, error) {
	templates.Lock()
	defer templates.Unlock()
	if made := templates.made[mysqld]; made != nil {
		return made.Datadir(), nil
	}
	made, err := server.StartPrivate(ctx, server.Private{Mysqld: mysqld, AllowMemory: true, ForgetPages: true})
	if err != nil {
		return "", err
	}
	made.Pause()
	if templates.made == nil {
		templates.made = map[string]*server.Server{}
	}
	templates.made[mysqld] = made
	return made.Datadir(), nil
}

func removeTemplates() {
	templates.Lock()
	defer templates.Unlock()
	for _, made := range templates.made {
		made.Stop()
	}
	templates.made = nil
}
