package pins

import (
	"context"
	"encoding/json"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"

	"github.com/mixedkube/mixedkube/internal/core/value/tree"
	"github.com/mixedkube/mixedkube/internal/lab"
	"github.com/mixedkube/mixedkube/internal/lab/cluster"
	"github.com/mixedkube/mixedkube/tests/internal/labtest"
)

// testCluster is the control plane of a lab with the recorded workloads.
type testCluster struct {
	labtest.Lab

	client  *kubernetes.Clientset
	dynamic dynamic.Interface
	// earlier are the pods of before the last change: they do not count.
	earlier map[types.UID]bool
}

// resources are the resources of the recorded kinds.
var resources = map[string]schema.GroupVersionResource{
	"Pod":                   {Version: "v1", Resource: "pods"},
	"ReplicationController": {Version: "v1", Resource: "replicationcontrollers"},
	"Deployment":            {Group: "apps", Version: "v1", Resource: "deployments"},
	"StatefulSet":           {Group: "apps", Version: "v1", Resource: "statefulsets"},
	"DaemonSet":             {Group: "apps", Version: "v1", Resource: "daemonsets"},
	"ReplicaSet":            {Group: "apps", Version: "v1", Resource: "replicasets"},
	"Job":                   {Group: "batch", Version: "v1", Resource: "jobs"},
	"CronJob":               {Group: "batch", Version: "v1", Resource: "cronjobs"},
	"RuntimeClass":          {Group: "node.k8s.io", Version: "v1", Resource: "runtimeclasses"},
}

func start(t *testing.T) *testCluster {
	t.Helper()
	c := &testCluster{Lab: labtest.Empty(t, lab.Options{Stack: "lab-given"})}
	c.client = c.ClientOf(t)
	config, err := clientcmd.BuildConfigFromFlags("", c.Kubeconfig())
	check(t, err)
	config.QPS, config.WarningHandler = -1, rest.NoWarnings{}
	c.dynamic, err = dynamic.NewForConfig(config)
	check(t, err)
	return c
}

// register replaces the nodes, with their pods, by those of the topologies of some releases.
func (c *testCluster) register(t *testing.T, releases ...string) {
	t.Helper()
	version, err := cluster.Version(c.client)
	check(t, err)
	all := map[string]*corev1.Node{} // the pool of Linux is in each topology
	for _, release := range releases {
		for _, node := range cluster.Nodes(pools(t, release).WithDefaults(), version) {
			all[node.Name] = node
		}
	}
	nodes := slices.Collect(maps.Values(all))
	check(t, cluster.Register(t.Context(), c.client, nodes))
	of := cluster.Cluster{Dir: filepath.Join(c.Dir, "cluster")}
	check(t, of.WaitReady(t.Context(), c.client, nodes))
}

// cordon keeps new pods from the nodes of a release.
func (c *testCluster) cordon(t *testing.T, release string) {
	t.Helper()
	version, err := cluster.Version(c.client)
	check(t, err)
	var names []string
	for _, node := range cluster.Nodes(pools(t, release).WithDefaults(), version) {
		if node.Status.NodeInfo.OperatingSystem == "windows" {
			names = append(names, node.Name)
		}
	}
	atOnce(t, names, func(name string) error {
		_, err := c.client.CoreV1().Nodes().Patch(t.Context(), name, types.MergePatchType,
			[]byte(`{"spec":{"unschedulable":true}}`), metav1.PatchOptions{})
		return err
	})
}

// forget makes the existing pods earlier ones.
func (c *testCluster) forget(t *testing.T) {
	t.Helper()
	c.earlier = map[types.UID]bool{}
	for _, pod := range c.pods(t.Context(), t) {
		c.earlier[pod.UID] = true
	}
}

// pods returns all pods, except earlier ones.
func (c *testCluster) pods(ctx context.Context, t *testing.T) []corev1.Pod {
	t.Helper()
	list, err := cluster.List[corev1.Pod](ctx, c.client.CoreV1().Pods(metav1.NamespaceDefault).List)
	check(t, err)
	var found []corev1.Pod
	for _, pod := range list {
		if !c.earlier[pod.UID] {
			found = append(found, *pod)
		}
	}
	return found
}

// atOnce calls do with all values, several in parallel. It fails with the first error.
func atOnce[T any](t *testing.T, all []T, do func(T) error) {
	t.Helper()
	var group sync.WaitGroup
	turn, failures := make(chan struct{}, 8), make(chan error, len(all))
	for _, one := range all {
		turn <- struct{}{}
		group.Go(func() {
			defer func() { <-turn }()
			failures <- do(one)
		})
	}
	group.Wait()
	close(failures)
	for err := range failures {
		check(t, err)
	}
}

