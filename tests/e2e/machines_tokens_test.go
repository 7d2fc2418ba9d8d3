package e2e

import (
	"context"
	"encoding/base64"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/kubernetes"

	"github.com/mixedkube/mixedkube/internal/azuresim/arm"
	"github.com/mixedkube/mixedkube/internal/lab/azurenodes"
	"github.com/mixedkube/mixedkube/internal/lab/deploy"
	"github.com/mixedkube/mixedkube/machines/bootstrap"
	"github.com/mixedkube/mixedkube/machines/kubeadm/pki"
	kubeadm "github.com/mixedkube/mixedkube/machines/kubeadm/plan"
	"github.com/mixedkube/mixedkube/tests/internal/labtest"
	"github.com/mixedkube/mixedkube/tests/internal/leaks"
)

// creation identifies a creation of a machine: each one has its own token.
type creation struct{ machine, vmID string }

// remember adds the creations of the existing machines.
func (l *machinesLab) remember(t *testing.T, all map[creation]bool) {
	t.Helper()
	for _, m := range l.machines(t) {
		all[creation{m.Machine.ComputerName, m.Machine.VMID}] = true
	}
}

// tokenSecrets returns the tokens of machines. The first machine of the control plane has none, because it creates the
// cluster.
func tokenSecrets(keys stackKeys, machines map[creation]bool) []leaks.Secret {
	var all []leaks.Secret
	for m := range machines {
		if m.machine != "control-plane-0" {
			all = append(all, leaks.Secret{
				Name: "token of " + m.machine, Text: pki.TokenSecret(keys.Token(m.machine, m.vmID)),
			})
		}
	}
	return all
}

// tokens returns the descriptions of the bootstrap tokens in the cluster: the machines that can join.
func tokens(t *testing.T, client kubernetes.Interface) []string {
	t.Helper()
	list, err := client.CoreV1().Secrets(metav1.NamespaceSystem).List(t.Context(), metav1.ListOptions{
		FieldSelector: "type=" + string(corev1.SecretTypeBootstrapToken),
	})
	check(t, err)
	names := []string{}
	for _, s := range list.Items {
		names = append(names, string(s.Data["description"]))
	}
	slices.Sort(names)
	return names
}

// checkTokens fails if machines other than want can join.
func checkTokens(t *testing.T, client kubernetes.Interface, want ...string) {
	t.Helper()
	if got := tokens(t, client); !slices.Equal(got, want) {
		t.Errorf("the tokens in the cluster are %q, want %q", got, want)
	}
}

// watchTokens reports the tokens that are created until the function that it returns is called.
func watchTokens(t *testing.T, client kubernetes.Interface) (created func() []string) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	seen, done := []string{}, make(chan struct{})
	events, err := client.CoreV1().Secrets(metav1.NamespaceSystem).Watch(ctx, metav1.ListOptions{
		FieldSelector: "type=" + string(corev1.SecretTypeBootstrapToken),
	})
	check(t, err)
	go func() {
		defer close(done)
		for event := range events.ResultChan() {
			if secret, ok := event.Object.(*corev1.Secret); ok && event.Type == watch.Added {
				seen = append(seen, string(secret.Data["description"]))
			}
		}
	}()
	return func() []string {
		cancel()
		<-done
		return seen
	}
}

// claims lets a node claim things about itself, as root on its machine can. The node gets no token again: not if it
// claims to be of another machine and of no pool, although an administrator has deleted the Job that waited for it, and
// not if it deletes itself and registers again, which is an error.
func claims(t *testing.T, l *machinesLab, stack *deploy.Stack, records string) {
	t.Helper()
	const name = "linux-30g-0"
	client := l.client(t)
	nodes := client.CoreV1().Nodes()
	update := func() (created []string, r runRecord, err error) {
		background := metav1.DeletePropagationBackground
		err = client.BatchV1().Jobs(metav1.NamespaceSystem).Delete(t.Context(), "ready-"+name,
			metav1.DeleteOptions{PropagationPolicy: &background})
		if !apierrors.IsNotFound(err) {
			check(t, err)
		}
		createdTokens := watchTokens(t, client)
		r = newRunRecord(t, stack, records)
		err = stack.Up(t.Context(), append(r.eventLog(), "--refresh", "--skip-preview")...)
		return createdTokens(), r, err
	}

	_, err := nodes.Patch(t.Context(), name, types.MergePatchType,
		[]byte(`{"metadata": {"annotations": {"mixedkube.dev/pool": null}}}`), metav1.PatchOptions{})
	check(t, err)
	_, err = nodes.Patch(t.Context(), name, types.MergePatchType,
		[]byte(`{"status": {"nodeInfo": {"systemUUID": "d0df4c54-4ecb-4a4b-9954-5bdf3ed5c3b8"}}}`),
		metav1.PatchOptions{}, "status")
	check(t, err)
	created, r, err := update()
	if err != nil {
		t.Fatalf("%v\n%s", err, r.output(t))
	}
	contains(t, strings.Join(labtest.Operations(t, r.events), "\n"),
		"create kubernetes:batch/v1:Job kubeadm-lab-linux-"+name+"-ready")
	if len(created) > 0 {
		t.Errorf("the node got a token again: %q", created)
	}

	first := nodeNamed(t, client, name)
	check(t, nodes.Delete(t.Context(), name, metav1.DeleteOptions{}))
	again, err := nodes.Create(t.Context(), &corev1.Node{
		ObjectMeta: metav1.ObjectMeta{Name: name, Labels: first.Labels, Annotations: first.Annotations},
		Spec:       first.Spec,
	}, metav1.CreateOptions{})
	check(t, err)
	created, r, err = update()
	if err == nil {
		t.Error("a node that has registered again is accepted")
	}
	contains(t, strings.Join(strings.Fields(r.output(t)), " "), fmt.Sprintf(
		"node %s has the UID %q, but its machine has joined as the node with the UID %q, which the state records", name,
		again.UID, first.UID))
	if len(created) > 0 {
		t.Errorf("the node that has registered again got a token: %q", created)
	}
}

