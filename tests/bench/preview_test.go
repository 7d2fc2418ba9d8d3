package bench

import (
	"bytes"
	"fmt"
	"maps"
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
	const rounds = 5
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
	components, handwritten := project(b, l, "components"), project(b, l, "handwritten")
	for b.Loop() {
		for _, cluster := range []struct{ what, unit, kubeconfig string }{
			{"a cluster", "components/handwritten", l.Kubeconfig()},
			{"no cluster", "components/handwrittenWithoutCluster", filepath.Join(b.TempDir(), "none")},
		} {
			components.Kubeconfig, handwritten.Kubeconfig = cluster.kubeconfig, cluster.kubeconfig
			// The first preview of each creates the stack.
			preview(b, components)
			preview(b, handwritten)
			var ours, theirs []time.Duration
			for range rounds {
				ours = append(ours, preview(b, components))
				theirs = append(theirs, preview(b, handwritten))
			}
			what := fmt.Sprintf("preview of %d components with guard, and of Deployments, %s", workloads, cluster.what)
			reportTimes(b, cluster.unit, what, ours, theirs, 1.15)
		}
	}
}

const workloads = 500

// project is a stack of one of the programs of components/guard/testdata/preview500.
// The program is built once, and the language host told so: else it links the
// program in each preview, which would hide the difference between the two.
func project(b *testing.B, l *lab.Lab, name string) deploy.Stack {
	b.Helper()
	binary := build(b, "./components/guard/testdata/preview500/"+name)
	dir := filepath.Join(b.TempDir(), name)
	if err := os.Mkdir(dir, 0o700); err != nil {
		b.Fatal(err)
	}
	if err := os.Rename(binary, filepath.Join(dir, "program")); err != nil {
		b.Fatal(err)
	}
	config := writeFile(b, dir, "config.yaml", 0o600, fmt.Sprintf("config:\n  %s:count: %d\n", name, workloads))
	writeFile(b, dir, "Pulumi.yaml", 0o600, fmt.Sprintf("name: %s\nruntime: go\n", name))
	stack, err := l.Project(b.Context(), dir, "dev", config)
	if err != nil {
		b.Fatal(err)
	}
	const host = "pulumi-language-go"
	// A copy, because the lab's other stacks have the same map.
	stack.Tools = maps.Clone(stack.Tools)
	stack.Tools[host] = writeFile(b, dir, host, 0o700, fmt.Sprintf("#!/bin/sh\nexec %q -binary=program \"$@\"\n", stack.Tools[host]))
	return *stack
}

func writeFile(b *testing.B, dir, name string, mode os.FileMode, content string) string {
	b.Helper()
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, []byte(content), mode); err != nil {
		b.Fatal(err)
	}
	return path
}

// preview returns how long one takes.
func preview(b *testing.B, stack deploy.Stack) time.Duration {
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
