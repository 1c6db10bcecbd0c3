package templates

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"strings"
	"testing"
)

// The build that is embedded is the one whose sum is recorded, so that nobody edits it by hand.
func TestEChartsIsTheRecordedBuild(t *testing.T) {
	want, _, _ := strings.Cut(EChartsSums, " ")
	sum := sha256.Sum256([]byte(ECharts))
	if got := hex.EncodeToString(sum[:]); got != want {
		t.Errorf("sha256 of echarts.min.js is %s, SHA256SUMS says %s: run templates/echarts/build.sh", got, want)
	}
}

// Scripts are written inside script elements, where these strings would end or hide them.
func TestScriptsCanStandInline(t *testing.T) {
	for name, script := range map[string]string{"echarts": ECharts, "functions": ChartFunctions, "theme": ChartTheme} {
		for _, bad := range []string{"</script", "<!--"} {
			if strings.Contains(strings.ToLower(script), bad) {
				t.Errorf("%s contains %q", name, bad)
			}
		}
	}
}

func TestThemeIsJSON(t *testing.T) {
	var theme map[string]any
	if err := json.Unmarshal([]byte(ChartTheme), &theme); err != nil {
		t.Fatal(err)
	}
}
