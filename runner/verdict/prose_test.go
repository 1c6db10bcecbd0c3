package verdict

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"strconv"
	"strings"
	"testing"
)

// stableNames are texts of several words that archives and JSON keep: names, not sentences.
var stableNames = map[string]bool{
	OverRuns: true, OverTrials: true, LogInterval: true, MeanInterval: true, MedianInterval: true, string(NothingCommon): true,
	"client and server on one machine": true, "options of workload ": true, "variables that the other does not have": true,
	"CPUs of the machine": true, "row lock waits": true, "threads running in the server": true, "interrupts on CPU ": true, " of the ": true,
}

// A verdict is data: package words of charts makes its sentences.
func TestNoProse(t *testing.T) {
	entries, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	files := token.NewFileSet()
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), ".go") || strings.HasSuffix(e.Name(), "_test.go") {
			continue
		}
		file, err := parser.ParseFile(files, e.Name(), nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncDecl:
				if n.Name.Name == "Sentence" || n.Name.Name == "Meaning" {
					t.Errorf("%s makes sentences", files.Position(n.Pos()))
				}
			case *ast.BasicLit:
				text, err := strconv.Unquote(n.Value)
				if n.Kind == token.STRING && err == nil && len(strings.Fields(text)) > 2 && !stableNames[text] {
					t.Errorf("%s: %q belongs into charts/words", files.Position(n.Pos()), text)
				}
			}
			return true
		})
	}
}
