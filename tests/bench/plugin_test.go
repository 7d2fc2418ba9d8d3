package bench

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/provider"
	pulumirpc "github.com/pulumi/pulumi/sdk/v3/proto/go"

	"github.com/mixedkube/mixedkube/internal/lab"
	"github.com/mixedkube/mixedkube/internal/lab/deploy"
	"github.com/mixedkube/mixedkube/internal/lab/tools"
)

const kubernetesPlugin = "pulumi-resource-kubernetes"

// BenchmarkPlugin compares `pulumi preview` of components that a program has made through the plugin, as
// programs in other languages do, and in its own process; and the plugin with that of kubernetes, which
// each of these programs needs too.
func BenchmarkPlugin(b *testing.B) {
	rounds, workloads := small(5, 1), small(100, 5)
	l := newLab(b, os.Stderr)
	if err := l.Start(b.Context(), lab.Options{Stack: "lab-given"}); err != nil {
		b.Fatal(err)
	}
	cache, err := tools.FromRoot(checkout(b), os.Stderr)
	if err != nil {
		b.Fatal(err)
	}
	ours, err := cache.Executable(b.Context(),
		filepath.Join(checkout(b), filepath.FromSlash(tools.PluginModule), "cmd", deploy.Plugin))
	if err != nil {
		b.Fatal(err)
	}
	inProcess, remotely := pluginProject(b, l, ours, false, workloads), pluginProject(b, l, ours, true, workloads)
	theirs := inProcess.Tools[kubernetesPlugin]
	for b.Loop() {
		// The first preview of each creates the stack, which is not to be in the figures.
		for range small(1, 0) {
			preview(b, inProcess, workloads)
			preview(b, remotely, workloads)
		}
		var through, without []time.Duration
		for range rounds {
			through = append(through, preview(b, remotely, workloads))
			without = append(without, preview(b, inProcess, workloads))
		}
		reportTimes(b, "remote/inProcess", fmt.Sprintf("preview of %d components through the plugin, and in process",
			workloads), through, without, 1.3)
		running, _ := during(b, l.ID(), func() { preview(b, remotely, workloads) })
		reportMemory(b, "pluginMemory", fmt.Sprintf("memory of the plugin for %d components, and of kubernetes'",
			workloads), running[deploy.Plugin].peak, running[kubernetesPlugin].peak)
		through, without = nil, nil
		for range rounds {
			through, without = append(through, answers(b, ours)), append(without, answers(b, theirs))
		}
		reportTimes(b, "pluginStart", "start of the plugin until it answers GetSchema, and of kubernetes'", through,
			without, 0)
		reportMemory(b, "pluginSize", "size of the plugin, and of kubernetes'", size(b, ours), size(b, theirs))
	}
}

// pluginProject is a stack of the program that makes workloads, with the plugin where Pulumi looks for it.
func pluginProject(b *testing.B, l *lab.Lab, plugin string, remotely bool, workloads int) deploy.Stack {
	b.Helper()
	name := "process"
	if remotely {
		name = "plugin"
	}
	config := writeFile(b, b.TempDir(), "config.yaml",
		fmt.Sprintf("config:\n  remote:count: %d\n  remote:plugin: %t\n", workloads, remotely))
	dir := filepath.Join(checkout(b), "tests", "bench", "testdata", "remote")
	stack, err := l.Project(b.Context(), dir, name, config)
	if err != nil {
		b.Fatal(err)
	}
	stack.Kubeconfig = filepath.Join(b.TempDir(), "none")
	place := filepath.Join(stack.Dir, "home", "plugins", "resource-mixedkube-v0.0.0-dev")
	if err := os.MkdirAll(place, 0o700); err != nil {
		b.Fatal(err)
	}
	link := filepath.Join(place, deploy.Plugin)
	if err := os.Remove(link); err != nil && !os.IsNotExist(err) {
		b.Fatal(err)
	}
	if err := os.Symlink(plugin, link); err != nil {
		b.Fatal(err)
	}
	return *stack
}

// answers is how long a plugin takes from its start to its schema.
func answers(b *testing.B, plugin string) time.Duration {
	b.Helper()
	// The engine's address, where nobody is called.
	cmd := exec.CommandContext(b.Context(), plugin, "127.0.0.1:1")
	out, err := cmd.StdoutPipe()
	if err != nil {
		b.Fatal(err)
	}
	started := time.Now()
	if err := cmd.Start(); err != nil {
		b.Fatal(err)
	}
	defer func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	}()
	port, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		b.Fatal(err)
	}
	host, err := provider.NewHostClient("127.0.0.1:" + strings.TrimSpace(port))
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = host.EngineConn().Close() }()
	schema, err := pulumirpc.NewResourceProviderClient(host.EngineConn()).GetSchema(b.Context(),
		&pulumirpc.GetSchemaRequest{})
	if err != nil || !strings.Contains(schema.GetSchema(), `"resources"`) {
		b.Fatalf("the schema is %.100s (%v)", schema.GetSchema(), err)
	}
	return time.Since(started)
}

func size(b *testing.B, file string) int64 {
	b.Helper()
	info, err := os.Stat(file)
	if err != nil {
		b.Fatal(err)
	}
	return info.Size()
}
