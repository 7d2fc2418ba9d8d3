package bootstrap

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"net"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	authenticationv1 "k8s.io/api/authentication/v1"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/clientcmd"
	kubeletv1beta1 "k8s.io/kubelet/config/v1beta1"
	"sigs.k8s.io/yaml"

	"github.com/mixedkube/mixedkube/components/bootstrap"
	"github.com/mixedkube/mixedkube/components/bootstrap/network"
	labcluster "github.com/mixedkube/mixedkube/internal/lab/cluster"
	"github.com/mixedkube/mixedkube/internal/lab/processes"
	"github.com/mixedkube/mixedkube/internal/lab/tools"
	"github.com/mixedkube/mixedkube/internal/lab/wine"
)

const (
	kubeletConfig = "C:/var/lib/kubelet/config.yaml"
	tokenFile     = "C:/var/run/secrets/kubernetes.io/serviceaccount/token"
)

// TestWindowsProgramsMakeANode has the programs do what they do on a node that joins, as far
// as Wine goes. kubeadm.exe applies the patch and writes the kubelet's configuration and
// flags; containerd.exe starts with its configuration; kubelet.exe registers a node with the
// lab's API server; kube-proxy.exe reads the API server as its account.
//
// The node does not become ready, see runKubelet, and no pod runs. kube-proxy.exe ends as
// there is no host networking service.
func TestWindowsProgramsMakeANode(t *testing.T) {
	p := ensurePrograms(t)
	n := windowsNodes(t)[0]
	for _, other := range windowsNodes(t) {
		if strings.HasPrefix(other.cluster, string(network.HostGateway)+"-1.36") {
			n = other
			break
		}
	}
	lab := startLab(t)
	m := windowsMachine(t, p, n)
	writeKubeletFiles(t, m, n)
	check(t, m.Write("C:/etc/kubernetes/kubelet.conf", lab.kubeconfigOf(t, n.name)))
	check(t, m.Write("C:/etc/kubernetes/pki/ca.crt", lab.ca))
	runtime := late(t, runContainerd(t, m, n))
	useLoopback(t, m, runtime.address())

	t.Run("wrong configuration", func(t *testing.T) { judgeWrongKubelets(t, m, n) })
	t.Run("kubelet", func(t *testing.T) {
		said := runKubelet(t, m, n, runtime, func(ctx context.Context) bool {
			_, err := lab.client.CoreV1().Nodes().Get(ctx, n.name, metav1.GetOptions{})
			return err == nil
		})
		if want := `containerRuntime="containerd" version="` + bootstrap.KnownReleases().Containerd.Version; !strings.Contains(
			said, want) || strings.Contains(said, "Using lenient decoding") {
			t.Errorf("kubelet.exe says %s", said)
		}
		registered, err := lab.client.CoreV1().Nodes().Get(t.Context(), n.name, metav1.GetOptions{})
		if err != nil {
			t.Fatalf("%v: kubelet.exe says %s", err, said)
		}
		checkNode(t, registered, n)
	})
	lab.giveAddress(t, n.name)
	for _, kind := range network.Kinds() {
		if !(network.Network{Kind: kind}).WithDefaults().KubeProxyWindows().Needed {
			continue
		}
		t.Run("kube-proxy/"+string(kind), func(t *testing.T) { lab.judgeKubeProxy(t, m, n.name, kind) })
	}
}

// judgeWrongKubelets makes sure that kubelet.exe tells a field that it does not know, and
// refuses what is not valid on Windows.
func judgeWrongKubelets(t *testing.T, m wine.Machine, n node) {
	t.Helper()
	right := readFile(t, m, kubeletConfig)
	for _, wrong := range []struct{ was, becomes, says string }{
		{"systemReserved:", "systemReservde:", `strict decoding error: unknown field \"systemReservde\"`},
		{"enforceNodeAllocatable: []", "enforceNodeAllocatable: [pods]", "failed to validate kubelet configuration"},
	} {
		// It ends as there is no such file, unless it ends before.
		arguments := append(kubeletArguments(t, m, n), "--kubeconfig=C:/none", "--bootstrap-kubeconfig=C:/none")
		check(t, m.Write(kubeletConfig, replaceOnce(t, right, wrong.was, wrong.becomes)))
		_, said, ok := output(t, m, "C:/k/kubelet.exe", arguments...)
		if ok || !strings.Contains(said, wrong.says) {
			t.Errorf("with %s kubelet.exe says %s", wrong.becomes, said)
		}
	}
	check(t, m.Write(kubeletConfig, right))
}

