// Package document writes a comparison and the verdict on a run as JSON, for programs that read them. Both have a JSON
// schema in this folder. Rates are per second, times in seconds, shares and changes fractions; what is not known is null.
package document
