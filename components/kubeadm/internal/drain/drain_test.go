package drain_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/mixedkube/mixedkube/components/kubeadm/internal/drain"
	"github.com/mixedkube/mixedkube/components/kubeadm/internal/kubeapi"
)

// cluster simulates the API server. An evicted pod ends after a while.
type cluster struct {
	nodes []corev1.Node
	pods  []corev1.Pod
	// takes is how long a pod takes to end; budget is how many may be ending at the same time, or 0
	// for no limit.
	takes  time.Duration
	budget int
	// fails are the errors of evictions by the name of the pod, and of requests by their verb.
	fails map[string]error
	log   []string
}

func (c *cluster) List(_ context.Context, o kubeapi.Object, s kubeapi.Selector, into any) error {
	if err := c.fails["list "+o.Resource]; err != nil {
		return err
	}
	switch list := into.(type) {
	case *corev1.NodeList:
		list.Items = slices.Clone(c.nodes)
	case *corev1.PodList:
		c.pods = slices.DeleteFunc(c.pods, func(p corev1.Pod) bool {
			return p.DeletionTimestamp != nil && !p.DeletionTimestamp.After(time.Now())
		})
		for _, pod := range c.pods {
			if s == (kubeapi.Selector{Fields: "spec.nodeName=" + pod.Spec.NodeName}) {
				list.Items = append(list.Items, pod)
			}
		}
	}
	return nil
}

func (c *cluster) Patch(_ context.Context, o kubeapi.Object, patch any) error {
	c.log = append(c.log, fmt.Sprintf("patch %s %v", o, patch))
	return c.fails["patch"]
}

func (c *cluster) Evict(_ context.Context, pod metav1.ObjectMeta) error {
	if err := c.fails[pod.Name]; err != nil {
		return err
	}
	ending := 0
	for _, p := range c.pods {
		if p.DeletionTimestamp != nil {
			ending++
		}
	}
	if c.budget > 0 && ending >= c.budget {
		return refusal("Cannot evict pod as it would violate the pod's disruption budget.")
	}
	c.log = append(c.log, "evict "+pod.Name)
	for i := range c.pods {
		if c.pods[i].UID == pod.UID {
			c.pods[i].DeletionTimestamp = &metav1.Time{Time: time.Now().Add(c.takes)}
		}
	}
	return nil
}

func refusal(message string) error {
	return &kubeapi.StatusError{Code: http.StatusTooManyRequests, Message: message}
}

func node(name string, change ...func(*corev1.Node)) corev1.Node {
	n := corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: name, Annotations: map[string]string{}}}
	n.Status.Conditions = []corev1.NodeCondition{{Type: corev1.NodeReady, Status: corev1.ConditionTrue}}
	for _, f := range change {
		f(&n)
	}
	return n
}

func pod(name, node string, change ...func(*corev1.Pod)) corev1.Pod {
	p := corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: "shop", UID: types.UID("uid-" + name)},
		Spec:       corev1.PodSpec{NodeName: node},
	}
	for _, f := range change {
		f(&p)
	}
	return p
}

// before are the names of the nodes that the last update left.
var before = []string{"old-0", "web-0", "web-1", "web-2", "gone-0"}

// run drains the nodes from before that are not among the names, with a simulated clock.
func run(t *testing.T, c *cluster, timeouts map[string]time.Duration, names ...string) (log []string, err error) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		err = drain.Nodes{
			Before: before, Names: names, Log: func(m string) { log = append(log, m) },
			Timeout: func(node string) time.Duration { return timeouts[node] },
		}.DrainLeaving(t.Context(), c)
	})
	return log, err
}

func equal(t *testing.T, what string, want, got any) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

