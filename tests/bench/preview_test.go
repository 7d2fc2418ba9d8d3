package bench

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/mixedkube/mixedkube/internal/lab"
	"github.com/mixedkube/mixedkube/internal/lab/deploy"
	"github.com/mixedkube/mixedkube/internal/lab/tools"
	"github.com/mixedkube/mixedkube/tests/internal/labtest"
)

// BenchmarkPreview compares `pulumi preview` of workload components under the guard with the same handwritten
// Deployments without the guard: with a cluster, whose API server gets a request for each Deployment, and without a
// cluster.
func BenchmarkPreview(b *testing.B) {
	rounds, workloads := small(5, 1), small(500, 5)
	l := labtest.Empty(b, lab.Options{Stack: "lab-given"}).Lab
	components := project(b, l, "components", workloads, 2)
	handwritten := project(b, l, "handwritten", workloads, 2)
	for b.Loop() {
		for _, cluster := range []struct{ what, unit, kubeconfig string }{
			{"a cluster", "components/handwritten", l.Kubeconfig()},
			{"no cluster", "components/handwrittenWithoutCluster", filepath.Join(b.TempDir(), "none")},
		} {
			components.Kubeconfig, handwritten.Kubeconfig = cluster.kubeconfig, cluster.kubeconfig
			// The first preview of each program creates the stack. Do not measure it.
			for range small(1, 0) {
				preview(b, components, workloads)
				preview(b, handwritten, workloads)
			}
			var measured, baseline []time.Duration
			for range rounds {
				measured = append(measured, preview(b, components, workloads))
				baseline = append(baseline, preview(b, handwritten, workloads))
			}
			what := fmt.Sprintf("preview of %d components with guard, and of Deployments, %s", workloads, cluster.what)
			reportTimes(b, cluster.unit, what, measured, baseline, 1.10)
		}
	}
}

// BenchmarkPreviewGrows compares the same programs, without a cluster, from 500 to 5,000 workloads on 100 pools: the
// cost of the guard must not grow faster than the number of workloads.
func BenchmarkPreviewGrows(b *testing.B) {
	const pools = 100
	sizes := []int{500, 1000, 2000, 5000}
	if testing.Short() {
		sizes = []int{5, 10}
	}
	l := labtest.Empty(b, lab.Options{Stack: "lab-given"}).Lab
	for b.Loop() {
		var first, last time.Duration
		for _, size := range sizes {
			components, handwritten := project(b, l, "components", size, pools),
				project(b, l, "handwritten", size, pools)
			components.Kubeconfig, handwritten.Kubeconfig = filepath.Join(b.TempDir(), "none"),
				filepath.Join(b.TempDir(), "none")
			baseline, baselineTime := during(b, l.ID(), func() { preview(b, handwritten, size) })
			measured, measuredTime := during(b, l.ID(), func() { preview(b, components, size) })
			what := fmt.Sprintf("%d components on %d pools with guard, and Deployments", size, pools)
			reportTimes(b, fmt.Sprintf("components/handwritten%d", size), "preview of "+what,
				[]time.Duration{measuredTime}, []time.Duration{baselineTime}, 0)
			reportMemory(b, fmt.Sprintf("programMemory%d", size), "memory of the program, "+what,
				measured["components"].peak, baseline["handwritten"].peak)
			reportMemory(b, fmt.Sprintf("pulumiMemory%d", size), "memory of pulumi, "+what, measured["pulumi"].peak,
				baseline["pulumi"].peak)
			own := measured["components"].cpu
			reportTimes(b, fmt.Sprintf("program%d", size), "processor time of the program, "+what, []time.Duration{own},
				[]time.Duration{baseline["handwritten"].cpu}, 0)
			if first == 0 {
				first = own / time.Duration(sizes[0])
			}
			last = own / time.Duration(size)
		}
		what := fmt.Sprintf("processor time of the program for each of %d components, and of %d", sizes[len(sizes)-1],
			sizes[0])
		reportTimes(b, "perComponent", what, []time.Duration{last}, []time.Duration{first}, 1.25)
	}
}

func reportMemory(b *testing.B, unit, what string, measured, baseline int64) {
	b.Helper()
	report(b, unit, line{
		what: what, measured: mebibytes(measured), baseline: mebibytes(baseline),
		ratio: float64(measured) / float64(max(baseline, 1)),
	})
}

// newLab returns a lab, which it takes down after the benchmark.
func newLab(b *testing.B, out io.Writer) *lab.Lab {
	b.Helper()
	cache, err := tools.FromRoot(checkout(b), os.Stderr)
	if err != nil {
		b.Fatal(err)
	}
	l, err := lab.New(cache, filepath.Join(b.TempDir(), "lab"), out)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		if err := l.Down(); err != nil {
			b.Errorf("take down the lab: %v", err)
		}
	})
	return l
}

// project returns a stack of a program in components/guard/testdata/preview500 that registers workloads for a number of
// pools.
func project(b *testing.B, l *lab.Lab, name string, workloads, pools int) deploy.Stack {
	b.Helper()
	config := writeFile(b, b.TempDir(), "config.yaml",
		fmt.Sprintf("config:\n  %[1]s:count: %[2]d\n  %[1]s:pools: %[3]d\n", name, workloads, pools))
	dir := filepath.Join(checkout(b), "components", "guard", "testdata", "preview500", name)
	stack, err := l.Project(b.Context(), dir, fmt.Sprintf("dev%d", workloads), config)
	if err != nil {
		b.Fatal(err)
	}
	return *stack
}

func writeFile(b *testing.B, dir, name, content string) string {
	b.Helper()
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		b.Fatal(err)
	}
	return path
}

// preview returns the time of a preview.
func preview(b *testing.B, stack deploy.Stack, workloads int) time.Duration {
	b.Helper()
	var out bytes.Buffer
	stack.Out = &out
	started := time.Now()
	err := stack.Preview(b.Context())
	took := time.Since(started)
	if deployments := strings.Count(out.String(), " kubernetes:apps/v1:Deployment "); err != nil ||
		deployments < workloads {
		b.Fatalf("%d Deployments: %v\n%.4000s", deployments, err, out.String())
	}
	return took
}
