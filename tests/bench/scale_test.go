package bench

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	nodev1 "k8s.io/api/node/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/lab"
	"github.com/mixedkube/mixedkube/internal/lab/deploy"
)

// BenchmarkLab fills a lab of a thousand nodes with ten thousand pods: Deployments for Linux and for each Windows
// Server, scheduled in the same way as by the components. Half of those for Windows use RuntimeClasses.
func BenchmarkLab(b *testing.B) {
	const pools, deployments, podsPerNode = 10, 40, 10
	nodes := small(1000, 10)
	for b.Loop() {
		l, out := scaledLab(b, nodes, pools)
		started := time.Now()
		if err := l.Start(b.Context(), lab.Options{Stack: scaledStack}); err != nil {
			b.Fatal(err)
		}
		reportGoal(b, "start/goal", fmt.Sprintf("start with %d nodes", nodes), time.Since(started), time.Minute)

		client, err := l.Client()
		if err != nil {
			b.Fatal(err)
		}
		replicas := max(nodes*podsPerNode/deployments, 1)
		started = time.Now()
		deployEverywhere(b, client, scaledTopology(nodes, pools), deployments, int32(replicas))
		took := waitForPods(b, client, started, deployments, int32(replicas))
		reportGoal(b, "pods/goal", fmt.Sprintf("create %d pods until all are ready", deployments*replicas), took,
			2*time.Minute)

		out.Reset()
		started = time.Now()
		err = l.Status(b.Context())
		reportGoal(b, "status/goal", "status of all pods, without the start of the command", time.Since(started),
			5*time.Second)
		want := fmt.Sprintf("\n%d pods on %d nodes, 0 problems\n", deployments*replicas, nodes)
		if err != nil || !strings.HasSuffix(out.String(), want) {
			b.Errorf("%v\n%s\nwant at the end: %s", err, out.String(), want)
		}
		reportUsage(b, l)
		if err := l.Down(); err != nil {
			b.Fatal(err)
		}
	}
}

// reportGoal reports how long something took, and the goal.
func reportGoal(b *testing.B, unit, what string, took, goal time.Duration) {
	b.Helper()
	report(b, unit, line{
		what: what, measured: shown(took), baseline: "goal " + shown(goal), ratio: took.Seconds() / goal.Seconds(),
		limit: limit{ratio: 1},
	})
}

// reportUsage reports the memory and processor time of the control plane.
func reportUsage(b *testing.B, l *lab.Lab) {
	b.Helper()
	var all used
	byName := usage(b, l.ID())
	for _, u := range byName {
		all = used{all.memory + u.memory, all.peak + u.peak, all.cpu + u.cpu}
	}
	byName["all"] = all
	for _, name := range []string{
		"etcd", "kube-apiserver", "kube-controller-manager", "kube-scheduler", "kwok",
		"all",
	} {
		u := byName[name]
		report(b, name+"Memory/all", line{
			what:     "memory of the control plane, " + name + ", and its processor time",
			measured: mebibytes(u.memory) + ", at most " + mebibytes(u.peak), baseline: shown(u.cpu),
			ratio: float64(u.memory) / float64(max(all.memory, 1)),
		})
	}
}

const scaledStack = "lab-given"

// scaledLab returns a lab whose stack has its own topology.
func scaledLab(b *testing.B, nodes, pools int) (*lab.Lab, *strings.Builder) {
	b.Helper()
	out := &strings.Builder{}
	l := newLab(b, io.MultiWriter(out, os.Stderr))
	l.Stacks = b.TempDir()
	var config strings.Builder
	config.WriteString("config:\n  mixedkube:cluster:\n    pools:\n")
	for _, pool := range scaledTopology(nodes, pools).Pools {
		fmt.Fprintf(&config, "      - {name: %s, platform: %s, count: %d, size: %s}\n", pool.Name, pool.Platform,
			pool.Count, pool.Size)
	}
	config.WriteString("  mixedkube:workloads: [linux-web]\n")
	if err := os.WriteFile(deploy.StackFile(l.Stacks, scaledStack), []byte(config.String()), 0o600); err != nil {
		b.Fatal(err)
	}
	return l, out
}

