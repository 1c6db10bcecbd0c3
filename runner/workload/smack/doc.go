// Package smack turns the .smack files of super-smack 1.3 into workloads. It
// owns their grammar (sections, main with its methods and expressions), their
// dictionaries and their data files. It runs no shell and writes no file. The
// server settings of a client (user, pass, host, db, port, socket) are parsed
// and ignored: mysweep's own flags name the server.
//
// Three deliberate differences from the original: all words of a list dictionary
// are used (the original drops the last), a $dictionary at the very end of a
// query is replaced too, and the numbers of a unique dictionary are unique over
// all threads (each process of the original begins at 0).
package smack