// testLab is a control plane without a node.
type testLab struct {
	cluster labcluster.Cluster
	client  kubernetes.Interface
	server  string
	ca      string
}

func startLab(t *testing.T) testLab {
	t.Helper()
	root, err := filepath.Abs(filepath.Join("..", ".."))
	check(t, err)
	cache, err := tools.FromRoot(root, t.Output())
	check(t, err)
	paths, err := cache.Ensure(t.Context(), labcluster.Tools()...)
	check(t, err)
	lab, id := testLab{cluster: labcluster.Cluster{Dir: filepath.Join(t.TempDir(), "cluster")}}, rand.Text()
	t.Cleanup(func() { check(t, processes.Kill(id)) })
	lab.client, err = lab.cluster.Start(t.Context(), labcluster.Options{Tools: paths, LabID: id})
	check(t, err)
	config, err := clientcmd.LoadFromFile(lab.cluster.Kubeconfig())
	check(t, err)
	for _, c := range config.Clusters {
		lab.server, lab.ca = c.Server, string(c.CertificateAuthorityData)
	}
	return lab
}

// kubeconfigOf is one for the kubelet of a node, whom the API server takes for that.
func (l testLab) kubeconfigOf(t *testing.T, name string) string {
	t.Helper()
	config, err := clientcmd.LoadFromFile(l.cluster.Kubeconfig())
	check(t, err)
	for _, user := range config.AuthInfos {
		user.Impersonate, user.ImpersonateGroups = "system:node:"+name, []string{"system:nodes"}
	}
	text, err := clientcmd.Write(*config)
	check(t, err)
	return string(text)
}

// writeKubeletFiles has kubeadm.exe write what it writes when a node joins. To join it would
// have to discover a cluster that kubeadm has made; it has the same phase when it makes one.
func writeKubeletFiles(t *testing.T, m wine.Machine, n node) {
	t.Helper()
	var join map[string]any
	check(t, yaml.Unmarshal([]byte(n.kubeadm(t).Content), &join))
	version, err := tools.FromRoot(filepath.Join("..", ".."), nil)
	check(t, err)
	kubernetesVersion, err := version.Pinned("kubeadm")
	check(t, err)
	var documents []string
	for _, document := range []map[string]any{
		{
			"kind": "InitConfiguration", "nodeRegistration": join["nodeRegistration"], "patches": join["patches"],
			"localAPIEndpoint": map[string]any{"advertiseAddress": "10.0.0.4"},
		},
		{"kind": "ClusterConfiguration", "kubernetesVersion": kubernetesVersion},
	} {
		document["apiVersion"] = join["apiVersion"]
		text, err := yaml.Marshal(document)
		check(t, err)
		documents = append(documents, string(text))
	}
	check(t, m.Write("C:/mixedkube/init.yaml", strings.Join(documents, "---\n")))
	_, said, ok := output(t, m, "C:/k/kubeadm.exe", "init", "phase", "kubelet-start", "--config", "C:/mixedkube/init.yaml")
	if !ok || !strings.Contains(said, `Applied patch of type "application/merge-patch+json" to target "kubeletconfiguration"`) {
		t.Fatalf("kubeadm.exe says %s", said)
	}
}

