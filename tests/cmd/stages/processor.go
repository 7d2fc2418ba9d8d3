package main

import (
	"cmp"
	"crypto/rand"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/mixedkube/mixedkube/tests/internal/proctime"
)

// shownTests is how many tests the table of processor times has, and shownPrograms how many programs of each.
const shownTests, shownPrograms = 40, 6

// measure begins to measure this process and what it starts. The returned function prints who has used the processors.
func measure() (func(io.Writer) error, error) {
	root, err := filepath.Abs("..") // the command runs in the module's directory
	if err != nil {
		return nil, err
	}
	id := rand.Text()
	if err := os.Setenv(runVariable, id); err != nil {
		return nil, err
	}
	meter := proctime.Start(os.Getpid(), belongsTo(id), owner(root))
	return func(out io.Writer) error { return writeProcessor(meter.Stop(), out) }, nil
}

// writeProcessor prints who has used the processors, largest first.
func writeProcessor(uses map[proctime.Owner]proctime.Use, to io.Writer) error {
	tests, programs, processes := map[string]time.Duration{}, map[string]time.Duration{}, map[string]int{}
	byTest := map[string]map[string]time.Duration{}
	var all time.Duration
	for o, use := range uses {
		tests[o.Test] += use.Time
		programs[o.Program] += use.Time
		processes[o.Program] += use.Processes
		if byTest[o.Test] == nil {
			byTest[o.Test] = map[string]time.Duration{}
		}
		byTest[o.Test][o.Program] += use.Time
		all += use.Time
	}
	out := tabwriter.NewWriter(to, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(out, "\n%.0f s\t  of processors, by program:\n", all.Seconds())
	for _, name := range largest(programs) {
		if programs[name] >= time.Second {
			fmt.Fprintf(out, "%.0f s\t    %s (%d)\n", programs[name].Seconds(), name, processes[name])
		}
	}
	fmt.Fprintf(out, "\t  by test:\n")
	for _, name := range largest(tests)[:min(shownTests, len(tests))] {
		var parts []string
		for _, p := range largest(byTest[name])[:min(shownPrograms, len(byTest[name]))] {
			if took := byTest[name][p]; took >= time.Second {
				parts = append(parts, fmt.Sprintf("%s %.0f", p, took.Seconds()))
			}
		}
		fmt.Fprintf(out, "%.0f s\t    %s: %s\n", tests[name].Seconds(), name, strings.Join(parts, ", "))
	}
	return out.Flush()
}

func largest(times map[string]time.Duration) []string {
	return slices.SortedFunc(maps.Keys(times), func(a, b string) int {
		return cmp.Or(cmp.Compare(times[b], times[a]), cmp.Compare(a, b))
	})
}
