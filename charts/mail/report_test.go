package mail

import (
	"bytes"
	"net/mail"
	"net/textproto"
	"strings"
	"testing"
	"time"

	"github.com/mysweep/mysweep/charts"
	"github.com/mysweep/mysweep/charts/sample"
	"github.com/mysweep/mysweep/runner/verdict"
)

// The mail of an archive says the answer in its subject and its text, and carries the report.
func TestMailOfAnArchive(t *testing.T) {
	a := sample.Archive([]int{1, 4, 16}, []int{10, 100}, 2)
	v := verdict.Of(a)
	d := &charts.Data{Archive: a, Verdict: &v}
	m, err := New(d, "mysweep@db3.example", []string{"dba@example.org"}, time.Date(2026, 3, 14, 3, 9, 0, 0, time.UTC))
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(m.Subject, "db3") || !strings.Contains(m.Subject, d.Answer().Subject) {
		t.Errorf("the subject is %q, want host and answer", m.Subject)
	}
	var b bytes.Buffer
	if err := m.Write(&b); err != nil {
		t.Fatal(err)
	}
	read, err := mail.ReadMessage(&b)
	if err != nil {
		t.Fatal(err)
	}
	parts := leaves(t, textproto.MIMEHeader(read.Header), read.Body)
	for name, want := range map[string]string{
		"text/plain": "/var/lib/mysweep/db3/", "text/html": `src="cid:map.png"`, "image/png map.png": "PNG", "image/png rate.png": "PNG", "text/html report.html": "<svg", "text/csv cells.csv": "run_id,",
	} {
		if !strings.Contains(parts[name], want) {
			t.Errorf("the part %s lacks %q", name, want)
		}
	}
}
