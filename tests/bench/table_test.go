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

// line is one comparison, formatted for the table.
type line struct {
	what, measured, baseline string
	ratio                    float64
	limit                    limit
}

// limit is the limit of a ratio.
type limit struct {
	ratio float64
	least bool // a minimum instead of a maximum
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

// table collects the lines of all benchmarks.
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
	fmt.Fprintln(columns, "WHAT\tMEASURED\tBASELINE\tRATIO\tLIMIT")
	for _, l := range lines {
		note := l.limit.String()
		if l.limit.missed(l.ratio) {
			note += ", MISSED"
		}
		fmt.Fprintf(columns, "%s\t%s\t%s\t%.2f\t%s\n", l.what, l.measured, l.baseline, l.ratio, note)
	}
	_ = columns.Flush()
}

// report adds a line to the table, and reports its ratio as a metric of the benchmark.
func report(b *testing.B, unit string, l line) {
	b.Helper()
	// The time of an iteration has no meaning, because it is a whole comparison.
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(l.ratio, unit)
	table.Lock()
	defer table.Unlock()
	table.lines = append(table.lines, l)
}

// small returns count, or short with -short, when the ratios do not matter.
func small(count, short int) int {
	if testing.Short() {
		return short
	}
	return count
}

// reportTimes reports the medians of two series.
func reportTimes(b *testing.B, unit, what string, measured, baseline []time.Duration, most float64) {
	b.Helper()
	took, baselineTook := median(measured), median(baseline)
	report(b, unit, line{
		what: what, measured: shown(took), baseline: shown(baselineTook),
		ratio: float64(took) / float64(baselineTook), limit: limit{ratio: most},
	})
}

func median(of []time.Duration) time.Duration {
	return slices.Sorted(slices.Values(of))[len(of)/2]
}

// shown formats a duration with three digits.
func shown(d time.Duration) string {
	unit := time.Duration(1)
	for d/unit >= 1000 {
		unit *= 10
	}
	return d.Round(unit).String()
}

// load returns the load average of the last minute, if the system has /proc/loadavg.
func load() string {
	content, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return "unknown"
	}
	first, _, _ := strings.Cut(string(content), " ")
	return first
}

// checkout returns the root of the repository.
func checkout(b *testing.B) string {
	b.Helper()
	root, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		b.Fatal(err)
	}
	return root
}
