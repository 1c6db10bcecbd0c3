// Package bulk makes and loads a workload's tables, checks tables that mysweep did not create, and
// drops its own.
//
// Its own tables are known by a marker in their COMMENT, which says what they were made from and
// whether they are complete (on one line):
//
//	mysweep workload=select-key options=rows=90000 seed=42 schema=1
//	    print=9f86d081884c7d65 engine=InnoDB state=ready
//
// A table that is still loading was left by an interrupted load, and is created again. A ready one
// is used again when its print matches: a hash of its definition and of rows from its beginning and
// its end. A table without the marker was not created by mysweep: it is never loaded, altered or
// dropped. One that a run loads for itself says by=run as well; all others are prepared: they stay
// until mysweep cleanup drops them.
//
// The rows of a table are made in chunks, each with a random generator of its own, so that the same
// seed gives the same table however many processors share the work.
package bulk
