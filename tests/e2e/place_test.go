package e2e

import (
	"maps"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
)

// TestPlace enables the guard's Place in a program that is already deployed. Each step depends on the previous ones.
func TestPlace(t *testing.T) {
	t.Parallel()
	l := emptyLab(t, "lab-given")
	client := l.client(t)
	stack := l.project(t, "components/guard/testdata/place", "dev", "")
	up := func(t *testing.T, config ...string) string {
		t.Helper()
		var flags []string
		for _, c := range config {
			flags = append(flags, "--config", "place:"+c)
		}
		l.Out.Take()
		check(t, stack.Up(t.Context(), flags...))
		return l.Out.Take()
	}
	const alpine = "image=alpine:3.22"
	windows := map[string]string{
		"kubernetes.io/arch": "amd64", "kubernetes.io/os": "windows", "node.kubernetes.io/windows-build": "10.0.20348",
	}
	linux := map[string]string{"kubernetes.io/os": "linux"}

	up(t, alpine)
	before := placedObjects(t, client)
	if before["deployment web"].selector != nil || before["job plain"].selector != nil {
		t.Fatalf("the program is placed although Place is not enabled: %v", before)
	}

	t.Run("existing Jobs and Pods stay unchanged, a Deployment rolls out", func(t *testing.T) {
		contains(t, up(t, alpine, "place=true"), `Place completes 4 of 4 workloads
      1 Deployment: changes only where the preview shows an update
      2 Jobs, 1 Pod: those that exist stay as they are, new ones are completed
`)
		want := maps.Clone(before)
		want["deployment web"] = placedObject{before["deployment web"].uid, linux, nil}
		if diff := cmp.Diff(want, placedObjects(t, client), cmp.AllowUnexported(placedObject{})); diff != "" {
			t.Errorf("the objects (-want +got):\n%s", diff)
		}
		check(t, stack.Preview(t.Context(), "--expect-no-changes", "--config", "place:"+alpine, "--config",
			"place:place=true"))
	})
	t.Run("a new Job is placed, and a Job that is replaced for another reason too", func(t *testing.T) {
		contains(t, up(t, "image=alpine:3.21", "place=true", "more=true"), "1 created", "1 replaced")
		after := placedObjects(t, client)
		taint := []corev1.Toleration{{
			Key: "os", Operator: corev1.TolerationOpEqual, Value: "windows",
			Effect: corev1.TaintEffectNoSchedule,
		}}
		want := maps.Clone(after)
		want["job plain"] = placedObject{after["job plain"].uid, linux, nil}
		want["job new"] = placedObject{after["job new"].uid, windows, taint}
		for _, name := range []string{"job own", "pod pod"} {
			want[name] = before[name]
		}
		if diff := cmp.Diff(want, after, cmp.AllowUnexported(placedObject{})); diff != "" {
			t.Errorf("the objects (-want +got):\n%s", diff)
		}
		if after["job plain"].uid == before["job plain"].uid {
			t.Error("the Job with another image was not replaced")
		}
	})
	t.Run("a placed Job stays unchanged", func(t *testing.T) {
		check(t, stack.Preview(t.Context(), "--expect-no-changes",
			"--config", "place:image=alpine:3.21", "--config", "place:place=true", "--config", "place:more=true"))
	})
	check(t, stack.Destroy(t.Context(), "--skip-preview"))
}

// placedObject is an object with the node selector and the tolerations of its pods.
type placedObject struct {
	uid         string
	selector    map[string]string
	tolerations []corev1.Toleration
}

func placedObjects(t *testing.T, client kubernetes.Interface) map[string]placedObject {
	t.Helper()
	found := map[string]placedObject{}
	add := func(kind string, object metav1.Object, pods corev1.PodSpec) {
		// Skip the tolerations that Kubernetes adds to each Pod.
		var own []corev1.Toleration
		for _, toleration := range pods.Tolerations {
			if toleration.Effect != corev1.TaintEffectNoExecute {
				own = append(own, toleration)
			}
		}
		found[kind+" "+object.GetName()] = placedObject{string(object.GetUID()), pods.NodeSelector, own}
	}
	deployments, err := client.AppsV1().Deployments(metav1.NamespaceDefault).List(t.Context(), metav1.ListOptions{})
	check(t, err)
	for _, o := range deployments.Items {
		add("deployment", &o, o.Spec.Template.Spec)
	}
	jobs, err := client.BatchV1().Jobs(metav1.NamespaceDefault).List(t.Context(), metav1.ListOptions{})
	check(t, err)
	for _, o := range jobs.Items {
		add("job", &o, o.Spec.Template.Spec)
	}
	pods, err := client.CoreV1().Pods(metav1.NamespaceDefault).List(t.Context(), metav1.ListOptions{})
	check(t, err)
	for _, o := range pods.Items {
		if len(o.OwnerReferences) == 0 {
			add("pod", &o, o.Spec)
		}
	}
	return found
}
