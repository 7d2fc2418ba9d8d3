package cluster

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"maps"
	"math/big"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes/fake"
	clienttesting "k8s.io/client-go/testing"

	"github.com/mixedkube/mixedkube/internal/azuresim/machine"
	"github.com/mixedkube/mixedkube/internal/testkit/casetest"
)

const joinToken = "tests0.notarealtoken000"

// newAuthority returns the certificate of a new authority, in PEM, and the hash of its public key.
func newAuthority(t *testing.T) (text, hash string) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "kubernetes"}, IsCA: true,
		BasicConstraintsValid: true,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	cert, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	return string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})),
		fmt.Sprintf("sha256:%x", sha256.Sum256(cert.RawSubjectPublicKeyInfo))
}

func key(text string) string {
	return string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: []byte(text)}))
}

// sharedKeys returns all keys that the machines of a control plane share.
func sharedKeys(ca string) map[string]string {
	return map[string]string{
		"ca.crt": ca, "ca.key": key("ca"), "sa.pub": key("sa.pub"), "sa.key": key("sa"),
		"front-proxy-ca.crt": key("front.crt"),
		"front-proxy-ca.key": key("front"), "etcd/ca.crt": key("etcd.crt"), "etcd/ca.key": key("etcd"),
	}
}

// firstMachine returns the request of the machine that creates the cluster.
func firstMachine(ca string) JoinRequest {
	return JoinRequest{
		Machine: machine.Machine{
			ID: "/machines/cp-1", VMID: "d0df4c54-4ecb-4a4b-9954-5bdf3ed5c3b8", ComputerName: "CP-1",
			Size:    "Standard_D2s_v5",
			Address: netip.MustParseAddr("10.0.0.4"),
		},
		Bootstrap: machine.Bootstrap{
			Init: true, ControlPlane: true, NodeName: "cp-1", Version: "v1.36.1", Endpoint: "api.example.com:6443",
			Token: joinToken, ClusterInfo: true,
			Keys: sharedKeys(ca), Taints: []corev1.Taint{{Key: controlPlaneRole, Effect: "NoSchedule"}},
		},
		Version: "v1.36.3",
	}
}

// windowsMachine returns the request of a machine that joins the cluster.
func windowsMachine(ca, hash string) JoinRequest {
	first := firstMachine(ca).Bootstrap
	return JoinRequest{
		Machine: machine.Machine{
			ID: "/machines/win-1", VMID: "D0DF4C54-4ECB-4A4B-9954-5BDF3ED5C3B9", ComputerName: "win-1",
			Windows: true, Size: "Standard_D8s_v5",
			Address: netip.MustParseAddr("10.0.0.20"),
			Image: machine.Image{
				Publisher: "MicrosoftWindowsServer", Offer: "WindowsServer",
				SKU: "2022-datacenter-core-g2",
			},
		},
		Bootstrap: machine.Bootstrap{
			NodeName: "win-1", Endpoint: "API.example.com:6443", Token: joinToken, CACertHashes: []string{hash},
			Labels: map[string]string{"tier": "web"},
			Taints: []corev1.Taint{{Key: "os", Value: "windows", Effect: "NoSchedule"}},
		},
		ControlPlane: &first, Version: "v1.36.3",
	}
}

func tokenObject() *corev1.Secret {
	return &corev1.Secret{
		ObjectMeta: metav1.ObjectMeta{Name: "bootstrap-token-tests0", Namespace: "kube-system"},
		Type:       "bootstrap.kubernetes.io/token",
		Data: map[string][]byte{
			"token-id": []byte("tests0"), "token-secret": []byte("notarealtoken000"),
			"expiration":                     []byte("2099-01-01T00:00:00Z"),
			"usage-bootstrap-authentication": []byte("true"), "usage-bootstrap-signing": []byte("true"),
			"auth-extra-groups": []byte("system:bootstrappers:other,system:bootstrappers:kubeadm:default-node-token"),
		},
	}
}

// simulated returns a cluster with KWOK, which makes nodes with its annotation ready.
func simulated(objects ...runtime.Object) *fake.Clientset {
	client := fake.NewClientset(objects...)
	play := func(action clienttesting.Action) (bool, runtime.Object, error) {
		node := action.(clienttesting.CreateAction).GetObject().(*corev1.Node)
		if node.Annotations[managedByKWOK] != "" {
			node.Status.Conditions = []corev1.NodeCondition{{Type: corev1.NodeReady, Status: corev1.ConditionTrue}}
		}
		return false, nil, nil
	}
	client.PrependReactor("create", "nodes", play)
	client.PrependReactor("update", "nodes", play)
	return client
}

