package sources_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/cli/sources"
)

// dir returns a directory for [fake], with files.
func dir(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, from := range files {
		text := []byte(from)
		if path, ok := strings.CutPrefix(from, "file:"); ok {
			text = read(t, path)
		}
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestNodesAndVersionOfALiveCluster(t *testing.T) {
	t.Parallel()
	dir := dir(t, map[string]string{
		"nodes.json": "file:testdata/live/nodes.json", "version.json": "file:testdata/live/version.json",
		"classes.json": "file:testdata/live/classes.json",
	})
	source := sources.Source{Kubectl: &sources.Kubectl{Context: dir, Kubeconfig: "--help"}}
	described, notes, err := source.Read(t.Context())
	if err != nil || described.KubernetesVersion != "1.36.3" || len(described.Pools) != 2 ||
		described.Pools[1].Count != 2 {
		t.Errorf("%+v, %v", described, err)
	}
	if len(notes) != 1 || !strings.HasPrefix(notes[0], "missingFeatures: nodes do not ") {
		t.Errorf("notes %q", notes)
	}
	classes := []topology.RuntimeClass{
		{Name: "gvisor", Handler: "runsc"},
		{
			Name: "windows-2022", Handler: "runhcs-wcow-process",
			NodeSelector: map[string]string{"node.kubernetes.io/windows-build": "10.0.20348"},
			Tolerations:  []topology.Toleration{{Key: "os", Operator: "Equal", Value: "windows", Effect: "NoSchedule"}},
		},
	}
	if diff := cmp.Diff(classes, described.RuntimeClasses); diff != "" {
		t.Errorf("RuntimeClasses (-want +got):\n%s", diff)
	}
	const want = "--request-timeout=30s --kubeconfig=--help --context=DIR get nodes --output=json\n" +
		"--request-timeout=30s --kubeconfig=--help --context=DIR get --raw=/version\n" +
		"--request-timeout=30s --kubeconfig=--help --context=DIR get runtimeclasses.node.k8s.io --output=json\n"
	if got := string(read(t, filepath.Join(dir, "args.txt"))); got != want {
		t.Errorf("kubectl was called with\n%swant\n%s", got, want)
	}
	// The source does not request a version that is set.
	source.ControlPlane = "v1.37.0"
	described, _, err = source.Read(t.Context())
	if err != nil || described.KubernetesVersion != "1.37.0" {
		t.Errorf("%s, %v", described.KubernetesVersion, err)
	}
	if got := string(read(t, filepath.Join(dir, "args.txt"))); strings.Count(got, "/version") != 1 {
		t.Errorf("kubectl was called with\n%s", got)
	}
}

// A user may be able to list nodes, and nothing else.
func TestUnknownVersionIsThatOfTheNewestNode(t *testing.T) {
	t.Parallel()
	dir := dir(t, map[string]string{
		"nodes.json": "file:testdata/live/nodes.json", "stderr.txt": "error: forbidden\n",
	})
	described, notes, err := sources.Source{Kubectl: &sources.Kubectl{Context: dir}}.Read(t.Context())
	if err != nil || described.KubernetesVersion != "1.35.4" {
		t.Errorf("%s, %v", described.KubernetesVersion, err)
	}
	if len(notes) != 4 || notes[0] != "kubectl get --raw=/version: forbidden" ||
		notes[1] != "runtimeClasses: not known, so that a missing RuntimeClass is a warning: kubectl get "+
			"runtimeclasses.node.k8s.io --output=json: forbidden" ||
		!strings.HasPrefix(notes[2], "kubernetesVersion: 1.35.4 is the newest node's") {
		t.Errorf("notes %q", notes)
	}
	if described.RuntimeClasses != nil {
		t.Errorf("RuntimeClasses %v, which nothing has read", described.RuntimeClasses)
	}
}

// A cluster without RuntimeClasses is not one whose RuntimeClasses are not known.
func TestALiveClusterWithoutRuntimeClasses(t *testing.T) {
	t.Parallel()
	dir := dir(t, map[string]string{
		"nodes.json": "file:testdata/live/nodes.json", "version.json": "file:testdata/live/version.json",
		"classes.json": `{"apiVersion": "v1", "kind": "List", "items": []}`,
	})
	described, _, err := sources.Source{Kubectl: &sources.Kubectl{Context: dir}}.Read(t.Context())
	if err != nil || described.RuntimeClasses == nil || len(described.RuntimeClasses) > 0 {
		t.Errorf("RuntimeClasses %#v, %v, want an empty list", described.RuntimeClasses, err)
	}
}

func TestErrorsHaveTheOutputOfKubectlAndPulumi(t *testing.T) {
	t.Parallel()
	refused := dir(t, map[string]string{
		"stderr.txt": "Warning: old\nThe connection to the server localhost:8080 was refused\n",
	})
	logged := dir(t, map[string]string{
		"stderr.txt": "E1127 03:20:06.829581   31777 memcache.go:265] \"Unhandled Error\"\nrefused\n",
	})
	onlyLogged := dir(t, map[string]string{"stderr.txt": "F1127 03:20:06.829581 1 a.go:1] out of memory\n"})
	silent := dir(t, nil)
	broken := dir(t, map[string]string{"nodes.json": "{\"kind\": \"List\",\n\"items\": [}", "state.json": "{}"})
	for _, tt := range []struct {
		source sources.Source
		want   string
	}{
		{
			sources.Source{Kubectl: &sources.Kubectl{Context: refused}},
			"kubectl get nodes --output=json: Warning: old\n" +
				"kubectl get nodes --output=json: The connection to the server localhost:8080 was refused",
		},
		{sources.Source{Kubectl: &sources.Kubectl{Context: logged}}, "kubectl get nodes --output=json: refused"},
		{
			sources.Source{Kubectl: &sources.Kubectl{Context: onlyLogged}},
			"kubectl get nodes --output=json: F1127 03:20:06.829581 1 a.go:1] out of memory",
		},
		{
			sources.Source{Kubectl: &sources.Kubectl{Context: silent}},
			"kubectl get nodes --output=json: exit status 1",
		},
		{
			sources.Source{Kubectl: &sources.Kubectl{Context: broken}, ControlPlane: "1.36"},
			"kubectl get nodes: line 2: invalid character '}' looking for beginning of value",
		},
		{
			sources.Source{Stack: refused},
			"pulumi stack export --stack=DIR: Warning: old\n" +
				"pulumi stack export --stack=DIR: The connection to the server localhost:8080 was refused",
		},
		{
			sources.Source{Stack: broken},
			"pulumi stack export --stack=DIR: not the state of a stack: name a file with the output of pulumi " +
				"stack export",
		},
	} {
		_, _, err := tt.source.Read(t.Context())
		if err == nil {
			t.Errorf("no error, want %s", tt.want)
			continue
		}
		got := strings.NewReplacer(refused, "DIR", broken, "DIR").Replace(err.Error())
		if got != tt.want {
			t.Errorf("got  %s\nwant %s", got, tt.want)
		}
	}
}

func TestAStackIsExported(t *testing.T) {
	t.Parallel()
	dir := dir(t, map[string]string{"state.json": "file:testdata/states/component.json"})
	described, _, err := sources.Source{Stack: dir}.Read(t.Context())
	if err != nil || len(described.Pools) != 2 {
		t.Errorf("%+v, %v", described, err)
	}
	const want = "stack export --non-interactive --stack=DIR\n"
	if got := string(read(t, filepath.Join(dir, "args.txt"))); got != want {
		t.Errorf("pulumi was called with %q, want %q", got, want)
	}
}

func TestProgramsThatAreNotOnPath(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	for want, source := range map[string]sources.Source{
		"a cluster is read with kubectl, and there is no kubectl on PATH: install it, or save the output of `kubectl " +
			"get nodes -o json` on another machine, and name that file": {Kubectl: &sources.Kubectl{}},
		"--stack is read with pulumi, and there is no pulumi on PATH: install it, or save the output of `pulumi " +
			"stack export` on another machine, and name that file": {Stack: "prod"},
	} {
		if _, _, err := source.Read(t.Context()); err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

func TestAnInterruptionEndsAProgram(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(errors.New("interrupted"))
	_, _, err := sources.Source{Stack: dir(t, nil)}.Read(ctx)
	if err == nil || !strings.HasSuffix(err.Error(), ": interrupted") {
		t.Errorf("%v", err)
	}
}
