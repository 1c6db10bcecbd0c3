package remote

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"strings"

	"github.com/mysweep/mysweep/hwinfo"
)

// sizeMax bounds the data read from a host; 100 MB would be a machine with many
// thousand CPUs.
const sizeMax = 256 << 20

// Facts reads the facts of a host. o.Root and o.Live are ignored.
func Facts(ctx context.Context, h Host, o hwinfo.Options) (hwinfo.Facts, error) {
	root, err := Root(ctx, h, o.Datadir)
	if err != nil {
		return hwinfo.Facts{}, err
	}
	o.Root, o.Live = root, false
	return hwinfo.Read(ctx, o), nil
}

// Root copies the files that hwinfo.Read opens. datadir may be a symbolic link
// on the host; empty means hwinfo.DefaultDatadir.
func Root(ctx context.Context, h Host, datadir string) (fs.FS, error) {
	if datadir == "" {
		datadir = hwinfo.DefaultDatadir
	}
	token := "mysweep-" + rand.Text()
	cmd, said, err := h.command(ctx, "exec sh")
	if err != nil {
		return nil, err
	}
	cmd.Stdin = strings.NewReader(script(hwinfo.WantedFiles(), datadir, token))
	// Written by the package exec and not read from a pipe here, so that
	// WaitDelay bounds the wait for output that somebody holds open.
	var out answer
	cmd.Stdout = &out
	err = cmd.Run()
	switch {
	case errors.Is(err, exec.ErrWaitDelay):
		// A shared connection (ControlPersist) goes on with our output open: what
		// was said before counts, and an answer that is cut off is found as such.
	case err != nil && ctx.Err() != nil:
		return nil, fmt.Errorf("ssh to %s: %w", h.Name, ctx.Err())
	case err != nil:
		return nil, h.explain(err, said.String()+out.said(token))
	}
	return rootOf(h, out.data, token)
}

// answer keeps the output of a host, up to sizeMax bytes.
type answer struct{ data []byte }

func (a *answer) Write(p []byte) (int, error) {
	a.data = append(a.data, p[:min(len(p), sizeMax-len(a.data))]...)
	return len(p), nil
}

// said is the begin of what a host printed in place of an answer, such as the
// message of an account without a shell; empty when the program ran.
func (a *answer) said(token string) string {
	if bytes.Contains(a.data, []byte("\n"+token+" ")) {
		return ""
	}
	said := &tail{}
	said.Write(a.data[:min(len(a.data), tailMax)])
	return said.String()
}

func rootOf(h Host, data []byte, token string) (fs.FS, error) {
	files, links, whole := parse(data, token)
	if !whole {
		return nil, fmt.Errorf("ssh to %s: the answer was cut off after %d bytes: is a POSIX shell the command sh there?", h.Name, len(data))
	}
	if len(files["/proc/cpuinfo"]) == 0 && len(files["/proc/stat"]) == 0 {
		return nil, fmt.Errorf("ssh to %s: no /proc on this host: only Linux hosts are supported", h.Name)
	}
	lendPCINames(files)
	return hwinfo.Memory(files, links), nil
}

// lendPCINames adds this machine's list of PCI names, which is the same on all
// machines and too large to copy.
func lendPCINames(files map[string][]byte) {
	for _, p := range []string{"/usr/share/misc/pci.ids", "/usr/share/hwdata/pci.ids"} {
		if data, err := os.ReadFile(p); err == nil {
			files["/usr/share/misc/pci.ids"] = data
			return
		}
	}
}

// parse splits the host's answer into files. Text before the first token, such as
// a login banner, is skipped. A file that is empty or unreadable is kept as empty.
// whole reports whether the answer is complete.
func parse(data []byte, token string) (files map[string][]byte, links map[string]string, whole bool) {
	files, links = map[string][]byte{}, map[string]string{}
	mark := []byte("\n" + token + " ")
	_, data, more := bytes.Cut(data, mark)
	var separator []byte
	var named []string
	for more {
		var entry []byte
		entry, data, more = bytes.Cut(data, mark)
		head, body, _ := bytes.Cut(entry, []byte("\n"))
		kind, arguments, _ := strings.Cut(strings.TrimRight(string(head), " "), " ")
		switch kind {
		case "B":
			separator = bytes.TrimSpace(body)
		case "N":
			named = append(named, arguments)
		case "C":
			contents(files, named, body, separator)
			named = nil
		case "L":
			if path, target, ok := splitLink(arguments); ok {
				links[path] = target
			}
		case "E":
			return files, links, true
		}
	}
	return files, links, false
}

// contents splits the output of one cat into the files that were named.
func contents(files map[string][]byte, named []string, body, separator []byte) {
	if len(separator) == 0 {
		return
	}
	end := append(bytes.Clone(separator), '\n')
	for _, path := range named {
		content, rest, ok := bytes.Cut(body, end)
		if !ok {
			return
		}
		files[path], body = content, rest
	}
}

// splitLink splits "PATH TARGET". Both are absolute and may contain blanks.
func splitLink(s string) (path, target string, ok bool) {
	path, target, ok = strings.Cut(s, " /")
	if ok {
		return path, "/" + target, true
	}
	return strings.Cut(s, " ")
}
