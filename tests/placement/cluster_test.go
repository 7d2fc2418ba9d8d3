package placement

import (
	"context"
	"crypto/rand"
	"errors"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	nodev1 "k8s.io/api/node/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"

	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/lab"
	"github.com/mixedkube/mixedkube/internal/lab/cluster"
	"github.com/mixedkube/mixedkube/tests/internal/labtest"
)

const (
	namespace = "placement"

	// timeout is how long an expected change may take.
	timeout = 2 * time.Minute
	// grace is how long the control plane may take to revise a decision: it may refuse a
	// pod while it has not yet observed the deletion of an earlier one.
	grace = 15 * time.Second
)

// controlPlane is a real control plane with simulated nodes.
type controlPlane struct {
	cluster cluster.Cluster
	client  *kubernetes.Clientset
	version string
	board   *board
	// sets is true if DaemonSets exist.
	sets atomic.Bool
}

// start returns a control plane without objects.
func start(t *testing.T) *controlPlane {
	t.Helper()
	// The API server warns about deprecated labels, for example.
	rest.SetDefaultWarningHandler(rest.NoWarnings{})
	l := labtest.Empty(t, lab.Options{Stack: "lab-given"})
	c := &controlPlane{cluster: cluster.Cluster{Dir: filepath.Join(l.Dir, "cluster")}, client: l.ClientOf(t)}
	var err error
	c.version, err = cluster.Version(c.client)
	check(t, err)
	_, err = c.client.CoreV1().Namespaces().Create(t.Context(),
		&corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: namespace}}, metav1.CreateOptions{})
	check(t, err)
	until(t, "the namespace has its service account", func(ctx context.Context) (bool, error) {
		_, err := c.client.CoreV1().ServiceAccounts(namespace).Get(ctx, "default", metav1.GetOptions{})
		return err == nil, ignoreNotFound(err)
	})
	c.board = watch(t, c.client)
	return c
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func ignoreNotFound(err error) error {
	if apierrors.IsNotFound(err) {
		return nil
	}
	return err
}

// until waits for a condition, and fails after the timeout.
func until(t *testing.T, what string, done func(context.Context) (bool, error)) {
	t.Helper()
	if err := wait.PollUntilContextTimeout(t.Context(), 20*time.Millisecond, timeout, true, done); err != nil {
		t.Fatalf("wait until %s: %v", what, err)
	}
}

// atOnce calls do with all values, in parallel with a limit.
func atOnce[T any](all []T, do func(T)) {
	var group sync.WaitGroup
	turn := make(chan struct{}, 8)
	for _, one := range all {
		turn <- struct{}{}
		group.Go(func() {
			defer func() { <-turn }()
			do(one)
		})
	}
	group.Wait()
}

// register reconciles the nodes with a topology, and returns when the whole control
// plane uses them.
func (c *controlPlane) register(t *testing.T, top topology.Defaulted) {
	t.Helper()
	nodes := cluster.Nodes(top, c.version)
	check(t, cluster.Register(t.Context(), c.client, nodes))
	check(t, c.cluster.WaitReady(t.Context(), c.client, nodes))

	// A DaemonSet that tolerates the nodes' own taints gets a pod on each of them as
	// soon as its controller and the scheduler have observed the nodes, as WaitReady has.
	probe := &appsv1.DaemonSet{ObjectMeta: metav1.ObjectMeta{Name: "probe-" + strings.ToLower(rand.Text())}}
	probe.Spec.Template.Spec.Containers = []corev1.Container{{Name: "probe", Image: "example.com/probe"}}
	for _, node := range nodes {
		for _, taint := range node.Spec.Taints {
			probe.Spec.Template.Spec.Tolerations = append(probe.Spec.Template.Spec.Tolerations,
				topology.Tolerate(taint))
		}
	}
	c.createDaemonSet(t, probe)
	var pods map[string]*corev1.Pod
	ok := c.board.wait(t.Context(), timeout, func(all map[string]*corev1.Pod) bool {
		pods = byNode(all, probe.Name)
		bound := 0
		for _, pod := range pods {
			if pod.Spec.NodeName != "" {
				bound++
			}
		}
		return bound == len(nodes)
	})
	if !ok {
		t.Fatalf("not all %d nodes have a probe, only %v", len(nodes), slices.Sorted(maps.Keys(pods)))
	}
	c.clear(t)
}

// offer creates the classes, and returns when the API server uses them.
func (c *controlPlane) offer(t *testing.T, s *scenario) {
	t.Helper()
	for _, class := range slices.Concat(s.own, s.others) {
		_, err := c.client.NodeV1().RuntimeClasses().Create(t.Context(), class, metav1.CreateOptions{})
		check(t, err)
	}
	// The other classes are new to the API server. It may still have classes of components/runtimeclass
	// from an earlier topology in its cache, which have the same names.
	for _, class := range s.own {
		pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{GenerateName: "probe-"}}
		pod.Spec.RuntimeClassName = &class.Name
		pod.Spec.Containers = []corev1.Container{{Name: "probe", Image: "example.com/probe"}}
		until(t, "the API server knows the class "+class.Name, func(ctx context.Context) (bool, error) {
			admitted, err := c.client.CoreV1().Pods(namespace).Create(ctx, pod,
				metav1.CreateOptions{DryRun: []string{metav1.DryRunAll}})
			return err == nil && has(admitted, class.Scheduling), err
		})
	}
}

