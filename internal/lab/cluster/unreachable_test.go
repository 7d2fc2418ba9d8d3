package cluster

import (
	"fmt"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes/fake"
	clienttesting "k8s.io/client-go/testing"
)

func readyNode(name string) *corev1.Node {
	return &corev1.Node{
		ObjectMeta: metav1.ObjectMeta{Name: name, Annotations: map[string]string{managedByKWOK: "fake", "mine": "yes"}},
		Spec: corev1.NodeSpec{Taints: []corev1.Taint{
			{Key: "os", Value: "windows", Effect: "NoSchedule"},
			{Key: "node.kubernetes.io/not-ready", Effect: "NoExecute"},
		}},
		Status: corev1.NodeStatus{Conditions: []corev1.NodeCondition{
			{Type: "Ready", Status: "True", Reason: "KubeletReady"},
			{Type: "MemoryPressure", Status: "False"},
			{Type: "DiskPressure", Status: "False"},
			{Type: "NetworkUnavailable", Status: "False", Reason: "RouteCreated"},
		}},
	}
}

func TestDeletedMachinesLeaveTheirNodes(t *testing.T) {
	t.Parallel()
	client := fake.NewClientset(readyNode("win-1"), readyNode("win-2"), readyNode("win-3"),
		lease("win-1", "kwok", time.Minute))
	before := time.Now().Add(-time.Second)
	for range 2 {
		if err := MarkUnreachable(t.Context(), client, []string{"win-1", "nobody", "win-2"}); err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"win-1", "win-2"} {
			checkUnreachable(t, client, name, before)
		}
	}
	if other := nodeOf(t, client, "win-3"); other.Annotations[managedByKWOK] != "fake" || !isReady(other) {
		t.Errorf("another machine is %v", other)
	}
	list, err := client.CoordinationV1().Leases("").List(t.Context(), metav1.ListOptions{})
	if err != nil || len(list.Items) != 2 {
		t.Errorf("the leases are %v (%v)", list, err)
	}
}

func checkUnreachable(t *testing.T, client *fake.Clientset, name string, before time.Time) {
	t.Helper()
	node := nodeOf(t, client, name)
	if got := fmt.Sprint(node.Annotations); got != "map[mine:yes]" {
		t.Errorf("the annotations are %s", got)
	}
	var taints, conditions strings.Builder
	for _, taint := range node.Spec.Taints {
		if taint.Key != "os" && taint.TimeAdded.Time.Before(before) {
			t.Errorf("the taint %s is from %s", taint.Key, taint.TimeAdded)
		}
		taints.WriteString(taint.ToString() + " ")
	}
	if taints := taints.String(); taints != "os=windows:NoSchedule node.kubernetes.io/unreachable:NoSchedule "+
		"node.kubernetes.io/unreachable:NoExecute " {
		t.Errorf("the taints are %s", taints)
	}
	for _, c := range node.Status.Conditions {
		fmt.Fprintln(&conditions, c.Type, c.Status, c.Reason, c.Message, c.LastTransitionTime.After(before))
	}
	if want := `Ready Unknown NodeStatusUnknown Kubelet stopped posting node status. true
MemoryPressure Unknown NodeStatusUnknown Kubelet stopped posting node status. true
DiskPressure Unknown NodeStatusUnknown Kubelet stopped posting node status. true
NetworkUnavailable False RouteCreated  false
PIDPressure Unknown NodeStatusNeverUpdated Kubelet never posted node status. true
`; conditions.String() != want {
		t.Errorf("the conditions are\n%s\nwant\n%s", conditions.String(), want)
	}
	lease, err := client.CoordinationV1().Leases("kube-node-lease").Get(t.Context(), name, metav1.GetOptions{})
	if err != nil || *lease.Spec.HolderIdentity != name || *lease.Spec.LeaseDurationSeconds != forever {
		t.Errorf("the lease is %v (%v)", lease, err)
	}
}

// KWOK may not know yet that it no longer simulates the node.
func TestRestoredNodesAreMarkedUnreachableAgain(t *testing.T) {
	t.Parallel()
	client := fake.NewClientset(readyNode("win-1"))
	left := 4
	client.PrependReactor("get", "nodes", func(clienttesting.Action) (bool, runtime.Object, error) {
		object, err := client.Tracker().Get(corev1.SchemeGroupVersion.WithResource("nodes"), "", "win-1")
		if err != nil {
			return true, nil, err
		}
		node := object.(*corev1.Node).DeepCopy()
		if left > 0 && node.Status.Conditions[0].Status == corev1.ConditionUnknown {
			left--
			node.Status.Conditions[0].Status = corev1.ConditionTrue
		}
		return true, node, nil
	})
	if err := MarkUnreachable(t.Context(), client, []string{"win-1"}); err != nil {
		t.Fatal(err)
	}
	updates := 0
	for _, action := range client.Actions() {
		if action.Matches("update", "nodes") && action.GetSubresource() == "status" {
			updates++
		}
	}
	if updates != 5 || left != 0 {
		t.Errorf("the status was written %d times, want 5", updates)
	}
}
