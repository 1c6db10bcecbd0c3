package main

import (
	"bytes"
	"fmt"
	"os/exec"
	"slices"
	"strings"
)

func trim(text []byte) []byte { return bytes.TrimSpace(text) }

func output(name string, args ...string) string {
	out, err := exec.Command(name, args...).Output()
	if err != nil {
		return ""
	}
	return string(trim(out))
}

// verdict holds the median against the bar.
func (f figure) verdict() string {
	reached := func(bar float64) bool { return f.less && f.mid <= bar || !f.less && f.mid >= bar }
	switch {
	case f.must == 0:
		return "-"
	case reached(f.aim):
		return "aim"
	case reached(f.must):
		return "must"
	}
	return "missed"
}

func (f figure) String() string {
	if f.alone {
		return fmt.Sprintf("%.2f [%.2f %.2f] %s: %s", f.mid, f.low, f.top, f.unit, f.verdict())
	}
	return fmt.Sprintf("%.2f [%.2f %.2f] (%s against %s %s): %s", f.mid, f.low, f.top, middle(f.ours), middle(f.theirs), f.unit, f.verdict())
}

func middle(values []float64) string {
	v := median(slices.Sorted(slices.Values(values)))
	switch {
	case v >= 1000:
		return fmt.Sprintf("%.0f", v)
	case v >= 10:
		return fmt.Sprintf("%.1f", v)
	}
	return fmt.Sprintf("%.3f", v)
}

// table is the whole of RESULTS.md.
func table(facts []fact, figures []figure, s settings) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# mysweep against sysbench and mysqlslap\n\n")
	fmt.Fprintf(&b, "Written by `make bench`. Median over up to %d pairs of %g s (mysweep / other), in brackets the interval that holds the true median with 95 %%\n", s.pairs, s.seconds)
	fmt.Fprintf(&b, "(the extremes where there are few pairs). Whole processes; client CPU is the difference of two run lengths.\n\n")
	for _, f := range facts {
		fmt.Fprintf(&b, "- %s: %s\n", f.name, f.value)
	}
	group := ""
	for _, f := range figures {
		if f.group != group {
			group = f.group
			fmt.Fprintf(&b, "\n## %s\n\n| measure | other | ratio | interval | mysweep | other's | must | aim | reached |\n|---|---|---|---|---|---|---|---|---|\n", strings.ToUpper(group[:1])+group[1:])
		}
		must, aim := "-", "-"
		if f.must != 0 {
			sign := ">="
			if f.less {
				sign = "<="
			}
			must, aim = fmt.Sprintf("%s %.2f", sign, f.must), fmt.Sprintf("%.2f", f.aim)
		}
		theirs := "-"
		if !f.alone {
			theirs = middle(f.theirs) + " " + f.unit
		}
		fmt.Fprintf(&b, "| %s | %s | %.2f | %.2f .. %.2f | %s %s | %s | %s | %s | %s |\n", f.name, f.other, f.mid, f.low, f.top, middle(f.ours), f.unit, theirs, must, aim, f.verdict())
	}
	return b.String()
}
