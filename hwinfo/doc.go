// Package hwinfo finds out what a machine is: CPUs, memory, network cards,
// disks and the chain below a data directory, kernel, limits, virtualisation.
//
// Everything is read below a root, an fs.FS that stands for "/": this machine,
// an unpacked dump, or the files of another host that package remote brought
// over take the same path. Each fact carries the file that it was read from.
// What could not be read is nil, never zero, and a note says which file was
// missing and why.
//
// The package runs no commands, needs no root rights, prints nothing and never
// fails: a machine that tells nothing gives facts that are all nil. KEYS.md
// lists the keys, facts.schema.json is their JSON schema.
package hwinfo
