package charts

import (
	"strconv"
	"strings"

	"github.com/mysweep/mysweep/runner/plan"
)

// Plain shows control characters, as Go writes them (\x1b), instead of leaving
// them to the terminal: servers' messages and variables are other people's
// texts. Newlines and tabs stay.
func Plain(text string) string {
	var b strings.Builder
	for _, r := range text {
		if r == '\n' || r == '\t' || !plan.IsControl(r) {
			b.WriteRune(r)
			continue
		}
		quoted := strconv.QuoteRuneToASCII(r)
		b.WriteString(quoted[1 : len(quoted)-1])
	}
	return b.String()
}

// Line is Plain in one line: a newline or a tab is a blank.
func Line(text string) string {
	return Plain(strings.NewReplacer("\r\n", " ", "\n", " ", "\t", " ").Replace(text))
}
