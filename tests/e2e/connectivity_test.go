package e2e

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"

	"github.com/mixedkube/mixedkube/internal/lab/deploy"
)

// connectivityTable is the table of the suite, as the CLI prints it.
const connectivityTable = `CHECK                FROM               linux  windows-2022  windows-2025  outside
1-pod-running        -                  ok     ok            ok            -
2-node-to-pod        linux node         ok     ok            ok            -
                     windows-2022 node  -      ok            -             -
                     windows-2025 node  -      -             ok            -
3-pod-to-pod         linux pod          ok     ok            ok            -
                     windows-2022 pod   ok     ok            ok            -
                     windows-2025 pod   ok     ok            ok            -
4-service-to-pod     linux node         ok     ok            ok            -
                     linux pod          ok     ok            ok            -
                     windows-2022 pod   ok     ok            ok            -
                     windows-2025 pod   ok     ok            ok            -
5-service-discovery  linux pod          ok     ok            ok            -
                     windows-2022 pod   ok     ok            ok            -
                     windows-2025 pod   ok     ok            ok            -
6-inbound            linux node         ok     ok            ok            -
7-outbound           linux pod          -      -             -             ok
                     windows-2022 pod   -      -             -             ok
                     windows-2025 pod   -      -             -             ok
2-node-to-pod checks Windows nodes with a pod on their own node only: ` +
	`not every network lets them reach others (remotePodsFromWindowsNodes)
`

// TestConnectivity takes a suite through its life. The simulated nodes complete the pods of Jobs without running the
// checks. Each step depends on the previous ones.
func TestConnectivity(t *testing.T) {
	t.Parallel()
	l := emptyLab(t, "lab-given")
	ctx := t.Context()
	client := l.client(t)
	stack := l.project(t, "components/connectivity/testdata/suite", "dev", "")

	t.Run("up checks all pairs", func(t *testing.T) {
		l.Out.Take()
		if err := stack.Up(ctx); err != nil {
			t.Fatal(err)
		}
		contains(t, l.Out.Take(), "45 created")
		if diff := cmp.Diff(connectivityTable, stackOutput(t, stack, "table")); diff != "" {
			t.Errorf("the table (-want +got):\n%s", diff)
		}
		checkConnectivityPods(t, client)
	})
	t.Run("a second preview is empty", func(t *testing.T) {
		if err := stack.Preview(ctx, "--expect-no-changes"); err != nil {
			t.Error(err)
		}
	})
	t.Run("another run replaces the Jobs and nothing else", func(t *testing.T) {
		before := connectivityUIDs(t, client)
		l.Out.Take()
		if err := stack.Up(ctx, "--config", "suite:run=second"); err != nil {
			t.Fatal(err)
		}
		contains(t, l.Out.Take(), "17 replaced")
		after := connectivityUIDs(t, client)
		for name, uid := range before {
			if replaced := after[name] != uid; replaced != strings.HasPrefix(name, "job ") || after[name] == "" {
				t.Errorf("%s: replaced %t, is %q now", name, replaced, after[name])
			}
		}
		if err := stack.Preview(ctx, "--expect-no-changes", "--config", "suite:run=second"); err != nil {
			t.Error(err)
		}
	})
	t.Run("a failed check fails the update, with the pair and the check",
		func(t *testing.T) { failingCheck(t, l, client, stack) })
	t.Run("the next update repeats only the failed check", func(t *testing.T) {
		before := connectivityUIDs(t, client)
		l.Out.Take()
		if err := stack.Up(ctx, "--config", "suite:run=third"); err != nil {
			t.Fatal(err)
		}
		contains(t, l.Out.Take(), "+-1 replaced", "44 unchanged")
		var changed []string
		for name, uid := range connectivityUIDs(t, client) {
			if before[name] != uid {
				changed = append(changed, name)
			}
		}
		if want := []string{"job from windows-2022 to linux"}; !slices.Equal(want, changed) {
			t.Errorf("changed %q, want %q", changed, want)
		}
		if err := stack.Preview(ctx, "--expect-no-changes", "--config", "suite:run=third"); err != nil {
			t.Error(err)
		}
	})
	t.Run("destroy leaves nothing", func(t *testing.T) {
		if err := stack.Destroy(ctx); err != nil {
			t.Fatal(err)
		}
		eventually(t, func(ctx context.Context) string {
			left := connectivityUIDs(t, client)
			pods, err := client.CoreV1().Pods(metav1.NamespaceAll).List(ctx, metav1.ListOptions{})
			check(t, err)
			if len(left)+len(pods.Items) == 0 {
				return ""
			}
			return fmt.Sprintf("left: %v and %d pods", slices.Sorted(maps.Keys(left)), len(pods.Items))
		})
	})
}

