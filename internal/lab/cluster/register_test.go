package cluster

import (
	"context"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes/fake"
	clienttesting "k8s.io/client-go/testing"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
)

func TestRegister(t *testing.T) {
	t.Parallel()
	pools := func(pools ...topology.Pool) []*corev1.Node {
		return Nodes(topology.Topology{Pools: pools}.WithDefaults(), "v1.36.3")
	}
	linux := topology.Pool{Name: "linux", Platform: platform.Linux, Count: 2}
	win := topology.Pool{Name: "win", Platform: platform.WindowsServer2022}
	lifecycle := corev1.Taint{Key: "node.kubernetes.io/not-ready", Effect: "NoExecute"}

	for _, c := range []struct {
		name    string
		change  func(ctx context.Context, client *fake.Clientset)
		want    []*corev1.Node
		actions []string
	}{
		{
			name:   "nodes that are correct do not change",
			change: func(context.Context, *fake.Clientset) {},
			want:   pools(linux, win),
		},
		{
			name:    "a new pool is registered",
			change:  func(context.Context, *fake.Clientset) {},
			want:    pools(linux, win, topology.Pool{Name: "win25", Platform: platform.WindowsServer2025}),
			actions: []string{"create nodes win25-0"},
		},
		{
			name:    "a smaller pool loses its last node",
			change:  func(context.Context, *fake.Clientset) {},
			want:    pools(topology.Pool{Name: "linux", Platform: platform.Linux, Count: 1}, win),
			actions: []string{"delete leases linux-1", "delete nodes linux-1", "delete pods on-linux-1"},
		},
		{
			name:   "a pool of another release gets new machines",
			change: func(context.Context, *fake.Clientset) {},
			want:   pools(linux, topology.Pool{Name: "win", Platform: platform.WindowsServer2025}),
			actions: []string{
				"update leases win-0", "delete nodes win-0", "delete pods on-win-0",
				"create nodes win-0",
			},
		},
		{
			name: "labels and taints are corrected, and those of the control plane stay",
			change: func(ctx context.Context, client *fake.Clientset) {
				node, _ := client.CoreV1().Nodes().Get(ctx, "win-0", metav1.GetOptions{})
				delete(node.Labels, "kubernetes.io/os")
				node.Labels["stray"] = "yes"
				node.Spec.Taints = []corev1.Taint{lifecycle, {Key: "os", Value: "Windows", Effect: "NoSchedule"}}
				_, _ = client.CoreV1().Nodes().Update(ctx, node, metav1.UpdateOptions{})
			},
			want:    pools(linux, win),
			actions: []string{"update nodes win-0"},
		},
		{
			name: "nodes that are not simulated do not change",
			change: func(ctx context.Context, client *fake.Clientset) {
				_, _ = client.CoreV1().Nodes().Create(ctx, &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "real"}},
					metav1.CreateOptions{})
			},
			want: pools(linux, win),
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			client := fake.NewClientset()
			addPods(t, client)
			addLease(t, client)
			if err := Register(t.Context(), client, pools(linux, win)); err != nil {
				t.Fatal(err)
			}
			c.change(t.Context(), client)
			client.ClearActions()
			if err := Register(t.Context(), client, c.want); err != nil {
				t.Fatal(err)
			}
			var actions []string
			for _, action := range client.Actions() {
				what := action.GetVerb() + " " + action.GetResource().Resource + " "
				switch action := action.(type) {
				case clienttesting.CreateAction: // updates are of this kind, too
					actions = append(actions, what+action.GetObject().(metav1.Object).GetName())
				case clienttesting.DeleteAction:
					actions = append(actions, what+action.GetName())
				}
			}
			if diff := cmp.Diff(c.actions, actions); diff != "" {
				t.Errorf("actions (-want +got):\n%s", diff)
			}
			for _, want := range c.want {
				have, err := client.CoreV1().Nodes().Get(t.Context(), want.Name, metav1.GetOptions{})
				if err != nil {
					t.Fatal(err)
				}
				if drift := Drift(have, want); drift != nil {
					t.Errorf("node %s: %v", want.Name, drift)
				}
			}
		})
	}
}