func nodeOf(t *testing.T, client *fake.Clientset, name string) *corev1.Node {
	t.Helper()
	node, err := client.CoreV1().Nodes().Get(t.Context(), name, metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return node
}

func TestJoinRegistersNodesAsTheKubeletDoes(t *testing.T) {
	t.Parallel()
	ca, hash := newAuthority(t)
	client := simulated()
	for _, j := range []JoinRequest{firstMachine(ca), windowsMachine(ca, hash)} {
		if err := (Cluster{}).Join(t.Context(), client, j); err != nil {
			t.Fatal(err)
		}
	}
	capacity := func(cpu, memory string) corev1.ResourceList {
		return corev1.ResourceList{
			"cpu": resource.MustParse(cpu), "memory": resource.MustParse(memory),
			"pods": resource.MustParse("110"),
		}
	}
	ready := []corev1.NodeCondition{{Type: "Ready", Status: "True"}}
	for _, want := range []*corev1.Node{
		{
			TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "Node"},
			ObjectMeta: metav1.ObjectMeta{
				Name: "cp-1", Annotations: map[string]string{"kwok.x-k8s.io/node": "fake"},
				Labels: map[string]string{
					"kubernetes.io/os": "linux", "kubernetes.io/arch": "amd64", "kubernetes.io/hostname": "cp-1",
					"beta.kubernetes.io/os": "linux", "beta.kubernetes.io/arch": "amd64",
					"node-role.kubernetes.io/control-plane":                   "",
					"node.kubernetes.io/exclude-from-external-load-balancers": "",
				},
			},
			Spec: corev1.NodeSpec{Taints: []corev1.Taint{{
				Key:    "node-role.kubernetes.io/control-plane",
				Effect: "NoSchedule",
			}}},
			Status: corev1.NodeStatus{
				Conditions: ready, Capacity: capacity("2", "7964Mi"), Allocatable: capacity("2", "7964Mi"),
				Addresses: []corev1.NodeAddress{
					{Type: "InternalIP", Address: "10.0.0.4"},
					{Type: "Hostname", Address: "cp-1"},
				},
				NodeInfo: corev1.NodeSystemInfo{
					OperatingSystem: "linux", Architecture: "amd64", OSImage: "Linux", KernelVersion: "simulated",
					KubeletVersion: "v1.36.1", ContainerRuntimeVersion: "containerd://simulated",
					SystemUUID: "544cdfd0-cb4e-4b4a-9954-5bdf3ed5c3b8",
				},
			},
		},
		{
			TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "Node"},
			ObjectMeta: metav1.ObjectMeta{
				Name: "win-1", Annotations: map[string]string{"kwok.x-k8s.io/node": "fake"},
				Labels: map[string]string{
					"kubernetes.io/os": "windows", "kubernetes.io/arch": "amd64", "kubernetes.io/hostname": "win-1",
					"tier":                  "web",
					"beta.kubernetes.io/os": "windows", "beta.kubernetes.io/arch": "amd64",
					"node.kubernetes.io/windows-build": "10.0.20348",
				},
			},
			Spec: corev1.NodeSpec{Taints: []corev1.Taint{{Key: "os", Value: "windows", Effect: "NoSchedule"}}},
			Status: corev1.NodeStatus{
				Conditions: ready, Capacity: capacity("8", "33553972Ki"), Allocatable: capacity("8", "33553972Ki"),
				Addresses: []corev1.NodeAddress{
					{Type: "InternalIP", Address: "10.0.0.20"},
					{Type: "Hostname", Address: "win-1"},
				},
				NodeInfo: corev1.NodeSystemInfo{
					OperatingSystem: "windows", Architecture: "amd64", OSImage: "Windows Server 2022 Datacenter",
					KernelVersion:  "10.0.20348",
					KubeletVersion: "v1.36.1", ContainerRuntimeVersion: "containerd://simulated",
					SystemUUID: "d0df4c54-4ecb-4a4b-9954-5bdf3ed5c3b9",
				},
			},
		},
	} {
		got := nodeOf(t, client, want.Name)
		if diff := cmp.Diff(want, got, cmpopts.IgnoreFields(metav1.ObjectMeta{}, "ManagedFields")); diff != "" {
			t.Errorf("node %s (-want +got):\n%s", want.Name, diff)
		}
	}
}

