// Package words turns findings into sentences: it is the only place where the
// verdict's data (peak, knee, limit, requirement, comparison, notes) becomes
// English. The report, the summary, mails, the text of compare and the JSON of
// a verdict all say the same sentence because they take it from here.
//
// Numbers are formatted here as well, once for Go; the charts' script formats
// its own and is held to the same cases (testdata/numbers.json).
package words