// addPods puts a pod on each of two nodes. The fake API server does not implement field
// selectors, so addPods adds this one.
func addPods(t *testing.T, client *fake.Clientset) {
	t.Helper()
	for _, node := range []string{"linux-1", "win-0"} {
		pod := &corev1.Pod{
			ObjectMeta: metav1.ObjectMeta{Name: "on-" + node, Namespace: "default"},
			Spec:       corev1.PodSpec{NodeName: node},
		}
		if err := client.Tracker().Add(pod); err != nil {
			t.Fatal(err)
		}
	}
	client.PrependReactor("list", "pods", func(action clienttesting.Action) (bool, runtime.Object, error) {
		all, err := client.Tracker().List(action.GetResource(), corev1.SchemeGroupVersion.WithKind("Pod"), "")
		if err != nil {
			return true, nil, err
		}
		fields := action.(clienttesting.ListAction).GetListRestrictions().Fields
		pods := all.(*corev1.PodList)
		pods.Items = slices.DeleteFunc(pods.Items,
			func(p corev1.Pod) bool { return fields.String() != "spec.nodeName="+p.Spec.NodeName })
		return true, pods, nil
	})
}

// addLease adds the lease of a node, whose owner is its machine.
func addLease(t *testing.T, client *fake.Clientset) {
	t.Helper()
	l := lease("win-0", "kwok", 0)
	l.OwnerReferences = []metav1.OwnerReference{{APIVersion: "v1", Kind: "Node", Name: "win-0", UID: "old"}}
	if err := client.Tracker().Add(l); err != nil {
		t.Fatal(err)
	}
}

// The garbage collector would delete a lease whose owner is deleted.
func TestTheNextMachineGetsTheLease(t *testing.T) {
	t.Parallel()
	client := fake.NewClientset(readyNode("win-0"))
	addLease(t, client)
	if err := Replace(t.Context(), client, readyNode("win-0")); err != nil {
		t.Fatal(err)
	}
	l, err := client.CoordinationV1().Leases("kube-node-lease").Get(t.Context(), "win-0", metav1.GetOptions{})
	if err != nil || *l.Spec.HolderIdentity != "kwok" || l.OwnerReferences != nil {
		t.Errorf("the lease is %v (%v)", l, err)
	}
}

func TestDrift(t *testing.T) {
	t.Parallel()
	want := &corev1.Node{
		ObjectMeta: metav1.ObjectMeta{Labels: map[string]string{"a": "1", "b": "2"}},
		Spec:       corev1.NodeSpec{Taints: []corev1.Taint{topology.WindowsTaint()}},
	}
	have := &corev1.Node{
		ObjectMeta: metav1.ObjectMeta{Labels: map[string]string{"a": "one", "c": "3"}},
		Spec: corev1.NodeSpec{Taints: []corev1.Taint{
			{Key: "os", Value: "Windows", Effect: "NoSchedule"},
			{Key: "node.kubernetes.io/unschedulable", Effect: "NoSchedule"},
		}},
	}
	got := Drift(have, want)
	diff := cmp.Diff([]string{
		`label a is "one" instead of "1"`,
		`label b=2 is missing`,
		`label c=3 is not the pool's`,
		`taint os=windows:NoSchedule is missing`,
		`taint os=Windows:NoSchedule is not the pool's`,
	}, got)
	if diff != "" {
		t.Errorf("drift (-want +got):\n%s", diff)
	}
	if got := Drift(want, want); got != nil {
		t.Errorf("a node does not differ from itself: %v", got)
	}
}

func TestReady(t *testing.T) {
	t.Parallel()
	condition := func(status corev1.ConditionStatus) []corev1.NodeCondition {
		return []corev1.NodeCondition{{Type: corev1.NodeReady, Status: status}}
	}
	for _, c := range []struct {
		name   string
		status corev1.NodeStatus
		taints []corev1.Taint
		want   bool
	}{
		{"a node that KWOK does not simulate is not", corev1.NodeStatus{}, nil, false},
		{"one that is not ready is not", corev1.NodeStatus{Conditions: condition(corev1.ConditionFalse)}, nil, false},
		{
			"one that still has the taint is not",
			corev1.NodeStatus{Conditions: condition(corev1.ConditionTrue)},
			[]corev1.Taint{{Key: corev1.TaintNodeNotReady}},
			false,
		},
		{
			"one with its pool's taint is",
			corev1.NodeStatus{Conditions: condition(corev1.ConditionTrue)},
			[]corev1.Taint{topology.WindowsTaint()},
			true,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if got := ready(&corev1.Node{Status: c.status, Spec: corev1.NodeSpec{Taints: c.taints}}); got != c.want {
				t.Errorf("got %t, want %t", got, c.want)
			}
		})
	}
}