// has reports whether a pod without node selector and tolerations of its own has those of its class.
func has(pod *corev1.Pod, s *nodev1.Scheduling) bool {
	tolerations := slices.DeleteFunc(slices.Clone(pod.Spec.Tolerations), func(t corev1.Toleration) bool {
		return t.Key == corev1.TaintNodeNotReady || t.Key == corev1.TaintNodeUnreachable
	})
	return maps.Equal(pod.Spec.NodeSelector, s.NodeSelector) && equality.Semantic.DeepEqual(tolerations, s.Tolerations)
}

func (c *controlPlane) withdraw(t *testing.T, s *scenario) {
	t.Helper()
	for _, class := range slices.Concat(s.own, s.others) {
		check(t, c.client.NodeV1().RuntimeClasses().Delete(t.Context(), class.Name, metav1.DeleteOptions{}))
	}
}

// clear removes all DaemonSets and pods at once.
func (c *controlPlane) clear(t *testing.T) {
	t.Helper()
	now := metav1.DeleteOptions{GracePeriodSeconds: new(int64)}
	if c.sets.Swap(false) {
		check(t, c.client.AppsV1().DaemonSets(namespace).DeleteCollection(t.Context(), now, metav1.ListOptions{}))
	}
	deadline := time.Now().Add(timeout)
	for {
		check(t, c.client.CoreV1().Pods(namespace).DeleteCollection(t.Context(), now, metav1.ListOptions{}))
		// A controller that has not yet observed the deletion of its DaemonSet may have
		// created another pod.
		if c.board.wait(t.Context(), time.Second, func(pods map[string]*corev1.Pod) bool { return len(pods) == 0 }) {
			return
		}
		if time.Now().After(deadline) {
			t.Fatal("pods still exist after the timeout")
		}
	}
}

// outcome is the result for a pod.
type outcome struct {
	// refused is why the API server did not create it.
	refused error
	// node is the name of the node that the scheduler chose, or "" if it chose none.
	node string
	// message is the scheduler's message about a pod that stays pending.
	message string
}

// outcomeOf returns false if the scheduler has not decided yet.
func outcomeOf(pod *corev1.Pod) (outcome, bool) {
	if pod.Spec.NodeName != "" {
		return outcome{node: pod.Spec.NodeName}, true
	}
	for _, c := range pod.Status.Conditions {
		if c.Type == corev1.PodScheduled && c.Status == corev1.ConditionFalse &&
			c.Reason == corev1.PodReasonUnschedulable {
			return outcome{message: c.Message}, true
		}
	}
	return outcome{}, false
}

// try creates pods and returns the outcome of each. A pod that fits may still be pending
// for a while.
func (c *controlPlane) try(t *testing.T, pods []*corev1.Pod, fits func(name string) bool) map[string]outcome {
	t.Helper()
	outcomes := make(map[string]outcome, len(pods))
	var mu sync.Mutex
	atOnce(pods, func(pod *corev1.Pod) {
		if _, err := c.client.CoreV1().Pods(namespace).Create(t.Context(), pod, metav1.CreateOptions{}); err != nil {
			mu.Lock()
			defer mu.Unlock()
			outcomes[pod.Name] = outcome{refused: err}
		}
	})
	decided := func(strict bool) func(map[string]*corev1.Pod) bool {
		return func(all map[string]*corev1.Pod) bool {
			for _, pod := range pods {
				if outcomes[pod.Name].refused != nil {
					continue
				}
				have, ok := all[pod.Name]
				if !ok {
					return false
				}
				now, ok := outcomeOf(have)
				if !ok || strict && now.node == "" && fits(pod.Name) {
					return false
				}
				outcomes[pod.Name] = now
			}
			return true
		}
	}
	if !c.board.wait(t.Context(), grace, decided(true)) && !c.board.wait(t.Context(), timeout, decided(false)) {
		t.Fatalf("the scheduler has not decided on all of %d pods", len(pods))
	}
	return outcomes
}

const labelSet = "mixedkube.test/set"

func (c *controlPlane) createDaemonSet(t *testing.T, set *appsv1.DaemonSet) {
	t.Helper()
	c.sets.Store(true)
	labels := map[string]string{labelSet: set.Name}
	set.Spec.Selector = &metav1.LabelSelector{MatchLabels: labels}
	set.Spec.Template.Labels = labels
	_, err := c.client.AppsV1().DaemonSets(namespace).Create(t.Context(), set, metav1.CreateOptions{})
	check(t, err)
}

// rollout has the outcomes of the pods of a DaemonSet, by node.
type rollout map[string]outcome

