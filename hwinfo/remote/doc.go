// Package remote reads another host by the system's ssh client: its facts, and
// its counters once a second.
//
// The client's configuration, agent and jump hosts are honoured. BatchMode
// keeps it from asking anything, so that a run from cron never hangs at a
// prompt. Nothing is installed or left on the host: a POSIX shell there prints
// files, and ends with the connection. No file of this machine is ever taken
// for one of the other.
package remote
