package gendata

import (
	"bufio"
	"fmt"
	"io"
	"math/rand/v2"
	"strconv"
)

// Generator generates the rows of one format and seed. A row depends only on
// format, seed and its number, so rows can be generated in any order. A
// Generator is not safe for concurrent use.
type Generator struct {
	format Format
	seed   uint64
	source *rand.PCG
	random *rand.Rand
}

// New returns the generator of the rows of a format.
func New(format Format, seed uint64) *Generator {
	source := rand.NewPCG(seed, 0)
	return &Generator{format: format, seed: seed, source: source, random: rand.New(source)}
}

// Append appends row i, counted from 0, without a newline.
func (g *Generator) Append(b []byte, i int64) []byte {
	g.source.Seed(g.seed, uint64(i))
	for _, p := range g.format.parts {
		switch p.verb {
		case 's':
			b = g.appendLetters(b, p)
		case 'n':
			b = appendNumber(b, i+1, p.width(g.random))
		case 'd':
			width := p.width(g.random)
			b = appendNumber(b, int64(g.random.Int32()), width)
		default:
			b = append(b, p.text...)
		}
	}
	return b
}

func (g *Generator) appendLetters(b []byte, p part) []byte {
	n := p.width(g.random)
	if p.max == 0 {
		n = defaultLetters
	}
	for range n {
		b = append(b, 'a'+byte(g.random.IntN(letters)))
	}
	return b
}

// appendNumber writes v with blanks on its left up to width.
func appendNumber(b []byte, v int64, width int) []byte {
	start := len(b)
	b = strconv.AppendInt(b, v, 10)
	digits := len(b) - start
	if digits >= width {
		return b
	}
	for range width - digits {
		b = append(b, ' ')
	}
	copy(b[len(b)-digits:], b[start:start+digits])
	for i := start; i < len(b)-digits; i++ {
		b[i] = ' '
	}
	return b
}

// Generate writes n rows, each with a newline at its end.
func Generate(w io.Writer, n int64, format string, seed uint64) error {
	if n < 1 {
		return fmt.Errorf("invalid number of rows %d: must be at least 1", n)
	}
	f, err := Parse(format)
	if err != nil {
		return err
	}
	g := New(f, seed)
	out := bufio.NewWriterSize(w, 1<<16)
	var row []byte
	for i := range n {
		row = append(g.Append(row[:0], i), '\n')
		if _, err := out.Write(row); err != nil {
			return fmt.Errorf("write row %d: %w", i+1, err)
		}
	}
	if err := out.Flush(); err != nil {
		return fmt.Errorf("write row %d: %w", n, err)
	}
	return nil
}
