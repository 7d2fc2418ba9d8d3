package e2e

import (
	"context"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
)

// TestKinds deploys every kind of workload onto every platform, and checks the nodes of the pods.
func TestKinds(t *testing.T) {
	t.Parallel()
	l := emptyLab(t, "lab-given")
	stack := l.project(t, "components/workload/testdata/kinds", "dev", "")
	if err := stack.Up(t.Context()); err != nil {
		t.Fatal(err)
	}
	pools := map[string]string{
		"linux": "linux", "windows-2019": "win19", "windows-2022": "win22",
		"windows-2025": "win25",
	}
	want := map[string][]string{}
	for platform, pool := range pools {
		for _, kind := range []string{
			"pod", "deployment", "replica-set", "replication-controller", "stateful-set",
			"job", "cron-job",
		} {
			want[kind+"-"+platform] = []string{pool}
		}
		// A DaemonSet has a pod on each node.
		want["daemon-set-"+platform] = []string{pool + "-0", pool + "-1"}
	}
	// A CronJob waits for the next full minute.
	eventually(t, func(ctx context.Context) string { return cmp.Diff(want, placed(ctx, t, l.client(t))) })
	// The CronJob's pod has a node, but may not have run yet.
	l.Settles(t)
	if err := stack.Preview(t.Context(), "--expect-no-changes"); err != nil {
		t.Error(err)
	}
	if err := stack.Destroy(t.Context(), "--skip-preview"); err != nil {
		t.Error(err)
	}
}

// placed returns the nodes of the pods of DaemonSets, and the pools of all other pods, by the name of the workload.
func placed(ctx context.Context, t *testing.T, client kubernetes.Interface) map[string][]string {
	t.Helper()
	pods, err := client.CoreV1().Pods(metav1.NamespaceDefault).List(ctx, metav1.ListOptions{})
	check(t, err)
	have := map[string][]string{}
	for _, pod := range pods.Items {
		at, name := pod.Spec.NodeName, pod.Labels["app"]
		owner := metav1.GetControllerOf(&pod)
		if (owner == nil || owner.Kind != "DaemonSet") && at != "" {
			at = at[:len(at)-len("-0")]
		}
		// A CronJob creates a Job each minute.
		if owner != nil && owner.Kind == "Job" && slices.Contains(have[name], at) {
			continue
		}
		have[name] = append(have[name], at)
	}
	for name := range have {
		slices.Sort(have[name])
	}
	return have
}
