package e2e

import (
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/clientcmd"
	"sigs.k8s.io/yaml"

	"github.com/mixedkube/mixedkube/internal/azuresim/arm"
	"github.com/mixedkube/mixedkube/internal/lab/deploy"
	"github.com/mixedkube/mixedkube/machines/kubeadm/pki"
	"github.com/mixedkube/mixedkube/machines/kubeadm/plan"
	"github.com/mixedkube/mixedkube/stacks/stackconfig"
)

// TestKeysThatHaveLeaked follows docs/leaked-keys.md with the configurations of the page: first a kubeconfig has
// leaked, then the secret. Each update of the first part fails once, and then continues.
func TestKeysThatHaveLeaked(t *testing.T) {
	t.Parallel()
	l := newMachinesLab(t)
	l.Out.Redirect(io.Discard)
	l.kubeadm()["controlPlane"] = map[string]any{"count": 3}
	l.config["mixedkube:workloads"] = []string{"linux-web"}
	l.setPools(t, "name: linux, platform: linux, size: Standard_D4s_v5, count: 2",
		"name: win, platform: windows-2022, size: Standard_D4s_v5, count: 1")
	stack := l.start(t)
	check(t, stack.SetSecret(t.Context(), stackconfig.KeyWindowsPassword, "Correct-Horse-Battery-9"))
	check(t, stack.Up(t.Context(), "--skip-preview"))
	client := l.client(t)
	pods := startSteady(t, client, map[string]string{"kubernetes.io/os": "linux"}, 1)
	steps := leakedKeysSteps(t)
	if len(steps) != 6 {
		t.Fatalf("docs/leaked-keys.md has %d configurations", len(steps))
	}

	l.keysStay(t, stack)
	l.refusesChangedKeys(t, stack)
	l.refusesUntrustedKeys(t, stack, steps[1])
	leaked := administrator(t, stack)
	leaked.wantAccepted(t, "before")
	// The update fails on the second machine of the control plane: in its script, in Azure after the script, and in
	// Azure before the script.
	for i, kind := range []arm.FaultKind{arm.FailScript, arm.FailAfter, arm.Fail} {
		check(t, arm.WriteFaults(l.AzureDir(), []arm.Fault{{
			Method: http.MethodPut, ID: "/kubeadm-lab-control-plane-1/runCommands/", Kind: kind, Times: arm.Always,
		}}))
		l.setKeys(t, steps[i])
		nodes := nodeNames(t, client)
		if err := stack.Up(t.Context(), "--skip-preview"); err == nil {
			t.Fatalf("update %d: it does not fail with %s", i+1, kind)
		}
		equalNames(t, "nodes after a failed update", nodes, nodeNames(t, client))
		check(t, arm.WriteFaults(l.AzureDir(), nil))
		if i < 2 {
			l.refusesTheNext(t, stack, steps[i+1])
			l.setKeys(t, steps[i])
		}
		l.update(t, stack)
		l.wantKeys(t, stack, steps[i])
		changed := !slices.Equal(poolNodes(nodes), poolNodes(nodeNames(t, client)))
		if changed != (i < 2) {
			t.Errorf("update %d: the machines changed: %t, from %q to %q", i+1, changed, nodes, nodeNames(t, client))
		}
		now := administrator(t, stack)
		now.wantAccepted(t, "in the update "+steps[i].name())
		if i < 2 {
			leaked.trusting(t, now).wantAccepted(t, "with the old certificate, in the update "+steps[i].name())
		}
	}
	leaked.wantRefused(t)

	leaked = administrator(t, stack)
	for _, step := range steps[3:] {
		l.setKeys(t, step)
		l.update(t, stack)
		l.wantKeys(t, stack, step)
	}
	leaked.wantRefused(t)
	administrator(t, stack).wantAccepted(t, "at the end")
	pods.end(t, "")
}

// keysStay refreshes the state, and exports and imports it: the secrets must not be generated again.
func (l *machinesLab) keysStay(t *testing.T, stack *deploy.Stack) {
	t.Helper()
	before := keysOf(t, stack).generated
	check(t, stack.Up(t.Context(), "--refresh", "--skip-preview"))
	editState(t, stack, func(text string) string { return text })
	check(t, stack.Preview(t.Context(), "--expect-no-changes"))
	equalNames(t, "secrets", before, keysOf(t, stack).generated)
}