var scaledPlatforms = []platform.Platform{
	platform.Linux, platform.WindowsServer2019, platform.WindowsServer2022,
	platform.WindowsServer2025,
}

// scaledImages are images for scaledPlatforms.
var scaledImages = []string{
	"nginx:1.28-alpine", "mcr.microsoft.com/windows/nanoserver:1809", "mcr.microsoft.com/windows/nanoserver:ltsc2022",
	"mcr.microsoft.com/windows/nanoserver:ltsc2025",
}

func scaledTopology(nodes, pools int) topology.Defaulted {
	var t topology.Topology
	for i := range pools {
		t.Pools = append(t.Pools, topology.Pool{
			Name: fmt.Sprintf("pool%d", i), Platform: scaledPlatforms[i%len(scaledPlatforms)], Count: nodes / pools,
			Size: "Standard_D4s_v5",
		})
	}
	return t.WithDefaults()
}

func deployEverywhere(
	b *testing.B, client kubernetes.Interface, t topology.Defaulted, deployments int, replicas int32,
) {
	b.Helper()
	for _, p := range scaledPlatforms[1:] {
		class := &nodev1.RuntimeClass{
			ObjectMeta: metav1.ObjectMeta{Name: topology.RuntimeClassName(p)}, Handler: "runhcs-wcow-process",
			Scheduling: &nodev1.Scheduling{NodeSelector: topology.NodeSelector(p), Tolerations: t.Tolerations(p)},
		}
		if _, err := client.NodeV1().RuntimeClasses().Create(b.Context(), class, metav1.CreateOptions{}); err != nil {
			b.Fatal(err)
		}
	}
	for i := range deployments {
		p, labels := scaledPlatforms[i%len(scaledPlatforms)], map[string]string{"app": fmt.Sprintf("app-%d", i)}
		pods := corev1.PodSpec{
			OS:         &corev1.PodOS{Name: corev1.OSName(p.OS())},
			Containers: []corev1.Container{{Name: "c", Image: scaledImages[i%len(scaledPlatforms)]}},
		}
		if byClass := i/len(scaledPlatforms)%2 == 0; byClass && p != platform.Linux {
			pods.RuntimeClassName = new(topology.RuntimeClassName(p))
		} else {
			pods.NodeSelector, pods.Tolerations = topology.NodeSelector(p), t.Tolerations(p)
		}
		deployment := &appsv1.Deployment{
			ObjectMeta: metav1.ObjectMeta{Name: labels["app"]},
			Spec: appsv1.DeploymentSpec{
				Replicas: &replicas, Selector: &metav1.LabelSelector{MatchLabels: labels},
				Template: corev1.PodTemplateSpec{ObjectMeta: metav1.ObjectMeta{Labels: labels}, Spec: pods},
			},
		}
		if _, err := client.AppsV1().Deployments(metav1.NamespaceDefault).Create(b.Context(), deployment,
			metav1.CreateOptions{}); err != nil {
			b.Fatal(err)
		}
	}
}

// waitForPods waits until all pods are ready, and returns the time since the start.
func waitForPods(
	b *testing.B, client kubernetes.Interface, started time.Time, deployments int, replicas int32,
) time.Duration {
	b.Helper()
	ctx, cancel := context.WithTimeout(b.Context(), 20*time.Minute)
	defer cancel()
	for {
		list, err := client.AppsV1().Deployments(metav1.NamespaceDefault).List(ctx, metav1.ListOptions{})
		if err != nil {
			b.Fatalf("check whether the pods are ready: %v", err)
		}
		ready := int32(0)
		for _, d := range list.Items {
			ready += d.Status.ReadyReplicas
		}
		if ready == int32(deployments)*replicas {
			return time.Since(started)
		}
		time.Sleep(200 * time.Millisecond)
	}
}
