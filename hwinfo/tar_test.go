package hwinfo

import (
	"archive/tar"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
)

// readTar reads a tar archive into memory, as the root of a machine. Links stay
// links. Names that climb out ("../x") are taken from the root, other files than
// directories, links and regular files are skipped, and no more than max bytes
// of content are kept.
func readTar(r io.Reader, max int64) (fs.FS, error) {
	m := memory{".": &memoryFile{name: ".", mode: fs.ModeDir | 0o755}}
	for t := tar.NewReader(r); ; {
		h, err := t.Next()
		if errors.Is(err, io.EOF) {
			return m, nil
		}
		if err != nil {
			return m, fmt.Errorf("read tar: %w", err)
		}
		name := rel(path.Clean("/" + h.Name))
		switch h.Typeflag {
		case tar.TypeDir:
			m.directory(name)
		case tar.TypeSymlink:
			m.add(name, &memoryFile{mode: fs.ModeSymlink | 0o777, data: []byte(h.Linkname)})
		case tar.TypeReg:
			data, err := io.ReadAll(io.LimitReader(t, max))
			if err != nil {
				return m, fmt.Errorf("read tar: %s: %w", name, err)
			}
			if max -= int64(len(data)); max <= 0 {
				return m, errors.New("read tar: larger than expected")
			}
			m.add(name, &memoryFile{mode: 0o444, data: data})
		}
	}
}
