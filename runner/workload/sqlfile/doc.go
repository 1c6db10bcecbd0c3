// Package sqlfile makes workloads of a user's own SQL: of an .sql file, or of
// what a plan file writes down. It owns the rules by which variables are
// drawn; it sends nothing itself and never runs a shell.
//
// A round is the statements of the file, in order. Rules and sections are
// comments, so that the file stays plain SQL:
//
//	-- :id    = uniform 1 100000
//	-- :hot   = zipfian 1 100000 0.9
//	-- :serial = sequence 1
//	-- :city  = list Oslo, Rome, 'Rio, old'
//	-- :word  = file words.txt
//	-- :note  = letters 20 40
//	SELECT name FROM people WHERE id = :id;
//
// A variable is drawn once a round: wherever it occurs in the round, it has
// the same value. It is sent as an argument, never inside quotes. After
// "-- @setup" come statements that run once, before the first trial. After
// "-- @transaction NAME WEIGHT" begins one kind of round among several, which
// come as often as their weights say. "-- @type NAME" names the reporting
// group of the next statement. BEGIN, COMMIT and ROLLBACK are what they say.
package sqlfile
