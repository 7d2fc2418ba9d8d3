package lab

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/internal/lab/tools"
)

// newCheckout creates a directory that looks like a checkout, with one stack. In these
// tests the lab fails before it needs a tool.
func newCheckout(t *testing.T, stack string) string {
	t.Helper()
	root := t.TempDir()
	files := map[string]string{
		"go.mod":                               "module github.com/mixedkube/mixedkube\n",
		"internal/lab/tools/kubernetes/go.mod": "module k\n\nrequire k8s.io/kubernetes v1.36.3\n",
		"stacks/Pulumi.lab.yaml":               stack,
		"stacks/Pulumi.lab-given.yaml":         stack,
	}
	for name, content := range files {
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

func newTestLab(t *testing.T, root, dir string, out io.Writer) *Lab {
	t.Helper()
	cache, err := tools.FromRoot(root, out)
	if err != nil {
		t.Fatal(err)
	}
	l, err := New(cache, dir, out)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

const goodStack = `config:
  mixedkube:cluster: {kubernetesVersion: "1.36", pools: [{name: linux, platform: linux}]}
  mixedkube:workloads: []
`

func TestUpRefusesBeforeItStarts(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, stack, choose, want string
	}{
		{
			"a stack that does not exist", goodStack, "lab-gven",
			`unknown stack "lab-gven": did you mean "lab-given"? (use lab or lab-given)`,
		},
		{
			"invalid YAML", "config: [", "lab",
			"stacks/Pulumi.lab.yaml: yaml: line 1: did not find expected node content",
		},
		{
			"everything that is wrong with the configuration, at once", `config:
  mixedkube:cluster:
    kubernetesVersion: "1.36"
    pools:
      - {name: win, platform: windows-2021}
      - {name: win, platform: windows-2022, mode: System, taints: ["os=windows:NoSchedul"], ` +
				`kubernetesVersion: "1.37", cout: 3}
  mixedkube:worklods: []
`, "lab",
			`stacks/Pulumi.lab.yaml: stack configuration:
  mixedkube:cluster.pools[0].platform: Invalid value: "windows-2021": unknown platform: did you mean "windows-2022"? ` +
				`a pool runs linux, windows-2019, windows-2022 or windows-2025
  mixedkube:cluster.pools[1].cout: Invalid value: "cout": unknown key: did you mean "count"? ` +
				`(use name, platform, mode, count, empty, autoscaling, size, osDiskSizeGB, ` +
				`osDiskType, zones, spot, spotMaxPrice, fips, disableOutboundNAT, maxPods, reserved, reported, ` +
				`upgrade, kubernetesVersion, labels, taints or untainted)
  mixedkube:cluster.pools[1].kubernetesVersion: Invalid value: "1.37": newer than the control plane (1.36), ` +
				`which a kubelet must not be: upgrade the control plane first, or use 1.36
  mixedkube:cluster.pools[1].mode: Invalid value: "System": ` +
				`a Windows pool cannot host the cluster's system pods: use User, and a Linux pool for System
  mixedkube:cluster.pools[1].name: Duplicate value: "win": mixedkube:cluster.pools[0] has this name already: ` +
				`give each pool a name of its own
  mixedkube:cluster.pools[1].taints[0]: Invalid value: "os=windows:NoSchedul": effect "NoSchedul": ` +
				`did you mean "NoSchedule"? valid effects are NoSchedule, PreferNoSchedule, NoExecute
  mixedkube:workloads: Required value: list what to deploy, or write [] for nothing
  mixedkube:worklods: Invalid value: "mixedkube:worklods": unknown key: did you mean "mixedkube:workloads"? ` +
				`(use mixedkube:cluster, mixedkube:aks, mixedkube:kubeadm, ` +
				`mixedkube:windowsPassword, mixedkube:workloads, mixedkube:installed or mixedkube:connectivity)`,
		},
		{
			"everything that is wrong with a cluster in Azure, except the password, which the lab generates",
			goodStack + "  mixedkube:aks: {azureCli: true, location: [here]}\n", "lab",
			`stacks/Pulumi.lab.yaml: stack configuration:
  mixedkube:aks.azureCli: Invalid value: "azureCli": unknown key: did you mean "azureCLI"? ` +
				"(use resourceGroupName, clusterName, location, network, windowsAdmin, entraID, login, " +
				`azureCLI, unprotected or retryBackoffSeconds)
  mixedkube:aks.location: Invalid value: "a list": must be a string`,
		},
		{
			"a Kubernetes that the lab does not have", strings.Replace(goodStack, "1.36", "1.35", 1), "lab",
			`stack configuration: mixedkube:cluster.kubernetesVersion: Invalid value: "1.35": the lab's control ` +
				`plane is Kubernetes v1.36.3: use "1.36"`,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			root := newCheckout(t, c.stack)
			dir := filepath.Join(root, ".lab")
			l := newTestLab(t, root, dir, new(bytes.Buffer))
			err := l.Up(t.Context(), Options{Stack: c.choose})
			if err == nil {
				t.Fatal("nothing is refused")
			}
			if diff := cmp.Diff(c.want, err.Error()); diff != "" {
				t.Errorf("error (-want +got):\n%s", diff)
			}
			if _, err := os.Stat(dir); !os.IsNotExist(err) {
				t.Errorf("something is left in %s: %v", dir, err)
			}
		})
	}
}

func TestADirectoryWithACommaIsRefused(t *testing.T) {
	t.Parallel()
	root := newCheckout(t, goodStack)
	cache, err := tools.FromRoot(root, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(root, "a,b", ".lab")
	_, err = New(cache, dir, io.Discard)
	if want := "the lab cannot be in " + dir + ": choose a directory without a comma in its path"; err == nil ||
		err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

func TestOneCommandAtATime(t *testing.T) {
	t.Parallel()
	root := newCheckout(t, goodStack)
	dir := filepath.Join(root, ".lab")
	first := newTestLab(t, root, dir, new(bytes.Buffer))
	unlock, err := first.lock()
	if err != nil {
		t.Fatal(err)
	}
	second := newTestLab(t, root, dir, new(bytes.Buffer))
	want := "another command is running on the lab in " + dir + ": wait until it has ended"
	for name, command := range map[string]func() error{
		"up":   func() error { return second.Up(t.Context(), Options{Stack: "lab"}) },
		"down": second.Down,
	} {
		if err := command(); err == nil || err.Error() != want {
			t.Errorf("%s: got %v, want %s", name, err, want)
		}
	}
	unlock()
	if err := second.Down(); err != nil {
		t.Errorf("down, once the first has ended: %v", err)
	}
}

func TestALabHasOneStack(t *testing.T) {
	t.Parallel()
	root := newCheckout(t, goodStack)
	dir := filepath.Join(root, ".lab")
	l := newTestLab(t, root, dir, new(bytes.Buffer))
	unlock, err := l.lock()
	if err != nil {
		t.Fatal(err)
	}
	unlock()
	if err := os.WriteFile(l.stackNote(), []byte("lab"), 0o600); err != nil {
		t.Fatal(err)
	}
	err = l.Up(t.Context(), Options{Stack: "lab-given"})
	if want := "the lab runs the stack lab: take it down with `make down` before you start lab-given"; err == nil ||
		err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

func TestWithoutACluster(t *testing.T) {
	t.Parallel()
	root := newCheckout(t, goodStack)
	out := new(bytes.Buffer)
	l := newTestLab(t, root, filepath.Join(root, ".lab"), out)
	if err := l.Status(t.Context()); err == nil || err.Error() != "there is no cluster: start it with `make up`" {
		t.Errorf("status: got %v", err)
	}
	if err := l.Down(); err != nil {
		t.Errorf("down: %v", err)
	}
	if want := "lab      there is nothing in " + filepath.Join(root, ".lab") + "\n"; out.String() != want {
		t.Errorf("down prints %q, want %q", out.String(), want)
	}
}
