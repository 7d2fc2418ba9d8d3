package azurenodes

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"

	"github.com/mixedkube/mixedkube/internal/azuresim/arm"
	"github.com/mixedkube/mixedkube/internal/azuresim/machine"
)

const testToken = "tests0.notarealtoken000"

// apiServer is an API server with a version, a bootstrap token and no nodes. It records its
// requests.
type apiServer struct {
	*httptest.Server
	mu       sync.Mutex
	requests []string
}

func startAPIServer(t *testing.T) *apiServer {
	t.Helper()
	a := &apiServer{}
	a.Server = httptest.NewUnstartedServer(a)
	a.Config.ErrorLog = log.New(io.Discard, "", 0)
	a.StartTLS()
	t.Cleanup(a.Close)
	return a
}

func (a *apiServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	a.mu.Lock()
	a.requests = append(a.requests, r.Method+" "+r.URL.Path)
	a.mu.Unlock()
	secret := map[string]string{}
	for key, value := range map[string]string{
		"token-id": "tests0", "token-secret": "notarealtoken000", "usage-bootstrap-authentication": "true",
		"usage-bootstrap-signing": "true", "auth-extra-groups": "system:bootstrappers:kubeadm:default-node-token",
	} {
		secret[key] = base64.StdEncoding.EncodeToString([]byte(value))
	}
	answers := map[string]any{
		"/version":      map[string]any{"gitVersion": "v1.36.3"},
		"/api/v1/nodes": map[string]any{"kind": "NodeList", "apiVersion": "v1", "items": []any{}},
		"/api/v1/namespaces/kube-system/secrets/bootstrap-token-tests0": map[string]any{
			"kind": "Secret", "apiVersion": "v1", "type": "bootstrap.kubernetes.io/token", "data": secret,
		},
	}
	answer, found := answers[r.URL.Path]
	w.Header().Set("Content-Type", "application/json")
	if !found {
		w.WriteHeader(http.StatusNotFound)
		answer = map[string]any{
			"kind": "Status", "apiVersion": "v1", "status": "Failure", "reason": "NotFound",
			"code": 404,
		}
	}
	_ = json.NewEncoder(w).Encode(answer) // a client without the response fails
}

// paths returns the requested paths, once each.
func (a *apiServer) paths() string {
	a.mu.Lock()
	defer a.mu.Unlock()
	seen, list := map[string]bool{}, []string{}
	for _, requests := range a.requests {
		if !seen[requests] {
			list = append(list, requests)
		}
		seen[requests] = true
	}
	return strings.Join(list, ", ")
}

func (a *apiServer) authority() string {
	return string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: a.Certificate().Raw}))
}

// kubeconfig writes a kubeconfig with the certificate authority in it, or in a file next to it.
func (a *apiServer) kubeconfig(t *testing.T, inFile bool) string {
	t.Helper()
	dir := t.TempDir()
	authority := "certificate-authority-data: " + base64.StdEncoding.EncodeToString([]byte(a.authority()))
	if inFile {
		authority = "certificate-authority: ca.crt"
		mustWrite(t, filepath.Join(dir, "ca.crt"), a.authority())
	}
	file := filepath.Join(dir, "kubeconfig")
	mustWrite(t, file, `{apiVersion: v1, kind: Config, current-context: c,
  clusters: [{name: c, cluster: {server: "`+a.URL+`", `+authority+`}}],
  contexts: [{name: c, context: {cluster: c, user: u}}], users: [{name: u, user: {}}]}
`)
	return file
}

