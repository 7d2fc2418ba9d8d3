package tools

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"text/tabwriter"
	"time"
)

// BenchmarkFirstBuild builds everything that a first `make up` builds, with an empty build cache
// and an empty tool cache, and prints where the processor time goes. It does not empty the module
// cache: missing modules are fetched, and counted. With -update it writes weights.txt,
// from which the progress estimates the remaining time. `make bench-cold` runs it.
func BenchmarkFirstBuild(b *testing.B) {
	if testing.Short() {
		b.Skip("only with make bench-cold: it takes many minutes")
	}
	root, err := findRoot(".")
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		dir := b.TempDir()
		c, err := FromRoot(root, os.Stdout)
		if err != nil {
			b.Fatal(err)
		}
		c.Dir = filepath.Join(dir, "tools")
		c.environ = append(c.environ, "GOCACHE="+filepath.Join(dir, "go"))
		var located []location
		for _, each := range c.table {
			at, err := c.locateAside(b.Context(), each)
			if err != nil {
				b.Fatal(err)
			}
			located = append(located, at)
		}
		builds := ofUpAt(b, c, located)
		watch := newWatch(c.progress())
		end := watch.show(c.heartbeat)
		started := time.Now()
		measured := make([]measuredBuild, len(builds))
		for i, one := range builds {
			one.watch = watch
			measured[i] = measure(b, one, dir, filepath.Join(dir, fmt.Sprintf("graph%d.json", i)))
		}
		end()
		report(b, measured, time.Since(started))
	}
}

// measure runs a build. It also links programs, which `make up` does when it first
// runs them.
func measure(b *testing.B, one *build, dir, graph string) measuredBuild {
	b.Helper()
	m := measuredBuild{build: one}
	one.cmd.ended = func(state *os.ProcessState) {
		m.processor += state.UserTime() + state.SystemTime()
		m.memory = max(m.memory, state.SysUsage().(*syscall.Rusage).Maxrss<<10)
	}
	started, fetched := time.Now(), one.watch.fetched
	if one.prepare(b.Context(), true); one.failed != nil {
		b.Fatal(one.failed)
	}
	m.listed = time.Since(started)
	one.flags = append(one.flags, "-debug-actiongraph="+graph)
	do := one.do
	if one.tools == nil {
		do = func(ctx context.Context) error {
			cmd := one.cmd
			cmd.line = func(line string) bool { return one.watch.begin(one.plan, line) }
			_, err := cmd.run(ctx, slices.Concat([]string{"build", "-v", "-o", dir + "/"}, one.flags, one.packages)...)
			one.watch.end(one.plan)
			return err
		}
	}
	if err := do(b.Context()); err != nil {
		b.Fatal(err)
	}
	m.wall, m.fetched, m.actions = time.Since(started), one.watch.fetched-fetched, readActions(b, graph)
	return m
}

// locateAside is locateOne for an empty cache, without the tools on PATH.
func (c *Cache) locateAside(ctx context.Context, t tool) (location, error) {
	t.find = nowhere
	return c.locateOne(ctx, t)
}

// ofUpAt is ofUp for tools that are built into the cache.
func ofUpAt(b *testing.B, c *Cache, located []location) []*build {
	b.Helper()
	builds := ofUp(b, c)
	for _, one := range builds {
		for i, at := range one.tools {
			for j := range located {
				if located[j].name == at.name {
					one.tools[i] = &located[j]
				}
			}
		}
	}
	return builds
}

// measuredBuild is a build, and what it took.
type measuredBuild struct {
	*build
	actions      map[int]action
	listed, wall time.Duration
	processor    time.Duration
	fetched      int
	memory       int64
}

// action is a step of a build, as the go command writes it with -debug-actiongraph.
type action struct {
	ID              int
	Mode, Package   string
	Deps            []int
	CmdUser, CmdSys int64
}

func (a action) seconds() float64 { return float64(a.CmdUser+a.CmdSys) / 1e9 }

