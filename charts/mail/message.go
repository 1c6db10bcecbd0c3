// Package mail makes a MIME message of an archive: the summary as text and as simple HTML with
// pictures in it, and the files of the archive attached. It owns the form of the message and
// refuses to send it.
package mail

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"net/mail"
	"net/textproto"
	"path"
	"strings"
	"time"
)

// Message is a mail. Equal messages are written as equal bytes.
type Message struct {
	From     string
	To       []string
	Subject  string
	Date     time.Time
	ID       string // unique part of the Message-ID, e.g. the run's id
	Text     string
	HTML     string // shows a picture as <img src="cid:NAME">; empty for a mail of text alone
	Pictures []File // PNG
	Files    []File
}

// File is a part with a name.
type File struct {
	Name string
	Data []byte
}

// Write writes the message with CRLF line ends, as RFC 5322 wants it.
func (m *Message) Write(w io.Writer) error {
	var b bytes.Buffer
	m.header(&b)
	mixed := m.part(&b, "mixed")
	fmt.Fprintf(&b, "Content-Type: multipart/mixed; boundary=%q\r\n\r\n", mixed.Boundary())
	if err := m.body(mixed); err != nil {
		return fmt.Errorf("mail: %w", err)
	}
	for _, f := range m.Files {
		if err := attach(mixed, f, "attachment"); err != nil {
			return fmt.Errorf("mail: %w", err)
		}
	}
	if err := mixed.Close(); err != nil {
		return fmt.Errorf("mail: %w", err)
	}
	_, err := w.Write(b.Bytes())
	return err
}

func (m *Message) header(b *bytes.Buffer) {
	to := make([]string, len(m.To))
	for i, address := range m.To {
		to[i] = encodeAddress(address)
	}
	fmt.Fprintf(b, "From: %s\r\n", fold(len("From: "), encodeAddress(m.From)))
	fmt.Fprintf(b, "To: %s\r\n", fold(len("To: "), strings.Join(to, ", ")))
	fmt.Fprintf(b, "Subject: %s\r\n", fold(len("Subject: "), mime.QEncoding.Encode("utf-8", shorten(oneLine(m.Subject)))))
	fmt.Fprintf(b, "Date: %s\r\n", m.Date.Format(time.RFC1123Z))
	fmt.Fprintf(b, "Message-ID: <%s@mysweep.invalid>\r\n", m.digest("id"))
	b.WriteString("Auto-Submitted: auto-generated\r\nMIME-Version: 1.0\r\n")
}

// encodeAddress encodes a name that is not ASCII (RFC 2047); other addresses stay as they are
// written.
func encodeAddress(text string) string {
	text = oneLine(text)
	if !strings.ContainsFunc(text, func(r rune) bool { return r > '~' }) {
		return text
	}
	if a, err := mail.ParseAddress(text); err == nil {
		return oneLine(a.String())
	}
	return mime.QEncoding.Encode("utf-8", text)
}

// lineWidth is how long a line of a header should be at most (RFC 5322, 2.1.1).
const lineWidth = 78

// fold breaks the value of a header at spaces into lines; used is what its name takes of the first
// one.
func fold(used int, value string) string {
	var b strings.Builder
	for i, word := range strings.Split(value, " ") {
		switch {
		case i == 0:
		case used+1+len(word) > lineWidth:
			b.WriteString("\r\n ")
			used = 1
		default:
			b.WriteByte(' ')
			used++
		}
		b.WriteString(word)
		used += len(word)
	}
	return b.String()
}

// longestSubject is what no reader shows more of, and a line of a header can hold without a space.
const longestSubject = 300

func shorten(subject string) string {
	if runes := []rune(subject); len(runes) > longestSubject {
		return string(runes[:longestSubject-3]) + "..."
	}
	return subject
}

// oneLine keeps a name from ending its header and beginning another.
func oneLine(text string) string {
	return strings.Join(strings.Fields(text), " ")
}

// digest is a name that the same message always has.
func (m *Message) digest(what string) string {
	sum := sha256.Sum256([]byte(what + "\x00" + m.ID + "\x00" + m.Subject + "\x00" + strings.Join(m.To, "\x00")))
	return hex.EncodeToString(sum[:12])
}

func (m *Message) part(w io.Writer, kind string) *multipart.Writer {
	p := multipart.NewWriter(w)
	_ = p.SetBoundary("=_" + m.digest(kind)) // 26 letters, all of them allowed
	return p
}

// body is the text, or the choice between the text and the HTML with its pictures.
func (m *Message) body(mixed *multipart.Writer) error {
	if m.HTML == "" {
		return write(mixed, textproto.MIMEHeader{"Content-Type": {"text/plain; charset=utf-8"}}, []byte(m.Text))
	}
	var b bytes.Buffer
	choice := m.part(&b, "alternative")
	if err := write(choice, textproto.MIMEHeader{"Content-Type": {"text/plain; charset=utf-8"}}, []byte(m.Text)); err != nil {
		return err
	}
	if err := m.related(choice); err != nil {
		return err
	}
	if err := choice.Close(); err != nil {
		return err
	}
	return nest(mixed, "multipart/alternative", choice.Boundary(), b.Bytes())
}

func (m *Message) related(choice *multipart.Writer) error {
	var b bytes.Buffer
	related := m.part(&b, "related")
	if err := write(related, textproto.MIMEHeader{"Content-Type": {"text/html; charset=utf-8"}}, []byte(m.HTML)); err != nil {
		return err
	}
	for _, f := range m.Pictures {
		if err := attach(related, f, "inline"); err != nil {
			return err
		}
	}
	if err := related.Close(); err != nil {
		return err
	}
	return nest(choice, "multipart/related", related.Boundary(), b.Bytes())
}

func nest(outer *multipart.Writer, kind, boundary string, inner []byte) error {
	w, err := outer.CreatePart(textproto.MIMEHeader{"Content-Type": {fmt.Sprintf("%s; boundary=%q", kind, boundary)}})
	if err == nil {
		_, err = w.Write(inner)
	}
	return err
}

func attach(to *multipart.Writer, f File, disposition string) error {
	name := path.Base(f.Name)
	header := textproto.MIMEHeader{
		"Content-Type":        {mime.FormatMediaType(typeOf(name), map[string]string{"name": name})},
		"Content-Disposition": {mime.FormatMediaType(disposition, map[string]string{"filename": name})},
	}
	if disposition == "inline" {
		header.Set("Content-Id", "<"+name+">")
	}
	return write(to, header, f.Data)
}

// typeOf is the type of the files that an archive has; the system's own table of types is not
// asked, as it differs from machine to machine.
func typeOf(name string) string {
	switch path.Ext(name) {
	case ".html":
		return "text/html"
	case ".csv":
		return "text/csv"
	case ".txt":
		return "text/plain"
	case ".json":
		return "application/json"
	case ".zip":
		return "application/zip"
	case ".png":
		return "image/png"
	}
	return "application/octet-stream"
}

// write writes a part in base64, 76 letters a line.
func write(to *multipart.Writer, header textproto.MIMEHeader, data []byte) error {
	header.Set("Content-Transfer-Encoding", "base64")
	w, err := to.CreatePart(header)
	if err != nil {
		return err
	}
	text := base64.StdEncoding.EncodeToString(data)
	for len(text) > 0 {
		n := min(76, len(text))
		if _, err := io.WriteString(w, text[:n]+"\r\n"); err != nil {
			return err
		}
		text = text[n:]
	}
	return nil
}
