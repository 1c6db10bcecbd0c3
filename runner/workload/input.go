package workload

import (
	"bytes"
	"fmt"
	"io"
	"os"

	"golang.org/x/sys/unix"
)

// MaxScript is the size of a file with statements, MaxData that of one with values for them, in
// bytes.
const (
	MaxScript = 16 << 20
	MaxData   = 256 << 20
)

// ReadInput reads a file that a user has named, of at most most bytes. It may be a pipe, as a
// shell's <(command) is; one without a writer is empty, not waited for.
func ReadInput(path string, most int64) ([]byte, error) {
	file, err := os.OpenFile(path, os.O_RDONLY|unix.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	raw, err := io.ReadAll(io.LimitReader(file, most+1))
	if err != nil {
		return nil, err
	}
	if int64(len(raw)) > most {
		return nil, fmt.Errorf("%s is too large: at most %d KiB", path, most>>10)
	}
	if how := encoded(raw); how != "" {
		return nil, fmt.Errorf("%s is %s", path, how)
	}
	return raw, nil
}

// encoded says how a file is encoded that is no plain text, and what to do about it; "" for all
// others.
func encoded(raw []byte) string {
	switch {
	case bytes.HasPrefix(raw, []byte{0xff, 0xfe}), bytes.HasPrefix(raw, []byte{0xfe, 0xff}):
		return "UTF-16 text: save it as UTF-8"
	case bytes.HasPrefix(raw, []byte{0x1f, 0x8b}):
		return "compressed: decompress it first, e.g. with gunzip"
	}
	return ""
}
