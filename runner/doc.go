// Package runner is only this map of what is below it. Data flows one way:
// plan -> (facts, testbed) -> load -> result -> verdict -> charts -> command.
//
//	plan      what is asked: flags or YAML become a Plan, validated and expanded
//	workload  which queries: tables and rounds, against a Session
//	login     connections: a bounded login, no password under an offered key
//	server    where: a private server of ours, or an existing one
//	testbed   a case becomes a bed: a ready server with its tables; Close undoes everything
//	load      the load generator: connections, loops, clocks, tallies
//	observe   samples both machines and the server around a trial: evidence
//	sweep     walks a plan: order, trials, journal, confirmation, resume
//	result    what happened: plain data, and the archive on disk
//	verdict   what it means: statistics over results, and nothing else
//	command   the command line: the only place that prints and exits
package runner
