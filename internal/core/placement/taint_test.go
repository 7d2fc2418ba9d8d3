package placement_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/internal/core/placement"
)

func TestTaints(t *testing.T) {
	t.Parallel()
	tolerates := func(tolerations ...corev1.Toleration) placement.Pod {
		return placement.Pod{Tolerations: tolerations}
	}
	refused := func(difference, fix string) []string {
		return []string{"taint: its taint os=windows:NoSchedule is not tolerated" + difference + " | " + fix}
	}
	runRows(t, []row{
		{name: "it is not tolerated", pool: win22(), want: no, reasons: refused("", "tolerate os=windows:NoSchedule")},
		{name: "it is tolerated", pool: win22(), pod: tolerates(tolerateWindows()...), want: yes},
		{
			name: "it is tolerated by a toleration of all effects", pool: win22(),
			pod: tolerates(corev1.Toleration{Key: "os", Value: "windows"}), want: yes,
		},
		{
			name: "it is tolerated by a toleration of all values", pool: win22(),
			pod: tolerates(corev1.Toleration{Key: "os", Operator: "Exists"}), want: yes,
		},
		{
			name: "it is tolerated by a toleration of everything", pool: win22(),
			pod: tolerates(corev1.Toleration{Operator: "Exists"}), want: yes,
		},
		{name: "a preference repels nothing", pool: linux(taints("spot:PreferNoSchedule")), want: yes},
		{
			name: "each taint is named", pool: linux(taints("a=1:NoSchedule", "b:NoExecute", "c:PreferNoSchedule")),
			want: no,
			reasons: []string{
				"taint: its taint a=1:NoSchedule is not tolerated | tolerate a=1:NoSchedule",
				"taint: its taint b:NoExecute is not tolerated | tolerate b:NoExecute",
			},
		},
		{
			name: "a value in other case", pool: win22(), want: no,
			pod:     tolerates(corev1.Toleration{Key: "os", Value: "Windows", Effect: "NoSchedule"}),
			reasons: refused(": the toleration has the value Windows, and case matters", "use the value windows"),
		},
		{
			name: "another value", pool: win22(), pod: tolerates(corev1.Toleration{Key: "os", Value: "linux"}),
			want:    no,
			reasons: refused(": the toleration has the value linux", "use the value windows"),
		},
		{
			name: "no value", pool: win22(), pod: tolerates(corev1.Toleration{Key: "os"}), want: no,
			reasons: refused(`: the toleration has the value ""`, "use the value windows"),
		},
		{
			name: "another effect", pool: win22(), want: no,
			pod:     tolerates(corev1.Toleration{Key: "os", Value: "windows", Effect: "NoExecute"}),
			reasons: refused(": the toleration is for NoExecute only", "use the effect NoSchedule"),
		},
		{
			name: "another value and another effect", pool: win22(), want: no,
			pod: tolerates(corev1.Toleration{Key: "os", Value: "linux", Effect: "NoExecute"}),
			reasons: refused(": the toleration has the value linux and is for NoExecute only",
				"use the value windows and the effect NoSchedule"),
		},
		{
			name: "an operator behind a feature gate", pool: linux(taints("cores=8:NoSchedule")), want: no,
			pod: tolerates(corev1.Toleration{Key: "cores", Operator: "Gt", Value: "4"}),
			reasons: []string{
				"taint: its taint cores=8:NoSchedule is not tolerated: the toleration has the operator Gt, whose " +
					"feature gate is off by default | use the operator Equal",
			},
		},
		{
			name: "an unknown operator", pool: win22(), want: no,
			pod:     tolerates(corev1.Toleration{Key: "os", Operator: "equal", Value: "windows"}),
			reasons: refused(": the toleration has the operator equal", "use the operator Equal"),
		},
		{
			name: "a key in another domain", pool: win22(), want: no,
			pod:     tolerates(corev1.Toleration{Key: "node.kubernetes.io/os", Value: "windows"}),
			reasons: refused(": the toleration is for the key node.kubernetes.io/os", "use the key os"),
		},
		{
			name: "a key in other case", pool: win22(), pod: tolerates(corev1.Toleration{Key: "OS", Value: "windows"}),
			want:    no,
			reasons: refused(": the toleration is for the key OS", "use the key os"),
		},
		{
			name: "everything, but with another effect", pool: win22(), want: no,
			pod:     tolerates(corev1.Toleration{Operator: "Exists", Effect: "NoExecute"}),
			reasons: refused(": the toleration is for NoExecute only", "use the effect NoSchedule"),
		},
		{
			name: "the key's own toleration is nearer than one of everything", pool: win22(), want: no,
			pod: tolerates(corev1.Toleration{Operator: "Exists", Effect: "NoExecute"},
				corev1.Toleration{Key: "os", Value: "linux"}),
			reasons: refused(": the toleration has the value linux", "use the value windows"),
		},
		{
			name: "a toleration of something else", pool: win22(),
			pod: tolerates(corev1.Toleration{Key: "spot", Operator: "Exists"}), want: no,
			reasons: refused("", "tolerate os=windows:NoSchedule"),
		},
		{
			name: "the unknown part of tolerations may tolerate it", pool: win22(),
			pod: placement.Pod{Unknown: placement.PartTolerations}, want: unknown,
		},
		{
			name: "the known part of tolerations tolerates it", pool: win22(), want: yes,
			pod: placement.Pod{Tolerations: tolerateWindows(), Unknown: placement.PartTolerations},
		},
		{
			name: "an unknown RuntimeClass may tolerate it", pool: win22(),
			pod: placement.Pod{Unknown: placement.PartRuntimeClass}, want: unknown,
		},
		{
			name: "the RuntimeClass tolerates it", pool: win22(),
			pod: placement.Pod{RuntimeClass: windowsClass(platform.WindowsServer2022)}, want: yes,
		},
		{
			name: "the RuntimeClass tolerates a similar taint", pool: win22(), want: no,
			pod: placement.Pod{RuntimeClass: &placement.RuntimeClass{
				Name: "windows", Tolerations: []corev1.Toleration{{Key: "os", Value: "Windows"}},
			}},
			reasons: refused(": the toleration of RuntimeClass windows has the value Windows, and case matters",
				"use the value windows"),
		},
	})
}
