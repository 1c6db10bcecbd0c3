package mail

import (
	"archive/zip"
	"bytes"
	"io"
	"math/rand/v2"
	"net/mail"
	"net/textproto"
	"strings"
	"testing"
)

// noise does not get smaller when it is packed.
func noise(n int) []byte {
	r := rand.NewChaCha8([32]byte{1})
	data := make([]byte, n)
	r.Read(data)
	return data
}

func TestFit(t *testing.T) {
	m := message()
	m.Files = []File{{"report.html", noise(60_000)}, {"results.csv", bytes.Repeat([]byte("1,2\n"), 40_000)}, {"cells.csv", noise(20_000)}}
	for _, c := range []struct {
		most  int
		names string // of the attachments
		says  string
	}{
		{1e6, "cells.csv report.html results.csv", ""},
		{150_000, "cells.csv.zip report.html.zip results.csv.zip", ""},
		{100_000, "cells.csv.zip report.html.zip", "results.csv (0.2 MB)"},
		{50_000, "cells.csv.zip", "results.csv (0.2 MB), report.html (60.0 kB)"},
		{5_000, "", "cells.csv (20.0 kB)"},
		{100, "", "cells.csv (20.0 kB), charts"},
	} {
		text, err := m.Fit(c.most, "/var/lib/mysweep/db3/run")
		if err != nil {
			t.Fatal(err)
		}
		if len(text) > c.most && c.most != 100 {
			t.Errorf("at most %d: %d bytes", c.most, len(text))
		}
		again, _ := m.Fit(c.most, "/var/lib/mysweep/db3/run")
		if !bytes.Equal(text, again) {
			t.Errorf("at most %d: the same message gave other bytes", c.most)
		}
		read, err := mail.ReadMessage(bytes.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		parts := leaves(t, textproto.MIMEHeader(read.Header), read.Body)
		var names []string
		for _, name := range []string{"cells.csv", "report.html", "results.csv"} {
			for part, data := range parts {
				if strings.HasSuffix(part, " "+name) {
					names = append(names, name)
				} else if strings.HasSuffix(part, " "+name+".zip") {
					names = append(names, name+".zip")
					checkZip(t, data, name, m)
				}
			}
		}
		if got := strings.Join(names, " "); c.most > 100_000 && got != c.names {
			t.Errorf("at most %d: attached %q, want %q", c.most, got, c.names)
		}
		if c.says == "" && strings.Contains(parts["text/plain"], "Left out") || !strings.Contains(parts["text/plain"], c.says) {
			t.Errorf("at most %d: the text says %q", c.most, parts["text/plain"])
		}
	}
}

func checkZip(t *testing.T, data, name string, m *Message) {
	t.Helper()
	z, err := zip.NewReader(strings.NewReader(data), int64(len(data)))
	if err != nil || len(z.File) != 1 || z.File[0].Name != name {
		t.Fatalf("%s: %v", name, err)
	}
	f, err := z.File[0].Open()
	if err != nil {
		t.Fatal(err)
	}
	unpacked, err := io.ReadAll(f)
	for _, file := range m.Files {
		if file.Name == name && (err != nil || !bytes.Equal(unpacked, file.Data)) {
			t.Errorf("%s is not what was packed (%v)", name, err)
		}
	}
}

// Names that are not ASCII, many recipients and long subjects give headers of short lines of ASCII
// that read as they were.
func TestHeaderLines(t *testing.T) {
	m := message()
	m.From = "Meßstation Süd <mysweep@db3.example>"
	m.To = []string{"dba", "Jürgen Öl <j@example.org>"}
	for range 60 {
		m.To = append(m.To, "somebody.with.a.long.name@example.org")
	}
	m.Subject = strings.Repeat("Durchsatz größer · ", 40)
	var b bytes.Buffer
	if err := m.Write(&b); err != nil {
		t.Fatal(err)
	}
	header, _, _ := strings.Cut(b.String(), "\r\n\r\n")
	for line := range strings.SplitSeq(header, "\r\n") {
		if len(line) > 100 || strings.ContainsFunc(line, func(r rune) bool { return r > '~' }) {
			t.Errorf("the line %q", line)
		}
	}
	read, err := mail.ReadMessage(&b)
	if err != nil {
		t.Fatal(err)
	}
	if from, err := mail.ParseAddress(read.Header.Get("From")); err != nil || from.Name != "Meßstation Süd" {
		t.Errorf("from %v (%v)", from, err)
	}
	if to := strings.Count(read.Header.Get("To"), "@"); to != 61 {
		t.Errorf("%d addresses with a domain, want 61", to)
	}
}