// stackOutput returns an output of the stack, as the CLI prints it.
func stackOutput(t *testing.T, stack *deploy.Stack, name string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), stack.Tools["pulumi"], "stack", "output", name, "--stack", stack.Name)
	cmd.Dir, cmd.Env = stack.Project.Dir, stack.Environ()
	text, err := cmd.Output()
	check(t, err)
	return strings.TrimRight(string(text), "\n") + "\n"
}

const connectivityLabel = "app.kubernetes.io/name=mixedkube-connectivity"

// connectivityUIDs returns the UIDs of the suite's Jobs, Services and web servers.
func connectivityUIDs(t *testing.T, client kubernetes.Interface) map[string]string {
	t.Helper()
	found := map[string]string{}
	suite := metav1.ListOptions{LabelSelector: connectivityLabel}
	jobs, err := client.BatchV1().Jobs(metav1.NamespaceDefault).List(t.Context(), suite)
	check(t, err)
	// After a failed update there may be old and new Jobs.
	slices.SortFunc(jobs.Items,
		func(a, b batchv1.Job) int { return a.CreationTimestamp.Compare(b.CreationTimestamp.Time) })
	for _, o := range jobs.Items {
		found["job from "+o.Labels["mixedkube.dev/from"]+" to "+o.Labels["mixedkube.dev/to"]] = string(o.UID)
	}
	services, err := client.CoreV1().Services(metav1.NamespaceDefault).List(t.Context(), suite)
	check(t, err)
	for _, o := range services.Items {
		found["service "+o.Name] = string(o.UID)
	}
	pods, err := client.CoreV1().Pods(metav1.NamespaceDefault).List(t.Context(),
		metav1.ListOptions{LabelSelector: connectivityLabel + ",app.kubernetes.io/component=target"})
	check(t, err)
	for _, o := range pods.Items {
		found["pod "+o.Name] = string(o.UID)
	}
	return found
}

// checkConnectivityPods checks the nodes of the pods and the endpoints of the Services.
func checkConnectivityPods(t *testing.T, client kubernetes.Interface) {
	t.Helper()
	pods, err := client.CoreV1().Pods(metav1.NamespaceDefault).List(t.Context(),
		metav1.ListOptions{LabelSelector: connectivityLabel})
	check(t, err)
	prefix := map[string]string{"linux": "linux-", "windows-2022": "win22-", "windows-2025": "win25-"}
	targets := map[string]corev1.Pod{}
	for _, pod := range pods.Items {
		if p := pod.Labels["mixedkube.dev/platform"]; p != "" {
			targets[p] = pod
			if !strings.HasPrefix(pod.Spec.NodeName, prefix[p]) {
				t.Errorf("%s is on %s", pod.Name, pod.Spec.NodeName)
			}
		}
	}
	checks := 0
	for _, pod := range pods.Items {
		from, to := pod.Labels["mixedkube.dev/from"], pod.Labels["mixedkube.dev/to"]
		if from == "" {
			continue
		}
		checks++
		from, node := strings.CutSuffix(from, "-node")
		if !strings.HasPrefix(pod.Spec.NodeName, prefix[from]) {
			t.Errorf("%s is on %s", pod.Name, pod.Spec.NodeName)
		}
		if sameNode := node && from != "linux"; from == to &&
			sameNode != (pod.Spec.NodeName == targets[to].Spec.NodeName) {
			t.Errorf("%s is on %s and checks a pod on %s", pod.Name, pod.Spec.NodeName, targets[to].Spec.NodeName)
		}
		for _, c := range pod.Spec.Containers {
			for _, v := range c.Env {
				if v.Name == "URL" && (c.Name == "2-node-to-pod" || c.Name == "3-pod-to-pod") &&
					v.Value != "http://"+targets[to].Status.PodIP+":80/" {
					t.Errorf("%s in %s requests %s", c.Name, pod.Name, v.Value)
				}
			}
		}
	}
	if len(targets) != 3 || checks != 17 {
		t.Errorf("%d targets and %d pods of Jobs, want 3 and 17", len(targets), checks)
	}
	// The only endpoint of a Service must be its own pod, not a pod of a Job.
	slicesOfAll, err := client.DiscoveryV1().EndpointSlices(metav1.NamespaceDefault).List(t.Context(),
		metav1.ListOptions{LabelSelector: connectivityLabel})
	check(t, err)
	have := map[string][]string{}
	for _, s := range slicesOfAll.Items {
		for _, e := range s.Endpoints {
			have[s.Labels["mixedkube.dev/platform"]] = append(have[s.Labels["mixedkube.dev/platform"]],
				e.TargetRef.Name)
		}
	}
	want := map[string][]string{
		"linux": {"net-linux"}, "windows-2022": {"net-windows-2022"},
		"windows-2025": {"net-windows-2025"},
	}
	if diff := cmp.Diff(want, have); diff != "" {
		t.Errorf("endpoints (-want +have):\n%s", diff)
	}
}

