package hwinfo

import (
	"errors"
	"slices"
	"strings"
)

// readUsers counts the logged-in users, whose work may disturb a measurement.
// Names are recorded with Identify only.
func readUsers(r *reader) {
	names, source, err := r.users()
	if err != nil {
		r.unknown("users.logged_in", source, err)
		return
	}
	r.put("users.logged_in", len(names), source)
	if r.opt.Identify {
		slices.Sort(names)
		r.put("users.names", strings.Join(slices.Compact(names), ";"), source)
	}
}

// users reads systemd's sessions, else utmp, which newer systems lack.
func (r *reader) users() (names []string, source string, err error) {
	const sessions = "/run/systemd/sessions"
	for _, name := range r.list(sessions) {
		data, err := r.table(sessions + "/" + name)
		if err != nil {
			continue
		}
		fields := parseOSRelease(data)
		if fields["CLASS"] == "user" && fields["STATE"] != "closing" {
			names = append(names, fields["USER"])
		}
	}
	if len(names) > 0 || r.exists(sessions) {
		return names, sessions, nil
	}
	for _, path := range []string{"/run/utmp", "/var/run/utmp"} {
		data, readErr := r.read(path, smbiosMax)
		if readErr == nil {
			return parseUtmp(data), path, nil
		}
		err = readErr
	}
	return nil, "/run/utmp", errors.Join(err)
}

// parseUtmp returns the users of the login records, utmp(5). A record has 384
// bytes, or 400 on architectures with wider session id and time.
func parseUtmp(data []byte) []string {
	const userProcess, userAt, userLength = 7, 44, 32
	size := 384
	if len(data)%size != 0 && len(data)%400 == 0 {
		size = 400
	}
	var names []string
	for ; len(data) >= size; data = data[size:] {
		// The type is 16 bits wide and may be in either byte order.
		if data[0] != userProcess && !(data[0] == 0 && data[1] == userProcess) {
			continue
		}
		name, _, _ := strings.Cut(string(data[userAt:userAt+userLength]), "\x00")
		if name = clean(name); name != "" {
			names = append(names, name)
		}
	}
	return names
}