func TestInitCreatesTheObjectsForJoins(t *testing.T) {
	t.Parallel()
	ca, _ := newAuthority(t)
	client := simulated()
	j := firstMachine(ca)
	j.Bootstrap.Token = ""
	for range 2 { // and again, with a token
		if err := (Cluster{}).Join(t.Context(), client, j); err != nil {
			t.Fatal(err)
		}
		if list, err := client.CoreV1().Secrets("").List(t.Context(), metav1.ListOptions{}); err != nil ||
			(len(list.Items) > 0) != (j.Bootstrap.Token != "") {
			t.Errorf("the secrets are %v (%v)", list.Items, err)
		}
		j.Bootstrap.Token = joinToken
	}
	for range 2 {
		if err := (Cluster{}).Join(t.Context(), client, j); err != nil {
			t.Fatal(err)
		}
	}
	binding, err := client.RbacV1().ClusterRoleBindings().Get(t.Context(), "kubeadm:cluster-admins",
		metav1.GetOptions{})
	if err != nil || len(binding.Subjects) != 1 {
		t.Fatalf("the binding is %v (%v)", binding, err)
	}
	if got := fmt.Sprint(binding.RoleRef,
		binding.Subjects); got != "{rbac.authorization.k8s.io ClusterRole cluster-admin} [{Group "+
		"rbac.authorization.k8s.io kubeadm:cluster-admins }]" {
		t.Errorf("the binding is %s", got)
	}
	checkKubeProxy(t, client)
	secret, err := client.CoreV1().Secrets("kube-system").Get(t.Context(), "bootstrap-token-tests0",
		metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	end, err := time.Parse(time.RFC3339, string(secret.Data["expiration"]))
	if left := time.Until(end); err != nil || left < 23*time.Hour || left > 24*time.Hour {
		t.Errorf("the token lives until %s (%v)", secret.Data["expiration"], err)
	}
	want := tokenObject()
	want.Data["expiration"], want.Data["auth-extra-groups"] = secret.Data["expiration"],
		[]byte("system:bootstrappers:kubeadm:default-node-token")
	if diff := cmp.Diff(want, secret, cmpopts.IgnoreFields(metav1.ObjectMeta{}, "ManagedFields")); diff != "" {
		t.Errorf("the token (-want +got):\n%s", diff)
	}
}

// checkKubeProxy compares with what kubeadm's phase addon kube-proxy creates.
func checkKubeProxy(t *testing.T, client *fake.Clientset) {
	t.Helper()
	accounts, err := client.CoreV1().ServiceAccounts("").List(t.Context(), metav1.ListOptions{})
	if err != nil || len(accounts.Items) != 1 || accounts.Items[0].Namespace != "kube-system" ||
		accounts.Items[0].Name != "kube-proxy" {
		t.Errorf("the accounts are %v (%v)", accounts.Items, err)
	}
	binding, err := client.RbacV1().ClusterRoleBindings().Get(t.Context(), "kubeadm:node-proxier", metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(binding.RoleRef,
		binding.Subjects); got != "{rbac.authorization.k8s.io ClusterRole system:node-proxier} [{ServiceAccount  "+
		"kube-proxy kube-system}]" {
		t.Errorf("the binding is %s", got)
	}
}

// If kubeadm is interrupted between the account and its binding, the next run creates the binding.
func TestKubeProxyIsCompletedAfterAnInterruption(t *testing.T) {
	t.Parallel()
	for _, kind := range []string{"serviceaccounts", "clusterrolebindings"} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			client := fake.NewClientset()
			fails := true
			client.PrependReactor("create", kind, func(clienttesting.Action) (bool, runtime.Object, error) {
				return fails, nil, errors.New("no etcd")
			})
			const want = "create the account kube-proxy: no etcd"
			if err := makeKubeProxy(t.Context(), client); err == nil || err.Error() != want {
				t.Errorf("the error is %v, want %s", err, want)
			}
			fails = false
			for range 2 {
				if err := makeKubeProxy(t.Context(), client); err != nil {
					t.Fatal(err)
				}
			}
			checkKubeProxy(t, client)
		})
	}
}

