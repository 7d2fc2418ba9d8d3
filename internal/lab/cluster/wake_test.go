package cluster

import (
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes/fake"
)

func TestWake(t *testing.T) {
	t.Parallel()
	bound := func(name string, change func(*corev1.Pod)) *corev1.Pod {
		p := &corev1.Pod{
			ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: name},
			Spec:       corev1.PodSpec{NodeName: "win-0"},
			Status: corev1.PodStatus{Phase: corev1.PodPending, Conditions: []corev1.PodCondition{{
				Type: corev1.PodScheduled, Status: corev1.ConditionTrue,
				LastTransitionTime: metav1.NewTime(time.Now().Add(-time.Minute)),
			}}},
		}
		if change != nil {
			change(p)
		}
		return p
	}
	client := fake.NewClientset(
		bound("asleep", nil),
		bound("young", func(p *corev1.Pod) { p.Status.Conditions[0].LastTransitionTime = metav1.Now() }),
		bound("woken", func(p *corev1.Pod) {
			p.Annotations = map[string]string{wokenAnnotation: time.Now().UTC().Format(time.RFC3339)}
			p.Labels = map[string]string{"woken": "before"}
		}),
		bound("running", func(p *corev1.Pod) { p.Status.Phase = corev1.PodRunning }),
		bound("nowhere", func(p *corev1.Pod) { p.Spec.NodeName = "" }),
		bound("unscheduled", func(p *corev1.Pod) { p.Status.Conditions[0].Status = corev1.ConditionFalse }),
	)
	if err := Wake(t.Context(), client); err != nil {
		t.Fatal(err)
	}
	pods, err := client.CoreV1().Pods("").List(t.Context(), metav1.ListOptions{})
	if err != nil {
		t.Fatal(err)
	}
	var woken []string
	for _, p := range pods.Items {
		if p.Annotations[wokenAnnotation] != "" && p.Labels["woken"] == "" {
			woken = append(woken, p.Name)
		}
	}
	slices.Sort(woken)
	if diff := cmp.Diff([]string{"asleep"}, woken); diff != "" {
		t.Errorf("woken pods (-want +got):\n%s", diff)
	}
}
