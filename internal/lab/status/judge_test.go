package status

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/lab/cluster"
)

func testNodes() []*corev1.Node {
	return cluster.Nodes(topology.Topology{Pools: []topology.Pool{
		{Name: "linux", Platform: platform.Linux},
		{Name: "win19", Platform: platform.WindowsServer2019},
		{Name: "win22", Platform: platform.WindowsServer2022},
	}}.WithDefaults(), "v1.36.3")
}

func running(name, node, image string) *corev1.Pod {
	return &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: "default"},
		Spec:       corev1.PodSpec{NodeName: node, Containers: []corev1.Container{{Name: "c", Image: image}}},
		Status: corev1.PodStatus{
			Phase:      corev1.PodRunning,
			Conditions: []corev1.PodCondition{{Type: corev1.PodReady, Status: corev1.ConditionTrue}},
		},
	}
}

// tolerant tolerates the default taint of Windows pools.
func tolerant(pod *corev1.Pod) *corev1.Pod {
	return with(pod, func(p *corev1.Pod) {
		p.Spec.Tolerations = []corev1.Toleration{topology.Tolerate(topology.WindowsTaint())}
	})
}

func with(pod *corev1.Pod, change func(*corev1.Pod)) *corev1.Pod {
	change(pod)
	return pod
}