const signedByOther = "couldn't validate the identity of the API Server: x509: certificate signed by unknown authority"

// byFile makes a machine discover the cluster by the certificate of an authority. It needs no
// access to cluster-info, and no token signs that.
func byFile(ca string) func(*JoinRequest, *corev1.Secret) {
	return func(j *JoinRequest, s *corev1.Secret) {
		j.Bootstrap.CACert, j.Bootstrap.CACertHashes, j.ControlPlane.ClusterInfo = ca, nil, false
		delete(s.Data, tokenSigning)
	}
}

// failedJoin is what differs from a machine that joins, and the error.
type failedJoin struct {
	// First and Keys are key files of the first machine, and of one more of the control plane. null removes one.
	First, Keys map[string]*string
	// File is the certificate of a discovery by file.
	File string
	// Join changes the request.
	Join json.RawMessage
	// Secret is data of the token's Secret, and Type its type.
	Secret map[string]string
	Type   corev1.SecretType
	Want   string
}

func (f failedJoin) change(t *testing.T, j *JoinRequest, s *corev1.Secret) {
	t.Helper()
	changeKeys(j.ControlPlane.Keys, f.First)
	if f.Keys != nil {
		j.Machine.Windows, j.Bootstrap.ControlPlane, j.Bootstrap.Keys = false, true, maps.Clone(j.ControlPlane.Keys)
		changeKeys(j.Bootstrap.Keys, f.Keys)
	}
	if f.File != "" {
		byFile(f.File)(j, s)
	}
	if err := casetest.Patch(j, f.Join); err != nil {
		t.Fatal(err)
	}
	for name, value := range f.Secret {
		s.Data[name] = []byte(value)
	}
	if f.Type != "" {
		s.Type = f.Type
	}
}

func changeKeys(keys map[string]string, change map[string]*string) {
	for name, text := range change {
		delete(keys, name)
		if text != nil {
			keys[name] = *text
		}
	}
}

func TestReasonsForFailedJoins(t *testing.T) {
	t.Parallel()
	ca, hash := newAuthority(t)
	otherCA, otherHash := newAuthority(t)
	for name, x := range casetest.Cases[failedJoin](t, "testdata/joins",
		"$caKey", key("ca"), "$ca", ca, "$hash", hash, "$HASH", "SHA256:"+strings.ToUpper(hash[7:]),
		"$otherCA", otherCA, "$otherHash", otherHash, "$otherKey", key("x"), "$signedByOther", signedByOther,
		"$secret", "the Secret kube-system/bootstrap-token-tests0", "$noSignature",
		`could not find a JWS signature in the cluster-info ConfigMap for token ID "tests0": `) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			j, s := windowsMachine(ca, hash), tokenObject()
			x.change(t, &j, s)
			client := simulated(s)
			err := (Cluster{}).Join(t.Context(), client, j)
			checkError(t, err, "kubeadm join on win-1: ", x.Want)
			list, listErr := client.CoreV1().Nodes().List(t.Context(), metav1.ListOptions{})
			if listErr != nil || (len(list.Items) == 1) != (err == nil) {
				t.Errorf("the nodes are %v (%v)", list.Items, listErr)
			}
			if err != nil && strings.Contains(err.Error(), "0123") {
				t.Errorf("the error shows a token: %v", err)
			}
		})
	}
}

func checkError(t *testing.T, err error, prefix, want string) {
	t.Helper()
	if want != "" {
		want = prefix + want
	}
	got := ""
	if err != nil {
		got = err.Error()
	}
	if got != want {
		t.Errorf("the error is %q, want %q", got, want)
	}
}

