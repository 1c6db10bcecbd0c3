package result

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/google/renameio/v2"
)

// Archive is one run as its folder holds it.
type Archive struct {
	Dir    string
	Run    Run
	Trials []Trial // the last of each slot, in the order in which they ended
	// Torn counts the lines of the journal that could not be read: a run that
	// was killed may leave half a line at the end.
	Torn int
}

// The two sources in an archive's folder. All other files are made from them.
const (
	RunFile     = "run.json"
	JournalFile = "trials.jsonl"
)

// IsArchive reports whether dir holds a run.
func IsArchive(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, RunFile))
	return err == nil
}

// Read reads the archive in dir.
func Read(dir string) (*Archive, error) {
	a := &Archive{Dir: dir}
	raw, err := os.ReadFile(filepath.Join(dir, RunFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s is no archive: it has no %s", dir, RunFile)
	}
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(raw, &a.Run); err != nil {
		return nil, fmt.Errorf("%s: %w", filepath.Join(dir, RunFile), err)
	}
	if a.Run.Schema > SchemaVersion {
		return nil, fmt.Errorf("%s has schema version %d, this mysweep knows %d: use the mysweep that wrote it (%s) or a newer one",
			dir, a.Run.Schema, SchemaVersion, a.Run.Version)
	}
	a.readStacks()
	journal, err := os.Open(filepath.Join(dir, JournalFile))
	if errors.Is(err, fs.ErrNotExist) {
		return a, nil
	}
	if err != nil {
		return nil, err
	}
	defer journal.Close()
	a.Trials, a.Torn, err = ReadJournal(journal)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", filepath.Join(dir, JournalFile), err)
	}
	a.Trials = Latest(a.Trials)
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

// WriteFile writes a file under a temporary name, syncs it and renames it, so
// that nobody ever sees half of it.
func WriteFile(path string, data []byte) error {
	return renameio.WriteFile(path, data, 0o644)
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