// failingCheck cordons the nodes of one platform for a while, and sets the status of one of the waiting pods to the
// status of a pod with a failed check.
func failingCheck(t *testing.T, l testLab, client kubernetes.Interface, stack *deploy.Stack) {
	t.Helper()
	const message = "4-service-to-pod from windows-2022 pod to linux: failed for 120 seconds: http://10.96.0.7:80/: " +
		"The operation has timed out."
	nodes := []string{"win22-0", "win22-1"}
	for _, node := range nodes {
		patch(t, client, node, `{"spec":{"unschedulable":true}}`)
	}
	l.Out.Take()
	ended := make(chan error, 1)
	// Waiting Jobs must not block other Jobs.
	go func() { ended <- stack.Up(t.Context(), "--config", "suite:run=third", "--parallel", "64") }()
	eventually(t, func(ctx context.Context) string {
		pods, err := client.CoreV1().Pods(metav1.NamespaceDefault).List(ctx,
			metav1.ListOptions{LabelSelector: connectivityLabel})
		check(t, err)
		pods.Items = slices.DeleteFunc(pods.Items,
			func(pod corev1.Pod) bool { return pod.Annotations["mixedkube.dev/run"] != "third" })
		if len(pods.Items) < 17 {
			return fmt.Sprintf("there are %d pods of the third run", len(pods.Items))
		}
		for _, pod := range pods.Items {
			if pod.Labels["mixedkube.dev/from"] == "windows-2022" && pod.Labels["mixedkube.dev/to"] == "linux" &&
				pod.Spec.NodeName == "" {
				failPod(t, client, pod, "4-service-to-pod", message)
				return ""
			}
		}
		return "no pod from windows-2022 to linux waits for a node"
	})
	for _, node := range nodes {
		patch(t, client, node, `{"spec":{"unschedulable":null}}`)
	}
	err := <-ended
	if exit, ok := errors.AsType[*exec.ExitError](err); !ok || exit.ExitCode() == 0 {
		t.Errorf("the update ends with %v, want the CLI's exit status", err)
	}
	// Skip the diagnostics of the preview.
	shown := l.Out.Take()
	shown = shown[strings.LastIndex(shown, "Diagnostics:\n"):]
	shown, _, _ = strings.Cut(shown, "Outputs:\n")
	contains(t, shown, "kubernetes:batch/v1:Job (net-windows-2022-to-linux-job):", "[Error] "+message,
		`Container "3-pod-to-pod" completed with exit code 0`)
	if jobs := strings.Count(shown, "kubernetes:batch/v1:Job ("); jobs != 1 {
		t.Errorf("%d Jobs are shown, want only the failed one:\n%s", jobs, shown)
	}
}

// failPod terminates all containers of a pod, one of them with an error.
func failPod(t *testing.T, client kubernetes.Interface, pod corev1.Pod, failed, message string) {
	t.Helper()
	now := metav1.Now()
	status := corev1.PodStatus{Phase: corev1.PodFailed, Conditions: []corev1.PodCondition{
		{Type: corev1.PodScheduled, Status: corev1.ConditionTrue},
		{Type: corev1.PodInitialized, Status: corev1.ConditionTrue},
		{Type: corev1.ContainersReady, Status: corev1.ConditionFalse, Reason: "PodFailed"},
		{Type: corev1.PodReady, Status: corev1.ConditionFalse, Reason: "PodFailed"},
	}}
	for _, c := range pod.Spec.Containers {
		ended := &corev1.ContainerStateTerminated{Reason: "Completed", StartedAt: now, FinishedAt: now}
		if c.Name == failed {
			ended.Reason, ended.ExitCode, ended.Message = "Error", 1, message
		}
		status.ContainerStatuses = append(status.ContainerStatuses,
			corev1.ContainerStatus{Name: c.Name, Image: c.Image, State: corev1.ContainerState{Terminated: ended}})
	}
	change, err := json.Marshal(map[string]any{"status": status})
	check(t, err)
	_, err = client.CoreV1().Pods(pod.Namespace).Patch(t.Context(), pod.Name, types.StrategicMergePatchType, change,
		metav1.PatchOptions{}, "status")
	check(t, err)
}