func TestJudge(t *testing.T) {
	t.Parallel()
	const iis2019 = "mcr.microsoft.com/windows/servercore/iis:windowsservercore-ltsc2019"
	nodes := map[string]*corev1.Node{}
	for _, node := range testNodes() {
		nodes[node.Name] = node
	}
	for _, c := range []struct {
		name string
		pod  *corev1.Pod
		want string
	}{
		{"a Windows pod on its own release is right", tolerant(running("p", "win19-0", iis2019)), ""},
		{"a Linux pod on Linux is right", running("p", "linux-0", "nginx:1.28-alpine"), ""},
		{
			"an image that shows no platform is right if the taint is tolerated",
			tolerant(running("p", "win22-0", "nginx")), "",
		},
		{
			"a pod that does not tolerate the taint of its pool is wrong, whatever the node has",
			with(running("p", "win22-0", "nginx"), func(*corev1.Pod) {}),
			"is on node win22-0, but does not tolerate its pool's taint os=windows:NoSchedule",
		},
		{
			"a toleration in another case does not count", with(running("p", "win22-0", "nginx"), func(p *corev1.Pod) {
				p.Spec.Tolerations = []corev1.Toleration{{Key: "os", Value: "Windows"}}
			}),
			"is on node win22-0, but does not tolerate its pool's taint os=windows:NoSchedule",
		},
		{
			"a Windows image on another release is wrong", running("p", "win22-0", iis2019),
			"is on the windows-2022 node win22-0, which cannot run its image " + iis2019,
		},
		{
			"a Windows image on Linux is wrong", running("p", "linux-0", iis2019),
			"is on the linux node linux-0, which cannot run its image " + iis2019,
		},
		{
			"a Linux image on Windows is wrong", running("p", "win22-0", "nginx:1.28-alpine"),
			"is on the windows-2022 node win22-0, which cannot run its image nginx:1.28-alpine",
		},
		{
			"a word in a tag is not enough", tolerant(running("p", "win22-0", "e2e.example.com/nginx:1.14-alpine")),
			"",
		},
		{
			"a Windows release in the tag of any image is enough, on Windows",
			running("p", "win22-0", "shop.example.com/shop:ltsc2019"),
			"is on the windows-2022 node win22-0, which cannot run its image shop.example.com/shop:ltsc2019",
		},
		{
			"an init container counts", with(running("p", "win22-0", "app"), func(p *corev1.Pod) {
				p.Spec.InitContainers = []corev1.Container{{Name: "i", Image: "alpine:3.22"}}
			}),
			"is on the windows-2022 node win22-0, which cannot run its image alpine:3.22",
		},
		{
			"os.name counts", with(running("p", "linux-0", "app"),
				func(p *corev1.Pod) { p.Spec.OS = &corev1.PodOS{Name: corev1.Windows} }),
			"is on the linux node linux-0, but its os.name is windows",
		},
		{
			"a node selector counts, even if the scheduler was bypassed",
			with(running("p", "win22-0", "app"), func(p *corev1.Pod) {
				p.Spec.NodeSelector = topology.NodeSelector(platform.WindowsServer2019)
			}),
			"is on node win22-0 with node.kubernetes.io/windows-build=10.0.20348, but its node selector wants " +
				"10.0.17763",
		},
		{
			"a pending pod is wrong, with the scheduler's message", with(running("p", "", "app"), func(p *corev1.Pod) {
				p.Status = corev1.PodStatus{
					Phase:      corev1.PodPending,
					Conditions: []corev1.PodCondition{{Type: corev1.PodScheduled, Message: "0/3 nodes are available"}},
				}
			}),
			"is pending: 0/3 nodes are available",
		},
		{
			"a pending pod without a message is wrong",
			with(running("p", "", "app"),
				func(p *corev1.Pod) { p.Status = corev1.PodStatus{Phase: corev1.PodPending} }),
			"is pending: no node has been chosen yet",
		},
		{"a pod on a deleted node is wrong", running("p", "lost", "app"), "is on node lost, which does not exist"},
		{
			"a pod that is not ready is wrong",
			with(running("p", "linux-0", "app"), func(p *corev1.Pod) { p.Status.Conditions = nil }),
			"is on node linux-0, but not ready: its phase is Running",
		},
		{
			"a completed pod is right", with(running("p", "linux-0", "app"), func(p *corev1.Pod) {
				p.Status = corev1.PodStatus{Phase: corev1.PodSucceeded}
			}),
			"",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			node := nodes[c.pod.Spec.NodeName]
			if got := Judge(c.pod, node, node); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func TestReport(t *testing.T) {
	t.Parallel()
	desired := testNodes()
	var nodes []*corev1.Node
	for _, node := range desired {
		if node.Name != "win19-0" {
			nodes = append(nodes, node.DeepCopy())
		}
	}
	nodes[1].Spec.Taints = nil
	unmanaged := nodes[0].DeepCopy()
	unmanaged.Name = "left-0"
	nodes = append(nodes, unmanaged)
	stray := running("agent", "win22-0", "alpine:3.22")
	stray.Namespace = "kube-system"
	report := newReport([]*corev1.Pod{stray, running("web", "linux-0", "nginx:1.28-alpine")}, nodes, desired)

	var out bytes.Buffer
	if err := report.Write(&out); err != nil {
		t.Fatal(err)
	}
	const want = `POD                 STATUS    NODE      OS        BUILD        
web                 Running   linux-0   linux     -            
kube-system/agent   Running   win22-0   windows   10.0.20348   <- wrong
wrong: node win19-0 does not exist
wrong: node win22-0: taint os=windows:NoSchedule is missing
wrong: node left-0 does not belong to any pool
wrong: pod kube-system/agent is on the windows-2022 node win22-0, which cannot run its image alpine:3.22
2 pods on 3 nodes, 4 problems
`
	if diff := cmp.Diff(want, out.String()); diff != "" {
		t.Errorf("report (-want +got):\n%s", diff)
	}
}

func TestReportOfMany(t *testing.T) {
	t.Parallel()
	of := func(owner, kind string, pod *corev1.Pod) *corev1.Pod {
		return with(pod, func(p *corev1.Pod) {
			p.OwnerReferences = []metav1.OwnerReference{{Kind: kind, Name: owner, Controller: new(true)}}
			if hash, ok := strings.CutPrefix(owner, "web-"); ok {
				p.Labels = map[string]string{appsv1.DefaultDeploymentUniqueLabelKey: hash}
			}
		})
	}
	pods := []*corev1.Pod{running("by-hand", "linux-0", "alpine:3.22")}
	for i := range 150 {
		name := fmt.Sprintf("web-5f6d-%03d", i)
		pod := of("web-5f6d", "ReplicaSet", running(name, "linux-0", "nginx:1.28-alpine"))
		if i >= 30 {
			pod.Spec.NodeName, pod.Status = "", corev1.PodStatus{Phase: corev1.PodPending}
		}
		pods = append(pods, pod)
	}
	for _, node := range []string{"win19-0", "win22-0"} {
		pods = append(pods, of("agent", "DaemonSet", tolerant(running("agent-"+node, node, "agent"))))
	}
	report := newReport(pods, testNodes(), testNodes())

	var out bytes.Buffer
	if err := report.Write(&out); err != nil {
		t.Fatal(err)
	}
	var want strings.Builder
	want.WriteString(`WORKLOAD   STATUS    PODS   NODES   OS        BUILD        
agent      Running   1      1       windows   10.0.17763   
agent      Running   1      1       windows   10.0.20348   
by-hand    Running   1      1       linux     -            
web        Running   30     1       linux     -            
web        Pending   120    0       -         -            <- 120 wrong
`)
	for i := range 100 {
		fmt.Fprintf(&want, "wrong: pod web-5f6d-%03d is pending: no node has been chosen yet\n", 30+i)
	}
	want.WriteString("and 20 more problems\n153 pods on 3 nodes, 120 problems\n")
	if diff := cmp.Diff(want.String(), out.String()); diff != "" {
		t.Errorf("report (-want +got):\n%s", diff)
	}
}

func TestRefused(t *testing.T) {
	t.Parallel()
	const message = `pods "iis-" is forbidden: pod rejected: RuntimeClass "windows-2019" not found`
	set := func(name string, conditions ...appsv1.ReplicaSetCondition) *appsv1.ReplicaSet {
		return &appsv1.ReplicaSet{
			ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: "default"},
			Status:     appsv1.ReplicaSetStatus{Conditions: conditions},
		}
	}
	got := refused([]*appsv1.ReplicaSet{
		set("fine"),
		set("was", appsv1.ReplicaSetCondition{
			Type: appsv1.ReplicaSetReplicaFailure, Status: corev1.ConditionFalse,
			Message: message,
		}),
		set("iis", appsv1.ReplicaSetCondition{
			Type: appsv1.ReplicaSetReplicaFailure, Status: corev1.ConditionTrue,
			Message: message,
		}),
	})
	if diff := cmp.Diff([]string{"the pods of iis are refused: " + message}, got); diff != "" {
		t.Errorf("problems (-want +got):\n%s", diff)
	}
}
