package topology_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"

	"github.com/mixedkube/mixedkube/core/topology"
)

// The oldest revision counts, and an unknown one hides all others.
func TestRevisionFromKernelVersion(t *testing.T) {
	t.Parallel()
	windows := func(name, kernel string) corev1.Node {
		return machine(name, "windows", func(n *corev1.Node) {
			n.Labels[corev1.LabelWindowsBuild] = "10.0.17763"
			n.Status.NodeInfo.KernelVersion = kernel
		})
	}
	const differ = "pool windows: the revisions of Windows differ (10.0.17763.1039, 10.0.17763.973): the oldest one " +
		"counts"
	for _, tt := range []struct {
		name    string
		kernels []string
		want    string
		notes   bool
	}{
		{"one node", []string{"10.0.17763.973"}, "10.0.17763.973", false},
		{"equal ones", []string{"10.0.17763.973", "10.0.17763.973"}, "10.0.17763.973", false},
		{"different ones", []string{"10.0.17763.1039", "10.0.17763.973"}, "10.0.17763.973", true},
		{"an unknown one", []string{"10.0.17763.1039", ""}, "", false},
		{"a build without revision", []string{"10.0.17763"}, "", false},
		{"another build", []string{"10.0.20348.1"}, "", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			nodes := []corev1.Node{machine("a", "linux", func(n *corev1.Node) {
				n.Status.NodeInfo.KernelVersion = "6.12.55"
			})}
			for i, kernel := range tt.kernels {
				nodes = append(nodes, windows(fmt.Sprintf("w%d", i), kernel))
			}
			got, notes, errs := topology.FromNodes(nodes, "")
			if len(errs) > 0 {
				t.Fatal(errs.ToAggregate())
			}
			if is := got.Pools[1].Reported.OSVersion; is != tt.want || got.Pools[0].Reported.OSVersion != "" {
				t.Errorf("the pools are %+v, want the version %q", got.Pools, tt.want)
			}
			if slices.Contains(notes, differ) != tt.notes {
				t.Errorf("the notes are %q", notes)
			}
			again, errs := topology.Decode(topology.Encode(got), nil)
			if diff := cmp.Diff(got, again); diff != "" || len(errs) > 0 {
				t.Errorf("written and read again (-want +got): %v\n%s", errs, diff)
			}
		})
	}
}
