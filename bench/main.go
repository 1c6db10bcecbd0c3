// Command bench holds mysweep's load generator against sysbench and mysqlslap, on this machine and
// one private server, and writes the table of bars with the machine's facts.
//
// Both tools run in turn, pair by pair, the first one alternating, as whole processes. A figure is
// the median over the pairs of mysweep's value divided by the other's, with the interval that holds
// the true median with 95 % (order statistics). Client CPU per query is the difference between a
// long and a short run of each tool, so that starting and reporting drop out.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"regexp"
	"time"
)

// settings are those of one run of the bench.
type settings struct {
	mysweep string
	pairs   int
	seconds float64
	only    *regexp.Regexp
	out     string
	work    string // folder for archives
}

func main() {
	s := settings{}
	flag.StringVar(&s.mysweep, "mysweep", "bin/mysweep", "program under test")
	flag.IntVar(&s.pairs, "pairs", 15, "pairs of runs for each figure")
	flag.Float64Var(&s.seconds, "seconds", 2, "length of a run; sysbench takes whole seconds only")
	flag.StringVar(&s.out, "out", "bench/RESULTS.md", "table to write")
	only := flag.String("only", "", "measure only the bars whose name matches this regular expression; then nothing is written")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, s, *only); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, s settings, only string) (err error) {
	if s.only, err = regexp.Compile(only); err != nil {
		return err
	}
	if s.work, err = os.MkdirTemp("", "mysweep-bench-"); err != nil {
		return err
	}
	defer os.RemoveAll(s.work)
	began := time.Now()
	facts := machineFacts()
	var done []figure
	for _, g := range groups(s) {
		save := func(f figure) error {
			done = append(done, f)
			if only != "" {
				return nil
			}
			return os.WriteFile(s.out, []byte(table(append(facts, fact{"measured", "not to the end"}), done, s)), 0o644)
		}
		if err := g.measure(ctx, s, &facts, save); err != nil {
			return err
		}
	}
	facts = append(facts, fact{"measured", fmt.Sprintf("%s, in %s", began.UTC().Format("2006-01-02 15:04 UTC"), time.Since(began).Round(time.Second))})
	fmt.Print(table(facts, done, s))
	if only != "" {
		return nil
	}
	return os.WriteFile(s.out, []byte(table(facts, done, s)), 0o644)
}
