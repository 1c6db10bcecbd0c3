// Package table writes the CSV files of an archive. It owns their columns, which are a contract:
// names carry base units, an empty field is "not known" and never 0, numbers are the shortest
// decimals that read back as the same number, and text that a spreadsheet would run as a formula is
// defused. It refuses to compute: rows are what result and verdict say.
package table

import (
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"regexp"
	"strings"
	"time"

	"github.com/gocarina/gocsv"

	"github.com/mysweep/mysweep/runner/result"
)

// Text is a field of text. A first character that makes a spreadsheet evaluate the field gets a
// single quote before it, unless the whole field is a number: negative numbers stay numbers.
type Text string

var number = regexp.MustCompile(`^[+-]?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?$`)

// MarshalCSV is called by gocsv.
func (t Text) MarshalCSV() (string, error) {
	if t != "" && strings.ContainsRune("=+-@\t\r\n", rune(t[0])) && !number.MatchString(string(t)) {
		return "'" + string(t), nil
	}
	return string(t), nil
}

// moment writes a time as RFC 3339 in UTC with milliseconds; the zero time is not known.
func moment(t time.Time) Text {
	if t.IsZero() {
		return ""
	}
	return Text(t.UTC().Format("2006-01-02T15:04:05.000Z"))
}

// known drops what is no number, so that neither NaN nor an infinity gets into a file.
func known(x *float64) *float64 {
	if x == nil || math.IsNaN(*x) || math.IsInf(*x, 0) {
		return nil
	}
	return x
}

// write writes rows, a slice of structs with csv tags, with a header line.
func write(w io.Writer, rows any) error {
	return csvError(gocsv.MarshalCSV(rows, csv.NewWriter(w)))
}

// Rows writes the rows of one trial to a file that has some for each.
type Rows func(t *result.Trial) error

// rowsOf writes the header line of a file and returns what writes the rows of a trial.
func rowsOf[Row any](w io.Writer, of func(t *result.Trial) []Row) (Rows, error) {
	out := csv.NewWriter(w)
	if err := gocsv.MarshalCSV([]Row{}, out); err != nil {
		return nil, csvError(err)
	}
	return func(t *result.Trial) error {
		return csvError(gocsv.MarshalCSVWithoutHeaders(of(t), out))
	}, nil
}

func csvError(err error) error {
	if err != nil {
		return fmt.Errorf("csv: %w", err)
	}
	return nil
}
