package result

import (
	"bufio"
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/mysweep/mysweep/runner/result/folder"
)

// mostStackBytes bounds what is read of a file of stacks.
const mostStackBytes = 64 << 20

// readStacks reads what traces have sampled, which stands in files of their
// own. A file that is gone leaves its trace without stacks.
func (a *Archive) readStacks(f *folder.Folder) {
	for i := range a.Run.Cases {
		for j := range a.Run.Cases[i].Traces {
			t := &a.Run.Cases[i].Traces[j]
			if t.Kind != "perf" {
				continue
			}
			file, err := f.OpenFile(t.File, os.O_RDONLY, 0)
			if err != nil {
				continue
			}
			t.Stacks = parseStacks(io.LimitReader(file, mostStackBytes))
			file.Close()
		}
	}
}

// parseStacks reads lines such as "main;work;read 12", the folded form of
// flame graph programs; what is none is left out.
func parseStacks(r io.Reader) map[string]int {
	stacks := map[string]int{}
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		at := strings.LastIndexByte(lines.Text(), ' ')
		if at < 0 {
			continue
		}
		if n, err := strconv.Atoi(lines.Text()[at+1:]); err == nil && n > 0 {
			stacks[lines.Text()[:at]] += n
		}
	}
	return stacks
}
