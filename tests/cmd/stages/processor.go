package main

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"text/tabwriter"
	"time"

	"github.com/mixedkube/mixedkube/tests/internal/proctime"
)

// shownTests is how many tests the table of processor times has.
const shownTests = 40

// writeProcessor prints who has used the processors, largest first.
func writeProcessor(times map[proctime.Owner]time.Duration, to io.Writer) error {
	tests, programs := map[string]time.Duration{}, map[string]time.Duration{}
	byTest := map[string]map[string]time.Duration{}
	var all time.Duration
	for o, took := range times {
		tests[o.Test] += took
		programs[o.Program] += took
		if byTest[o.Test] == nil {
			byTest[o.Test] = map[string]time.Duration{}
		}
		byTest[o.Test][o.Program] += took
		all += took
	}
	out := tabwriter.NewWriter(to, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(out, "\n%.0f s\t  of processors, by program:\n", all.Seconds())
	for _, name := range largest(programs) {
		if programs[name] >= time.Second {
			fmt.Fprintf(out, "%.0f s\t    %s\n", programs[name].Seconds(), name)
		}
	}
	fmt.Fprintf(out, "\t  by test:\n")
	for _, name := range largest(tests)[:min(shownTests, len(tests))] {
		fmt.Fprintf(out, "%.0f s\t    %s:", tests[name].Seconds(), name)
		for _, p := range largest(byTest[name])[:min(6, len(byTest[name]))] {
			fmt.Fprintf(out, " %s %.0f", p, byTest[name][p].Seconds())
		}
		fmt.Fprintln(out)
	}
	return out.Flush()
}

func largest(times map[string]time.Duration) []string {
	return slices.SortedFunc(maps.Keys(times), func(a, b string) int {
		return cmp.Or(cmp.Compare(times[b], times[a]), cmp.Compare(a, b))
	})
}
