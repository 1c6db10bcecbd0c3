package series

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"time"
)

// Source reads the files of one machine.
type Source interface {
	// Read hands the content of each path that can be read to got, with its
	// index; data is valid only during the call. The time is that of the
	// first file, by this machine's clock. An error means that the machine
	// cannot be read at all.
	Read(ctx context.Context, paths []string, got func(i int, data []byte)) (time.Time, error)
}

// Local reads below a folder of this machine, "/" for the machine itself. It
// keeps the files open and reads them in place, as opening costs more than reading.
type Local struct {
	root  string
	files map[string]*os.File // nil for those that cannot be opened
	buf   []byte
}

// NewLocal makes a source; Close releases its files.
func NewLocal(root string) *Local {
	return &Local{root: root, files: map[string]*os.File{}, buf: make([]byte, 64<<10)}
}

// Close closes the files.
func (l *Local) Close() error {
	var errs []error
	for _, f := range l.files {
		if f != nil {
			errs = append(errs, f.Close())
		}
	}
	l.files = map[string]*os.File{}
	return errors.Join(errs...)
}

// Read reads files from their beginning.
func (l *Local) Read(_ context.Context, paths []string, got func(i int, data []byte)) (time.Time, error) {
	var at time.Time
	for i, p := range paths {
		data, ok := l.read(p)
		if i == 0 {
			at = time.Now()
		}
		if ok {
			got(i, data)
		}
	}
	return at, nil
}

func (l *Local) read(p string) ([]byte, bool) {
	f, tried := l.files[p]
	if !tried {
		f = l.open(p)
		l.files[p] = f
	}
	if f == nil {
		return nil, false
	}
	n, err := l.fill(f)
	if err != nil { // the process is gone, or the interface
		f.Close()
		delete(l.files, p)
		return nil, false
	}
	return l.buf[:n], true
}

// open refuses pipes and devices, on which reading may block.
func (l *Local) open(p string) *os.File {
	full := filepath.Join(l.root, p)
	if info, err := os.Stat(full); err != nil || !info.Mode().IsRegular() {
		return nil
	}
	f, err := os.Open(full)
	if err != nil {
		return nil
	}
	return f
}

// sizeMax bounds one file; /proc/stat of 4,096 CPUs takes some 400 KB.
const sizeMax = 4 << 20

// fill reads a whole file into the buffer. Files of /proc come in pieces.
func (l *Local) fill(f *os.File) (int, error) {
	n := 0
	for {
		if n == len(l.buf) {
			if n >= sizeMax {
				return n, nil
			}
			l.buf = append(l.buf, make([]byte, len(l.buf))...)
		}
		k, err := f.ReadAt(l.buf[n:], int64(n))
		n += k
		if errors.Is(err, io.EOF) {
			return n, nil
		}
		if err != nil {
			return 0, err
		}
	}
}
