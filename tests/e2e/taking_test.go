package e2e

import (
	"slices"
	"strings"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/mixedkube/mixedkube/tests/internal/labtest"
)

// legacyDeployment returns a Deployment that somebody has deployed by hand, with a node selector and tolerations. The
// API server records who owns its fields under the name of the client.
func legacyDeployment() *appsv1.Deployment {
	labels := map[string]string{"app": "legacy"}
	return &appsv1.Deployment{
		ObjectMeta: metav1.ObjectMeta{Name: "legacy"},
		Spec: appsv1.DeploymentSpec{
			Selector: &metav1.LabelSelector{MatchLabels: labels},
			Template: corev1.PodTemplateSpec{
				ObjectMeta: metav1.ObjectMeta{Labels: labels},
				Spec: corev1.PodSpec{
					NodeSelector: map[string]string{"kubernetes.io/os": "windows"},
					Tolerations:  []corev1.Toleration{{Key: "os", Value: "windows", Effect: "NoSchedule"}},
					Containers: []corev1.Container{{
						Name: "web", Image: "mcr.microsoft.com/windows/nanoserver:ltsc2022",
					}},
				},
			},
		},
	}
}

// TestAnObjectOfKubectlOrHelmIsTakenOver takes a Deployment over with the program of docs/moving.md: it stays the same
// object, and the annotation is needed for the first update only.
func TestAnObjectOfKubectlOrHelmIsTakenOver(t *testing.T) {
	t.Parallel()
	l := emptyLab(t, "lab-given")
	deployments := l.client(t).AppsV1().Deployments(metav1.NamespaceDefault)
	stack := l.project(t, "components/workload/testdata/adopting", "dev", "")
	for _, manager := range []string{"kubectl-client-side-apply", "helm"} {
		made, err := deployments.Create(t.Context(), legacyDeployment(), metav1.CreateOptions{FieldManager: manager})
		check(t, err)
		step := func(name string) []string { return []string{"--config", "adopting:step=" + name} }

		l.Out.Take()
		labtest.Failed(t, "the preview without the annotation", stack.Preview(t.Context(), step("imported")...))
		shown := l.Out.Take()
		contains(t, shown, "Server-Side Apply field conflict detected", `conflicts with "`+manager+`" using apps/v1:`,
			".spec.template.spec.nodeSelector", ".spec.template.spec.tolerations")

		for _, tt := range []struct{ step, want string }{
			{"forced", `
				create mixedkube:workload:Deployment legacy
				import kubernetes:apps/v1:Deployment legacy-deployment
				update kubernetes:apps/v1:Deployment legacy-deployment
			`},
			{"owned", `update kubernetes:apps/v1:Deployment legacy-deployment`},
		} {
			events, args := labtest.EventLog(t)
			check(t, stack.Up(t.Context(), append(args, step(tt.step)...)...))
			operations := slices.DeleteFunc(labtest.Operations(t, events), func(operation string) bool {
				return strings.HasPrefix(operation, "create pulumi:")
			})
			labtest.SameLines(t, manager+", "+tt.step, tt.want, operations)
			check(t, stack.Preview(t.Context(), append(step(tt.step), "--expect-no-changes")...))
		}
		taken, err := deployments.Get(t.Context(), "legacy", metav1.GetOptions{})
		check(t, err)
		if taken.UID != made.UID {
			t.Errorf("%s: the Deployment is another one", manager)
		}
		if build := taken.Spec.Template.Spec.NodeSelector["node.kubernetes.io/windows-build"]; build != "10.0.20348" {
			t.Errorf("%s: the Deployment selects the build %q", manager, build)
		}
		check(t, stack.Destroy(t.Context(), append(step("owned"), "--skip-preview")...))
	}
}
