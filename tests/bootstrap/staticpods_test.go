package bootstrap

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/yaml"
)

// staticPods stands for a kubelet: it runs the program of each manifest on this machine, and
// another one when the manifest changes or the program ends.
type staticPods struct {
	d disk
	// programs are the programs of the containers, by name.
	programs map[string]string
	// arguments changes those of a program for this machine.
	arguments func([]string) []string

	mu  sync.Mutex
	log map[string]*bytes.Buffer
}

// run looks at the manifests until the test ends.
func (p *staticPods) run(t *testing.T) {
	t.Helper()
	p.log = map[string]*bytes.Buffer{}
	ctx, stop := context.WithCancel(context.Background())
	var pods sync.WaitGroup
	for name := range p.programs {
		p.log[name] = &bytes.Buffer{}
		pods.Go(func() { p.keep(ctx, t, name) })
	}
	t.Cleanup(func() { stop(); pods.Wait() })
}

// keep runs one pod.
func (p *staticPods) keep(ctx context.Context, t *testing.T, name string) {
	t.Helper()
	path := p.d.at("/etc/kubernetes/manifests/" + name + ".yaml")
	for ctx.Err() == nil {
		manifest, err := os.ReadFile(path)
		if err != nil {
			t.Errorf("the manifest is missing for a moment: %v", err)
			return
		}
		var pod corev1.Pod
		if err := yaml.UnmarshalStrict(manifest, &pod); err != nil {
			t.Errorf("%s: %v\n%s", name, err, manifest)
			return
		}
		process, end := context.WithCancel(ctx)
		command := exec.CommandContext(process, p.programs[name],
			p.arguments(slices.Clone(pod.Spec.Containers[0].Command[1:]))...)
		writer := p.writer(name)
		command.Stdout, command.Stderr = writer, writer
		if err := command.Start(); err != nil {
			t.Error(err)
			end()
			return
		}
		seen := filepath.Join(p.d.at("/proc"), strconv.Itoa(command.Process.Pid), "comm")
		p.d.write(t, strings.TrimPrefix(seen, string(p.d)), name[:min(len(name), 15)]+"\n")
		go func() {
			for process.Err() == nil {
				if now, err := os.ReadFile(path); err == nil && !bytes.Equal(now, manifest) {
					end()
				}
				time.Sleep(50 * time.Millisecond)
			}
		}()
		_ = command.Wait() // It is killed, or is started again.
		end()
		_ = os.RemoveAll(filepath.Dir(seen))
		time.Sleep(100 * time.Millisecond)
	}
}

// writer returns the log of a pod.
func (p *staticPods) writer(name string) lockedWriter { return lockedWriter{&p.mu, p.log[name]} }

type lockedWriter struct {
	mu *sync.Mutex
	b  *bytes.Buffer
}

func (w lockedWriter) Write(text []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.b.Write(text)
}

// tail returns the end of all logs.
func (p *staticPods) tail() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	var text strings.Builder
	for name, log := range p.log {
		lines := strings.Split(strings.TrimSpace(log.String()), "\n")
		text.WriteString(name + ":\n" + strings.Join(lines[max(0, len(lines)-15):], "\n") + "\n")
	}
	return text.String()
}
