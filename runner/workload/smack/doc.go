// Package smack reads the .smack files of super-smack 1.3 and makes workloads
// of them. It owns their grammar (sections, main with its methods and
// expressions), their dictionaries and their data files. It runs no shell,
// writes no file, and takes no server from a file: user, pass, host, db, port
// and socket of a client are read and left aside, because which server is
// meant is mysweep's affair.
//
// What is better than in the original, on purpose: all words of a list
// dictionary are used (the original drops the last), a $dictionary at the very
// end of a query is replaced too, and the numbers of a unique dictionary are
// unique over all threads (each of the original's processes begins at 0).
package smack
