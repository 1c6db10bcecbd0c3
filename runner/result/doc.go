// Package result says what happened: plain data, and the archive that holds
// it on disk. It computes nothing and prints nothing: what the data mean is
// package verdict's affair, how they look package charts'.
package result
