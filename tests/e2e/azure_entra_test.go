package e2e

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	authenticationv1 "k8s.io/api/authentication/v1"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/clientcmd"

	"github.com/mixedkube/mixedkube/internal/lab/deploy"
	"github.com/mixedkube/mixedkube/internal/lab/tools"
	"github.com/mixedkube/mixedkube/internal/system/executable"
	"github.com/mixedkube/mixedkube/tests/internal/labtest"
)

// entraStep is a login with its expected effects.
type entraStep struct {
	name, login string
	// pool is the first pool.
	pool string
	// moved sets another address of the API server in the kubeconfig of Azure.
	moved bool
	// operations are the operations of Pulumi; calls are the distinct calls of kubelogin.
	operations, calls string
}

const (
	onePool  = "name: sys, platform: linux, mode: System, size: Standard_D4s_v5, count: 1"
	twoNodes = "name: sys, platform: linux, mode: System, size: Standard_D4s_v5, count: 2"
	// withSecret is the text that the fake kubelogin appends to a call if the environment has a secret.
	withSecret = " (AZURE_CLIENT_SECRET is set)"
	server     = " --server-id 6dae42f8-4368-4678-94ff-3960e28e3630"
)

// entraSteps are the steps after the creation. Each depends on the previous ones.
var entraSteps = []entraStep{
	{
		name: "a service principal", pool: onePool,
		login: "{mode: spn, clientID: 22222222-2222-2222-2222-222222222222}",
		operations: `
			update pulumi:providers:kubernetes lab-kubernetes
		`,
		calls: "get-token --login spn" + server + " --client-id 22222222-2222-2222-2222-222222222222" +
			" --tenant-id 00000000-0000-0000-0000-0000000000aa --environment AzurePublicCloud",
	},
	{
		name: "a workload identity, of a cluster that changes", pool: twoNodes,
		login: "{mode: workloadidentity}",
		operations: `
			update azure-native:containerservice:ManagedCluster lab-cluster
			update pulumi:providers:kubernetes lab-kubernetes
		`,
		calls: "get-token --login workloadidentity" + server,
	},
	{
		name: "another address of the API server", pool: twoNodes, moved: true,
		login: "{mode: azurecli}",
		operations: `
			update pulumi:providers:kubernetes lab-kubernetes
		`,
		calls: "get-token --login azurecli" + server,
	},
	{
		name: "the administrator's certificate", pool: twoNodes,
		login: "{mode: admin}",
		operations: `
			update pulumi:providers:kubernetes lab-kubernetes
		`,
	},
}

// TestEntraID deploys into a cluster with Microsoft Entra ID, with a fake kubelogin whose tokens the API server
// accepts. A change of the login must update the provider in place, and nothing else.
func TestEntraID(t *testing.T) {
	t.Parallel()
	l := newAzureLab(t)
	l.configureLogin(t, onePool, "{}")
	stack := l.start(t)
	client := l.client(t)
	login := fakeKubelogin(t, stack)
	token := tokenOfAdministrator(t, client)
	login.answer(t, token)
	records := t.TempDir()

	up := func(t *testing.T) (operations []string, output string, err error) {
		t.Helper()
		r := newRunRecord(t, stack, records)
		err = stack.Up(t.Context(), append([]string{"--skip-preview", "--diff"}, r.eventLog()...)...)
		return operationsOf(t, r), r.output(t), err
	}
	_, out, err := up(t)
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	labtest.SameLines(t, "calls of kubelogin", "get-token --login azurecli"+server+withSecret, login.take(t))
	if _, err := client.AppsV1().Deployments("default").Get(t.Context(), "linux-web", metav1.GetOptions{}); err != nil {
		t.Errorf("nothing was deployed: %v", err)
	}

	for _, c := range entraSteps {
		t.Run(c.name, func(t *testing.T) {
			l.configureLogin(t, c.pool, c.login)
			if c.moved {
				stack.Kubeconfig = movedKubeconfig(t, l.Kubeconfig(), records)
			}
			r := newRunRecord(t, stack, records)
			if err := stack.Preview(t.Context(), "--diff"); err != nil || strings.Contains(r.output(t), "replace") {
				t.Errorf("the preview replaces something, or fails: %v\n%s", err, r.output(t))
			}
			_ = login.take(t)
			done, out, err := up(t)
			if err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			labtest.SameLines(t, "operations", c.operations, done)
			want := c.calls
			if want != "" {
				want += withSecret
			}
			labtest.SameLines(t, "calls of kubelogin", want, login.take(t))
		})
	}
	t.Run("an invalid token", func(t *testing.T) {
		l.configureLogin(t, twoNodes, "{mode: azurecli}", "iis")
		login.answer(t, "not-a-token")
		_, out, err := up(t)
		const want = "the server has asked for the client to provide credentials"
		if err == nil || !strings.Contains(out, want) {
			t.Errorf("the error is %v, want %q in the output:\n%s", err, want, out)
		}
	})
	login.answer(t, token)
	check(t, stack.Destroy(t.Context()))
}