func message(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

const cordons = " map[spec:map[unschedulable:true]]"

// All nodes that leave are cordoned before the first pod has to look for another one, and emptied
// one after the other.
func TestNodesThatLeave(t *testing.T) {
	t.Parallel()
	c := &cluster{
		takes: 3 * time.Second,
		nodes: []corev1.Node{
			node("old-0"), node("web-0"), node("web-1"), node("web-2"),
			node("elsewhere"),
		},
		pods: []corev1.Pod{
			pod("a", "web-0"), pod("b", "web-1"), pod("c", "web-1"), pod("stays", "web-2"),
			pod("not-ours", "elsewhere"), pod("d", "old-0"),
		},
	}
	log, err := run(t, c, nil, "web-2", "web-3")
	equal(t, "error", "", message(err))
	equal(t, "requests", []string{
		"patch nodes old-0" + cordons, "patch nodes web-0" + cordons, "patch nodes web-1" + cordons,
		"evict d", "evict a", "evict b", "evict c",
	}, c.log)
	equal(t, "log", []string{
		"node old-0 leaves: 1 pod is left", "node old-0 leaves: drained",
		"node web-0 leaves: 1 pod is left", "node web-0 leaves: drained",
		"node web-1 leaves: 2 pods are left", "node web-1 leaves: drained",
	}, log)
}

// A cluster that only grows is left alone.
func TestNodesThatStay(t *testing.T) {
	t.Parallel()
	c := &cluster{
		nodes: []corev1.Node{node("web-0"), node("x")},
		pods:  []corev1.Pod{pod("a", "web-0"), pod("b", "x")},
	}
	log, err := run(t, c, nil, "web-0", "web-1")
	equal(t, "error", "", message(err))
	equal(t, "requests", []string(nil), c.log)
	equal(t, "log", []string(nil), log)
}

func TestABudgetIsRespected(t *testing.T) {
	t.Parallel()
	c := &cluster{
		takes: 3 * time.Second, budget: 1, nodes: []corev1.Node{node("web-0")},
		pods: []corev1.Pod{pod("a", "web-0"), pod("b", "web-0"), pod("c", "web-0")},
	}
	log, err := run(t, c, nil)
	equal(t, "error", "", message(err))
	equal(t, "requests", []string{"patch nodes web-0" + cordons, "evict a", "evict b", "evict c"}, c.log)
	equal(t, "log", []string{
		"node web-0 leaves: 3 pods are left", "node web-0 leaves: 2 pods are left", "node web-0 leaves: 1 pod is left",
		"node web-0 leaves: drained",
	}, log)
}

func TestPodsThatNeedNotLeave(t *testing.T) {
	t.Parallel()
	owned := func(kind string, controller *bool) func(*corev1.Pod) {
		return func(p *corev1.Pod) {
			p.OwnerReferences = []metav1.OwnerReference{{Kind: kind, Controller: controller}}
		}
	}
	phase := func(of corev1.PodPhase) func(*corev1.Pod) { return func(p *corev1.Pod) { p.Status.Phase = of } }
	c := &cluster{
		nodes: []corev1.Node{node("web-0")},
		pods: []corev1.Pod{
			pod("daemon", "web-0", owned("DaemonSet", new(true))),
			pod("mirror", "web-0", func(p *corev1.Pod) {
				p.Annotations = map[string]string{"kubernetes.io/config.mirror": "x"}
			}),
			pod("succeeded", "web-0", phase(corev1.PodSucceeded)), pod("failed", "web-0", phase(corev1.PodFailed)),
			// These must leave.
			pod("unmanaged", "web-0"), pod("running", "web-0", phase(corev1.PodRunning)),
			pod("replica", "web-0", owned("ReplicaSet", new(true))), pod("friend", "web-0", owned("DaemonSet", nil)),
		},
	}
	_, err := run(t, c, nil)
	equal(t, "error", "", message(err))
	equal(t, "requests", []string{
		"patch nodes web-0" + cordons, "evict unmanaged", "evict running", "evict replica", "evict friend",
	}, c.log)
}

// The kubelet of a deleted machine does not report that its pods have ended.
func TestANodeThatDoesNotAnswer(t *testing.T) {
	t.Parallel()
	c := &cluster{
		takes: time.Hour, pods: []corev1.Pod{pod("a", "web-0")},
		nodes: []corev1.Node{node("web-0", func(n *corev1.Node) {
			n.Status.Conditions[0].Status = corev1.ConditionUnknown
		})},
	}
	log, err := run(t, c, nil)
	equal(t, "error", "", message(err))
	equal(t, "log", []string{"node web-0 leaves: 1 pod is left", "node web-0 leaves: drained"}, log)
}

func TestTheTimeout(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		timeouts map[string]time.Duration
		fails    map[string]error
		want     string
	}{
		"the default": {
			nil, nil, "drain node web-0: 2 pods are still running after 30m0s, shop/a, shop/b",
		},
		"of another node": {
			map[string]time.Duration{"old-0": time.Minute, "web-0": 0},
			nil,
			"drain node web-0: 2 pods are still running after 30m0s, shop/a, shop/b",
		},
		"of the node, and refusals": {
			map[string]time.Duration{"web-0": 7 * time.Minute},
			map[string]error{
				"a": refusal("Cannot evict pod as it would violate the pod's disruption budget."),
				"b": &kubeapi.StatusError{Code: 500, Message: "This pod has more than one PodDisruptionBudget"},
			},
			"drain node web-0: 2 pods are still running after 7m0s, shop/a, shop/b: Cannot evict pod as it would " +
				"violate the pod's disruption budget.; This pod has more than one PodDisruptionBudget",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := &cluster{
				takes: 9 * time.Hour, fails: test.fails,
				nodes: []corev1.Node{node("web-0"), node("web-1")},
				pods:  []corev1.Pod{pod("a", "web-0"), pod("b", "web-0"), pod("c", "web-1")},
			}
			_, err := run(t, c, test.timeouts)
			equal(t, "error", test.want+". Let them end, and run `pulumi up` again, which continues; or keep the "+
				"node, which stays cordoned: `kubectl uncordon web-0`", message(err))
			// The next node keeps its pods.
			if slices.Contains(c.log, "evict c") {
				t.Error("the drain continues")
			}
		})
	}
}

