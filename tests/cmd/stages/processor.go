package main

import (
	"cmp"
	"crypto/rand"
	"errors"
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

// measured calls do, and prints who has used the processors meanwhile.
func measured(out io.Writer, do func() error) error {
	root, err := filepath.Abs("..") // the command runs in the module's directory
	if err != nil {
		return err
	}
	id := rand.Text()
	if err := os.Setenv(runVariable, id); err != nil {
		return err
	}
	meter := proctime.Start(os.Getpid(), belongsTo(id), owner(root))
	err = do()
	return errors.Join(err, writeProcessor(meter.Stop(), out))
}

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
