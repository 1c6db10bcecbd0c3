// Package remote reads another host by the system's ssh client: its facts, and
// its counters once a second.
//
// The client's configuration, agent and jump hosts apply. BatchMode prevents
// prompts, so that a run from cron never blocks. Nothing is installed or left on
// the host: a POSIX shell prints files, and ends with the connection. Except for
// the list of PCI names, no file of this machine is used.
package remote
