package bench

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/mixedkube/mixedkube/internal/lab"
	"github.com/mixedkube/mixedkube/internal/lab/deploy"
	"github.com/mixedkube/mixedkube/internal/lab/tools"
)

// BenchmarkPreview compares `pulumi preview` of workload components under the guard
// with the same Deployments written by hand, without it: with a cluster, whose API
// server is asked about each of them, and without.
func BenchmarkPreview(b *testing.B) {
	rounds, workloads := small(5, 1), small(500, 5)
	root := checkout(b)
	cache, err := tools.FromRoot(root, os.Stderr)
	if err != nil {
		b.Fatal(err)
	}
	l, err := lab.New(cache, filepath.Join(b.TempDir(), "lab"), os.Stderr)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		if err := l.Down(); err != nil {
			b.Errorf("take down the lab: %v", err)
		}
	})
	if err := l.Start(b.Context(), lab.Options{Stack: "lab-given"}); err != nil {
		b.Fatal(err)
	}
	components, handwritten := project(b, l, "components", workloads), project(b, l, "handwritten", workloads)
	for b.Loop() {
		for _, cluster := range []struct{ what, unit, kubeconfig string }{
			{"a cluster", "components/handwritten", l.Kubeconfig()},
			{"no cluster", "components/handwrittenWithoutCluster", filepath.Join(b.TempDir(), "none")},
		} {
			components.Kubeconfig, handwritten.Kubeconfig = cluster.kubeconfig, cluster.kubeconfig
			// The first preview of each creates the stack, which is not to be in the figures.
			for range small(1, 0) {
				preview(b, components, workloads)
				preview(b, handwritten, workloads)
			}
			var ours, theirs []time.Duration
			for range rounds {
				ours = append(ours, preview(b, components, workloads))
				theirs = append(theirs, preview(b, handwritten, workloads))
			}
			what := fmt.Sprintf("preview of %d components with guard, and of Deployments, %s", workloads, cluster.what)
			reportTimes(b, cluster.unit, what, ours, theirs, 1.15)
		}
	}
}

// project is a stack of one of the programs of components/guard/testdata/preview500.
// The program is built once: else the language host builds it in each preview, which
// would hide the difference between the two.
func project(b *testing.B, l *lab.Lab, name string, workloads int) deploy.Stack {
	b.Helper()
	program := build(b, "./components/guard/testdata/preview500/"+name)
	dir := filepath.Join(b.TempDir(), name)
	if err := os.Mkdir(dir, 0o700); err != nil {
		b.Fatal(err)
	}
	config := writeFile(b, dir, "config.yaml", fmt.Sprintf("config:\n  %s:count: %d\n", name, workloads))
	writeFile(b, dir, "Pulumi.yaml", fmt.Sprintf("name: %s\nruntime: go\n", name))
	stack, err := l.Project(b.Context(), dir, "dev", config)
	if err != nil {
		b.Fatal(err)
	}
	stack.Program = program
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

// preview returns how long one takes.
func preview(b *testing.B, stack deploy.Stack, workloads int) time.Duration {
	b.Helper()
	var out bytes.Buffer
	stack.Out = &out
	started := time.Now()
	err := stack.Preview(b.Context())
	took := time.Since(started)
	if deployments := strings.Count(out.String(), " kubernetes:apps/v1:Deployment "); err != nil || deployments < workloads {
		b.Fatalf("%d Deployments: %v\n%.4000s", deployments, err, out.String())
	}
	return took
}