// killedBeforeJoining kills an update while Azure creates the extension of a machine, which has a token then. The
// token is removed, as if it had expired.
func killedBeforeJoining(t *testing.T, l *machinesLab, stack *deploy.Stack, records, token string) {
	t.Helper()
	client := l.client(t)
	check(t, arm.WriteFaults(l.AzureDir(),
		[]arm.Fault{{Method: http.MethodPut, ID: "/extensions/[^/]*$", Kind: arm.Slow, Delay: time.Hour}}))
	newRunRecord(t, stack, records)
	ended := make(chan error, 1)
	go func() { ended <- stack.Up(t.Context(), "--skip-preview") }()
	eventually(t, func(context.Context) string { return notHeld(l.testLab) })
	checkTokens(t, client, token)
	l.killPulumi(t, stack, ended)
	check(t, client.CoreV1().Secrets(metav1.NamespaceSystem).DeleteCollection(t.Context(), metav1.DeleteOptions{},
		metav1.ListOptions{FieldSelector: "type=" + string(corev1.SecretTypeBootstrapToken)}))
}

// rejoinWithoutTaints recreates a machine in Azure, with a bootstrap that leaves out the taints of its pool: first with
// the token with which it has joined, which is no longer valid, then with a new one.
func rejoinWithoutTaints(t *testing.T, l *machinesLab, stack *deploy.Stack, name string) {
	t.Helper()
	was := l.machines(t)[slices.IndexFunc(l.machines(t), func(m arm.Status) bool { return m.Node == name })]
	keys := keysOf(t, stack)
	client := l.client(t)
	token := keys.Token(name, was.Machine.VMID)
	l.boot(t, keys, name, token, was.Machine.ID)
	now := l.machines(t)[slices.IndexFunc(l.machines(t),
		func(m arm.Status) bool { return m.Machine.ComputerName == name })]
	if now.Node != "" {
		t.Errorf("%s has joined with its old token", name)
	}
	contains(t, now.NotJoined, fmt.Sprintf(`the token with ID %q does not authenticate, Unauthorized: there is no`,
		pki.TokenID(token)))

	token = "tests0.notarealtoken000"
	_, err := client.CoreV1().Secrets(metav1.NamespaceSystem).Create(t.Context(), &corev1.Secret{
		ObjectMeta: metav1.ObjectMeta{Name: "bootstrap-token-" + pki.TokenID(token)},
		Type:       corev1.SecretTypeBootstrapToken,
		StringData: map[string]string{
			"token-id": pki.TokenID(token), "token-secret": pki.TokenSecret(token),
			"usage-bootstrap-authentication": "true", "description": "the test's",
			"expiration":        time.Now().Add(time.Hour).UTC().Format(time.RFC3339),
			"auth-extra-groups": "system:bootstrappers:kubeadm:default-node-token",
		},
	}, metav1.CreateOptions{})
	check(t, err)
	l.boot(t, keys, name, token, was.Machine.ID)
	check(t, client.CoreV1().Secrets(metav1.NamespaceSystem).Delete(t.Context(), "bootstrap-token-"+pki.TokenID(token),
		metav1.DeleteOptions{}))
}

