package main

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"path"
	"regexp"
	"slices"
	"strings"
	"text/tabwriter"
	"time"
)

// line is a line of `go test` about a package.
type line struct {
	name string
	took time.Duration
}

// ended matches the last line of `go test` about a package, except if its result is cached.
var ended = regexp.MustCompile(`^(?:ok  |FAIL)\t(\S+)\t([0-9.]+)s`)

// lines forwards the output of `go test`, and collects its lines about packages.
type lines struct {
	to       io.Writer
	rest     []byte
	packages []line
}

func (l *lines) Write(text []byte) (int, error) {
	l.rest = append(l.rest, text...)
	for {
		whole, rest, ok := bytes.Cut(l.rest, []byte("\n"))
		if !ok {
			break
		}
		if found := ended.FindSubmatch(whole); found != nil {
			if took, err := time.ParseDuration(string(found[2]) + "s"); err == nil {
				l.packages = append(l.packages, line{string(found[1]), took})
			}
		}
		l.rest = rest
	}
	return l.to.Write(text)
}

// stage is a target that ran.
type stage struct {
	name     string
	took     time.Duration
	failed   bool
	packages []line
}

// few is the shortest time of a package that is listed.
const few = 3 * time.Second

// module is the prefix of all paths of packages.
const module = "github.com/mixedkube/mixedkube/"

type table []stage

// write prints the stages in their order, each with its slow packages, the slowest first.
// Packages are tested in parallel, so together they may take longer than their stage.
func (t table) write(to io.Writer) error {
	out := tabwriter.NewWriter(to, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(out, "\n")
	var all time.Duration
	row := func(took time.Duration, what string) { fmt.Fprintf(out, "%.0f s\t  %s\n", took.Seconds(), what) }
	for _, s := range t {
		what := s.name
		if s.failed {
			what += ", which failed"
		}
		row(s.took, what)
		all += s.took
		slices.SortStableFunc(s.packages, func(a, b line) int { return cmp.Compare(b.took, a.took) })
		for _, p := range s.packages {
			if p.took >= few {
				row(p.took, "  "+strings.TrimPrefix(p.name, module))
			}
		}
	}
	row(all, "in all")
	return out.Flush()
}

// costs returns the times of all packages by directory, from the root of the checkout.
func (t table) costs() map[string]time.Duration {
	times := map[string]time.Duration{}
	for _, s := range t {
		for _, p := range s.packages {
			times[path.Clean(strings.TrimPrefix(p.name+"/", module))] += p.took
		}
	}
	return times
}
