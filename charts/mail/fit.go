package mail

import (
	"archive/zip"
	"bytes"
	"fmt"
	"html"
	"slices"
	"strings"
	"time"
)

// Fit writes the message in at most so many bytes, if that can be: attachments are zipped, then
// left out, the largest first, then the HTML with its pictures. A line of the text says what is
// missing and where it is (folder).
func (m *Message) Fit(most int, folder string) ([]byte, error) {
	text, err := m.bytes()
	if err != nil || len(text) <= most {
		return text, err
	}
	var left []string
	files := slices.Clone(m.Files)
	for {
		smaller := *m
		if smaller.Files, err = zipped(files, m.Date); err != nil {
			return nil, fmt.Errorf("mail: %w", err)
		}
		if len(left) > 0 {
			smaller.say(fmt.Sprintf("Left out to keep the mail below %s: %s. The files are in %s.", megabytes(most), strings.Join(left, ", "), folder))
		}
		if text, err = smaller.bytes(); err != nil || len(text) <= most {
			return text, err
		}
		switch {
		case len(files) > 0:
			i := largest(files)
			left = append(left, fmt.Sprintf("%s (%s)", files[i].Name, megabytes(len(files[i].Data))))
			files = slices.Delete(files, i, i+1)
		case m.HTML != "":
			left = append(left, "charts")
			plain := *m
			plain.HTML, plain.Pictures = "", nil
			m = &plain
		default:
			return text, nil // the summary alone: a server that does not take it says so
		}
	}
}

func (m *Message) bytes() ([]byte, error) {
	var b bytes.Buffer
	err := m.Write(&b)
	return b.Bytes(), err
}

// say adds a line to both forms of the text.
func (m *Message) say(line string) {
	m.Text = strings.TrimRight(m.Text, "\n") + "\n\n" + line + "\n"
	if m.HTML == "" {
		return
	}
	paragraph := "<p>" + html.EscapeString(line) + "</p>"
	if at := strings.LastIndex(m.HTML, "</body>"); at >= 0 {
		m.HTML = m.HTML[:at] + paragraph + m.HTML[at:]
	} else {
		m.HTML += paragraph
	}
}

// zipped packs each file on its own, so that one can be opened without the others.
func zipped(files []File, date time.Time) ([]File, error) {
	var packed []File
	for _, f := range files {
		var b bytes.Buffer
		z := zip.NewWriter(&b)
		w, err := z.CreateHeader(&zip.FileHeader{Name: f.Name, Method: zip.Deflate, Modified: date})
		if err == nil {
			_, err = w.Write(f.Data)
		}
		if err == nil {
			err = z.Close()
		}
		if err != nil {
			return nil, err
		}
		packed = append(packed, File{f.Name + ".zip", b.Bytes()})
	}
	return packed, nil
}

func largest(files []File) int {
	at := 0
	for i := range files {
		if len(files[i].Data) > len(files[at].Data) {
			at = i
		}
	}
	return at
}

func megabytes(n int) string {
	if n < 1e5 {
		return fmt.Sprintf("%.1f kB", float64(n)/1e3)
	}
	return fmt.Sprintf("%.1f MB", float64(n)/1e6)
}