// kubeletArguments are those that the service runs the kubelet with. --windows-service needs
// a service manager that has started it. kubeadm writes the taints for nodes that join only
// (cmd/kubeadm/app/phases/kubelet/flags.go).
func kubeletArguments(t *testing.T, m wine.Machine, n node) []string {
	t.Helper()
	var settings struct {
		Kubelet struct {
			Arguments    []string
			KubeadmFlags string
		}
	}
	check(t, json.Unmarshal([]byte(n.file(t, "node.json").Content), &settings))
	own := slices.DeleteFunc(settings.Kubelet.Arguments, func(a string) bool { return a == "--windows-service" })
	if len(own) != len(settings.Kubelet.Arguments)-1 {
		t.Fatalf("the service's arguments are %q", settings.Kubelet.Arguments)
	}
	written := strings.TrimSpace(readFile(t, m, settings.Kubelet.KubeadmFlags))
	flags, ok := strings.CutPrefix(written, `KUBELET_KUBEADM_ARGS="`)
	if !ok {
		t.Fatalf("kubeadm.exe has written %s", written)
	}
	return slices.Concat(own, strings.Fields(strings.TrimSuffix(flags, `"`)),
		[]string{"--register-with-taints=os=windows:NoSchedule"})
}

// runContainerd starts containerd.exe with the node's configuration, and gives the address
// where it serves the kubelet. Go programs do not get at each other's pipes in Wine 8, so it
// is TCP.
func runContainerd(t *testing.T, m wine.Machine, n node) (address string) {
	t.Helper()
	address = freeAddress(t)
	const file = "C:/Program Files/containerd/config.toml"
	check(t, m.Write(file, n.file(t, "config.toml").Content+fmt.Sprintf(
		"\n[grpc]\ntcp_address = %q\n\n[plugins.\"io.containerd.grpc.v1.cri\"]\ndisable_tcp_service = false\n", address)))
	ctx, stop := context.WithCancel(t.Context())
	var out lockedBuffer
	cmd := m.Command(ctx, "C:/Program Files/containerd/containerd.exe")
	cmd.Stdout, cmd.Stderr = &out, &out
	check(t, cmd.Start())
	t.Cleanup(func() { stop(); m.End(); _ = cmd.Wait() })
	for deadline := time.Now().Add(2 * time.Minute); !strings.Contains(out.String(), "containerd successfully booted"); {
		if time.Now().After(deadline) {
			t.Fatalf("containerd.exe does not start: %s", out.String())
		}
		time.Sleep(200 * time.Millisecond)
	}
	for line := range strings.Lines(out.String()) {
		if strings.Contains(line, "level=error") || strings.Contains(line, "Ignoring unknown key") ||
			strings.Contains(line, "failed to load plugin") {
			t.Errorf("containerd.exe says %s", line)
		}
	}
	for _, pipe := range []string{"containerd-containerd"} {
		if !strings.Contains(out.String(), `\\pipe\\`+pipe+`"`) {
			t.Errorf("containerd.exe does not listen at %s: %s", pipe, out.String())
		}
	}
	return address
}

// useLoopback keeps the kubelet off the network, and has it speak with containerd by TCP.
func useLoopback(t *testing.T, m wine.Machine, runtime string) {
	t.Helper()
	// As a map: written from the type, the list enforceNodeAllocatable would be absent
	// instead of empty, and kubelet.exe refuses that.
	var config map[string]any
	check(t, yaml.UnmarshalStrict([]byte(readFile(t, m, kubeletConfig)), &config))
	_, port, err := net.SplitHostPort(freeAddress(t))
	check(t, err)
	config["port"], err = strconv.Atoi(port)
	check(t, err)
	config["address"], config["healthzPort"] = "127.0.0.1", 0
	config["containerRuntimeEndpoint"] = "tcp://" + runtime
	text, err := yaml.Marshal(config)
	check(t, err)
	check(t, m.Write(kubeletConfig, string(text)))
}

// lateRuntime forwards connections to containerd, and what it answers only after a while.
type lateRuntime struct {
	listener net.Listener
	mu       sync.Mutex
	open     []net.Conn
	gone     bool
}

func late(t *testing.T, to string) *lateRuntime {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	check(t, err)
	l := &lateRuntime{listener: listener}
	t.Cleanup(l.stop)
	go func() {
		for {
			from, err := listener.Accept()
			if err != nil {
				return
			}
			server, err := net.Dial("tcp", to)
			if err != nil || !l.keep(from, server) {
				_ = from.Close()
				continue
			}
			go forward(from, server, 0)
			go forward(server, from, 1500*time.Millisecond)
		}
	}()
	return l
}