func TestReasonsForFailedInits(t *testing.T) {
	t.Parallel()
	ca, _ := newAuthority(t)
	for name, x := range map[string]struct {
		change func(*JoinRequest)
		want   string
	}{
		"nothing is wrong": {func(*JoinRequest) {}, ""},
		"no version": {
			func(j *JoinRequest) { j.Bootstrap.Version = "stable-1" },
			`the kubernetesVersion "stable-1" is not a valid version: use v1.36.3`,
		},
		"another version": {
			func(j *JoinRequest) { j.Bootstrap.Version = "v1.35.2" },
			"the kubernetesVersion is v1.35.2, but the lab's control plane is v1.36.3: use v1.36.3",
		},
		"half a token": {
			func(j *JoinRequest) { j.Bootstrap.Token = "tests0.nota" },
			`the bootstrap token was not of the form "[a-z0-9]{6}.[a-z0-9]{16}"`,
		},
		"no keys": {func(j *JoinRequest) { j.Bootstrap.Keys = nil }, ""},
		"only a certificate": {
			func(j *JoinRequest) { delete(j.Bootstrap.Keys, "ca.key") },
			"failure loading files for CA: there is ca.crt, but no ca.key",
		},
		"only a key": {
			func(j *JoinRequest) { delete(j.Bootstrap.Keys, "sa.pub") },
			"failure loading files for service account: there is sa.key, but no sa.pub",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			j := firstMachine(ca)
			x.change(&j)
			err := (Cluster{}).Join(t.Context(), simulated(), j)
			checkError(t, err, "kubeadm init on cp-1: ", x.want)
		})
	}
}

func TestDefaultsOfKubeadmJoin(t *testing.T) {
	t.Parallel()
	ca, hash := newAuthority(t)
	for name, x := range map[string]struct {
		change func(*JoinRequest)
		want   string
	}{
		"an empty list of taints sets no taints": {func(j *JoinRequest) {
			j.Bootstrap.Taints,
				j.Bootstrap.ControlPlane = []corev1.Taint{}, true
		}, "win-1 [] v1.36.1"},
		"the version is the control plane's": {
			func(j *JoinRequest) { j.ControlPlane, j.CACert = nil, ca },
			"win-1 [{os windows NoSchedule <nil>}] v1.36.3",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			j := windowsMachine(ca, hash)
			j.Bootstrap.Keys = sharedKeys(ca)
			x.change(&j)
			client := simulated(tokenObject())
			if err := (Cluster{}).Join(t.Context(), client, j); err != nil {
				t.Fatal(err)
			}
			list, err := client.CoreV1().Nodes().List(t.Context(), metav1.ListOptions{})
			if err != nil || len(list.Items) != 1 {
				t.Fatalf("the nodes are %v (%v)", list, err)
			}
			node := list.Items[0]
			if got := fmt.Sprint(node.Name, " ", node.Spec.Taints, " ",
				node.Status.NodeInfo.KubeletVersion); got != x.want {
				t.Errorf("the node is %s, want %s", got, x.want)
			}
		})
	}
}

func TestSizeIsALabelOnlyIfTheKubeletSetsIt(t *testing.T) {
	t.Parallel()
	ca, hash := newAuthority(t)
	j := windowsMachine(ca, hash)
	j.Bootstrap.Labels = map[string]string{"node.kubernetes.io/instance-type": "Standard_D8s_v5"}
	client := simulated(tokenObject())
	if err := (Cluster{}).Join(t.Context(), client, j); err != nil {
		t.Fatal(err)
	}
	if got := nodeOf(t, client, "win-1").Labels["node.kubernetes.io/instance-type"]; got != "Standard_D8s_v5" {
		t.Errorf("the label is %q", got)
	}
}

// oldNode returns a node that exists when a machine of its name joins.
func oldNode() *corev1.Node {
	return &corev1.Node{
		ObjectMeta: metav1.ObjectMeta{Name: "win-1", Labels: map[string]string{
			"kubernetes.io/os": "linux", "node.kubernetes.io/windows-build": "10.0.17763", "tier": "db", "mine": "yes",
		}},
		Spec: corev1.NodeSpec{Taints: []corev1.Taint{{Key: "node.kubernetes.io/unreachable", Effect: "NoExecute"}}},
		Status: corev1.NodeStatus{Conditions: []corev1.NodeCondition{
			{Type: corev1.NodeReady, Status: corev1.ConditionUnknown},
		}},
	}
}

