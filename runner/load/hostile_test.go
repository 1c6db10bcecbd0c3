package load_test

import (
	"strings"
	"testing"
	"time"

	"github.com/go-sql-driver/mysql"

	"github.com/mysweep/mysweep/runner/load"
	"github.com/mysweep/mysweep/runner/login/logintest"
)

// hostileTarget is the way to a server that is none of ours.
func hostileTarget(addr string) load.Target {
	config := mysql.NewConfig()
	config.Net, config.Addr, config.User, config.Passwd, config.DBName = "tcp", addr, "me", "secret", "test"
	return load.Target{Config: config}
}

// TestOfferedKey: the load generator's own connections give no password under a key that the server
// offers without TLS.
func TestOfferedKey(t *testing.T) {
	for _, engine := range engines {
		for _, mode := range logintest.Modes {
			hostile := logintest.Serve(t, mode)
			_, err := load.Run(t.Context(), hostileTarget(hostile.Addr), rounds(pointSelect), load.Trial{Threads: 1, Queries: 1, LoadGen: engine.loadGen, Poller: engine.poller, ConnectTimeout: 5 * time.Second})
			if err == nil || !strings.Contains(err.Error(), "offers an RSA key") {
				t.Errorf("%s, %s: %v", engine, mode, err)
			}
			if got := hostile.Passwords(); len(got) > 0 {
				t.Errorf("%s, %s: the server got %q", engine, mode, got)
			}
		}
	}
}

// TestLongErrors: a server's error text of 5 MB goes no further than the connection.
func TestLongErrors(t *testing.T) {
	for _, engine := range engines {
		hostile := logintest.Serve(t, logintest.LongErrors)
		m, err := load.Run(t.Context(), hostileTarget(hostile.Addr), rounds(pointSelect), load.Trial{Threads: 1, Queries: 2, MinTime: time.Minute, LoadGen: engine.loadGen, Poller: engine.poller})
		if err == nil || len(err.Error()) > 1500 || len(m.ErrorsBy) != 1 || len(m.ErrorsBy[0].Example) > 1100 {
			t.Errorf("%s: an error of %d bytes: %.100v, %.200v", engine, len(err.Error()), err, m.ErrorsBy)
		}
	}
}