func mustWrite(t *testing.T, file, content string) {
	t.Helper()
	if err := os.WriteFile(file, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}

func hashOf(a *apiServer) string {
	return fmt.Sprintf("sha256:%x", sha256.Sum256(a.Certificate().RawSubjectPublicKeyInfo))
}

// vmID is the ID of all machines.
const vmID = "d0df4c54-4ecb-4a4b-9954-5bdf3ed5c3b8"

// Each case ends with an error that depends on one part of the join request: the version is the
// API server's, and the authority of an external cluster is the one in the kubeconfig.
func TestJoinUsesTheClusterOfTheLab(t *testing.T) {
	t.Parallel()
	server := startAPIServer(t)
	const pin = "sha256:5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a"
	worker := machine.Bootstrap{
		NodeName: "w", Endpoint: "api.example.com:6443", Token: testToken,
		CACertHashes: []string{pin},
	}
	windows := machine.Machine{
		VMID: vmID, ComputerName: "w", Windows: true,
		Image: machine.Image{Publisher: "p", Offer: "o", SKU: "2016-x"},
	}
	for _, x := range []struct {
		name   string
		inFile bool
		join   arm.Join
		want   string
	}{
		{
			"the version", false,
			arm.Join{Bootstrap: machine.Bootstrap{Init: true, NodeName: "cp", Version: "v1.35.2"}},
			"kubeadm init on cp: the kubernetesVersion is v1.35.2, but the lab's control plane is v1.36.3: use v1.36.3",
		},
		{
			"the authority", false,
			arm.Join{Bootstrap: worker},
			`kubeadm join on w: cluster CA found in cluster-info ConfigMap is invalid: none of the public keys "` +
				hashOf(server) + `" are pinned`,
		},
		{
			"that of a file", true,
			arm.Join{Bootstrap: worker},
			`kubeadm join on w: cluster CA found in cluster-info ConfigMap is invalid: none of the public keys "` +
				hashOf(server) + `" are pinned`,
		},
		{
			"the control plane", false,
			arm.Join{Bootstrap: worker, ControlPlane: &machine.Bootstrap{Endpoint: "other:6443"}},
			`kubeadm join on w: failed to request the cluster-info ConfigMap: no API server answers at ` +
				`"api.example.com:6443", the control plane's endpoint is "other:6443"`,
		},
		{
			"the machine", false,
			arm.Join{Bootstrap: withPin(worker, hashOf(server)), Machine: windows},
			"kubeadm join on w: the image p:o:2016-x has no Windows Server release that nodes run: use one of 2019, " +
				"2022 or 2025",
		},
	} {
		err := Join(t.Context(), server.kubeconfig(t, x.inFile), x.join)
		if err == nil || err.Error() != x.want {
			t.Errorf("%s: the error is %v, want %s", x.name, err, x.want)
		}
	}
}

func withPin(b machine.Bootstrap, pin string) machine.Bootstrap {
	b.CACertHashes = []string{pin}
	return b
}

func TestMachinesDeletedChangesTheLabsCluster(t *testing.T) {
	t.Parallel()
	server := startAPIServer(t)
	if err := MachinesDeleted(t.Context(), server.kubeconfig(t, false), []string{"a", "b"}); err != nil {
		t.Fatal(err)
	}
	if want := "GET /version, GET /api/v1/nodes/a, GET /api/v1/nodes/b, GET /api/v1/nodes"; server.paths() != want {
		t.Errorf("the requests are %s, want %s", server.paths(), want)
	}
}

func TestWithoutAKubeconfigNoMachineJoinsOrIsDeleted(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "none")
	want := "MIXEDKUBE_AZURE_KUBECONFIG: stat " + file + ": no such file or directory"
	options := Options(file)
	for name, err := range map[string]error{
		"nodes": options.Nodes(t.Context(), nil), "join": options.Join(t.Context(), arm.Join{}),
		"deleted": options.NodesDeleted(t.Context(), nil), "roll": options.Roll(t.Context(), arm.Pool{}),
	} {
		if err == nil || err.Error() != want {
			t.Errorf("%s: the error is %v, want %s", name, err, want)
		}
	}
}

func TestNodesOfMachinesHaveThePropertiesOfTheirJoin(t *testing.T) {
	t.Parallel()
	const endpoint = "api.example.com:6443"
	joined := func(name, endpoint string, init bool) arm.Status {
		b := &machine.Bootstrap{
			Init: init, ControlPlane: init, NodeName: name, Endpoint: endpoint,
			Labels: map[string]string{"tier": name},
		}
		if init {
			b.Version = "v1.36.1"
			b.Taints = []corev1.Taint{{
				Key: "node-role.kubernetes.io/control-plane", Effect: corev1.TaintEffectNoSchedule,
			}}
		}
		return arm.Status{
			Node: name, Bootstrap: b,
			Machine: machine.Machine{
				ID: "/" + name, VMID: vmID, ComputerName: name, Address: netip.MustParseAddr("10.1.0.4"),
			},
		}
	}
	lost := joined("lost", endpoint, false)
	lost.Lost = "Unauthorized"
	nodes, err := OfMachines([]arm.Status{
		lost,
		joined("worker", "API.example.com:6443", false),
		{NotJoined: "no way"},
		{},
		joined("cp", endpoint, true),
		joined("other", "10.2.0.4:6443", false),
	}, "v1.36.3")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, node := range nodes {
		_, isControlPlane := node.Labels["node-role.kubernetes.io/control-plane"]
		got = append(got, fmt.Sprint(node.Name, " ", node.Labels["tier"], " ", node.Status.NodeInfo.KubeletVersion, " ",
			isControlPlane, " ", len(node.Spec.Taints)))
	}
	want := []string{"worker worker v1.36.1 false 0", "cp cp v1.36.1 true 1", "other other v1.36.3 false 0"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("nodes (-want +got):\n%s", diff)
	}
	if got := nodes[0].Status.Addresses[0]; got != (corev1.NodeAddress{
		Type:    corev1.NodeInternalIP,
		Address: "10.1.0.4",
	}) {
		t.Errorf("the address is %v", got)
	}
	broken := joined("win", endpoint, false)
	broken.Machine.Windows = true
	if _, err := OfMachines([]arm.Status{broken}, "v1.36.3"); err == nil ||
		err.Error() != "the image :: has no Windows Server release that nodes run: use one of 2019, 2022 or 2025" {
		t.Errorf("the error is %v", err)
	}
}
