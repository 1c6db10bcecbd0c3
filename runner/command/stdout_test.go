package command

import (
	"bytes"
	"testing"
)

// Facts, variables and names of old archives come from elsewhere: a terminal
// shows their control characters, a file has them as they are.
func TestStdoutTerminal(t *testing.T) {
	for _, c := range []struct {
		terminal bool
		want     string
	}{
		{true, "disk \\x1b[31mX\n\tä"},
		{false, "disk \x1b[31mX\n\tä"},
	} {
		var b bytes.Buffer
		o := &stdout{to: &b, terminal: c.terminal}
		if n, err := o.Write([]byte("disk \x1b[31mX\n\tä")); n != len("disk \x1b[31mX\n\tä") || err != nil {
			t.Errorf("terminal %v: wrote %d, %v", c.terminal, n, err)
		}
		if b.String() != c.want {
			t.Errorf("terminal %v: %q; want %q", c.terminal, b.String(), c.want)
		}
	}
}