// A call continues after one that failed: it does not cordon the cordoned nodes again, and it also
// drains nodes that an administrator has cordoned.
func TestDrainingContinues(t *testing.T) {
	t.Parallel()
	cordoned := func(n *corev1.Node) { n.Spec.Unschedulable = true }
	c := &cluster{
		takes: time.Second, nodes: []corev1.Node{node("web-0", cordoned), node("web-1")},
		pods: []corev1.Pod{pod("a", "web-0"), pod("b", "web-1")},
	}
	_, err := run(t, c, nil)
	equal(t, "error", "", message(err))
	equal(t, "requests", []string{"patch nodes web-1" + cordons, "evict a", "evict b"}, c.log)
}

// If a change is reverted before the machines are deleted, people decide which of the cordoned nodes
// are used again.
func TestARevertedChange(t *testing.T) {
	t.Parallel()
	c := &cluster{nodes: []corev1.Node{
		node("web-0", func(n *corev1.Node) {
			n.Spec.Unschedulable = true
			n.Annotations["mixedkube.dev/cordoned"] = "true"
		}),
		node("web-1"),
	}}
	log, err := run(t, c, nil, "web-0", "web-1")
	equal(t, "error", "", message(err))
	equal(t, "requests", []string(nil), c.log)
	equal(t, "log", []string{
		"node web-0 stays, and is cordoned: if it should get pods, run `kubectl uncordon web-0`",
	}, log)
}

// A node can change its annotations. It can neither leave itself out of a drain, nor be drained in
// place of another one.
func TestANodesAnnotationsChangeNothing(t *testing.T) {
	t.Parallel()
	claims := func(n *corev1.Node) { n.Annotations["mixedkube.dev/pool"] = "web" }
	c := &cluster{
		nodes: []corev1.Node{node("web-0"), node("elsewhere", claims)},
		pods:  []corev1.Pod{pod("a", "web-0"), pod("b", "elsewhere")},
	}
	_, err := run(t, c, nil)
	equal(t, "error", "", message(err))
	equal(t, "requests", []string{"patch nodes web-0" + cordons, "evict a"}, c.log)
}

func TestDrainErrors(t *testing.T) {
	t.Parallel()
	no := errors.New("no")
	notFound := &kubeapi.StatusError{Code: http.StatusNotFound}
	another := &kubeapi.StatusError{Code: http.StatusConflict, Reason: "Conflict"}
	for name, test := range map[string]struct {
		fails map[string]error
		want  string
	}{
		"nodes":       {map[string]error{"list nodes": no}, "no"},
		"cordon":      {map[string]error{"patch": no}, "no"},
		"pods":        {map[string]error{"list pods": no}, "drain node web-0: no"},
		"an eviction": {map[string]error{"a": no}, "drain node web-0: no"},
		"not found": {map[string]error{"a": notFound}, "drain node web-0: 1 pod is still running after 30m0s, " +
			"shop/a"},
		"another pod": {map[string]error{"a": another}, "drain node web-0: 1 pod is still running after 30m0s, " +
			"shop/a"},
	} {
		c := &cluster{
			fails: test.fails, nodes: []corev1.Node{node("web-0")}, pods: []corev1.Pod{pod("a", "web-0")},
		}
		_, err := run(t, c, nil)
		if !strings.HasPrefix(message(err), test.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestTheProgramEnds(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		c := &cluster{
			takes: time.Hour, nodes: []corev1.Node{node("web-0")}, pods: []corev1.Pod{pod("a", "web-0")},
		}
		err := drain.Nodes{
			Before: before, Timeout: func(string) time.Duration { return 0 }, Log: func(string) {},
		}.DrainLeaving(ctx, c)
		equal(t, "error", "drain node web-0: context deadline exceeded", message(err))
	})
}