// refusesChangedKeys stores another authority in the state: the preview must fail, without showing a secret.
func (l *machinesLab) refusesChangedKeys(t *testing.T, stack *deploy.Stack) {
	t.Helper()
	keys := keysOf(t, stack)
	prints, err := keys.Fingerprints(0)
	check(t, err)
	is, was := prints[pki.ClusterCA], strings.Repeat("0123456789abcdef", 4)
	editState(t, stack, func(text string) string { return strings.ReplaceAll(text, is, was) })
	l.Out.Take()
	if err := stack.Preview(t.Context()); err == nil {
		t.Error("the preview accepts another authority")
	}
	text := l.Out.Take()
	contains(t, text, "keys.cluster: Forbidden: generation 0 has another key: its SHA-256 was "+was+", and is "+is+
		" now: ", "(MK666)")
	if strings.Contains(text, keys.generated[0]) {
		t.Errorf("the error shows the secret:\n%s", text)
	}
	editState(t, stack, func(text string) string { return strings.ReplaceAll(text, was, is) })
	check(t, stack.Preview(t.Context(), "--expect-no-changes"))
}

// refusesUntrustedKeys leaves out the first step of a rotation, without a preview and repeatedly.
func (l *machinesLab) refusesUntrustedKeys(t *testing.T, stack *deploy.Stack, step keysStep) {
	t.Helper()
	l.setKeys(t, step)
	for range 2 {
		l.Out.Take()
		if err := stack.Up(t.Context(), "--skip-preview"); err == nil {
			t.Error("the update accepts an authority that is not trusted")
		}
		contains(t, l.Out.Take(), "keys.cluster.generation: Invalid value: 1: not all machines and clients trust "+
			"this generation yet: ",
			"(MK667)")
	}
}

// refusesTheNext tries the step after a failed one.
func (l *machinesLab) refusesTheNext(t *testing.T, stack *deploy.Stack, step keysStep) {
	t.Helper()
	l.setKeys(t, step)
	l.Out.Take()
	if err := stack.Preview(t.Context()); err == nil {
		t.Errorf("%s: the preview passes, although the previous step has failed", step.name())
	}
	contains(t, l.Out.Take(), "(MK667)")
}

// keysStep is a configuration in the page.
type keysStep struct {
	text string
	keys plan.Keys
}

func (s keysStep) name() string { return strings.Join(strings.Fields(s.text), " ") }

var yamlBlock = regexp.MustCompile("(?s)```yaml\n(.*?)```")

// leakedKeysSteps returns the configurations in the page, in order.
func leakedKeysSteps(t *testing.T) []keysStep {
	t.Helper()
	page, err := os.ReadFile(filepath.FromSlash("../../docs/leaked-keys.md"))
	check(t, err)
	var steps []keysStep
	for _, found := range yamlBlock.FindAllStringSubmatch(string(page), -1) {
		// The blocks are in list items.
		text := strings.ReplaceAll(found[1], "\n   ", "\n")
		text = strings.TrimPrefix(text, "   ")
		var config struct {
			Kubeadm struct {
				Keys plan.Keys `json:"keys"`
			} `json:"mixedkube:kubeadm"`
		}
		check(t, yaml.UnmarshalStrict([]byte(text), &config))
		steps = append(steps, keysStep{text, config.Kubeadm.Keys})
	}
	return steps
}

func (l *machinesLab) setKeys(t *testing.T, step keysStep) {
	t.Helper()
	l.kubeadm()["keys"] = step.keys
	l.write(t)
}

// update deploys, and checks that no changes are left.
func (l *machinesLab) update(t *testing.T, stack *deploy.Stack) {
	t.Helper()
	if err := stack.Up(t.Context(), "--skip-preview"); err != nil {
		t.Fatalf("%v\n%s", err, l.Out.Take())
	}
	check(t, stack.Preview(t.Context(), "--expect-no-changes"))
}

