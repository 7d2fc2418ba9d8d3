package clustermap

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/mixedkube/mixedkube/core/preflight"
	"github.com/mixedkube/mixedkube/core/topology"
)

// machine returns a node as in the API server.
func machine(name, pool, os, build string) corev1.Node {
	room := corev1.ResourceList{
		corev1.ResourceCPU: resource.MustParse("4"), corev1.ResourceMemory: resource.MustParse("16Gi"),
	}
	n := corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{
		corev1.LabelOSStable: os, corev1.LabelArchStable: "amd64", "agentpool": pool,
	}}}
	if build != "" {
		n.Labels[topology.LabelWindowsBuild] = build
		n.Spec.Taints = []corev1.Taint{topology.WindowsTaint()}
	}
	n.Status.Capacity, n.Status.Allocatable = room, room
	n.Status.NodeInfo.KubeletVersion = "v1.36.3"
	return n
}

func machines() []corev1.Node {
	control := machine("control-0", "", "linux", "")
	control.Labels["node-role.kubernetes.io/control-plane"] = ""
	control.Spec.Taints = []corev1.Taint{{Key: "node-role.kubernetes.io/control-plane", Effect: "NoSchedule"}}
	return []corev1.Node{
		control, machine("sys-0", "sys", "linux", ""), machine("win-0", "win", "windows", "10.0.20348"),
		machine("win-1", "win", "windows", "10.0.20348"),
	}
}

// seenPod returns a pod of a live cluster.
func seenPod(name, owner, node, status string) string {
	return fmt.Sprintf(`
apiVersion: v1
kind: Pod
metadata: {name: %s, ownerReferences: [%s]}
spec: {nodeName: %q, containers: [{name: a, image: a.example/a, resources: {requests: {cpu: 500m, memory: 1Gi}}}]}
status: {%s}
`, name, owner, node, status)
}

const made = "{kind: %s, name: %s, controller: true}"

func TestPodsOfALiveClusterAreOnTheirNodes(t *testing.T) {
	t.Parallel()
	const (
		running = "phase: Running"
		refused = "phase: Pending, conditions: [{type: PodScheduled, status: 'False', message: " +
			"'0/4 nodes are available'}]"
		backOff = "phase: Pending, containerStatuses: [{state: {waiting: {reason: ImagePullBackOff, message: " +
			"no such image}}}]"
	)
	set := fmt.Sprintf(made, "ReplicaSet", "web-1")
	var text strings.Builder
	text.WriteString(`
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec: {replicas: 4, template: {spec: {containers: [{name: a, image: a.example/a}]}}}
---
apiVersion: apps/v1
kind: ReplicaSet
metadata: {name: web-1, ownerReferences: [` + fmt.Sprintf(made, "Deployment", "web") + `]}
spec: {replicas: 4, template: {spec: {containers: [{name: a, image: a.example/a}]}}}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: forbidden}
spec: {replicas: 1, template: {spec: {containers: [{name: a, image: a.example/a}]}}}
status: {conditions: [{type: ReplicaFailure, status: 'True', message: exceeded quota}]}
`)
	for i, p := range []struct{ owner, node, status string }{
		{set, "win-0", running},
		{set, "win-1", running},
		{set, "sys-0", backOff},
		{set, "", refused},
		{set, "win-0", "phase: Succeeded"},
		{"", "sys-0", running},
		{fmt.Sprintf(made, "Node", "sys-0"), "sys-0", running},
		{fmt.Sprintf(made, "Machine", "gone"), "sys-0", running},
		{"", "control-0", running},
	} {
		fmt.Fprintf(&text, "---%s", seenPod(fmt.Sprintf("pod-%d", i), p.owner, p.node, p.status))
	}
	nodes := machines()
	pools, _, errs := topology.FromNodes(nodes, "")
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	m := New(Source{Options: preflight.Options{Topology: pools}, Objects: objects(t, text.String()), Nodes: nodes})
	want(
		t, m,
		"sys: Linux||1 node||CPU 2 of 4|Memory 4 of 16 GiB|",
		"  gone Machine 1 pod ",
		"  pod-5 Pod 1 pod ",
		"  pod-6 Pod 1 pod ",
		"  web Deployment 1 pod ",
		"win: Windows Server 2022|10.0.20348|2 nodes|os=windows:NoSchedule|CPU 1 of 8|Memory 2 of 32 GiB|",
		"  web Deployment 2 pods ",
		"pending: forbidden (Deployment, 1 pod): Pods cannot be created: exceeded quota",
		"pending: web (Deployment, 4 pods): 1 of 4 pods waits: 0/4 nodes are available 1 of 4 pods waits: "+
			"ImagePullBackOff: no such image",
		"note: Not drawn, because their nodes are in no pool: 1 pod.",
	)
	var names []string
	for _, w := range m.Workloads {
		names = append(names, w.Kind+" "+w.Name)
	}
	if diff := cmp.Diff([]string{
		"Deployment forbidden", "Machine gone", "Pod pod-5", "Pod pod-6", "Deployment web",
	}, names); diff != "" {
		t.Errorf("the workloads (-want +got):\n%s", diff)
	}
	if !m.Live {
		t.Error("pods with a status are not taken for those of a live cluster")
	}
}

// The names of pools in a topology may differ from the ones on the nodes: then labels decide.
func TestNodesAreAssignedToPoolsByLabels(t *testing.T) {
	t.Parallel()
	web := seenPod("web", "", "win-0", "phase: Running")
	m := New(Source{Options: preflight.Options{Topology: threePools()}, Objects: objects(t, web), Nodes: machines()})
	want(
		t, m,
		"sys: Linux||1 node||CPU 0 of 4|Memory 0 of 15.65 GiB|",
		"win22: Windows Server 2022|10.0.20348|2 nodes|os=windows:NoSchedule|CPU 0.5 of 8|Memory 1 of 31.99 GiB|",
		"  web Pod 1 pod ",
		"win25: Windows Server 2025|10.0.26100|no nodes, at most 5|os=windows:NoSchedule|"+
			"A node would have 4 CPUs and 15.99 GiB for pods.",
	)
	// If two pools can have the node, it is in neither.
	two := threePools()
	two.Pools = append(two.Pools, two.Pools[0])
	two.Pools[3].Name = "other"
	m = New(Source{Options: preflight.Options{Topology: two}, Objects: objects(t, web), Nodes: machines()})
	if len(m.Workloads) > 0 || len(m.Notes) != 1 {
		t.Errorf("%d workloads are drawn, and the notes are %q", len(m.Workloads), m.Notes)
	}
}
