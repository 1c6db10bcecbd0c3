// Package document writes a comparison, the verdict on a run, and the runs of an archive as JSON,
// for programs that read them. Each has a JSON schema in this folder. Rates are per second, times
// in seconds, shares and changes fractions; what is not known is null.
package document