// roll creates a DaemonSet and returns the outcomes of its pods. It waits for a while
// until they are as expected. The error is the reason why the API server refused the
// pods.
func (c *controlPlane) roll(t *testing.T, set *appsv1.DaemonSet, expected func(rollout) bool) (rollout, error) {
	t.Helper()
	c.createDaemonSet(t, set)
	var got rollout
	complete := func(ctx context.Context) (bool, error) {
		now, err := c.client.AppsV1().DaemonSets(namespace).Get(ctx, set.Name, metav1.GetOptions{})
		if err != nil || now.Status.ObservedGeneration == 0 {
			return false, err
		}
		got = rollout{}
		all := c.board.pods()
		for node, pod := range byNode(all, set.Name) {
			o, ok := outcomeOf(pod)
			if !ok {
				return false, nil
			}
			got[node] = o
		}
		if len(got) == int(now.Status.DesiredNumberScheduled) {
			return true, nil
		}
		return false, c.failure(ctx, set.Name)
	}
	var started time.Time
	err := wait.PollUntilContextTimeout(t.Context(), 50*time.Millisecond, timeout, true,
		func(ctx context.Context) (bool, error) {
			done, err := complete(ctx)
			if !done || err != nil {
				return false, err
			}
			if started.IsZero() {
				started = time.Now()
			}
			return expected(got) || time.Since(started) > grace, nil
		})
	if refused, ok := errors.AsType[*refusedError](err); ok {
		return nil, refused
	}
	check(t, err)
	return got, nil
}

// refusedError is the API server's refusal of a controller's pods.
type refusedError struct{ message string }

func (e *refusedError) Error() string { return e.message }

// failure returns the error that prevents the controller from creating pods, or nil if there is none.
func (c *controlPlane) failure(ctx context.Context, set string) error {
	list, err := c.client.CoreV1().Events(namespace).List(ctx, metav1.ListOptions{
		FieldSelector: fields.Set{"involvedObject.name": set, "reason": "FailedCreate"}.String(),
	})
	if err != nil || len(list.Items) == 0 {
		return err
	}
	return &refusedError{list.Items[0].Message}
}

// byNode returns the pods of a DaemonSet, by the node to which their affinity assigns them.
func byNode(pods map[string]*corev1.Pod, set string) map[string]*corev1.Pod {
	found := map[string]*corev1.Pod{}
	for _, pod := range pods {
		if pod.Labels[labelSet] != set {
			continue
		}
		required := pod.Spec.Affinity.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution
		for _, term := range required.NodeSelectorTerms {
			for _, field := range term.MatchFields {
				if field.Operator == corev1.NodeSelectorOpIn && len(pod.OwnerReferences) > 0 {
					found[field.Values[0]] = pod
				}
			}
		}
	}
	return found
}

// board has the current pods.
type board struct {
	mu      sync.Mutex
	all     map[string]*corev1.Pod
	changed chan struct{}
}

func watch(t *testing.T, client *kubernetes.Clientset) *board {
	t.Helper()
	b := &board{all: map[string]*corev1.Pod{}, changed: make(chan struct{})}
	put := func(object any) {
		if pod, ok := object.(*corev1.Pod); ok {
			b.change(func() { b.all[pod.Name] = pod })
		}
	}
	_, informer := cache.NewInformerWithOptions(cache.InformerOptions{
		ListerWatcher: cache.NewListWatchFromClient(client.CoreV1().RESTClient(), "pods", namespace,
			fields.Everything()),
		ObjectType: &corev1.Pod{},
		Handler: cache.ResourceEventHandlerFuncs{
			AddFunc:    put,
			UpdateFunc: func(_, object any) { put(object) },
			DeleteFunc: func(object any) {
				if key, err := cache.DeletionHandlingMetaNamespaceKeyFunc(object); err == nil {
					b.change(func() { delete(b.all, strings.TrimPrefix(key, namespace+"/")) })
				}
			},
		},
	})
	ctx, cancel := context.WithCancel(t.Context())
	var running sync.WaitGroup
	running.Go(func() { informer.RunWithContext(ctx) })
	t.Cleanup(func() { cancel(); running.Wait() })
	if !cache.WaitForCacheSync(ctx.Done(), informer.HasSynced) {
		t.Fatal("the pods cannot be watched")
	}
	return b
}

func (b *board) change(do func()) {
	b.mu.Lock()
	defer b.mu.Unlock()
	do()
	close(b.changed)
	b.changed = make(chan struct{})
}

func (b *board) pods() map[string]*corev1.Pod {
	b.mu.Lock()
	defer b.mu.Unlock()
	return maps.Clone(b.all)
}

// wait reports whether a condition becomes true before the limit.
func (b *board) wait(ctx context.Context, limit time.Duration, done func(map[string]*corev1.Pod) bool) bool {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	for {
		b.mu.Lock()
		ok, changed := done(b.all), b.changed
		b.mu.Unlock()
		if ok {
			return true
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return false
		}
	}
}

// onNode returns the pool of a node of the lab.
func onNode(name string) (pool string) {
	return name[:max(strings.LastIndexByte(name, '-'), 0)]
}
