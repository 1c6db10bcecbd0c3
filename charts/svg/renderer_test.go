package svg

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"
)

var renderer = sync.OnceValues(New)

func mustDraw(t *testing.T, d Drawing) string {
	t.Helper()
	r, err := renderer()
	if err != nil {
		t.Fatal(err)
	}
	text, err := r.Draw(d)
	if err != nil {
		t.Fatal(err)
	}
	checkXML(t, text)
	return text
}

func checkXML(t *testing.T, text string) {
	t.Helper()
	decoder := xml.NewDecoder(strings.NewReader(text))
	for {
		_, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			t.Fatalf("not XML: %v\n%s", err, text)
		}
	}
}

func lines(name string) []byte {
	return fmt.Appendf(nil, `{"animation":false,"xAxis":{"type":"value"},"legend":{},
		"yAxis":{"type":"value","axisLabel":{"formatter":"fn:compact"}},
		"series":[{"type":"line","name":%q,"data":[[1,2000],[2,3000],[4,null],[8,4000],[10,5000]]},
		{"type":"custom","name":%q,"renderItem":"fn:band","data":[[1,1900,2200],[2,2800,3100],[4,null,null],[8,3500,4100],[10,4900,5600]]}]}`, name, name)
}

func TestDrawLineBandAndFormatter(t *testing.T) {
	text := mustDraw(t, Drawing{ID: "rate", Option: lines("ten"), Width: 560, Height: 320})
	for what, want := range map[string]string{
		"the size":               `viewBox="0 0 560 320"`,
		"the compact axis label": `>4k</text>`,
		"the legend":             `>ten</text>`,
		"ids with the prefix":    `id="rate-c0"`,
	} {
		if !strings.Contains(text, want) {
			t.Errorf("lacks %s: %s\n%s", what, want, text)
		}
	}
	if got := strings.Count(text, "<polygon"); got != 2 {
		t.Errorf("a band with a gap is %d polygons, want 2", got)
	}
	for _, unwanted := range []string{"zr0", "<style", "class=", "font-family:", "NaN"} {
		if strings.Contains(text, unwanted) {
			t.Errorf("contains %s", unwanted)
		}
	}
}

// A name is shown literally, whatever stands in it, and is neither cut by the clean-up nor taken
// for a function.
func TestNamesAreLiteral(t *testing.T) {
	for _, name := range []string{"</script><script>alert(1)</script>", `a class="x" zr0-1 & b`, "fn:compact", "]]>", "<style>", "名前"} {
		text := mustDraw(t, Drawing{ID: "c", Option: lines(name), Width: 560, Height: 320})
		var shown strings.Builder
		decoder := xml.NewDecoder(strings.NewReader(text))
		for {
			token, err := decoder.Token()
			if err != nil {
				break
			}
			if chars, ok := token.(xml.CharData); ok {
				shown.Write(chars)
			}
		}
		if !strings.Contains(shown.String(), name) {
			t.Errorf("%q is not shown literally in %q", name, shown.String())
		}
	}
}

// The same bytes, whatever was drawn before or at the same time.
func TestSameOptionSameBytes(t *testing.T) {
	want := mustDraw(t, Drawing{ID: "a", Option: lines("ten"), Width: 560, Height: 320})
	texts := make([]string, 6)
	var group sync.WaitGroup
	for i := range texts {
		group.Go(func() {
			r, _ := renderer()
			texts[i], _ = r.Draw(Drawing{ID: "a", Option: lines("ten"), Width: 560, Height: 320})
		})
	}
	group.Wait()
	for i, text := range texts {
		if text != want {
			t.Errorf("drawing %d differs", i)
		}
	}
}

func TestDrawSaysWhichChartFailed(t *testing.T) {
	r, err := renderer()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.Draw(Drawing{ID: "broken", Option: []byte(`{"series":`), Width: 10, Height: 10}); err == nil || !strings.Contains(err.Error(), "chart broken") {
		t.Errorf("error is %v, want one that names the chart", err)
	}
}
