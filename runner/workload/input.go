package workload

import (
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
	return raw, nil
}
