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
	"github.com/mixedkube/mixedkube/tests/internal/labtest"
)

const kubernetesPlugin = "pulumi-resource-kubernetes"

// BenchmarkPlugin compares `pulumi preview` of components that a program registers through the plugin, as programs in
// other languages do, with components in its own process. It also compares the plugin with the kubernetes plugin, which
// all these programs need too.
func BenchmarkPlugin(b *testing.B) {
	rounds, workloads := small(5, 1), small(100, 5)
	l := labtest.Empty(b, lab.Options{Stack: "lab-given"}).Lab
	cache, err := tools.FromRoot(checkout(b), os.Stderr)
	if err != nil {
		b.Fatal(err)
	}
	plugin, err := cache.Executable(b.Context(),
		filepath.Join(checkout(b), filepath.FromSlash(tools.PluginModule), "cmd", deploy.Plugin))
	if err != nil {
		b.Fatal(err)
	}
	inProcess, remotely := pluginProject(b, l, plugin, false, workloads), pluginProject(b, l, plugin, true, workloads)
	kubernetes := inProcess.Tools[kubernetesPlugin]
	for b.Loop() {
		// The first preview of each program creates the stack. Do not measure it.
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
		reportMemory(b, "pluginMemory",
			fmt.Sprintf("memory of the plugin for %d components, and of the kubernetes plugin", workloads),
			running[deploy.Plugin].peak, running[kubernetesPlugin].peak)
		through, without = nil, nil
		for range rounds {
			through, without = append(through, answers(b, plugin)), append(without, answers(b, kubernetes))
		}
		reportTimes(b, "pluginStart",
			"start of the plugin until it answers GetSchema, and of the kubernetes plugin", through, without, 0)
		reportMemory(b, "pluginSize", "size of the plugin, and of the kubernetes plugin", size(b, plugin),
			size(b, kubernetes))
	}
}

// pluginProject returns a stack of the program that registers workloads. It puts the plugin into Pulumi's directory.
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

// answers returns the time from the start of a plugin until it returns its schema.
func answers(b *testing.B, plugin string) time.Duration {
	b.Helper()
	// The address of the engine. The plugin does not connect to it here.
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
