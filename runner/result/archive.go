package result

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/mysweep/mysweep/runner/result/folder"
)

// Archive is one run as its folder holds it.
type Archive struct {
	Dir string
	Run Run
	// Trials are the last of each slot, in the order in which they ended. Those of
	// an archive that was read are brief: Full gives them in full.
	Trials []Trial
	// Torn counts the lines of the journal that could not be read: a run that
	// was killed may leave half a line at the end.
	Torn int

	spans []span // where the trials are in the journal; nil when Trials are in full
	names *SampledNames
	err   error
}

// The two sources in an archive's folder. All other files are made from them.
const (
	RunFile     = "run.json"
	JournalFile = "trials.jsonl"
)

// FileMode is the mode of an archive's files unless something else is asked for: a plan, host names
// and figures are for the group only.
const FileMode fs.FileMode = 0o640

// IsArchive reports whether dir holds a run.
func IsArchive(dir string) bool {
	info, err := os.Lstat(filepath.Join(dir, RunFile))
	return err == nil && info.Mode().IsRegular()
}

// Read reads the archive in dir. Its Trials are brief, so that an archive of many trials fits the
// memory.
func Read(dir string) (*Archive, error) {
	a := &Archive{Dir: dir}
	f, err := folder.Open(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s is not an archive: no such folder", dir)
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	raw, err := f.ReadFile(RunFile)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s is not an archive: it has no %s", dir, RunFile)
	}
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(raw, &a.Run); err != nil {
		return nil, fmt.Errorf("%s: %w", filepath.Join(dir, RunFile), err)
	}
	if a.Run.Schema > SchemaVersion {
		return nil, fmt.Errorf("%s has schema version %d, newer than this mysweep supports (%d): use mysweep %s or newer",
			dir, a.Run.Schema, SchemaVersion, a.Run.Version)
	}
	a.readStacks(f)
	journal, err := f.OpenFile(JournalFile, os.O_RDONLY, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return a, nil
	}
	if err != nil {
		return nil, err
	}
	defer journal.Close()
	if err := a.readTrials(journal); err != nil {
		return nil, fmt.Errorf("%s: %w", filepath.Join(dir, JournalFile), err)
	}
	return a, nil
}

// WriteRun writes run.json, whole or not at all.
func WriteRun(dir string, r *Run) error {
	raw, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return fmt.Errorf("%s: %w", RunFile, err)
	}
	return WriteFile(filepath.Join(dir, RunFile), append(raw, '\n'))
}

// WriteFile writes a file under a temporary name in its folder, syncs it and renames it, so that
// nobody ever sees half of it. A file that is replaced keeps its mode; a new one has that of the
// journal beside it, which is the archive's.
func WriteFile(path string, data []byte) error {
	return WriteBelow(filepath.Dir(path), filepath.Base(path), data)
}

// WriteBelow is WriteFile for a file in the archive dir or in a folder of it.
func WriteBelow(dir, name string, data []byte) error {
	f, err := folder.OpenToWrite(dir)
	if err != nil {
		return err
	}
	defer f.Close()
	return f.Replace(name, data, ModeOf(f))
}

// ModeOf is the mode of an archive's files.
func ModeOf(f *folder.Folder) fs.FileMode {
	if mode, ok := f.Mode(JournalFile); ok {
		return mode
	}
	return FileMode
}

// MakeBelow makes a folder in the archive dir.
func MakeBelow(dir, name string) error {
	f, err := folder.OpenToWrite(dir)
	if err != nil {
		return err
	}
	defer f.Close()
	return f.MakeFolder(name, ModeOf(f))
}

// OwnFiles gives what other programs have written into a folder of the archive dir the mode of the
// archive's files.
func OwnFiles(dir, name string) error {
	f, err := folder.OpenToWrite(dir)
	if err != nil {
		return err
	}
	defer f.Close()
	return f.SetModes(name, ModeOf(f))
}

// Marshal is the journal's form of a trial: one line of JSON.
func (t *Trial) Marshal() ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b) // ends the line
	enc.SetEscapeHTML(false)
	if err := enc.Encode(t); err != nil {
		return nil, fmt.Errorf("trial %d: %w", t.Seq, err)
	}
	return b.Bytes(), nil
}
