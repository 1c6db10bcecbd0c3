package command_test

import (
	"encoding/csv"
	"slices"
	"strconv"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// checkCSV looks into a CSV file:
//
//	csv FILE rows N                    so many rows below the header
//	csv FILE regular                   every row has as many fields as the header
//	csv FILE starts HEADER             the header begins with these names
//	csv FILE ends HEADER               ... or ends with them
//	csv FILE column NAME VALUE         every row has the value there
//	csv FILE column-has NAME VALUE     at least one has
//	csv FILE column-has-other NAME VALUE   at least one has another
//	csv FILE filled NAME...            every row has something there
func checkCSV(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: csv FILE CHECK ...")
	}
	rows, err := csv.NewReader(strings.NewReader(ts.ReadFile(args[0]))).ReadAll()
	ts.Check(err) // irregular rows are an error of the reader
	if len(rows) == 0 {
		ts.Fatalf("%s has no header", args[0])
	}
	header, rows := rows[0], rows[1:]
	column := func(name string) []string {
		at := slices.Index(header, name)
		if at < 0 {
			ts.Fatalf("%s has no column %s", args[0], name)
		}
		var values []string
		for _, row := range rows {
			values = append(values, row[at])
		}
		return values
	}
	same := func(n int) (equal, other bool) {
		if len(args) != n {
			ts.Fatalf("usage: csv FILE %s NAME VALUE", args[1])
		}
		values := column(args[2])
		equal = slices.Contains(values, args[3])
		other = slices.ContainsFunc(values, func(v string) bool { return v != args[3] })
		return equal, other
	}
	switch args[1] {
	case "regular":
	case "rows":
		if strconv.Itoa(len(rows)) != args[2] {
			ts.Fatalf("%s has %d rows, want %s", args[0], len(rows), args[2])
		}
	case "starts":
		if !strings.HasPrefix(strings.Join(header, ",")+",", args[2]+",") {
			ts.Fatalf("%s begins with %s", args[0], strings.Join(header, ","))
		}
	case "ends":
		if !strings.HasSuffix(","+strings.Join(header, ","), ","+args[2]) {
			ts.Fatalf("%s ends with %s", args[0], header[len(header)-1])
		}
	case "column":
		if equal, other := same(4); !equal || other {
			ts.Fatalf("%s: %s is %q", args[0], args[2], column(args[2]))
		}
	case "column-has":
		if equal, _ := same(4); !equal {
			ts.Fatalf("%s: %s is %q", args[0], args[2], column(args[2]))
		}
	case "column-has-other":
		if _, other := same(4); !other {
			ts.Fatalf("%s: %s is %q", args[0], args[2], column(args[2]))
		}
	case "filled":
		for _, name := range args[2:] {
			if slices.Contains(column(name), "") {
				ts.Fatalf("%s: %s is %q", args[0], name, column(name))
			}
		}
	default:
		ts.Fatalf("csv: unknown check %s", args[1])
	}
}
