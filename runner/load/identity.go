package load

import (
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"
)

// identity tells a server from others, by whatever way it was reached: its server_uuid (MySQL),
// else the name of its host, its port and when it was started. The zero value is a server that was
// not asked, or that did not tell.
type identity struct {
	uuid, host, port string
	started          time.Time // by whole seconds of its uptime, so up to a second early
}

// startSlack is by how much two readings of a server's start may differ.
const startSlack = 2 * time.Second

// is reports whether both are known and of one server.
func (a identity) is(b identity) bool {
	if a.uuid != "" || b.uuid != "" {
		return a.uuid == b.uuid
	}
	return !a.started.IsZero() && !b.started.IsZero() && a.host == b.host && a.port == b.port &&
		a.started.Sub(b.started).Abs() <= startSlack
}

// readIdentity asks with statements of two columns, name and value.
func readIdentity(ask func(query string) (map[string]string, error)) (identity, error) {
	values, err := ask("SHOW GLOBAL VARIABLES WHERE Variable_name IN ('server_uuid', 'hostname', 'port')")
	if err != nil {
		return identity{}, err
	}
	id := identity{uuid: values["server_uuid"], host: values["hostname"], port: values["port"]}
	if id.uuid != "" {
		return id, nil
	}
	if values, err = ask("SHOW GLOBAL STATUS LIKE 'Uptime'"); err != nil {
		return identity{}, err
	}
	uptime, err := strconv.Atoi(values["Uptime"])
	if err != nil {
		return identity{}, fmt.Errorf("uptime: %w", err)
	}
	id.started = time.Now().Add(-time.Duration(uptime) * time.Second)
	return id, nil
}

// identifyServer reads, once in a trial, which server a load connection is on. Its statements are
// counted as our own. Why it cannot be read concerns nobody until something has to be killed.
func (s *session) identifyServer() {
	s.limit(s.run.clock.now())
	id, err := readIdentity(func(query string) (map[string]string, error) {
		s.run.reaper.sent.Add(1)
		rows, err := s.conn.Query(query, nil)
		if err != nil {
			return nil, err
		}
		return pairs(rows)
	})
	if err == nil {
		s.run.reaper.mu.Lock()
		s.run.reaper.server = id
		s.run.reaper.mu.Unlock()
	}
}

// pairs reads rows of two texts.
func pairs(rows driver.Rows) (map[string]string, error) {
	values := map[string]string{}
	row := make([]driver.Value, 2)
	var err error
	for err = rows.Next(row); err == nil; err = rows.Next(row) {
		name, _ := row[0].([]byte)
		value, _ := row[1].([]byte)
		values[string(name)] = string(value)
	}
	if err == io.EOF {
		err = nil
	}
	return values, errors.Join(err, rows.Close())
}

// longestText is how many characters of a statement are compared.
const longestText = 150

// madeOf reports whether a statement in the server's list comes from a text in which each ? stands
// for some value. The server leaves out blanks around it and a semicolon at its end; of a long one,
// only the beginning is there.
func madeOf(text, listed string) bool {
	text, listed = bare(text), bare(listed)
	if len(listed) >= longestText || len(text) >= longestText {
		start, _, _ := strings.Cut(text[:min(len(text), longestText)], "?")
		return strings.HasPrefix(listed, start[:min(len(start), len(listed))])
	}
	parts := strings.Split(text, "?")
	for i, part := range parts {
		at := strings.Index(listed, part)
		switch {
		case at < 0 || i == 0 && at > 0:
			return false
		case i == len(parts)-1 && i > 0:
			return strings.HasSuffix(listed, part)
		}
		listed = listed[at+len(part):]
	}
	return listed == ""
}

func bare(text string) string {
	return strings.TrimSpace(strings.TrimRight(strings.TrimSpace(text), ";"))
}