func (l *lateRuntime) address() string { return l.listener.Addr().String() }

func (l *lateRuntime) keep(conns ...net.Conn) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.open = append(l.open, conns...)
	return !l.gone
}

// stop ends all connections, and lets in no other.
func (l *lateRuntime) stop() {
	_ = l.listener.Close()
	l.mu.Lock()
	defer l.mu.Unlock()
	l.gone = true
	for _, c := range l.open {
		_ = c.Close()
	}
}

func forward(from, to net.Conn, delay time.Duration) {
	defer func() { _, _ = from.Close(), to.Close() }()
	buffer := make([]byte, 1<<16)
	for {
		n, err := from.Read(buffer)
		if err != nil {
			return
		}
		time.Sleep(delay)
		if _, err := to.Write(buffer[:n]); err != nil {
			return
		}
	}
}

// runKubelet runs kubelet.exe until it has done something, and gives what it says.
//
// Once the runtime is ready, the kubelet listens at a Unix socket for device plugins, which
// Wine does not have, and ends; only then does it register its node, as it does also where
// the runtime is not ready. So the runtime goes when the kubelet has started, before the
// first answer about its state has arrived.
func runKubelet(
	t *testing.T, m wine.Machine, n node, runtime *lateRuntime, done func(context.Context) bool,
) (said string) {
	t.Helper()
	ctx, stop := context.WithTimeout(t.Context(), 3*time.Minute)
	defer stop()
	var out lockedBuffer
	cmd := m.Command(ctx, "C:/k/kubelet.exe", kubeletArguments(t, m, n)...)
	cmd.Stdout, cmd.Stderr = &out, &out
	check(t, cmd.Start())
	ended := make(chan struct{})
	go func() { _ = cmd.Wait(); close(ended) }()
	for running := true; running && !done(ctx); {
		if strings.Contains(out.String(), `"Started kubelet"`) {
			runtime.stop()
		}
		select {
		case <-ended:
			running = false
		case <-time.After(50 * time.Millisecond):
		}
	}
	stop()
	<-ended
	return withoutFlags(out.String())
}

// checkNode compares the node that kubelet.exe registers with what was written for it.
func checkNode(t *testing.T, got *corev1.Node, n node) {
	t.Helper()
	for label, want := range map[string]string{
		corev1.LabelOSStable: "windows", corev1.LabelInstanceTypeStable: "Standard_D4s_v5",
		corev1.LabelWindowsBuild: "10.0.20348", corev1.LabelHostname: n.name,
	} {
		if got.Labels[label] != want {
			t.Errorf("the label %s is %q, want %q", label, got.Labels[label], want)
		}
	}
	if !slices.ContainsFunc(got.Spec.Taints, func(taint corev1.Taint) bool {
		return taint.Key == "os" && taint.Value == "windows" && taint.Effect == corev1.TaintEffectNoSchedule
	}) {
		t.Errorf("the taints are %v", got.Spec.Taints)
	}
	var patch kubeletv1beta1.KubeletConfiguration
	check(t, yaml.UnmarshalStrict([]byte(n.file(t, "kubeletconfiguration+merge.yaml").Content), &patch))
	for name, evicted := range map[corev1.ResourceName]string{
		corev1.ResourceMemory: patch.EvictionHard["memory.available"], corev1.ResourceCPU: "0",
	} {
		want := got.Status.Capacity[name].DeepCopy()
		for _, kept := range []string{patch.SystemReserved[string(name)], patch.KubeReserved[string(name)], evicted} {
			want.Sub(resource.MustParse(kept))
		}
		if allocatable := got.Status.Allocatable[name]; allocatable.Cmp(want) != 0 || allocatable.Sign() <= 0 {
			t.Errorf("%s: %s allocatable, want %s", name, &allocatable, &want)
		}
	}
	pods := int64(patch.MaxPods)
	if pods == 0 {
		pods = 110
	}
	if got := got.Status.Allocatable.Pods().Value(); got != pods {
		t.Errorf("it takes %d pods, want %d", got, pods)
	}
}

