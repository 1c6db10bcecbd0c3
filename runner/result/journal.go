package result

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"

	"github.com/mysweep/mysweep/runner/result/folder"
)

// Journal appends finished trials to trials.jsonl. A trial that Append
// returned for is on disk.
type Journal struct{ file *os.File }

// Begin makes the empty journal of a new archive in dir. Its mode becomes that of all the archive's
// files.
func Begin(dir string, mode fs.FileMode) error {
	f, err := folder.OpenToWrite(dir)
	if err != nil {
		return err
	}
	defer f.Close()
	f.RemoveStale()
	journal, err := f.OpenFile(JournalFile, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return err
	}
	return journal.Close()
}

// OpenJournal opens the journal of the archive in dir for appending and ends
// a half line that a killed run left.
func OpenJournal(dir string) (*Journal, error) {
	folder, err := folder.OpenToWrite(dir)
	if err != nil {
		return nil, err
	}
	defer folder.Close()
	folder.RemoveStale()
	f, err := folder.OpenFile(JournalFile, os.O_RDWR|os.O_CREATE|os.O_APPEND, FileMode)
	if err != nil {
		return nil, err
	}
	if err := endLine(f); err != nil {
		f.Close()
		return nil, err
	}
	return &Journal{f}, nil
}

func endLine(f *os.File) error {
	size, err := f.Seek(0, io.SeekEnd)
	if err != nil || size == 0 {
		return err
	}
	last := make([]byte, 1)
	if _, err := f.ReadAt(last, size-1); err != nil || last[0] == '\n' {
		return err
	}
	_, err = f.Write([]byte{'\n'})
	return err
}

// Append writes one trial and waits until it is on disk.
func (j *Journal) Append(t *Trial) error {
	line, err := t.Marshal()
	if err != nil {
		return err
	}
	if _, err := j.file.Write(line); err != nil {
		return err
	}
	return j.file.Sync()
}

// Close closes the file.
func (j *Journal) Close() error { return j.file.Close() }

// span is where a line of the journal is, in bytes.
type span struct {
	offset int64
	length int
}

// readJournal calls visit with each trial of a journal, one a line, and where it is. A line that
// is no trial is counted as torn and left out; a reader's error ends the reading.
func readJournal(r io.Reader, visit func(*Trial, span)) (torn int, err error) {
	lines := bufio.NewReader(r)
	at := span{}
	for {
		line, err := lines.ReadBytes('\n')
		at.length = len(line)
		if len(line) > 1 {
			if t, err := parseTrial(line); err != nil {
				torn++
			} else {
				visit(t, at)
			}
		}
		if errors.Is(err, io.EOF) {
			return torn, nil
		}
		if err != nil {
			return torn, err
		}
		at.offset += int64(len(line))
	}
}

func parseTrial(line []byte) (*Trial, error) {
	var t Trial
	if err := json.Unmarshal(line, &t); err != nil {
		return nil, err
	}
	if t.Threads < 1 || t.Status == "" {
		return nil, errors.New("no trial")
	}
	return &t, nil
}
