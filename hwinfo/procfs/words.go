// Package procfs parses the files of /proc that several packages read: stat,
// loadavg, meminfo, net/sockstat and PID/stat.
//
// It parses bytes, wherever they came from: this machine, a dump, or another
// host. It allocates nothing per line, as the samplers call it ten times a
// second. A number that a file does not hold is NaN, never 0, so that every
// sum or difference with it is unknown too.
package procfs

import (
	"bytes"
	"math"
	"strconv"
)

var nan = math.NaN()

// EachLine calls f for each line, without its end.
func EachLine(data []byte, f func(line []byte)) {
	for len(data) > 0 {
		line, rest, _ := bytes.Cut(data, []byte("\n"))
		f(line)
		data = rest
	}
}

// Word returns the next word of a line, delimited by blanks, and the rest of the line.
func Word(line []byte) (word, rest []byte) {
	i := 0
	for i < len(line) && (line[i] == ' ' || line[i] == '\t') {
		i++
	}
	j := i
	for j < len(line) && line[j] != ' ' && line[j] != '\t' {
		j++
	}
	return line[i:j], line[j:]
}

// Number parses a decimal number; NaN if the word is not one.
func Number(word []byte) float64 {
	if len(word) == 0 || len(word) > 20 {
		return nan
	}
	n := 0.0
	for _, b := range word {
		if b < '0' || b > '9' {
			return fraction(word)
		}
		n = n*10 + float64(b-'0')
	}
	return n
}

func fraction(word []byte) float64 {
	n, err := strconv.ParseFloat(string(word), 64)
	if err != nil || math.IsInf(n, 0) {
		return nan
	}
	return n
}

// Numbers parses the words of a line into the given places, in order. A nil
// place skips a word; a place beyond the last word is set to NaN.
func Numbers(line []byte, into ...*float64) {
	for _, p := range into {
		var w []byte
		w, line = Word(line)
		if p != nil {
			*p = Number(w)
		}
	}
}