// judgeKubeProxy runs kube-proxy.exe with the configuration of a kind of network, until it
// needs the kernel of Windows; then with a wrong field, which kube-proxy only tells.
func (l testLab) judgeKubeProxy(t *testing.T, m wine.Machine, node string, kind network.Kind) {
	t.Helper()
	l.giveAccount(t, m)
	kubeconfig := kubeProxyFile(t, kind, "kubeconfig.json")
	check(t, m.Write("C:/mounts/kube-proxy-windows/kubeconfig.json",
		replaceOnce(t, kubeconfig, "https://api.example.com:6443", l.server)))
	config := replaceOnce(t, kubeProxyFile(t, kind, "config.json"), `"hostnameOverride": ""`,
		fmt.Sprintf(`"hostnameOverride": %q`, node))
	const file = "C:/mounts/kube-proxy-windows/config.json"
	for _, each := range []struct{ config, unknown string }{
		{config, ""},
		{replaceOnce(t, config, `"networkName"`, `"netwrokName"`), `unknown field \"winkernel.netwrokName\"`},
	} {
		check(t, m.Write(file, each.config))
		_, said, _ := output(t, m, "C:/k/kube-proxy.exe", "--config="+file)
		if !strings.Contains(said, `err="Windows kernel is not compatible for Kernel mode"`) ||
			strings.Contains(said, "Timed out waiting for node to exist") {
			t.Errorf("kube-proxy.exe has ended with %s", said)
		}
		lenient := strings.Contains(said, "Using lenient decoding")
		if lenient != (each.unknown != "") || !strings.Contains(said, each.unknown) {
			t.Errorf("kube-proxy.exe says %s of\n%s", said, each.config)
		}
	}
}

// giveAddress gives the node the address that it has: the machine of the test has another,
// and kube-proxy waits for one.
func (l testLab) giveAddress(t *testing.T, name string) {
	t.Helper()
	nodes := l.client.CoreV1().Nodes()
	got, err := nodes.Get(t.Context(), name, metav1.GetOptions{})
	check(t, err)
	got.Status.Addresses = []corev1.NodeAddress{{Type: corev1.NodeInternalIP, Address: "10.0.0.20"}}
	_, err = nodes.UpdateStatus(t.Context(), got, metav1.UpdateOptions{})
	check(t, err)
}

// giveAccount gives the machine what a pod of kube-proxy's account has.
func (l testLab) giveAccount(t *testing.T, m wine.Machine) {
	t.Helper()
	const name = "kube-proxy"
	check(t, ignoreExists(l.client.CoreV1().ServiceAccounts(metav1.NamespaceSystem).Create(t.Context(),
		&corev1.ServiceAccount{ObjectMeta: metav1.ObjectMeta{Name: name}}, metav1.CreateOptions{})))
	check(t, ignoreExists(l.client.RbacV1().ClusterRoleBindings().Create(t.Context(), &rbacv1.ClusterRoleBinding{
		ObjectMeta: metav1.ObjectMeta{Name: name},
		RoleRef:    rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "ClusterRole", Name: "system:node-proxier"},
		Subjects:   []rbacv1.Subject{{Kind: rbacv1.ServiceAccountKind, Name: name, Namespace: metav1.NamespaceSystem}},
	}, metav1.CreateOptions{})))
	token, err := l.client.CoreV1().ServiceAccounts(metav1.NamespaceSystem).CreateToken(t.Context(), name,
		&authenticationv1.TokenRequest{}, metav1.CreateOptions{})
	check(t, err)
	check(t, m.Write(tokenFile, token.Status.Token))
	check(t, m.Write(strings.TrimSuffix(tokenFile, "token")+"ca.crt", l.ca))
}

type lockedBuffer struct {
	mu     sync.Mutex
	buffer bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buffer.Write(p)
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buffer.String()
}