// of returns the client for the resource of an object.
func (c *testCluster) of(object map[string]any) dynamic.ResourceInterface {
	kind, _ := object["kind"].(string)
	if kind == "RuntimeClass" {
		return c.dynamic.Resource(resources[kind])
	}
	return c.dynamic.Resource(resources[kind]).Namespace(metav1.NamespaceDefault)
}

// apply applies the objects, each with its field manager.
func (c *testCluster) apply(t *testing.T, all []recording) {
	t.Helper()
	atOnce(t, all, func(r recording) error {
		body, err := json.Marshal(r.object)
		if err != nil {
			return err
		}
		force := true
		_, err = c.of(r.object).Patch(t.Context(), r.name(), types.ApplyPatchType, body,
			metav1.PatchOptions{FieldManager: r.manager, Force: &force})
		return err
	})
}

// remove deletes objects that exist, with their pods, and returns when none of them exists.
func (c *testCluster) remove(t *testing.T, all []recording) {
	t.Helper()
	background := metav1.DeletePropagationBackground
	for left := all; len(left) > 0; {
		var mu sync.Mutex
		var found []recording
		atOnce(t, left, func(r recording) error {
			err := c.of(r.object).Delete(t.Context(), r.name(),
				metav1.DeleteOptions{GracePeriodSeconds: new(int64), PropagationPolicy: &background})
			if apierrors.IsNotFound(err) {
				return nil
			}
			mu.Lock()
			defer mu.Unlock()
			found = append(found, r)
			return err
		})
		left = found
	}
}

// runJobs starts a Job of each CronJob in the cluster, as `kubectl create job --from` does, in place of the one before.
func (c *testCluster) runJobs(t *testing.T, all []recording) {
	t.Helper()
	var jobs []recording
	for _, r := range ofKind(all, "CronJob") {
		of, err := c.of(r.object).Get(t.Context(), r.name(), metav1.GetOptions{})
		check(t, err)
		template := tree.Map(tree.Map(of.Object["spec"])["jobTemplate"])
		jobs = append(jobs, recording{manager: "kubectl", object: map[string]any{
			"apiVersion": "batch/v1", "kind": "Job",
			"metadata": map[string]any{"name": r.name() + "-now"}, "spec": template["spec"],
		}})
	}
	c.remove(t, jobs)
	c.apply(t, jobs)
}

// ofKind returns the recordings of some kinds.
func ofKind(all []recording, kinds ...string) []recording {
	return slices.DeleteFunc(slices.Clone(all), func(r recording) bool { return !slices.Contains(kinds, r.kind()) })
}

// running returns the apps that have a pod on a Windows node which runs or has ended well.
func (c *testCluster) running(ctx context.Context, t *testing.T) map[string]bool {
	t.Helper()
	apps := map[string]bool{}
	for _, pod := range c.pods(ctx, t) {
		if pod.DeletionTimestamp == nil && strings.HasPrefix(pod.Spec.NodeName, "win") &&
			(pod.Status.Phase == corev1.PodRunning || pod.Status.Phase == corev1.PodSucceeded) {
			apps[pod.Labels["app"]] = true
		}
	}
	return apps
}

// refused returns the apps that have a pod that the scheduler could not place.
func (c *testCluster) refused(ctx context.Context, t *testing.T) map[string]bool {
	t.Helper()
	apps := map[string]bool{}
	for _, pod := range c.pods(ctx, t) {
		for _, condition := range pod.Status.Conditions {
			if condition.Type == corev1.PodScheduled && condition.Reason == corev1.PodReasonUnschedulable {
				apps[pod.Labels["app"]] = true
			}
		}
	}
	return apps
}

// waitFor waits until all workloads are among the apps that list returns.
func (c *testCluster) waitFor(
	t *testing.T, what string, all []recording, list func(context.Context, *testing.T) map[string]bool,
) {
	t.Helper()
	labtest.Eventually(t, func(ctx context.Context) string {
		c.Wake(ctx)
		apps := list(ctx, t)
		var missing []string
		for _, r := range all {
			if !apps[r.app()] {
				missing = append(missing, r.kind()+" "+r.name())
			}
		}
		if len(missing) == 0 {
			return ""
		}
		return what + ": not " + strings.Join(missing, ", ")
	})
}