// recreate makes Pulumi recreate a machine: the new machine joins with its own token and replaces the node with its
// name, and the update waits for it.
func recreate(t *testing.T, l *machinesLab, stack *deploy.Stack, r runRecord) {
	t.Helper()
	const name = "linux-30g-0"
	client := l.client(t)
	vmID := func() string {
		all := l.machines(t)
		return all[slices.IndexFunc(all, func(m arm.Status) bool { return m.Node == name })].Machine.VMID
	}
	was, before := nodeNamed(t, client, name), vmID()
	const urn = "urn:pulumi:" + machinesStack + "::mixedkube::mixedkube:kubeadm:Cluster$mixedkube:kubeadm:NodePool$" +
		"azure-native:compute:VirtualMachine::kubeadm-lab-linux-linux-30g-0"
	if err := stack.Up(t.Context(), append(r.eventLog(), "--skip-preview", "--replace", urn)...); err != nil {
		t.Fatalf("%v\n%s", err, r.output(t))
	}
	// The Job no longer exists, see [claims].
	labtest.SameLines(t, "created", `
		create kubernetes:batch/v1:Job kubeadm-lab-linux-linux-30g-0-ready
		create-replacement azure-native:compute:VirtualMachine kubeadm-lab-linux-linux-30g-0
		create-replacement azure-native:compute:VirtualMachineExtension kubeadm-lab-linux-linux-30g-0-bootstrap
		create-replacement kubernetes:core/v1:Node kubeadm-lab-linux-linux-30g-0-node
	`, slices.DeleteFunc(labtest.Operations(t, r.events),
		func(line string) bool { return !strings.HasPrefix(line, "create") }))
	if vmID() == before {
		t.Error("the machine was not replaced")
	}
	now := nodeNamed(t, client, name)
	if now.UID == was.UID || now.Status.NodeInfo.SystemUUID == was.Status.NodeInfo.SystemUUID {
		t.Error("the node was not replaced")
	}
	checkTokens(t, client)
}

func nodeNamed(t *testing.T, client kubernetes.Interface, name string) *corev1.Node {
	t.Helper()
	node, err := client.CoreV1().Nodes().Get(t.Context(), name, metav1.GetOptions{})
	check(t, err)
	return node
}

// boot recreates a Windows machine in Azure, with a token and without the taints of its pool.
func (l *machinesLab) boot(t *testing.T, keys stackKeys, name, token, id string) {
	t.Helper()
	ctx := t.Context()
	cloud := l.cloud(t)
	plan := l.plan(t)
	machine := plan.Machines()[slices.IndexFunc(plan.Machines(),
		func(m kubeadm.Machine) bool { return m.Name == name })]
	vm, err := cloud.Get(ctx, id)
	check(t, err)

	c := plan.Bootstrap(l.addresses(t))
	for i, pool := range c.Topology.Pools {
		if pool.Name == machine.Pool.Name {
			c.Topology.Pools[i].Taints, c.Topology.Pools[i].Untainted = nil, true
		}
	}
	certificates, err := keys.Certificates()
	check(t, err)
	c.CACertificate = certificates.CA.Certificate
	c.Releases, _ = c.Releases.WithHashes(l.hashes(), nil)
	public, err := bootstrap.PublicFiles(c, name)
	check(t, err)
	hidden, err := bootstrap.SecretFiles(c, name, bootstrap.Join{Token: token})
	check(t, err)
	key := bootstrap.NewPayloadKey(keys.PayloadKey(name, false))
	script := bootstrap.WindowsScript(append(public, key.File(machine.Pool.Platform)))
	command, err := bootstrap.WindowsCommand(script, hidden, key)
	check(t, err)

	check(t, cloud.Delete(ctx, id))
	err = l.client(t).CoreV1().Nodes().Delete(ctx, name, metav1.DeleteOptions{})
	if !apierrors.IsNotFound(err) {
		check(t, err)
	}
	profile := vm["properties"].(map[string]any)["osProfile"].(map[string]any)
	profile["adminPassword"], profile["customData"] = "A-password-0f-the-lab",
		base64.StdEncoding.EncodeToString([]byte(script))
	_, err = cloud.Put(ctx, id, vm)
	check(t, err)
	_, err = cloud.Put(ctx, id+"/extensions/bootstrap",
		arm.Body{"location": "westeurope", "properties": map[string]any{
			"publisher": "Microsoft.Compute", "type": "CustomScriptExtension", "typeHandlerVersion": "1.10",
			"autoUpgradeMinorVersion": true,
			"protectedSettings":       map[string]any{"commandToExecute": command},
		}})
	check(t, err)
}

// cloud opens the lab's Azure, whose machines join the cluster.
func (l *machinesLab) cloud(t *testing.T) *arm.Cloud {
	t.Helper()
	cloud, err := arm.Open(l.AzureDir(), arm.Options{
		Join: func(ctx context.Context, j arm.Join) error { return azurenodes.Join(ctx, l.Kubeconfig(), j) },
	})
	check(t, err)
	return cloud
}
