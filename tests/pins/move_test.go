package pins

import (
	"context"
	"fmt"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/lab/cluster"
	"github.com/mixedkube/mixedkube/tests/internal/labtest"
)

// TestAPoolGetsAnotherRelease gives the only pool of Windows nodes another release: without a change, nothing runs there
// of what an earlier version has completed. After one command for the files and one update of each stack, everything with
// relaxed matching runs.
func TestAPoolGetsAnotherRelease(t *testing.T) {
	t.Parallel()
	all := read(t)
	c := start(t)
	c.register(t, "2022")
	c.apply(t, all.classesWith(platform.Relaxed)) // the other class has the same name, and the same content
	c.apply(t, all.workloads)
	c.runJobs(t, all.workloads)
	c.waitFor(t, "run on Windows Server 2022", all.workloads, c.running)

	c.forget(t)
	c.register(t, "2025")
	c.probe(t)
	c.again(t, all.workloads)
	c.waitFor(t, "are refused on Windows Server 2025", withoutSets(all.workloads), c.refused)
	c.waitForSets(t, 0)
	if running := c.running(t.Context(), t); len(running) > 0 {
		t.Errorf("on Windows Server 2025 run %v, want none", running)
	}

	// A pool with each release, and the old one cordoned.
	relaxed := all.with(platform.Relaxed)
	c.register(t, "2022", "2025")
	c.waitFor(t, "run again", relaxed, c.running)
	c.waitForSets(t, 3)
	c.cordon(t, "2022")
	c.move(t, relaxed)
	c.waitFor(t, "run on Windows Server 2025 after the move", relaxed, c.running)
}

// again creates Pods and Jobs, which are gone with their node or have ended.
func (c *testCluster) again(t *testing.T, all []recording) {
	t.Helper()
	ended := ofKind(all, "Pod", "Job")
	c.remove(t, ended)
	c.apply(t, ended)
	c.runJobs(t, all)
}

// probe runs a pod on the nodes of Windows Server 2025, so that the scheduler knows them, and deletes it.
func (c *testCluster) probe(t *testing.T) {
	t.Helper()
	toleration := topology.Tolerate(topology.WindowsTaint())
	probe := recording{manager: "kubectl", object: map[string]any{
		"apiVersion": "v1", "kind": "Pod",
		"metadata": map[string]any{"name": "probe", "labels": map[string]any{"app": "probe"}},
		"spec": map[string]any{
			"nodeSelector": map[string]any{corev1.LabelWindowsBuild: platform.WindowsServer2025.Build()},
			"containers":   []any{map[string]any{"name": "main", "image": "example.com/probe"}},
			"tolerations": []any{map[string]any{
				"key": toleration.Key, "value": toleration.Value, "effect": string(toleration.Effect),
			}},
		},
	}}
	c.apply(t, []recording{probe})
	c.waitFor(t, "run on Windows Server 2025", []recording{probe}, c.running)
	c.remove(t, []recording{probe})
}

// withoutSets returns the recordings without DaemonSets, which create no pods for nodes that they do not select.
func withoutSets(all []recording) []recording {
	return ofKind(all, "Pod", "Job", "CronJob", "Deployment", "StatefulSet", "ReplicaSet", "ReplicationController")
}

// waitForSets waits until each DaemonSet has a number of pods, and all of them are ready.
func (c *testCluster) waitForSets(t *testing.T, want int32) {
	t.Helper()
	labtest.Eventually(t, func(ctx context.Context) string {
		c.Wake(ctx)
		sets, err := cluster.List[appsv1.DaemonSet](ctx, c.client.AppsV1().DaemonSets(metav1.NamespaceDefault).List)
		check(t, err)
		for _, set := range sets {
			if s := set.Status; s.DesiredNumberScheduled != want || s.CurrentNumberScheduled != want ||
				s.NumberReady != want {
				return fmt.Sprintf("the DaemonSet %s wants %d pods, has %d, of which %d are ready: want %d", set.Name,
					s.DesiredNumberScheduled, s.CurrentNumberScheduled, s.NumberReady, want)
			}
		}
		return ""
	})
}
