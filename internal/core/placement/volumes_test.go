package placement_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/mixedkube/mixedkube/internal/core/placement"
)

func TestVolumesOfOtherNodesRefuseAPool(t *testing.T) {
	t.Parallel()
	open := taints()
	const os, build, host = "kubernetes.io/os", "node.kubernetes.io/windows-build", "kubernetes.io/hostname"
	in := func(key string, values ...string) *corev1.NodeSelector {
		return requires(term(expr(key, corev1.NodeSelectorOpIn, values...)))
	}
	const fix = " | use a volume that these nodes can reach"
	for _, tt := range []struct {
		name    string
		volumes []placement.Volume
		unknown placement.Parts
		want    string
		reasons []string
	}{
		{"no affinity", []placement.Volume{{Name: "data"}}, 0, "yes", nil},
		{"the nodes of the pool", []placement.Volume{{"data", in(build, "10.0.20348")}}, 0, "yes", nil},
		{"one node, which may be of the pool", []placement.Volume{{"data", in(host, "node-1")}}, 0, "unknown", nil},
		{
			"nodes of another release",
			[]placement.Volume{{"data", in(build, "10.0.26100")}},
			0, "no",
			[]string{
				"volume: the PersistentVolume data needs build 10.0.26100 (Windows Server 2025), but its nodes have " +
					"10.0.20348 (Windows Server 2022)" + fix,
			},
		},
		{
			"nodes of another system, and a volume of these nodes",
			[]placement.Volume{{"own", in(os, "windows")}, {"data", in(os, "linux")}},
			0, "no",
			[]string{
				"volume: the PersistentVolume data requires kubernetes.io/os=linux, but its nodes have windows" + fix,
			},
		},
		{
			"an affinity without terms",
			[]placement.Volume{{"data", requires()}},
			0, "no",
			[]string{
				"volume: the PersistentVolume data has a node affinity without expressions, which matches no " +
					"node" + fix,
			},
		},
		{"another volume, which is not known", nil, placement.PartVolumes, "unknown", nil},
		{
			"another volume, if one refuses the pool",
			[]placement.Volume{{"data", in(os, "linux")}},
			placement.PartVolumes, "no",
			[]string{
				"volume: the PersistentVolume data requires kubernetes.io/os=linux, but its nodes have windows" + fix,
			},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			pod := placement.Pod{Volumes: tt.volumes, Unknown: tt.unknown}
			wantPlacement(t, place(pod, win22(open)),
				append([]string{"win22: schedules " + tt.want + ", runs yes"}, tt.reasons...)...)
		})
	}
}
