package bulk

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/mysweep/mysweep/runner/workload"
)

// schemaVersion changes when the same definition and seed would give other rows.
const schemaVersion = 1

// longestComment is MySQL's limit for a table's COMMENT, in characters.
const longestComment = 2048

// The states of a table.
const (
	loading = "loading"
	ready   = "ready"
)

// marker is the COMMENT that makes a table ours.
func (o Options) marker(t workload.Table, state string) string {
	head := o.markerHead()
	tail := fmt.Sprintf("seed=%d schema=%d print=%s", o.Seed, schemaVersion, o.print(t))
	for _, field := range [][2]string{{"engine", o.StorageEngine}, {"charset", o.Charset}, {"collation", o.Collation}} {
		if field[1] != "" {
			tail += " " + field[0] + "=" + field[1]
		}
	}
	tail += " state=" + state
	if o.Temporary {
		head = "mysweep workload=" + o.Workload + " by=run"
	}
	options := ""
	if o.WorkloadOptions != "" {
		options = " options=" + o.WorkloadOptions
		if room := longestComment - len(head) - len(tail) - 2; len(options) > room {
			options = options[:room]
		}
	}
	return head + options + " " + tail
}

// markerHead begins the markers of all tables of a workload.
func (o Options) markerHead() string { return "mysweep workload=" + o.Workload }

// isMarker reports whether a COMMENT is one of ours.
func isMarker(comment string) bool {
	return strings.HasPrefix(comment, "mysweep workload=") && strings.Contains(comment, " state=")
}

// isTemporary reports whether a table was made by one run, which drops it at its end.
func isTemporary(comment string) bool { return markerField(comment, "by") == "run" }

// isPrepared reports whether a table is complete and there to stay.
func isPrepared(comment string) bool {
	return isMarker(comment) && markerField(comment, "state") == ready && !isTemporary(comment)
}

// description is what a marker says of the contents of its table, for people.
func description(comment string) string {
	text, _, _ := strings.Cut(strings.TrimPrefix(comment, "mysweep "), " schema=")
	text = strings.Replace(text, " by=run", "", 1)
	for _, field := range []string{"engine", "charset", "collation"} {
		if value := markerField(comment, field); value != "" {
			text += " " + field + "=" + value
		}
	}
	return text
}

// markerField returns the value of a field of a marker.
func markerField(comment, field string) string {
	_, rest, _ := strings.Cut(comment, " "+field+"=")
	value, _, _ := strings.Cut(rest, " ")
	return value
}

// print is a hash of all that decides about a table's contents: its definition, the seed, and some
// of its rows, in which the workload's options show that matter to the table (and only they).
func (o Options) print(t workload.Table) string {
	hash := sha256.New()
	fmt.Fprintln(hash, schemaVersion, o.Seed, o.StorageEngine, o.Charset, o.Collation)
	fmt.Fprintln(hash, t.Name, t.Rows, t.Columns, t.Create, t.Load, t.After)
	for _, statement := range t.Before {
		fmt.Fprintln(hash, statement)
	}
	if t.Row != nil {
		for _, first := range []int64{0, max(0, t.Rows-1) / chunkRows * chunkRows} {
			var row workload.Row
			r := o.generator(t.Name, first/chunkRows)
			for i := first; i < min(first+printRows, t.Rows); i++ {
				row.Reset()
				t.Row(&row, r, i)
				hash.Write(append(row.Bytes(), '\n'))
			}
		}
	}
	return hex.EncodeToString(hash.Sum(nil)[:8])
}

// printRows is how many rows at the beginning and in the last chunk enter the print.
const printRows = 20

// chunkRows is how many rows share one random generator.
const chunkRows = 5000

// generator is the random generator of one chunk.
func (o Options) generator(table string, chunk int64) *rand.Rand {
	hash := sha256.Sum256([]byte(table))
	var seed uint64
	for _, b := range hash[:8] {
		seed = seed<<8 | uint64(b)
	}
	return rand.New(rand.NewPCG(o.Seed^seed, uint64(chunk)))
}