// wantKeys compares the keys on each machine of the control plane with those in use.
func (l *machinesLab) wantKeys(t *testing.T, stack *deploy.Stack, step keysStep) {
	t.Helper()
	k := keysOf(t, stack).Keys
	uses := step.keys.Uses()
	k.Cluster, k.Etcd, k.FrontProxy, k.ServiceAccounts = uses.Cluster, uses.Etcd, uses.FrontProxy, uses.ServiceAccounts
	c, err := k.Certificates()
	check(t, err)
	want := map[string]string{
		"ca.crt": c.CA.Certificate, "ca.key": c.CA.PrivateKey,
		"etcd/ca.crt": c.EtcdCA.Certificate, "etcd/ca.key": c.EtcdCA.PrivateKey,
		"front-proxy-ca.crt": c.FrontProxyCA.Certificate, "front-proxy-ca.key": c.FrontProxyCA.PrivateKey,
		"sa.pub": c.ServiceAccount.Certificate, "sa.key": c.ServiceAccount.PrivateKey,
	}
	cloud, err := arm.Open(l.AzureDir(), arm.Options{})
	check(t, err)
	machines := 0
	for _, m := range l.machines(t) {
		if !strings.HasPrefix(m.Machine.ComputerName, "control-plane-") {
			continue
		}
		machines++
		// The interface has the name of the machine.
		nic := strings.Replace(m.Machine.ID, "Microsoft.Compute/virtualMachines",
			"Microsoft.Network/networkInterfaces", 1)
		booted, err := cloud.ControlPlane(t.Context(), []string{nic})
		check(t, err)
		for file, text := range want {
			if booted.Keys[file] != text {
				t.Errorf("%s: %s of %s is not the expected one", step.name(), file, m.Machine.ComputerName)
			}
		}
	}
	if machines != 3 {
		t.Errorf("there are %d machines in the control plane, want 3", machines)
	}
}

// kubeconfig is a kubeconfig of an administrator.
type kubeconfig struct {
	stack *deploy.Stack
	text  string
}

// administrator returns the kubeconfig that the stack exports.
func administrator(t *testing.T, stack *deploy.Stack) kubeconfig {
	t.Helper()
	return kubeconfig{stack, exported(t, stack, "kubeconfig")}
}

// list lists the nodes of the cluster.
func (k kubeconfig) list(t *testing.T) error {
	t.Helper()
	address, stop, err := k.stack.Azure.Proxy(t.Context())
	check(t, err)
	defer stop()
	proxy, err := url.Parse(address)
	check(t, err)
	config, err := clientcmd.RESTConfigFromKubeConfig([]byte(k.text))
	check(t, err)
	config.Proxy = http.ProxyURL(proxy)
	client, err := kubernetes.NewForConfig(config)
	check(t, err)
	_, err = client.CoreV1().Nodes().List(t.Context(), metav1.ListOptions{})
	return err
}

func (k kubeconfig) wantAccepted(t *testing.T, when string) {
	t.Helper()
	if err := k.list(t); err != nil {
		t.Errorf("%s: %v", when, err)
	}
}

// wantRefused checks that the kubeconfig no longer trusts the API server, and that the API server no longer trusts it.
func (k kubeconfig) wantRefused(t *testing.T) {
	t.Helper()
	if err := k.list(t); err == nil || !strings.Contains(err.Error(), "certificate signed by unknown authority") {
		t.Errorf("the kubeconfig trusts the API server: %v", err)
	}
	err := k.trusting(t, administrator(t, k.stack)).list(t)
	if !apierrors.IsUnauthorized(err) {
		t.Errorf("the API server trusts the certificate: %v", err)
	}
}

// trusting returns the kubeconfig with the authorities of another one.
func (k kubeconfig) trusting(t *testing.T, other kubeconfig) kubeconfig {
	t.Helper()
	config, err := clientcmd.Load([]byte(k.text))
	check(t, err)
	from, err := clientcmd.Load([]byte(other.text))
	check(t, err)
	for name, cluster := range config.Clusters {
		cluster.CertificateAuthorityData = from.Clusters[name].CertificateAuthorityData
	}
	text, err := clientcmd.Write(*config)
	check(t, err)
	return kubeconfig{k.stack, string(text)}
}

// nodeNames returns the sorted names of all nodes.
func nodeNames(t *testing.T, client kubernetes.Interface) []string {
	t.Helper()
	list, err := client.CoreV1().Nodes().List(t.Context(), metav1.ListOptions{})
	check(t, err)
	var names []string
	for _, n := range list.Items {
		names = append(names, n.Name)
	}
	slices.Sort(names)
	return names
}

func poolNodes(names []string) []string {
	return slices.DeleteFunc(slices.Clone(names), func(n string) bool { return strings.HasPrefix(n, "control-plane-") })
}

func equalNames(t *testing.T, what string, want, got []string) {
	t.Helper()
	if !slices.Equal(want, got) {
		t.Errorf("%s are %q, want %q", what, got, want)
	}
}
