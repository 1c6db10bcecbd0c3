package load

import (
	"database/sql/driver"
	"errors"
	"io"
	"strings"

	"github.com/mysweep/mysweep/runner/login"
)

// identifyServer reads, once in a trial, which server a load connection is on. Its statements are
// counted as our own. Why it cannot be read concerns nobody until something has to be killed.
func (s *session) identifyServer() {
	s.limit(s.run.clock.now())
	id, err := login.ReadIdentity(func(query string) (map[string]string, error) {
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
		if s.run.trial.Edges != nil {
			s.run.trial.Edges.LoadOn(id)
		}
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