func TestExistingNodesAreTakenOver(t *testing.T) {
	t.Parallel()
	ca, hash := newAuthority(t)
	for _, controlPlane := range []bool{false, true} {
		j := windowsMachine(ca, hash)
		labels := map[string]string{
			"kubernetes.io/os": "windows", "kubernetes.io/arch": "amd64", "kubernetes.io/hostname": "win-1",
			"beta.kubernetes.io/os":   "windows",
			"beta.kubernetes.io/arch": "amd64", "node.kubernetes.io/windows-build": "10.0.20348", "tier": "db",
			"mine": "yes",
		}
		taints := "[{node.kubernetes.io/unreachable  NoExecute <nil>}]"
		if controlPlane {
			j.Bootstrap.ControlPlane, j.Bootstrap.Keys = true, sharedKeys(ca)
			labels["node-role.kubernetes.io/control-plane"],
				labels["node.kubernetes.io/exclude-from-external-load-balancers"] = "", ""
			taints = "[{node.kubernetes.io/unreachable  NoExecute <nil>} {os windows NoSchedule <nil>}]"
		}
		client := simulated(tokenObject(), oldNode(), lease("win-1", "win-1", time.Hour),
			lease("linux-1", "kwok", time.Minute), lease("linux-2", "old kwok", time.Hour))
		if err := (Cluster{}).Join(t.Context(), client, j); err != nil {
			t.Fatal(err)
		}
		node := nodeOf(t, client, "win-1")
		if diff := cmp.Diff(labels, node.Labels); diff != "" {
			t.Errorf("labels (-want +got):\n%s", diff)
		}
		if got := fmt.Sprint(node.Spec.Taints); got != taints {
			t.Errorf("the taints are %s, want %s", got, taints)
		}
		if got := node.Status; got.NodeInfo.OSImage != "Windows Server 2022 Datacenter" ||
			got.Capacity.Cpu().String() != "8" || got.Addresses[0].Address != "10.0.0.20" {
			t.Errorf("the status is %v", got)
		}
		if node.Annotations[managedByKWOK] != "fake" {
			t.Error("KWOK does not simulate the node")
		}
		got, err := client.CoordinationV1().Leases("kube-node-lease").Get(t.Context(), "win-1", metav1.GetOptions{})
		if err != nil || *got.Spec.HolderIdentity != "kwok" || *got.Spec.LeaseDurationSeconds != 200 ||
			time.Since(got.Spec.RenewTime.Time) > time.Minute {
			t.Errorf("the lease is %v (%v)", got, err)
		}
	}
}

// lease returns a lease that its holder renewed a while ago.
func lease(name, holder string, ago time.Duration) *coordinationv1.Lease {
	return &coordinationv1.Lease{
		ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: "kube-node-lease"},
		Spec: coordinationv1.LeaseSpec{
			HolderIdentity: &holder, LeaseDurationSeconds: new(int32(200)),
			RenewTime: new(metav1.NewMicroTime(time.Now().Add(-ago))),
		},
	}
}

func TestUnclaimedLeasesAreRemoved(t *testing.T) {
	t.Parallel()
	ca, hash := newAuthority(t)
	client := simulated(tokenObject(), oldNode(), lease("win-1", "win-1", time.Hour))
	if err := (Cluster{}).Join(t.Context(), client, windowsMachine(ca, hash)); err != nil {
		t.Fatal(err)
	}
	if list, err := client.CoordinationV1().Leases("").List(t.Context(), metav1.ListOptions{}); err != nil ||
		len(list.Items) > 0 {
		t.Errorf("the leases are %v (%v)", list, err)
	}
}

func TestReadyNodesBelongToAnotherMachine(t *testing.T) {
	t.Parallel()
	ca, hash := newAuthority(t)
	j := windowsMachine(ca, hash)
	client := simulated(tokenObject())
	for range 2 { // the same machine may start again
		if err := (Cluster{}).Join(t.Context(), client, j); err != nil {
			t.Fatal(err)
		}
	}
	j.Machine.VMID = "d0df4c54-4ecb-4a4b-9954-5bdf3ed5c3c0"
	err := (Cluster{}).Join(t.Context(), client, j)
	checkError(t, err, "kubeadm join on win-1: ",
		`a Node with name "win-1" and status "Ready" already exists in the cluster: delete the Node, or give the `+
			`machine another name`)
}

func TestJoinWaitsUntilTheNodeIsReady(t *testing.T) {
	t.Parallel()
	ca, hash := newAuthority(t)
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	err := (Cluster{}).Join(ctx, fake.NewClientset(tokenObject()), windowsMachine(ca, hash))
	if want := "node win-1 does not get ready: context deadline exceeded\n"; err == nil || err.Error() != want {
		t.Errorf("the error is %v, want %s", err, want)
	}
}
