package connectivity

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"net/netip"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
)

// platforms are the platforms of the cluster. Number i has the pod 127.1.0.i on the node
// 127.2.0.i, behind the virtual address 127.3.0.i and the node port 30000+i.
var platforms = topology.PoolPlatforms()

func podIP(i int) string     { return fmt.Sprintf("127.1.0.%d", i+1) }
func hostIP(i int) string    { return fmt.Sprintf("127.2.0.%d", i+1) }
func clusterIP(i int) string { return fmt.Sprintf("127.3.0.%d", i+1) }
func nodePort(i int) int     { return 30001 + i }

const (
	outboundName    = "www.msftconnecttest.com"
	outboundAddress = "127.4.0.1"
)

// container is one that components/connectivity has recorded.
type container struct {
	pod, name string
	command   []string
	env       map[string]string
}

// linuxContainers returns the Linux containers of a suite with all platforms. The tests of that
// package keep the file equal to the graph.
func linuxContainers(t *testing.T) []container {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "components", "connectivity", "testdata", "containers.json"))
	if err != nil {
		t.Fatal(err)
	}
	var recorded struct {
		Commands   [][]string
		Containers []struct {
			Pod, Name, Platform string
			Command             int
			Env                 map[string]string
		}
	}
	if err := json.Unmarshal(text, &recorded); err != nil {
		t.Fatal(err)
	}
	var found []container
	for _, c := range recorded.Containers {
		if c.Platform != platform.Linux.String() {
			continue
		}
		one := container{pod: c.Pod, name: c.Name, env: c.Env}
		for _, word := range recorded.Commands[c.Command] {
			one.command = append(one.command, expand(word, c.Env))
		}
		found = append(found, one)
	}
	return found
}

// expand does what the kubelet does to a command: $$ is $, and $(NAME) a variable's value.
func expand(word string, env map[string]string) string {
	var out strings.Builder
	for i := 0; i < len(word); i++ {
		rest := word[i:]
		name, _, closed := strings.Cut(strings.TrimPrefix(rest, "$("), ")")
		value, known := env[name]
		switch {
		case strings.HasPrefix(rest, "$$"):
			out.WriteByte('$')
			i++
		case strings.HasPrefix(rest, "$(") && closed && known:
			out.WriteString(value)
			i += len(name) + 2
		default:
			out.WriteByte(word[i])
		}
	}
	return out.String()
}

// run runs a container's command with the tools of BusyBox only, and returns what it
// prints and whether it succeeds.
func (c container) run(t *testing.T, tools string) (string, bool) {
	t.Helper()
	output, err := c.start(t, tools).CombinedOutput()
	if _, failed := errors.AsType[*exec.ExitError](err); err != nil && !failed {
		t.Fatal(err)
	}
	return string(output), err == nil
}

func (c container) start(t *testing.T, tools string) *exec.Cmd {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), tools+"/"+c.command[0], c.command[1:]...)
	cmd.Env = []string{"PATH=" + tools, "TMPDIR=" + t.TempDir()}
	for name, value := range c.env {
		cmd.Env = append(cmd.Env, name+"="+value)
	}
	return cmd
}

// web is the web servers of the cluster.
type web struct {
	mu       sync.Mutex
	received []string
}

// serve answers at an address.
func (w *web) serve(t *testing.T, address string, handler http.HandlerFunc) {
	t.Helper()
	listener, err := net.Listen("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	server := &http.Server{Handler: http.HandlerFunc(func(out http.ResponseWriter, r *http.Request) {
		w.mu.Lock()
		w.received = append(w.received, r.Method+" http://"+strings.TrimSuffix(r.Host, ":80")+r.URL.RequestURI())
		w.mu.Unlock()
		handler(out, r)
	})}
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = server.Serve(listener) // it ends with the test
	}()
	t.Cleanup(func() {
		_ = server.Close() // in the middle of a silent answer
		<-done
	})
}

// take returns the requests since the last call.
func (w *web) take() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	received := w.received
	w.received = nil
	return received
}

func respond(text string) http.HandlerFunc {
	// the client may have closed the connection
	return func(out http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(out, text) }
}

// healthy returns a cluster in which everyone reaches everyone, except the addresses that
// something else is to be at. A nil handler leaves the address closed.
func healthy(t *testing.T, instead map[string]http.HandlerFunc) *web {
	t.Helper()
	w := &web{}
	serve := func(address, text string) {
		handler, other := instead[address]
		switch {
		case !other:
			w.serve(t, address, respond(text))
		case handler != nil:
			w.serve(t, address, handler)
		}
	}
	for i, p := range platforms {
		text := "net " + p.String()
		serve(podIP(i)+":80", text)
		serve(clusterIP(i)+":80", text)
		serve(fmt.Sprintf("%s:%d", hostIP(i), nodePort(i)), text)
	}
	serve(outboundAddress+":80", "Microsoft Connect Test")
	return w
}

// names returns the names of a healthy cluster.
func names() map[string]netip.Addr {
	all := map[string]netip.Addr{outboundName: netip.MustParseAddr(outboundAddress)}
	for i, p := range platforms {
		all[serviceName(p)] = netip.MustParseAddr(clusterIP(i))
	}
	return all
}

func serviceName(p platform.Platform) string { return "net-" + p.String() + ".shop.svc.cluster.local" }

func find(t *testing.T, containers []container, pod, name string) container {
	t.Helper()
	i := slices.IndexFunc(containers, func(c container) bool { return c.pod == pod && c.name == name })
	if i < 0 {
		t.Fatalf("there is no %s in %s", name, pod)
	}
	return containers[i]
}

// with returns the container with another value of a variable.
func (c container) with(name, value string) container {
	c.env = maps.Clone(c.env)
	c.env[name] = value
	return c
}
