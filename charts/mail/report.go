package mail

import (
	"bytes"
	"fmt"
	"github.com/mysweep/mysweep/charts/words"
	"html/template"
	"strings"
	"time"

	"github.com/mysweep/mysweep/charts"
	"github.com/mysweep/mysweep/charts/page"
	"github.com/mysweep/mysweep/charts/raster"
	"github.com/mysweep/mysweep/charts/svg"
	"github.com/mysweep/mysweep/templates"
)

// attached are the files of an archive that a mail carries.
func attached(name string) bool {
	switch name {
	case "report.html", "results.csv", "cells.csv", "facts.csv":
		return true
	}
	return false
}

// New makes the mail of an archive: the summary, the answer with pictures of the first charts, and
// the files that one wants to have at hand.
func New(d *charts.Data, from string, to []string, date time.Time) (*Message, error) {
	m := &Message{From: from, To: to, Date: date, ID: d.Archive.Run.ID, Subject: subject(d)}
	for _, file := range page.Files(d) {
		var b bytes.Buffer
		if !attached(file.Name) {
			continue
		}
		if err := file.Write(&b); err != nil {
			return nil, fmt.Errorf("mail: %s: %w", file.Name, err)
		}
		m.Files = append(m.Files, File{file.Name, b.Bytes()})
	}
	var summary strings.Builder
	if err := page.Summary(&summary, d, d.Archive.Dir); err != nil {
		return nil, fmt.Errorf("mail: %w", err)
	}
	m.Text = summary.String()
	list, err := charts.All(d)
	if err != nil {
		return nil, fmt.Errorf("mail: %w", err)
	}
	list = list[:min(mostPictures, len(list))]
	if err := m.draw(list); err != nil {
		return nil, fmt.Errorf("mail: %w", err)
	}
	m.HTML, err = m.page(d, list)
	return m, err
}

// mostPictures is how many charts a mail shows; the attached report has all.
const mostPictures = 3

// draw makes pictures of charts, twice as fine as they are shown.
func (m *Message) draw(list []charts.Chart) error {
	if len(list) == 0 {
		return nil
	}
	renderer, err := svg.New()
	if err != nil {
		return err
	}
	for _, c := range list {
		text, err := renderer.Draw(svg.Drawing{ID: c.ID, Option: c.Option, Width: c.Wide.Width, Height: c.Wide.Height})
		if err != nil {
			return err
		}
		picture, err := raster.PNG(text, 2)
		if err != nil {
			return fmt.Errorf("chart %s: %w", c.ID, err)
		}
		m.Pictures = append(m.Pictures, File{c.ID + ".png", picture})
	}
	return nil
}

// subject is what a reader sees in the list of mails: the answer first, then where.
func subject(d *charts.Data) string {
	run := &d.Archive.Run
	parts := []string{"mysweep"}
	for _, text := range []string{run.ServerHost, run.Name} {
		if text != "" {
			parts = append(parts, text)
		}
	}
	return strings.Join(parts, " ") + ": " + d.Answer().Subject
}

// letter is what the template of the HTML part is filled with.
type letter struct {
	Title  string
	Answer []string
	Charts []charts.Chart // each has a picture named ID.png
	Notes  []words.Note
}

// Picture is the address of a chart's picture inside the mail. ids are ours, so the address is
// safe.
func (l letter) Picture(c charts.Chart) template.URL { return template.URL("cid:" + c.ID + ".png") }

func (m *Message) page(d *charts.Data, list []charts.Chart) (string, error) {
	a := d.Answer()
	l := letter{Title: m.Subject, Charts: list, Notes: words.Notes(d.Verdict)}
	for _, s := range a.All() {
		l.Answer = append(l.Answer, s.Text())
	}
	t, err := template.New("mail.html").Parse(templates.Mail)
	if err != nil {
		return "", fmt.Errorf("mail: %w", err)
	}
	var b bytes.Buffer
	if err := t.Execute(&b, l); err != nil {
		return "", fmt.Errorf("mail: %w", err)
	}
	return b.String(), nil
}
