package e2e

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"

	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/lab"
	"github.com/mixedkube/mixedkube/tests/internal/labtest"
)

// TestLab takes one lab through its life. Each step depends on the previous ones.
func TestLab(t *testing.T) {
	t.Parallel()
	l := emptyLab(t, "lab-given")
	ctx := t.Context()
	clean := git(t, "status", "--porcelain") + git(t, "diff")
	binary := program(t, labCommand(t))
	if err := l.Up(ctx, lab.Options{Stack: "lab-given"}); err != nil {
		t.Fatal(err)
	}
	client := l.client(t)
	contains(t, l.Out.Take(), "15 created",
		"8 simulated nodes: 2 linux, 2 windows-2019, 2 windows-2022, 2 windows-2025", "8 pods on 8 nodes, 0 problems",
		"map      "+l.MapFile())

	t.Run("the map shows where the pods are", func(t *testing.T) { checkMap(t, l, 0) })
	t.Run("every node registers like a kubelet, with the values of its pool",
		func(t *testing.T) { checkNodes(t, client) })
	t.Run("the scheduler puts every pod on its platform", func(t *testing.T) { checkPlacement(t, client) })
	t.Run("the Services of IIS have addresses of load balancers",
		func(t *testing.T) { checkServices(t, client) })
	t.Run("the API server has the classes and the workloads as written", func(t *testing.T) { checkObjects(t, client) })
	t.Run("all ports listen on loopback only", func(t *testing.T) { checkPorts(t, l) })
	t.Run("the kubeconfig is its owner's", func(t *testing.T) {
		info, err := os.Stat(l.Kubeconfig())
		if err != nil {
			t.Fatal(err)
		}
		if mode := info.Mode().Perm(); mode != 0o600 {
			t.Errorf("mode is %o, want 600", mode)
		}
	})
	t.Run("a second up changes nothing", func(t *testing.T) {
		before := versions(t, client)
		if err := l.Up(ctx, lab.Options{Stack: "lab-given"}); err != nil {
			t.Fatal(err)
		}
		contains(t, l.Out.Take(), "15 unchanged", "0 problems")
		if diff := cmp.Diff(before, versions(t, client)); diff != "" {
			t.Errorf("objects have changed (-before +after):\n%s", diff)
		}
		if err := l.deployment(t).Preview(ctx, "--expect-no-changes"); err != nil {
			t.Error(err)
		}
	})
	t.Run("a misspelled stack is refused", func(t *testing.T) {
		err := l.Up(ctx, lab.Options{Stack: "labb"})
		want := `unknown stack "labb": did you mean "lab"? (use aks, kubeadm, kubeadm-lab, lab or lab-given)`
		if err == nil || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
	})
	t.Run("status finds the pod that moved to a Windows node without taint",
		func(t *testing.T) { checkMovedPod(t, l, client, binary) })
	t.Run("status finds the pods that are refused", func(t *testing.T) { checkRefusedPods(t, l, client) })
	t.Run("status finds the pod that is pending", func(t *testing.T) { checkPendingPod(t, l, client) })
	t.Run("up corrects the nodes", func(t *testing.T) {
		if err := l.Up(ctx, lab.Options{Stack: "lab-given"}); err != nil {
			t.Fatal(err)
		}
		contains(t, l.Out.Take(), "15 unchanged", "0 problems")
		checkNodes(t, client)
		checkPlacement(t, client)
	})
	t.Run("the program itself finds a misspelled key", func(t *testing.T) {
		if err := l.deployment(t).Preview(ctx, "--config", "mixedkube:worklods=[]"); err == nil {
			t.Error("the preview must fail")
		}
		contains(t, l.Out.Take(),
			`mixedkube:worklods: Invalid value: "mixedkube:worklods": unknown key: did you mean `+
				`"mixedkube:workloads"? (use mixedkube:cluster, mixedkube:aks, mixedkube:kubeadm, `+
				`mixedkube:windowsPassword, mixedkube:workloads, mixedkube:installed or `+
				`mixedkube:connectivity)`)
	})
	t.Run("the checkout is as it was", func(t *testing.T) {
		if diff := cmp.Diff(clean, git(t, "status", "--porcelain")+git(t, "diff")); diff != "" {
			t.Errorf("git status (-before +after):\n%s", diff)
		}
	})
	t.Run("destroy leaves nothing of the stack", func(t *testing.T) {
		if err := l.deployment(t).Destroy(ctx); err != nil {
			t.Fatal(err)
		}
		contains(t, l.Out.Take(), "15 deleted")
		eventually(t, func(context.Context) string {
			left := slices.DeleteFunc(slices.Sorted(maps.Keys(versions(t, client))), func(name string) bool {
				return strings.HasPrefix(name, "node ") || name == "service kubernetes"
			})
			if len(left) == 0 {
				return ""
			}
			return fmt.Sprintf("left: %v", left)
		})
	})
}

