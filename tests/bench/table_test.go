package bench

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"text/tabwriter"
	"time"
)

// line is one comparison. Its parts are ready to be shown.
type line struct {
	what, ours, theirs string
	ratio              float64
	limit              limit
}

// limit is what a ratio is wanted to be.
type limit struct {
	ratio float64
	least bool // or more
}

func (l limit) String() string {
	switch {
	case l.ratio == 0:
		return "-"
	case l.least:
		return fmt.Sprintf("at least %.2f", l.ratio)
	default:
		return fmt.Sprintf("at most %.2f", l.ratio)
	}
}

func (l limit) missed(ratio float64) bool {
	return l.ratio != 0 && (ratio < l.ratio) == l.least && ratio != l.ratio
}

// table gathers the lines of all benchmarks.
var table struct {
	sync.Mutex
	lines []line
}

func TestMain(m *testing.M) {
	before := load()
	code := m.Run()
	if len(table.lines) > 0 && !testing.Short() {
		fmt.Fprintf(os.Stdout, "\n%d cores, load average before and after: %s, %s\n\n", runtime.GOMAXPROCS(0), before,
			load())
		write(os.Stdout, table.lines)
	}
	os.Exit(code)
}

func write(w io.Writer, lines []line) {
	columns := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(columns, "WHAT\tOURS\tTHEIRS\tRATIO\tWANTED")
	for _, l := range lines {
		wanted := l.limit.String()
		if l.limit.missed(l.ratio) {
			wanted += ", MISSED"
		}
		fmt.Fprintf(columns, "%s\t%s\t%s\t%.2f\t%s\n", l.what, l.ours, l.theirs, l.ratio, wanted)
	}
	_ = columns.Flush()
}

// report puts a line into the table, and its ratio into the benchmark's own line.
func report(b *testing.B, unit string, l line) {
	b.Helper()
	// A benchmark here is a whole comparison; how long that takes says nothing.
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(l.ratio, unit)
	table.Lock()
	defer table.Unlock()
	table.lines = append(table.lines, l)
}

// small is a count, or a small one with -short, where only the run matters and no figure.
func small(count, short int) int {
	if testing.Short() {
		return short
	}
	return count
}

// reportTimes is report for the medians of two series.
func reportTimes(b *testing.B, unit, what string, ours, theirs []time.Duration, most float64) {
	b.Helper()
	mine, other := median(ours), median(theirs)
	report(b, unit, line{
		what: what, ours: shown(mine), theirs: shown(other),
		ratio: float64(mine) / float64(other), limit: limit{ratio: most},
	})
}

func median(of []time.Duration) time.Duration {
	return slices.Sorted(slices.Values(of))[len(of)/2]
}

// shown is a duration with three digits.
func shown(d time.Duration) string {
	unit := time.Duration(1)
	for d/unit >= 1000 {
		unit *= 10
	}
	return d.Round(unit).String()
}

// load is the load average of the last minute, where the system tells it.
func load() string {
	content, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return "unknown"
	}
	first, _, _ := strings.Cut(string(content), " ")
	return first
}

// checkout is the root of the repository.
func checkout(b *testing.B) string {
	b.Helper()
	root, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		b.Fatal(err)
	}
	return root
}
