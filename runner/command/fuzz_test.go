package command

import (
	"strings"
	"testing"
)

// FuzzMail: no address or size of a mail panics, none brings a line break, and sizes are positive.
func FuzzMail(f *testing.F) {
	for _, seed := range []string{"", "dba", "a@b,c@d", `"a, b" <a@b>`, "<a@b", "a@b\r\nBcc: c@d", "8MB", "-1", "1e9", "99999999GiB", "1 kB"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		to, err := recipients("--to", []string{text})
		for _, address := range bare(to) {
			if err == nil && strings.ContainsAny(address, "\r\n") {
				t.Errorf("%q becomes %q", text, address)
			}
		}
		if n, err := parseSize(text); err == nil && n <= 0 {
			t.Errorf("size %q is %d", text, n)
		}
	})
}
