// Package svg draws ECharts options to SVG without a browser: the embedded ECharts build runs in a
// JavaScript interpreter written in Go. It owns the interpreter and the clean-up of what ECharts
// writes; it refuses to know what is drawn, and reads nothing but its arguments, so equal options
// give equal bytes.
package svg

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"time"

	"github.com/dop251/goja"

	"github.com/mysweep/mysweep/templates"
)

// Drawing is one chart to be drawn.
type Drawing struct {
	ID     string // prefix of the ids and classes inside the SVG, unique in a page, [a-z0-9-]
	Option []byte // ECharts option as JSON; functions are named, see templates.ChartFunctions
	Width  int    // CSS pixels
	Height int    // CSS pixels
}

// Renderer holds the compiled scripts. It is safe for concurrent use.
type Renderer struct {
	programs []*goja.Program
}

// What ECharts looks for in its surroundings: no window, and timers that never fire, as nothing
// moves here.
const surroundings = `var self = this, window = undefined;
var setTimeout = function () {}, clearTimeout = function () {};
var console = {log: function () {}, warn: function () {}, error: function () {}};`

const draw = `(function (option, theme, width, height) {
	var chart = echarts.init(null, JSON.parse(theme), {renderer: 'svg', ssr: true, width: width, height: height});
	chart.setOption(mysweepCharts.revive(JSON.parse(option)));
	return chart.renderToSVGString();
})`

// New compiles the scripts, which takes some tenths of a second: make one and keep it.
func New() (*Renderer, error) {
	sources := []struct{ name, text string }{
		{"surroundings.js", surroundings},
		{"echarts.js", templates.ECharts},
		{"functions.js", templates.ChartFunctions},
	}
	r := &Renderer{}
	for _, source := range sources {
		program, err := goja.Compile(source.name, source.text, false)
		if err != nil {
			return nil, fmt.Errorf("compile %s: %w", source.name, err)
		}
		r.programs = append(r.programs, program)
	}
	return r, nil
}

// Draw returns one svg element. Each drawing has an interpreter of its own, so that charts cannot
// influence each other.
func (r *Renderer) Draw(d Drawing) (string, error) {
	vm := goja.New()
	source := rand.New(rand.NewPCG(1, 2))
	vm.SetRandSource(source.Float64)
	vm.SetTimeSource(func() time.Time { return time.Unix(0, 0) })
	for _, program := range r.programs {
		if _, err := vm.RunProgram(program); err != nil {
			return "", fmt.Errorf("chart %s: %w", d.ID, err)
		}
	}
	value, err := vm.RunString(draw)
	if err != nil {
		return "", fmt.Errorf("chart %s: %w", d.ID, err)
	}
	call, _ := goja.AssertFunction(value)
	out, err := call(goja.Undefined(), vm.ToValue(string(d.Option)), vm.ToValue(templates.ChartTheme), vm.ToValue(d.Width), vm.ToValue(d.Height))
	if err != nil {
		return "", fmt.Errorf("chart %s: %w", d.ID, err)
	}
	return tidy(out.String(), d), nil
}

// What ECharts adds for its own script in a browser, which does not run here: marks, hover styles
// and their classes, and an empty background. The font is said once, on the root.
var (
	tag      = regexp.MustCompile(`<[^>]*>`)
	root     = regexp.MustCompile(`^<svg [^>]*>\n<rect [^>]*fill="(?:none|transparent)"[^>]*></rect>`)
	style    = regexp.MustCompile(`(?s)<style ?>.*?</style>\n?`)
	leftOver = regexp.MustCompile(` (?:class|ecmeta_[a-z_]+|xml:space|pointer-events)="[^"]*"`)
	font     = regexp.MustCompile(`font-family:[^;"]*;?`)
)

// tidy makes ids unique in a page, lets the drawing scale, and drops what only costs bytes. Names
// of users' stand in the text of elements, where < is escaped, so a pattern that needs a tag cannot
// match in them; attributes hold none.
func tidy(text string, d Drawing) string {
	head := fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" font-family="system-ui, sans-serif">`, d.Width, d.Height)
	text = root.ReplaceAllString(text, head)
	text = style.ReplaceAllString(text, "")
	return tag.ReplaceAllStringFunc(text, func(t string) string {
		t = leftOver.ReplaceAllString(t, "")
		t = font.ReplaceAllString(t, "")
		return strings.ReplaceAll(t, "zr0-", d.ID+"-")
	})
}
