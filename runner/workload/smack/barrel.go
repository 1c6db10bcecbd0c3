package smack

import (
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/mysweep/mysweep/runner/workload/syntax"
)

// action is one entry of a query barrel: a query with its count, or a sleep.
type action struct {
	query int // number of the query, -1 for a sleep
	shots int
	sleep time.Duration
}

// barrel parses "2 select_user 1 update_user -0.5": counts of queries, and sleeps
// in seconds.
func (c *compiler) barrel(client *Client) ([]action, error) {
	v := client.QueryBarrel
	var actions []action
	words := splitWords(v.Text)
	for i := 0; i < len(words); i++ {
		w := words[i]
		at := v.token.inside(w.offset)
		if strings.HasPrefix(w.text, "-") {
			seconds, err := strconv.ParseFloat(w.text[1:], 64)
			if err != nil || !(seconds >= 0 && seconds <= math.MaxInt32) {
				return nil, syntax.Errorf(at, "%s is no sleep in seconds: write e.g. -0.5", w.text)
			}
			actions = append(actions, action{-1, 0, time.Duration(seconds * float64(time.Second))})
			continue
		}
		shots, err := strconv.Atoi(w.text)
		if err != nil {
			return nil, syntax.Errorf(at, "expected how often a query runs in the barrel of client %s, found %s", client.Name, w.text)
		}
		if i++; i == len(words) {
			return nil, syntax.Errorf(v.token.inside(len(v.Text)), "expected the name of a query after %s in the barrel of client %s", w.text, client.Name)
		}
		query, ok := c.queryNumber[words[i].text]
		if !ok {
			return nil, syntax.Errorf(v.token.inside(words[i].offset), "there is no query %s%s", words[i].text, hint(words[i].text, names(c.file.Queries)))
		}
		actions = append(actions, action{query: query, shots: shots})
	}
	if len(actions) == 0 && v.Set() {
		return nil, syntax.Errorf(v.At(), "the barrel of client %s is empty: write e.g. \"2 select_user\"", client.Name)
	}
	return actions, nil
}

// placed is a word and its offset.
type placed struct {
	text   string
	offset int
}

// splitWords splits at blanks and keeps the offset of each word.
func splitWords(s string) []placed {
	var words []placed
	for i := 0; i < len(s); {
		n := span(s[i:], func(c byte) bool { return strings.IndexByte(" \t\r\n", c) < 0 })
		if n > 0 {
			words = append(words, placed{s[i : i+n], i})
		}
		i += n + 1
	}
	return words
}
