package flame

import (
	"fmt"
	"hash/fnv"
	"html"
	"strings"
	"unicode/utf8"
)

// Text is set in a font whose letters are all equally wide, so that what fits a box is known
// without a browser.
const (
	fontSize    = 12
	letterWidth = 0.61 * fontSize // DejaVu Sans Mono has 0.602, Menlo 0.602, Consolas 0.55
	margin      = 4               // beside the text of a box
	fewest      = 4               // letters, below which a text is left out
	longest     = 300             // letters of a name that are told when the mouse rests on it
)

// Functions are distinguished by hues that mean nothing; all are light enough for black text on a
// white page and on a dark one.
const style = `.flame text{font:12px ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;fill:#1a1a1a}` +
	`.flame .a{fill:#f6c08a}.flame .b{fill:#f2a97c}.flame .c{fill:#f7d08a}.flame .d{fill:#ee9c86}.flame .e{fill:#f3b6a0}.flame .u{fill:#c9ced6}` +
	`.flame g:hover rect{stroke:#182233;stroke-width:1}` +
	`@media screen and (prefers-color-scheme:dark){.flame .a{fill:#d99b5c}.flame .b{fill:#d0864f}.flame .c{fill:#d8ab5a}.flame .d{fill:#c97a63}.flame .e{fill:#cf9480}` +
	`.flame .u{fill:#8d96a5}.flame g:hover rect{stroke:#fff}}`

// document writes boxes as one svg element, the outermost functions at the bottom.
func document(boxes []*box, samples, width int) string {
	rows := 1
	for _, b := range boxes {
		rows = max(rows, b.depth+1)
	}
	height := rows * rowHeight
	var out strings.Builder
	fmt.Fprintf(&out, `<svg xmlns="http://www.w3.org/2000/svg" class="flame" viewBox="0 0 %d %d" role="img" aria-label="flame graph of %d samples"><style>%s</style>`,
		width, height, samples, style)
	scale := float64(width) / float64(max(samples, 1))
	for _, b := range boxes {
		x, y, w := float64(b.left)*scale, height-(b.depth+1)*rowHeight, float64(b.samples)*scale
		fmt.Fprintf(&out, "\n<g><title>%s</title><rect class=\"%s\" x=\"%s\" y=\"%d\" width=\"%s\" height=\"%d\" rx=\"1\"/>",
			title(b, samples), colour(b.name), tenth(x), y, tenth(max(w-0.5, 0.5)), rowHeight-1)
		if label := label(b.name, w); label != "" {
			fmt.Fprintf(&out, `<text x="%s" y="%d">%s</text>`, tenth(x+margin), y+rowHeight-5, html.EscapeString(label))
		}
		out.WriteString("</g>")
	}
	out.WriteString("</svg>")
	return out.String()
}

func title(b *box, samples int) string {
	word := "samples"
	if b.samples == 1 {
		word = "sample"
	}
	return html.EscapeString(fmt.Sprintf("%s: %d %s, %.1f %%", cut(printable(b.name), longest), b.samples, word, 100*float64(b.samples)/float64(samples)))
}

// label is as much of a name as fits a box, "" where that says nothing.
func label(name string, width float64) string {
	name = printable(short(name))
	room := int((width - 2*margin) / letterWidth)
	if room < min(fewest, utf8.RuneCountInString(name)) {
		return ""
	}
	return cut(name, room)
}

// cut shortens a text to so many letters; the last one then says that there was more.
func cut(text string, letters int) string {
	runes := []rune(text)
	if len(runes) <= letters {
		return text
	}
	return string(runes[:letters-1]) + "…"
}

// printable leaves out what XML may not hold.
func printable(name string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == utf8.RuneError || r == 0xfffe || r == 0xffff {
			return -1
		}
		return r
	}, name)
}

// colour is one of the classes of the style: always the same for a name, grey where it is not
// known.
func colour(name string) string {
	if strings.HasPrefix(name, "[unknown") {
		return "u"
	}
	h := fnv.New32a()
	h.Write([]byte(name))
	return string("abcde"[h.Sum32()%5])
}

// tenth writes pixels.
func tenth(x float64) string {
	return strings.TrimSuffix(fmt.Sprintf("%.1f", x), ".0")
}