// builds are the Windows builds of the lab's pools.
var builds = map[string]string{"2019": "10.0.17763", "2022": "10.0.20348", "2025": "10.0.26100"}

// checkMap checks that the map has the pools of the stack with their names in the configuration, the workloads, and the
// number of pending pods.
func checkMap(t *testing.T, l testLab, pending int) {
	t.Helper()
	text, err := os.ReadFile(l.MapFile())
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"<h1>lab-given</h1>", ">linux</h3>", ">win19</h3>", ">win22</h3>", ">win25</h3>", ">iis-2022</a>", ">2 pods<",
		fmt.Sprintf("<dt>Pending</dt><dd>%d</dd>", pending),
	} {
		if !strings.Contains(string(text), want) {
			t.Errorf("the map does not contain %s", want)
		}
	}
}

func checkNodes(t *testing.T, client kubernetes.Interface) {
	t.Helper()
	type node struct {
		Labels  map[string]string
		Taints  []string
		OS      string
		OSImage string
		Kubelet string
		CPU     string
		Memory  string
	}
	want := map[string]node{}
	// The memory that the kubelet reports for 16 GiB.
	memory := map[string]string{"linux": "16028Mi", "windows": "16776756Ki"}
	add := func(pool, os, build, image string, taints ...string) {
		for i := range 2 {
			name := fmt.Sprintf("%s-%d", pool, i)
			labels := map[string]string{
				"kubernetes.io/os": os, "kubernetes.io/arch": "amd64", "kubernetes.io/hostname": name,
				"beta.kubernetes.io/os": os, "beta.kubernetes.io/arch": "amd64",
				"node.kubernetes.io/instance-type": "Standard_D4s_v5",
			}
			if build != "" {
				labels["node.kubernetes.io/windows-build"] = build
			}
			want[name] = node{labels, taints, os, image, "v1.36.3", "4", memory[os]}
		}
	}
	add("linux", "linux", "", "Linux")
	add("win19", "windows", "10.0.17763", "Windows Server 2019 Datacenter", "os=windows:NoSchedule")
	add("win22", "windows", "10.0.20348", "Windows Server 2022 Datacenter", "os=windows:NoSchedule")
	add("win25", "windows", "10.0.26100", "Windows Server 2025 Datacenter", "os=windows:NoSchedule")

	list, err := client.CoreV1().Nodes().List(t.Context(), metav1.ListOptions{})
	if err != nil {
		t.Fatal(err)
	}
	have := map[string]node{}
	for _, n := range list.Items {
		var taints []string
		for _, taint := range n.Spec.Taints {
			taints = append(taints, topology.FormatTaint(taint))
		}
		info := n.Status.NodeInfo
		have[n.Name] = node{
			n.Labels, taints, info.OperatingSystem, info.OSImage, info.KubeletVersion,
			n.Status.Capacity.Cpu().String(), n.Status.Allocatable.Memory().String(),
		}
	}
	if diff := cmp.Diff(want, have); diff != "" {
		t.Errorf("nodes (-want +have):\n%s", diff)
	}
}

