package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
	"time"
)

// result is a step that ran.
type result struct {
	step
	took   time.Duration
	failed bool
}

// writeResults prints how long each step took, and which ones failed.
func writeResults(results []result, to io.Writer) error {
	out := tabwriter.NewWriter(to, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(out, "\n")
	var all time.Duration
	for _, r := range results {
		title := r.title
		if r.failed {
			title += ", which failed"
		}
		fmt.Fprintf(out, "%.0f s\t  %s\n", r.took.Seconds(), title)
		all += r.took
	}
	fmt.Fprintf(out, "%.0f s\t  in all\n", all.Seconds())
	return out.Flush()
}

// ending is about everything that a check never runs.
const ending = `not run in any case: go vet and linters for packages without a change, benchmarks, the race detector
before a pull request, run make test and make lint`

// writeOmitted prints the tests that may give another result and did not run, and how to run them.
func (c change) writeOmitted(within int, to io.Writer) error {
	for _, part := range []struct {
		title string
		items []item
	}{
		{fmt.Sprintf("not run, because they cost more than is left of %d s", within), c.plan.beyond},
		{"not run, because they start labs (make tools builds the programs)", c.plan.labs},
	} {
		if len(part.items) == 0 {
			continue
		}
		fmt.Fprintf(to, "\n%s:\n", part.title)
		out := tabwriter.NewWriter(to, 0, 0, 2, ' ', tabwriter.AlignRight)
		for _, i := range part.items {
			fmt.Fprintf(out, "%d s\t  %s, which %s\n", i.cost, i.dir, i.clause())
		}
		if err := out.Flush(); err != nil {
			return err
		}
		fmt.Fprintln(to, "run them with:")
		for _, group := range byModule(c.modules, dirsOf(part.items)) {
			fmt.Fprintf(to, "  %s\n", step{"", group.module, testCommand(group)}.line())
		}
	}
	if unread := slices.Clone(c.effect.unread); len(unread) > 0 {
		fmt.Fprintf(to, "\nno other test is known to read: %s\n", strings.Join(unread, ", "))
	}
	_, err := fmt.Fprintf(to, "\n%s\n", ending)
	return err
}

// clause returns the reason why a change affects a package.
func (a affected) clause() string {
	if a.distance == 0 {
		return "has changed"
	}
	return a.because
}
