package bootstrap

import (
	"context"
	"encoding/json"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	kubeletv1beta1 "k8s.io/kubelet/config/v1beta1"
	"sigs.k8s.io/yaml"

	"github.com/mixedkube/mixedkube/internal/lab/tools"
	"github.com/mixedkube/mixedkube/internal/lab/wine"
	"github.com/mixedkube/mixedkube/machines/bootstrap"
	"github.com/mixedkube/mixedkube/machines/bootstrap/network"
	"github.com/mixedkube/mixedkube/tests/internal/loopback"
)

const (
	kubeletConfig = "C:/var/lib/kubelet/config.yaml"
	tokenFile     = "C:/var/run/secrets/kubernetes.io/serviceaccount/token"
)

// TestWindowsProgramsNode has the programs do what they do on a node that joins, as far
// as Wine goes. kubeadm.exe applies the patch and writes the kubelet's configuration and
// flags; containerd.exe starts with its configuration; kubelet.exe registers a node with the
// lab's API server; kube-proxy.exe reads the API server as its account.
//
// The node does not become ready, see runKubelet, and no pod runs. kube-proxy.exe ends as
// there is no host networking service.
func TestWindowsProgramsNode(t *testing.T) {
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
		message := runKubelet(t, m, n, runtime, func(ctx context.Context) bool {
			_, err := lab.client.CoreV1().Nodes().Get(ctx, n.name, metav1.GetOptions{})
			return err == nil
		})
		runtimeVersion := `containerRuntime="containerd" version="` + bootstrap.KnownReleases().Containerd.Version
		if !strings.Contains(message, runtimeVersion) || strings.Contains(message, "Using lenient decoding") {
			t.Errorf("kubelet.exe says %s", message)
		}
		registered, err := lab.client.CoreV1().Nodes().Get(t.Context(), n.name, metav1.GetOptions{})
		if err != nil {
			t.Fatalf("%v: kubelet.exe says %s", err, message)
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
	for _, wrong := range []struct{ was, becomes, wantMessage string }{
		{"systemReserved:", "systemReservde:", `strict decoding error: unknown field \"systemReservde\"`},
		{"enforceNodeAllocatable: []", "enforceNodeAllocatable: [pods]", "failed to validate kubelet configuration"},
	} {
		// It ends as there is no such file, unless it ends before.
		arguments := append(kubeletArguments(t, m, n), "--kubeconfig=C:/none", "--bootstrap-kubeconfig=C:/none")
		check(t, m.Write(kubeletConfig, replaceOnce(t, right, wrong.was, wrong.becomes)))
		_, message, ok := output(t, m, "C:/k/kubelet.exe", arguments...)
		if ok || !strings.Contains(message, wrong.wantMessage) {
			t.Errorf("with %s kubelet.exe says %s", wrong.becomes, message)
		}
	}
	check(t, m.Write(kubeletConfig, right))
}

// writeKubeletFiles has kubeadm.exe write what it writes when a node joins. To join it would
// have to discover a cluster that kubeadm has created. Creating one has the same phase.
func writeKubeletFiles(t *testing.T, m wine.Machine, n node) {
	t.Helper()
	var join map[string]any
	check(t, yaml.Unmarshal([]byte(n.kubeadm(t).Content), &join))
	cache, err := tools.FromRoot(filepath.Join("..", ".."), nil)
	check(t, err)
	kubernetesVersion, err := cache.Pinned("kubeadm")
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
	_, message, ok := output(t, m, "C:/k/kubeadm.exe", "init", "phase", "kubelet-start", "--config",
		"C:/mixedkube/init.yaml")
	const patched = `Applied patch of type "application/merge-patch+json" to target "kubeletconfiguration"`
	if !ok || !strings.Contains(message, patched) {
		t.Fatalf("kubeadm.exe says %s", message)
	}
}

// kubeletArguments returns the arguments that the service runs the kubelet with.
// --windows-service needs a service manager that has started it. kubeadm writes the taints for
// nodes that join only (cmd/kubeadm/app/phases/kubelet/flags.go).
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

// useLoopback keeps the kubelet off the network, and has it speak with containerd by TCP.
func useLoopback(t *testing.T, m wine.Machine, runtime string) {
	t.Helper()
	// As a map: written from the type, the list enforceNodeAllocatable would be absent
	// instead of empty, and kubelet.exe refuses that.
	var config map[string]any
	check(t, yaml.UnmarshalStrict([]byte(readFile(t, m, kubeletConfig)), &config))
	port, err := strconv.Atoi(loopback.Port(t))
	check(t, err)
	config["port"] = port
	config["address"], config["healthzPort"] = "127.0.0.1", 0
	config["containerRuntimeEndpoint"] = "tcp://" + runtime
	text, err := yaml.Marshal(config)
	check(t, err)
	check(t, m.Write(kubeletConfig, string(text)))
}

// runKubelet runs kubelet.exe until it has done something, and gives what it says.
//
// Once the runtime is ready, the kubelet listens at a Unix socket for device plugins, which
// Wine does not have, and ends; only then does it register its node, as it does also where
// the runtime is not ready. So the runtime goes when the kubelet has started, before the
// first answer about its state has arrived.
func runKubelet(
	t *testing.T, m wine.Machine, n node, runtime *lateRuntime, done func(context.Context) bool,
) (message string) {
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
		for _, amount := range []string{patch.SystemReserved[string(name)], patch.KubeReserved[string(name)], evicted} {
			want.Sub(resource.MustParse(amount))
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