// movedKubeconfig copies a kubeconfig with another address of the same API server. Without a clusterIdentifier,
// pulumi-kubernetes treats it as another cluster.
func movedKubeconfig(t *testing.T, path, dir string) string {
	t.Helper()
	config, err := clientcmd.LoadFromFile(path)
	check(t, err)
	for _, cluster := range config.Clusters {
		before := cluster.Server
		cluster.Server = strings.Replace(before, "127.0.0.1", "localhost", 1)
		if cluster.Server == before {
			t.Fatalf("the API server is at %s", before)
		}
	}
	moved := filepath.Join(dir, "kubeconfig")
	check(t, clientcmd.WriteToFile(*config, moved))
	return moved
}

// operationsOf returns the operations of a run, or nil if the run has not written events.
func operationsOf(t *testing.T, r runRecord) []string {
	t.Helper()
	if _, err := os.Stat(r.events); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return labtest.Operations(t, r.events)
}

// configureLogin configures a cluster with Microsoft Entra ID and a login.
func (l azureLab) configureLogin(t *testing.T, pool, login string, workloads ...string) {
	t.Helper()
	const windows = "name: win, platform: windows-2022, size: Standard_D4s_v5, count: 1"
	l.configure(t, "1.36", []string{pool, windows}, append(workloads, "linux-web")...)
	file := deploy.StackFile(l.Stacks, "lab")
	content, err := os.ReadFile(file)
	check(t, err)
	const before = "mixedkube:aks: {"
	if !strings.Contains(string(content), before) {
		t.Fatalf("%s is not in %s", before, content)
	}
	text := strings.Replace(string(content), before, before+"entraID: {}, login: "+login+", ", 1)
	check(t, os.WriteFile(file, []byte(text), 0o600))
}

// kubelogin is a fake kubelogin that records its calls and returns a token.
type kubelogin struct{ calls, token string }

// fakeKubelogin adds a fake kubelogin to the PATH of the stack, and a secret to the stack's environment.
func fakeKubelogin(t *testing.T, stack *deploy.Stack) kubelogin {
	t.Helper()
	dir := t.TempDir()
	k := kubelogin{filepath.Join(dir, "calls"), filepath.Join(dir, "token")}
	path := filepath.Join(dir, "kubelogin")
	script := fmt.Sprintf(`#!/bin/sh
echo "$*${AZURE_CLIENT_SECRET:+%s}" >> '%s'
echo '{"apiVersion": "client.authentication.k8s.io/v1beta1", "kind": "ExecCredential",'
echo '"status": {"token": "'"$(cat '%s')"'"}}'
`, withSecret, k.calls, k.token)
	check(t, executable.Write(path, []byte(script), 0o700))
	with := *stack.Azure
	with.Commands = append(slices.Clone(with.Commands), tools.Command{Name: "kubelogin", Path: path})
	with.Environ = append(slices.Clone(with.Environ), "AZURE_CLIENT_SECRET=hush")
	stack.Azure = &with
	return k
}

func (k kubelogin) answer(t *testing.T, token string) {
	t.Helper()
	check(t, os.WriteFile(k.token, []byte(token), 0o600))
}

// take returns the distinct calls since the last take.
func (k kubelogin) take(t *testing.T) []string {
	t.Helper()
	content, err := os.ReadFile(k.calls)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	check(t, err)
	check(t, os.Remove(k.calls))
	lines := labtest.Lines(string(content))
	slices.Sort(lines)
	return slices.Compact(lines)
}

// tokenOfAdministrator returns a token of a service account that is cluster-admin until the test ends.
func tokenOfAdministrator(t *testing.T, client kubernetes.Interface) string {
	t.Helper()
	const account = "default"
	bindings := client.RbacV1().ClusterRoleBindings()
	binding, err := bindings.Create(t.Context(), &rbacv1.ClusterRoleBinding{
		ObjectMeta: metav1.ObjectMeta{GenerateName: "entra-"},
		RoleRef:    rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "ClusterRole", Name: "cluster-admin"},
		Subjects:   []rbacv1.Subject{{Kind: "ServiceAccount", Namespace: corev1.NamespaceDefault, Name: account}},
	}, metav1.CreateOptions{})
	check(t, err)
	t.Cleanup(func() {
		if err := bindings.Delete(context.Background(), binding.Name, metav1.DeleteOptions{}); err != nil {
			t.Error(err)
		}
	})
	made, err := client.CoreV1().ServiceAccounts(corev1.NamespaceDefault).CreateToken(t.Context(), account,
		&authenticationv1.TokenRequest{}, metav1.CreateOptions{})
	check(t, err)
	return made.Status.Token
}
