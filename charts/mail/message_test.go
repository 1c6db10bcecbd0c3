package mail

import (
	"bytes"
	"encoding/base64"
	"io"
	"mime"
	"mime/multipart"
	"net/mail"
	"net/textproto"
	"strings"
	"testing"
	"time"
)

func message() *Message {
	return &Message{
		From: "mysweep@db3.example", To: []string{"dba@example.org", "Ops <ops@example.org>"},
		Subject: "db3 · nightly: 22,360 queries/s PASS\r\nBcc: thief@example.org", Date: time.Date(2026, 3, 14, 3, 9, 0, 0, time.UTC), ID: "run1",
		Text: "It answers 22,360 queries/s (± 1 %).\n.\nFrom here on\n", HTML: `<p>±</p><img src="cid:rate.png">`,
		Pictures: []File{{"rate.png", []byte("\x89PNG")}}, Files: []File{{"report.html", bytes.Repeat([]byte("x"), 1000)}, {"results.csv", []byte("a,b\n")}},
	}
}

// leaves are the parts that are no multipart, by type and name.
func leaves(t *testing.T, header textproto.MIMEHeader, body io.Reader) map[string]string {
	t.Helper()
	kind, parameters, err := mime.ParseMediaType(header.Get("Content-Type"))
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(kind, "multipart/") {
		data, err := io.ReadAll(base64.NewDecoder(base64.StdEncoding, body))
		if err != nil {
			t.Fatal(err)
		}
		return map[string]string{strings.TrimSpace(kind + " " + parameters["name"]): string(data)}
	}
	found := map[string]string{}
	reader := multipart.NewReader(body, parameters["boundary"])
	for {
		part, err := reader.NextRawPart()
		if err == io.EOF {
			return found
		}
		if err != nil {
			t.Fatal(err)
		}
		for name, data := range leaves(t, part.Header, part) {
			found[name] = data
		}
	}
}

// What is put into a message is read out of it by a mail reader.
func TestMessageIsReadBack(t *testing.T) {
	m := message()
	var b bytes.Buffer
	if err := m.Write(&b); err != nil {
		t.Fatal(err)
	}
	read, err := mail.ReadMessage(bytes.NewReader(b.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	got := leaves(t, textproto.MIMEHeader(read.Header), read.Body)
	for name, want := range map[string]string{
		"text/plain": m.Text, "text/html": m.HTML, "image/png rate.png": "\x89PNG",
		"text/html report.html": strings.Repeat("x", 1000), "text/csv results.csv": "a,b\n",
	} {
		if got[name] != want {
			t.Errorf("%s is %q, want %q", name, got[name], want)
		}
	}
	subject, err := new(mime.WordDecoder).DecodeHeader(read.Header.Get("Subject"))
	if err != nil || subject != "db3 · nightly: 22,360 queries/s PASS Bcc: thief@example.org" {
		t.Errorf("the subject is %q (%v)", subject, err)
	}
	if read.Header.Get("Bcc") != "" {
		t.Error("a subject put in a header of its own")
	}
	if to, err := read.Header.AddressList("To"); err != nil || len(to) != 2 {
		t.Errorf("the mail goes to %v (%v), want two", to, err)
	}
	for line := range strings.Lines(b.String()) {
		if len(line) > 998 || !strings.HasSuffix(line, "\r\n") {
			t.Errorf("the line %.60q is too long or ends badly", line)
			break
		}
	}
}

func TestSameMessageSameBytes(t *testing.T) {
	var a, b bytes.Buffer
	if err := message().Write(&a); err != nil {
		t.Fatal(err)
	}
	if err := message().Write(&b); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(a.Bytes(), b.Bytes()) {
		t.Error("the same message gave other bytes")
	}
}
