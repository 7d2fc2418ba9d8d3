package e2e

import (
	"context"
	"crypto/rand"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/lab"
	"github.com/mixedkube/mixedkube/internal/lab/cluster"
	"github.com/mixedkube/mixedkube/internal/lab/processes"
	"github.com/mixedkube/mixedkube/internal/lab/tools"
	"github.com/mixedkube/mixedkube/internal/system/executable"
)

// TestStarvedControlPlane stops etcd for a while, like a busy machine. By default, a leader that cannot renew its lease
// for ten seconds exits.
func TestStarvedControlPlane(t *testing.T) {
	t.Parallel()
	l := emptyLab(t, "lab-given")
	dir := filepath.Join(l.Dir, "cluster")
	before := components(t, dir, l.ID())
	if names := []string{
		"etcd", "kube-apiserver", "kube-controller-manager", "kube-scheduler",
		"kwok-controller",
	}; !slices.Equal(names, slices.Sorted(maps.Keys(before))) {
		t.Fatalf("the components %v run, want %v", before, names)
	}
	check(t, syscall.Kill(before["etcd"], syscall.SIGSTOP))
	time.Sleep(15 * time.Second)
	check(t, syscall.Kill(before["etcd"], syscall.SIGCONT))

	checkPodsGetReady(t, l.client(t))
	if diff := cmp.Diff(before, components(t, dir, l.ID())); diff != "" {
		t.Errorf("the components' processes (-before +after):\n%s", diff)
	}
}

// TestComponentsAreStartedAgain kills the components with SIGKILL.
func TestComponentsAreStartedAgain(t *testing.T) {
	t.Parallel()
	l := emptyLab(t, "lab-given")
	dir := filepath.Join(l.Dir, "cluster")
	all := components(t, dir, l.ID())
	for _, name := range slices.Sorted(maps.Keys(all)) {
		check(t, syscall.Kill(all[name], syscall.SIGKILL))
	}
	check(t, l.Start(t.Context(), lab.Options{Stack: "lab-given"}))
	if diff := cmp.Diff(slices.Sorted(maps.Keys(all)),
		slices.Sorted(maps.Keys(components(t, dir, l.ID())))); diff != "" {
		t.Errorf("the components (-before +after):\n%s", diff)
	}
	checkPodsGetReady(t, l.client(t))
}

// TestSlowAPIServer uses an API server that starts so slowly that the other components stop waiting for it.
func TestSlowAPIServer(t *testing.T) {
	t.Parallel()
	cache, err := tools.FromRoot(checkout(t), t.Output())
	check(t, err)
	paths, err := cache.Ensure(t.Context(), cluster.Tools()...)
	check(t, err)
	slow := filepath.Join(t.TempDir(), "kube-apiserver")
	script := fmt.Sprintf("#!/bin/sh\n[ \"$1\" = --version ] || sleep 17\nexec '%s' \"$@\"\n", paths["kube-apiserver"])
	check(t, executable.Write(slow, []byte(script), 0o700))
	paths["kube-apiserver"] = slow

	c, id := cluster.Cluster{Dir: filepath.Join(t.TempDir(), "cluster")}, rand.Text()
	t.Cleanup(func() { check(t, processes.Kill(id)) })
	client, err := c.Start(t.Context(), cluster.Options{Tools: paths, LabID: id})
	check(t, err)
	version, err := cluster.Version(client)
	check(t, err)
	nodes := cluster.Nodes(topology.Topology{Pools: []topology.Pool{{
		Name:     "linux",
		Platform: platform.Linux,
	}}}.WithDefaults(), version)
	check(t, cluster.Register(t.Context(), client, nodes))
	check(t, c.WaitReady(t.Context(), client, nodes))
	checkPodsGetReady(t, client)
}

// components returns the running processes of the control plane in a directory.
func components(t *testing.T, dir, labID string) map[string]int {
	t.Helper()
	alive, err := processes.Of(labID)
	check(t, err)
	found := map[string]int{}
	files, err := filepath.Glob(filepath.Join(dir, "kwok", "clusters", "*", "pids", "*.pid"))
	check(t, err)
	for _, file := range files {
		content, err := os.ReadFile(file)
		check(t, err)
		pid, err := strconv.Atoi(strings.TrimSpace(string(content)))
		check(t, err)
		if slices.Contains(alive, pid) {
			found[strings.TrimSuffix(filepath.Base(file), ".pid")] = pid
		}
	}
	return found
}

// checkPodsGetReady checks that the controllers create pods, that the scheduler places them and that KWOK simulates
// them.
func checkPodsGetReady(t *testing.T, client kubernetes.Interface) {
	t.Helper()
	labels := map[string]string{"app": "starved"}
	deployments := client.AppsV1().Deployments(metav1.NamespaceDefault)
	_, err := deployments.Create(t.Context(), &appsv1.Deployment{
		ObjectMeta: metav1.ObjectMeta{Name: "starved"},
		Spec: appsv1.DeploymentSpec{
			Replicas: new(int32(2)), Selector: &metav1.LabelSelector{MatchLabels: labels},
			Template: corev1.PodTemplateSpec{
				ObjectMeta: metav1.ObjectMeta{Labels: labels},
				Spec: corev1.PodSpec{
					NodeSelector: topology.NodeSelector(platform.Linux),
					Containers:   []corev1.Container{{Name: "c", Image: "nginx"}},
				},
			},
		},
	}, metav1.CreateOptions{})
	check(t, err)
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute) // other labs may share the processors
	defer cancel()
	for {
		deployment, err := deployments.Get(ctx, "starved", metav1.GetOptions{})
		if err != nil {
			t.Fatalf("the pods do not become ready: %v", err)
		}
		if deployment.Status.ReadyReplicas == 2 {
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
}
