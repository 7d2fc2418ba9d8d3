package deploy

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/internal/lab/tools"
)

func TestAStackInAzureFindsItsCommands(t *testing.T) {
	t.Setenv("PATH", "/usr/bin:/bin")
	s := newStack(t, initStack+`env | grep -E '^(KUBECONFIG|MIXEDKUBE_AZURE.*|PATH)=' | sort`)
	s.Azure = &Azure{Dir: "/lab/azure", Commands: []tools.Command{
		{Name: "pulumi-resource-azure-native", Path: "/built/azure-native", Version: "v3.23.0"},
		{Name: "az", Path: "/built/az"},
	}, Environ: []string{"MIXEDKUBE_AZURE_OPERATION=1s"}}
	if err := s.Up(t.Context()); err != nil {
		t.Fatal(err)
	}
	got := strings.ReplaceAll(s.Out.(*strings.Builder).String(), s.Dir, "DIR")
	want := `KUBECONFIG=DIR/no-kubeconfig
MIXEDKUBE_AZURE_DIR=/lab/azure
MIXEDKUBE_AZURE_KUBECONFIG=/lab/kubeconfig
MIXEDKUBE_AZURE_OPERATION=1s
PATH=DIR/bin:/usr/bin:/bin
`
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the CLI (-want +got):\n%s", diff)
	}
	for link, want := range map[string]string{
		"home/plugins/resource-azure-native-v3.23.0/pulumi-resource-azure-native": "/built/azure-native",
		"home/plugins/resource-kubernetes-v4.25.0/pulumi-resource-kubernetes":     "/tools/plugin",
		"bin/az": "/built/az",
	} {
		if got, err := os.Readlink(filepath.Join(s.Dir, link)); err != nil || got != want {
			t.Errorf("%s is %s (%v), want %s", link, got, err, want)
		}
	}
}

func TestAStackInAzureReachesItsMachinesThroughAProxy(t *testing.T) {
	t.Setenv("HTTPS_PROXY", "http://the.users:1")
	t.Setenv("https_proxy", "http://the.users:2")
	t.Setenv("NO_PROXY", "*")
	s := newStack(t, initStack+`env | grep -i _proxy= | sort; exit 3`)
	var started, stopped int
	s.Azure = &Azure{Proxy: func(context.Context) (string, func(), error) {
		started++
		return "http://127.0.0.1:7", func() {
			stopped++
			s.Out.(*strings.Builder).WriteString("stopped\n")
		}, nil
	}}
	if err := s.Up(t.Context()); err == nil || err.Error() != "pulumi up: exit status 3" {
		t.Errorf("got %v", err)
	}
	want := `stopped
HTTPS_PROXY=http://127.0.0.1:7
HTTP_PROXY=http://127.0.0.1:7
NO_PROXY=localhost,127.0.0.0/8,::1
http_proxy=http://127.0.0.1:7
https_proxy=http://127.0.0.1:7
no_proxy=localhost,127.0.0.0/8,::1
stopped
`
	if diff := cmp.Diff(want, s.Out.(*strings.Builder).String()); diff != "" {
		t.Errorf("the CLI (-want +got):\n%s", diff)
	}
	// One of them is for the creation of the stack.
	if started != 2 || stopped != 2 {
		t.Errorf("the proxy was started %d times and stopped %d times", started, stopped)
	}
}

func TestAProxyThatDoesNotStart(t *testing.T) {
	t.Parallel()
	s := newStack(t, initStack)
	s.Azure = &Azure{Proxy: func(context.Context) (string, func(), error) {
		return "", nil,
			errors.New("no port is free")
	}}
	err := s.Up(t.Context())
	want := "pulumi stack init: start the proxy to the simulated machines: no port is free\n"
	if err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}
