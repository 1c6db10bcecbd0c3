package hwinfo

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"time"
)

// Options selects the machine and the amount of detail.
type Options struct {
	// Root is "/" of the machine; nil means this machine, with Live.
	Root fs.FS
	// Live says that Root is this machine, so that system calls can add what no
	// file contains: free space, CPU affinity, limits.
	Live bool
	// Datadir is the directory whose file system and disks are meant; empty means /var/lib/mysql.
	Datadir string
	// Identify adds serial numbers, UUIDs, MAC and IP addresses.
	Identify bool
	// Now is the time of reading, for uptimes; zero means now when Live, and unknown otherwise.
	Now time.Time
}

// DefaultDatadir is used if Options name no data directory.
const DefaultDatadir = "/var/lib/mysql"

// OpenRoot opens a directory as the root of a machine. Read follows symbolic
// links itself, so that nothing outside of dir is reached.
func OpenRoot(dir string) (fs.FS, error) {
	info, err := os.Stat(dir)
	if err != nil {
		return nil, fmt.Errorf("open root %s: %w", dir, cause(err))
	}
	if !info.IsDir() {
		return nil, fmt.Errorf("open root %s: not a directory; unpack an archive first", dir)
	}
	return newDirFS(dir), nil
}

// subjects lists what is read, in the order of KEYS.md.
var subjects = []struct {
	name string
	read func(*reader)
}{
	{"processes", watchProcesses},
	{"system", readSystem},
	{"machine", readMachine},
	{"power", readPower},
	{"virtualization", readVirtualization},
	{"cpu", readCPU},
	{"memory", readMemory},
	{"nic", readNICs},
	{"disk", readDisks},
	{"datadir", readDatadir},
	{"sysctl", readSysctls},
	{"limit", readLimits},
	{"load", readLoad},
	{"users", readUsers},
	{"processes", readProcesses},
}

// Read returns the facts of a machine. It never fails: what cannot be read is
// nil, with a note. When ctx ends, the remaining subjects are skipped, with a
// note.
func Read(ctx context.Context, o Options) Facts {
	r := newReader(o)
	for _, s := range subjects {
		if ctx.Err() != nil {
			r.note("interrupted", "facts from %s on were not read: %v", s.name, ctx.Err())
			break
		}
		r.safely(s.name, s.read)
	}
	r.noteUnknown()
	if !o.Identify {
		r.facts.hideIdentities()
	}
	return r.facts
}

// safely turns a panic of one subject into a note: a benchmark must not fail
// because of the description of its machine.
func (r *reader) safely(name string, read func(*reader)) {
	defer func() {
		if p := recover(); p != nil {
			r.note("internal", "reading %s stopped: %v", name, p)
		}
	}()
	read(r)
}
