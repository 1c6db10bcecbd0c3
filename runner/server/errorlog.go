package server

import (
	"io"
	"os"
	"strings"
)

const (
	tailLines = 12
	tailBytes = 64 << 10
)

// errorLogTail gives the lines of an error log that say why a server did not
// start: those marked as errors when there are any, else the last ones.
func errorLogTail(path string) string {
	lines := lastLines(path)
	var faults []string
	for _, line := range lines {
		if strings.Contains(line, "[ERROR]") || strings.Contains(line, "unknown") || strings.Contains(line, "Permission denied") {
			faults = append(faults, line)
		}
	}
	if len(faults) > 0 {
		lines = faults
	}
	if len(lines) > tailLines {
		lines = lines[len(lines)-tailLines:]
	}
	return strings.Join(lines, "\n")
}

func lastLines(path string) []string {
	file, err := os.Open(path)
	if err != nil {
		return nil
	}
	defer file.Close()
	if info, err := file.Stat(); err == nil && info.Size() > tailBytes {
		if _, err := file.Seek(-tailBytes, io.SeekEnd); err != nil {
			return nil
		}
	}
	text, err := io.ReadAll(io.LimitReader(file, tailBytes))
	if err != nil {
		return nil
	}
	var lines []string
	for line := range strings.Lines(string(text)) {
		if line = strings.TrimSpace(line); line != "" {
			lines = append(lines, line)
		}
	}
	return lines
}