func readActions(b *testing.B, path string) map[int]action {
	b.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		b.Fatal(err)
	}
	var list []action
	if err := json.Unmarshal(content, &list); err != nil {
		b.Fatal(err)
	}
	all := map[int]action{}
	for _, each := range list {
		all[each.ID] = each
	}
	return all
}

// report prints the table, and writes the weights with -update.
func report(b *testing.B, measured []measuredBuild, wall time.Duration) {
	b.Helper()
	compiled := map[string]float64{}
	var again float64
	var processor time.Duration
	rows := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(rows, "\t\tpackages\tcompile\tof it again\tlink\tgo itself\twall\tlisted in\tfetched\tmemory\t\n")
	for _, m := range measured {
		processor += m.processor
		var inActions float64
		for _, each := range m.actions {
			inActions += each.seconds()
		}
		fmt.Fprintf(rows, "%s\t\t%d\t\t\t\t%.0f s\t%.0f s\t%.0f s\t%d\t%.1f GB\t\n",
			title(m.build), len(m.plan.packages), m.processor.Seconds()-inActions, m.wall.Seconds(), m.listed.Seconds(),
			m.fetched, float64(m.memory)/1e9)
		counted := map[int]bool{}
		for _, root := range m.roots() {
			n, compile, link, twice := 0, 0.0, 0.0, 0.0
			m.each(root, counted, func(a action) {
				switch a.Mode {
				case "build":
					n, compile = n+1, compile+a.seconds()
					if _, before := compiled[a.Package]; before {
						twice += a.seconds()
					}
					compiled[a.Package] += a.seconds()
				case "link":
					link += a.seconds()
				}
			})
			again += twice
			fmt.Fprintf(rows, "\t%s\t%d\t%.0f s\t%.0f s\t%.0f s\t\t\t\t\t\t\n", m.actions[root].Package, n, compile,
				twice, link)
		}
	}
	fmt.Fprintf(rows, "all\t\t\t\t\t\t%.0f s\t%.0f s\t\t\t\t\n", processor.Seconds(), wall.Seconds())
	if err := rows.Flush(); err != nil {
		b.Fatal(err)
	}
	fmt.Printf("compiled a second time, as what it imports differs: %.0f s\n\nthe most expensive packages:\n", again)
	expensive := slices.SortedFunc(maps.Keys(compiled),
		func(x, y string) int { return cmp.Compare(compiled[y], compiled[x]) })
	for _, importPath := range expensive[:min(40, len(expensive))] {
		fmt.Printf("%8.1f s  %s\n", compiled[importPath], importPath)
	}
	b.ReportMetric(processor.Seconds(), "processor-s/op")
	if *update {
		writeWeights(b, compiled)
	}
}

// roots returns the actions that no other action needs.
func (m measuredBuild) roots() []int {
	needed := map[int]bool{}
	for _, each := range m.actions {
		if each.Mode != "link" && each.Mode != "build" {
			continue
		}
		for _, id := range each.Deps {
			needed[id] = true
		}
	}
	var roots []int
	for id, each := range m.actions {
		if (each.Mode == "link" || each.Mode == "build") && !needed[id] {
			roots = append(roots, id)
		}
	}
	slices.Sort(roots)
	return roots
}

// each calls f with an action and the actions that it needs, once each in a build.
func (m measuredBuild) each(id int, counted map[int]bool, f func(action)) {
	if counted[id] {
		return
	}
	counted[id] = true
	f(m.actions[id])
	for _, dep := range m.actions[id].Deps {
		m.each(dep, counted, f)
	}
}

// writeWeights writes the weights that differ from the usual one.
func writeWeights(b *testing.B, compiled map[string]float64) {
	b.Helper()
	var text strings.Builder
	for _, importPath := range slices.Sorted(maps.Keys(compiled)) {
		if compiled[importPath] >= 2*usualWeight {
			fmt.Fprintf(&text, "%.1f %s\n", compiled[importPath], importPath)
		}
	}
	if err := os.WriteFile("weights.txt", []byte(text.String()), 0o644); err != nil {
		b.Fatal(err)
	}
}
