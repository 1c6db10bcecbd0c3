// Package hwinfo reads the facts of a machine: CPUs, memory, network cards,
// disks and the devices below a data directory, kernel, limits, virtualisation.
//
// Everything is read below a root, an fs.FS that represents "/": this machine,
// an unpacked dump, or the files of another host copied by package remote. Each
// fact names the file that it was read from. What could not be read is nil,
// never zero, and a note names the file and the cause.
//
// The package runs no commands, needs no root privileges, prints nothing and
// never fails: without readable files all facts are nil. KEYS.md lists the keys,
// facts.schema.json is their JSON schema.
package hwinfo
