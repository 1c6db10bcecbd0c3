package login

import (
	"fmt"
	"strconv"
	"time"
)

// Identity tells a server from others, by whatever way it was reached: its server_uuid (MySQL),
// else the name of its host, its port and when it was started. The zero value is a server that was
// not asked, or that did not report.
type Identity struct {
	uuid, host, port string
	started          time.Time // by whole seconds of its uptime, so up to a second early
}

// startSlack is by how much two readings of a server's start may differ.
const startSlack = 2 * time.Second

// Is reports whether both are known and of one server.
func (a Identity) Is(b Identity) bool {
	if a.uuid != "" || b.uuid != "" {
		return a.uuid == b.uuid
	}
	return !a.started.IsZero() && !b.started.IsZero() && a.host == b.host && a.port == b.port &&
		a.started.Sub(b.started).Abs() <= startSlack
}

// Differs reports whether both are known and of two servers.
func (a Identity) Differs(b Identity) bool { return a.known() && b.known() && !a.Is(b) }

func (a Identity) known() bool { return a.uuid != "" || !a.started.IsZero() }

// ReadIdentity asks with statements of two columns, name and value.
func ReadIdentity(ask func(query string) (map[string]string, error)) (Identity, error) {
	values, err := ask("SHOW GLOBAL VARIABLES WHERE Variable_name IN ('server_uuid', 'hostname', 'port')")
	if err != nil {
		return Identity{}, err
	}
	id := Identity{uuid: values["server_uuid"], host: values["hostname"], port: values["port"]}
	if id.uuid != "" {
		return id, nil
	}
	if values, err = ask("SHOW GLOBAL STATUS LIKE 'Uptime'"); err != nil {
		return Identity{}, err
	}
	uptime, err := strconv.Atoi(values["Uptime"])
	if err != nil {
		return Identity{}, fmt.Errorf("uptime: %w", err)
	}
	id.started = time.Now().Add(-time.Duration(uptime) * time.Second)
	return id, nil
}