// checkPlacement compares the Windows build of each pod's node with the build of the workload, or "linux" if the node
// is a Linux node.
func checkPlacement(t *testing.T, client kubernetes.Interface) {
	t.Helper()
	want := map[string][]string{"linux-web": {"linux", "linux"}}
	for release, build := range builds {
		want["iis-"+release] = []string{build, build}
	}
	have := map[string][]string{}
	pods, err := client.CoreV1().Pods(metav1.NamespaceDefault).List(t.Context(), metav1.ListOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for _, pod := range pods.Items {
		node, err := client.CoreV1().Nodes().Get(t.Context(), pod.Spec.NodeName, metav1.GetOptions{})
		if err != nil {
			t.Fatalf("pod %s: %v", pod.Name, err)
		}
		kind := node.Labels["kubernetes.io/os"]
		if kind == "windows" {
			kind = node.Labels["node.kubernetes.io/windows-build"]
		}
		have[pod.Labels["app"]] = append(have[pod.Labels["app"]], kind)
	}
	if diff := cmp.Diff(want, have); diff != "" {
		t.Errorf("where the pods are (-want +have):\n%s", diff)
	}
}

func checkServices(t *testing.T, client kubernetes.Interface) {
	t.Helper()
	addresses := map[string]string{}
	for release := range builds {
		iis, err := client.CoreV1().Services(metav1.NamespaceDefault).Get(t.Context(), "iis-"+release,
			metav1.GetOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if iis.Spec.Type != corev1.ServiceTypeLoadBalancer || len(iis.Status.LoadBalancer.Ingress) != 1 {
			t.Fatalf("%s: got %s with %v, want a LoadBalancer with an address", iis.Name, iis.Spec.Type,
				iis.Status.LoadBalancer.Ingress)
		}
		address := iis.Status.LoadBalancer.Ingress[0].IP
		if !strings.HasPrefix(address, "203.0.113.") || addresses[address] != "" {
			t.Errorf("%s has the address %q, want one of 203.0.113.0/24 of its own (%v)", iis.Name, address, addresses)
		}
		addresses[address] = iis.Name
	}
}

// checkObjects checks the objects in the API server.
func checkObjects(t *testing.T, client kubernetes.Interface) {
	t.Helper()
	for release, build := range builds {
		class, err := client.NodeV1().RuntimeClasses().Get(t.Context(), "windows-"+release, metav1.GetOptions{})
		if err != nil {
			t.Fatal(err)
		}
		selector := map[string]string{
			"kubernetes.io/os": "windows", "kubernetes.io/arch": "amd64",
			"node.kubernetes.io/windows-build": build,
		}
		tolerations := []corev1.Toleration{{Key: "os", Operator: "Equal", Value: "windows", Effect: "NoSchedule"}}
		if diff := cmp.Diff(selector, class.Scheduling.NodeSelector); diff != "" {
			t.Errorf("selector of %s (-want +have):\n%s", class.Name, diff)
		}
		if diff := cmp.Diff(tolerations, class.Scheduling.Tolerations); diff != "" {
			t.Errorf("tolerations of %s (-want +have):\n%s", class.Name, diff)
		}
		if class.Handler != "runhcs-wcow-process" {
			t.Errorf("handler of %s is %s", class.Name, class.Handler)
		}

		iis, err := client.AppsV1().Deployments(metav1.NamespaceDefault).Get(t.Context(), "iis-"+release,
			metav1.GetOptions{})
		if err != nil {
			t.Fatal(err)
		}
		pod := iis.Spec.Template.Spec
		if pod.OS == nil || pod.OS.Name != corev1.Windows || pod.RuntimeClassName == nil ||
			*pod.RuntimeClassName != class.Name {
			t.Errorf("%s has os %v and RuntimeClass %v", iis.Name, pod.OS, pod.RuntimeClassName)
		}
		resources := pod.Containers[0].Resources
		got := fmt.Sprintf("%s/%s %s/%s", resources.Limits.Cpu(), resources.Limits.Memory(), resources.Requests.Cpu(),
			resources.Requests.Memory())
		if want := "1/800Mi 100m/300Mi"; got != want {
			t.Errorf("%s has limits and requests %s, want %s", iis.Name, got, want)
		}
	}
	plain, err := client.AppsV1().Deployments(metav1.NamespaceDefault).Get(t.Context(), "linux-web",
		metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if pod := plain.Spec.Template.Spec; pod.OS != nil || pod.RuntimeClassName != nil || pod.NodeSelector != nil ||
		pod.Tolerations != nil {
		t.Errorf("linux-web has fields about platforms: %+v", pod)
	}
}

func checkMovedPod(t *testing.T, l testLab, client kubernetes.Interface, binary string) {
	t.Helper()
	patch(t, client, "win22-0", `{"spec":{"taints":null}}`)
	for _, name := range []string{"linux-0", "linux-1"} {
		patch(t, client, name, `{"spec":{"unschedulable":true}}`)
	}
	pods, err := client.CoreV1().Pods(metav1.NamespaceDefault).List(t.Context(),
		metav1.ListOptions{LabelSelector: "app=linux-web"})
	if err != nil {
		t.Fatal(err)
	}
	if err := client.CoreV1().Pods(metav1.NamespaceDefault).Delete(t.Context(), pods.Items[0].Name,
		metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	var moved string
	eventually(t, func(ctx context.Context) string {
		pods, err := client.CoreV1().Pods(metav1.NamespaceDefault).List(ctx,
			metav1.ListOptions{LabelSelector: "app=linux-web"})
		if err != nil {
			return err.Error()
		}
		for _, pod := range pods.Items {
			if pod.Spec.NodeName == "win22-0" && pod.Status.Phase == corev1.PodRunning {
				moved = pod.Name
				return ""
			}
		}
		return "no pod of linux-web runs on win22-0"
	})
	if err := l.Status(t.Context()); !errors.Is(err, lab.ErrProblems) {
		t.Errorf("status: got %v, want %v", err, lab.ErrProblems)
	}
	contains(t, l.Out.Take(),
		"wrong: node win22-0: taint os=windows:NoSchedule is missing\n",
		"wrong: pod "+moved+" is on the windows-2022 node win22-0, which cannot run its image nginx:1.28-alpine\n",
		"8 pods on 8 nodes, 2 problems\n")

	status := exec.CommandContext(t.Context(), binary, "-dir", l.Dir, "status")
	status.Dir = checkout(t)
	out, err := status.CombinedOutput()
	labtest.Failed(t, "lab status", err)
	contains(t, string(out), "pod "+moved, "error: not everything is where it belongs\n")

	// The pod's replacement must run on Linux once the taint is back and the Linux nodes are schedulable.
	for _, name := range []string{"linux-0", "linux-1"} {
		patch(t, client, name, `{"spec":{"unschedulable":null}}`)
	}
	patch(t, client, "win22-0", `{"spec":{"taints":[{"key":"os","value":"windows","effect":"NoSchedule"}]}}`)
	if err := client.CoreV1().Pods(metav1.NamespaceDefault).Delete(t.Context(), moved,
		metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	l.Settles(t)
	l.Out.Take()
}

func checkRefusedPods(t *testing.T, l testLab, client kubernetes.Interface) {
	t.Helper()
	classes := client.NodeV1().RuntimeClasses()
	class, err := classes.Get(t.Context(), "windows-2019", metav1.GetOptions{})
	check(t, err)
	check(t, classes.Delete(t.Context(), class.Name, metav1.DeleteOptions{}))
	pods := client.CoreV1().Pods(metav1.NamespaceDefault)
	check(t, pods.DeleteCollection(t.Context(), metav1.DeleteOptions{},
		metav1.ListOptions{LabelSelector: "app=iis-2019"}))
	eventually(t, func(ctx context.Context) string {
		if err := l.Status(ctx); !errors.Is(err, lab.ErrProblems) {
			return fmt.Sprintf("status: got %v, want %v", err, lab.ErrProblems)
		}
		const want = `pod rejected: RuntimeClass "windows-2019" not found`
		if out := l.Out.Take(); !strings.Contains(out, "wrong: the pods of iis-2019-") || !strings.Contains(out, want) {
			return "status does not name the refused pods:\n" + out
		}
		return ""
	})
	class.ObjectMeta = metav1.ObjectMeta{Name: class.Name, Labels: class.Labels, Annotations: class.Annotations}
	_, err = classes.Create(t.Context(), class, metav1.CreateOptions{})
	check(t, err)
	// Delete the ReplicaSets, because the controller's retries become slower with each refused pod.
	sets, err := client.AppsV1().ReplicaSets(metav1.NamespaceDefault).List(t.Context(),
		metav1.ListOptions{LabelSelector: "app=iis-2019"})
	check(t, err)
	for _, set := range sets.Items {
		check(t, client.AppsV1().ReplicaSets(set.Namespace).Delete(t.Context(), set.Name, metav1.DeleteOptions{}))
	}
	l.Settles(t)
	l.Out.Take()
}

func checkPendingPod(t *testing.T, l testLab, client kubernetes.Interface) {
	t.Helper()
	// Changes that the lab can correct: up must do so in the next step.
	patch(t, client, "win25-0",
		`{"metadata":{"labels":{"node.kubernetes.io/windows-build":null}},"spec":{"taints":null}}`)
	pod, err := client.CoreV1().Pods(metav1.NamespaceDefault).Create(t.Context(), &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Name: "nowhere"},
		Spec: corev1.PodSpec{
			NodeSelector: map[string]string{"kubernetes.io/os": "plan9"},
			Containers:   []corev1.Container{{Name: "c", Image: "nginx"}},
		},
	}, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	eventually(t, func(ctx context.Context) string {
		if err := l.Status(ctx); !errors.Is(err, lab.ErrProblems) {
			return fmt.Sprintf("status: got %v, want %v", err, lab.ErrProblems)
		}
		if out := l.Out.Take(); !strings.Contains(out, "wrong: pod nowhere is pending: 0/8 nodes are available") {
			return "status does not name the pod:\n" + out
		}
		return ""
	})
	if err := client.CoreV1().Pods(pod.Namespace).Delete(t.Context(), pod.Name,
		metav1.DeleteOptions{GracePeriodSeconds: new(int64(0))}); err != nil {
		t.Fatal(err)
	}
}

func patch(t *testing.T, client kubernetes.Interface, node, change string) {
	t.Helper()
	_, err := client.CoreV1().Nodes().Patch(t.Context(), node, types.StrategicMergePatchType, []byte(change),
		metav1.PatchOptions{})
	if err != nil {
		t.Fatal(err)
	}
}

// versions returns the resource versions of all objects that a stack deploys or the controllers create for them, and
// the UIDs, labels and taints of the nodes.
func versions(t *testing.T, client kubernetes.Interface) map[string]string {
	t.Helper()
	out := map[string]string{}
	ctx, all := t.Context(), metav1.ListOptions{}
	pods, err := client.CoreV1().Pods(metav1.NamespaceAll).List(ctx, all)
	check(t, err)
	for _, o := range pods.Items {
		out["pod "+o.Name] = o.ResourceVersion
	}
	services, err := client.CoreV1().Services(metav1.NamespaceAll).List(ctx, all)
	check(t, err)
	for _, o := range services.Items {
		out["service "+o.Name] = o.ResourceVersion
	}
	deployments, err := client.AppsV1().Deployments(metav1.NamespaceAll).List(ctx, all)
	check(t, err)
	for _, o := range deployments.Items {
		out["deployment "+o.Name] = o.ResourceVersion
	}
	sets, err := client.AppsV1().ReplicaSets(metav1.NamespaceAll).List(ctx, all)
	check(t, err)
	for _, o := range sets.Items {
		out["replicaset "+o.Name] = o.ResourceVersion
	}
	classes, err := client.NodeV1().RuntimeClasses().List(ctx, all)
	check(t, err)
	for _, o := range classes.Items {
		out["runtimeclass "+o.Name] = o.ResourceVersion
	}
	nodes, err := client.CoreV1().Nodes().List(ctx, all)
	check(t, err)
	for _, o := range nodes.Items {
		out["node "+o.Name] = fmt.Sprint(o.UID, o.Labels, o.Spec.Taints)
	}
	return out
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
