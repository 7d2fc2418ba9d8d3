package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// skipsVariable makes skipped tests fail with the value "fail": CI skips none.
const skipsVariable = "MIXEDKUBE_SKIPS"

// skipped is a test that was skipped.
type skipped struct{ pkg, name, reason string }

// The messages of skipped tests begin with one of these: tests/architecture checks it.
const (
	// needs is what the machine lacks, and how to get it.
	needs = "needs "
	// onlyWith is the command that runs the test.
	onlyWith = "only with "
)

// logged matches a line that a test has logged.
var logged = regexp.MustCompile(`^ *\S+\.go:\d+: (.*)\n?$`)

// reason returns the message of a skipped test: its last one that has the form of such a message, or the last one.
func reason(lines []string) string {
	last := "no reason"
	for _, line := range slices.Backward(lines) {
		found := logged.FindStringSubmatch(line)
		switch {
		case found == nil:
		case strings.HasPrefix(found[1], needs) || strings.HasPrefix(found[1], onlyWith):
			return found[1]
		case last == "no reason":
			last = found[1]
		}
	}
	return last
}

// writeSkipped prints the skipped tests by reason, most frequent first.
func writeSkipped(all []skipped, to io.Writer) error {
	missing, other := map[string]int{}, map[string]int{}
	var onDemand int
	commands := map[string]bool{}
	for _, s := range all {
		if what, ok := strings.CutPrefix(s.reason, needs); ok {
			missing[what]++
		} else if command, ok := strings.CutPrefix(s.reason, onlyWith); ok {
			onDemand++
			commands[command] = true
		} else {
			other[s.reason]++
		}
	}
	if len(all) == 0 {
		return nil
	}
	var b strings.Builder
	b.WriteString("\n")
	for _, what := range byCount(missing) {
		fmt.Fprintf(&b, "skipped: %s %s\n", count(missing[what], "test needs", "tests need"), what)
	}
	for _, what := range byCount(other) {
		fmt.Fprintf(&b, "skipped: %s: %s\n", count(other[what], "test", "tests"), what)
	}
	if onDemand > 0 {
		fmt.Fprintf(&b, "skipped: %s only with %s\n", count(onDemand, "test runs", "tests run"),
			strings.Join(slices.Sorted(maps.Keys(commands)), ", "))
	}
	_, err := io.WriteString(to, b.String())
	return err
}

func count(n int, one, more string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, more)
}

func byCount(counts map[string]int) []string {
	return slices.SortedFunc(maps.Keys(counts), func(a, b string) int {
		return cmp.Or(cmp.Compare(counts[b], counts[a]), cmp.Compare(a, b))
	})
}

// checkSkips returns a function that returns an error for skipped tests, except for those that run only on demand, if
// the value of [skipsVariable] is "fail".
func checkSkips(value string) (func([]skipped) error, error) {
	switch value {
	case "":
		return func([]skipped) error { return nil }, nil
	case "fail":
	default:
		return nil, fmt.Errorf(`%s is %q: set it to "fail", or unset it`, skipsVariable, value)
	}
	return func(all []skipped) error {
		var lines []string
		for _, s := range all {
			if !strings.HasPrefix(s.reason, onlyWith) {
				lines = append(lines, fmt.Sprintf("\n  %s %s: %s", s.pkg, s.name, s.reason))
			}
		}
		if lines == nil {
			return nil
		}
		slices.Sort(lines)
		return errors.New(count(len(lines), "test is skipped, but ", "tests are skipped, but ") + skipsVariable +
			" is fail:" + strings.Join(lines, ""))
	}, nil
}
