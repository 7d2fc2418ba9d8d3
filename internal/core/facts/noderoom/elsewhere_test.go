package noderoom_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/mixedkube/mixedkube/internal/core/facts/noderoom"
)

// otherNodes are published Linux nodes of EKS and GKE.
var otherNodes = []struct {
	published
	reserved func(capacity corev1.ResourceList) corev1.ResourceList
	// about is how much the reserved memory may differ, as a share of the capacity.
	about float64
}{
	{
		published{
			source: search + "qovery-dmubm9agk7sr8a8r-1", size: "t2.large", version: "1.16.13", pods: 35,
			nominal: list("2", "8Gi"), capacity: list("2", "8166336Ki"), allocatable: list("1930m", "7408576Ki"),
		}, eks(35), 0,
	},
	{
		published{
			source: search + "ip-10-0-1-230.ec2.internal", size: "g4dn.xlarge", version: "1.34.2", pods: 29,
			nominal: list("4", "16Gi"), capacity: list("4", "16164852Ki"), allocatable: list("3920m", "15474676Ki"),
		}, eks(29), 0,
	},
	{
		published{
			source: "https://github.com/2i2c-org/infrastructure/issues/2121", size: "n2-highmem-4", version: "1.25",
			nominal: list("4", "32Gi"), capacity: list("4", "32880872Ki"), allocatable: list("3920m", "29085928Ki"),
		}, gke, 0.0001,
	},
	{
		published{
			source: "https://github.com/2i2c-org/infrastructure/issues/2121", size: "n2-highmem-16", version: "1.25",
			nominal: list("16", "128Gi"), capacity: list("16", "131919220Ki"),
			allocatable: list("15890m", "122210676Ki"),
		}, gke, 0.0003,
	},
	{
		published{
			source: "https://github.com/2i2c-org/infrastructure/issues/2121", size: "n2-highmem-64", version: "1.25",
			nominal: list("64", "512Gi"), capacity: list("64", "528365196Ki"),
			allocatable: list("63770m", "510603916Ki"),
		}, gke, 0.0001,
	},
}

func eks(pods int) func(corev1.ResourceList) corev1.ResourceList {
	return func(c corev1.ResourceList) corev1.ResourceList { return noderoom.EKS(c, false, pods) }
}

func gke(c corev1.ResourceList) corev1.ResourceList { return noderoom.GKE(c, false) }

// With the reported capacity the allocatable resources are those of the node. With the size alone
// they are never less, so that no pod that fits is refused, and at most four percent more.
func TestPublishedNodesOfOtherClouds(t *testing.T) {
	t.Parallel()
	for _, n := range otherNodes {
		t.Run(n.size, func(t *testing.T) {
			t.Parallel()
			within := func(what string, got corev1.ResourceList, below, above float64) {
				for name, q := range got {
					want, is := n.allocatable[name], q.AsApproximateFloat64()
					if name == corev1.ResourceCPU && q.Cmp(want) != 0 {
						t.Errorf("%s: cpu %s is %s, want %s", n.source, what, &q, &want)
					}
					total := n.capacity.Memory().AsApproximateFloat64()
					if exact := want.AsApproximateFloat64(); name == corev1.ResourceMemory &&
						(is < exact-below*total || is > exact+above*total) {
						t.Errorf("%s: memory %s is %s, want %s", n.source, what, &q, &want)
					}
				}
			}
			within("of the capacity", noderoom.Allocatable(n.capacity, n.reserved(n.capacity)), n.about, n.about)
			capacity := noderoom.ReportedAtMost(n.nominal, false)
			within("of the size", noderoom.Allocatable(capacity, n.reserved(capacity)), 0, 0.04)
		})
	}
}

// The figures are from the documentation and the sources that the functions name.
func TestReservedInOtherClouds(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		got  corev1.ResourceList
		want corev1.ResourceList
	}{
		"EKS, many CPUs":          {noderoom.EKS(list("96", "384Gi"), false, 110), list("310m", "1565Mi")},
		"EKS, pods not known":     {noderoom.EKS(list("1", "4Gi"), false, 0), list("60m", "355Mi")},
		"EKS, Windows":            {noderoom.EKS(list("4", "16Gi"), true, 110), nil},
		"EKS, nothing is known":   {noderoom.EKS(nil, false, 110), nil},
		"GKE, hardly any memory":  {noderoom.GKE(list("1", "512Mi"), false), list("60m", "355Mi")},
		"GKE, 150 GiB":            {noderoom.GKE(list("4", "150Gi"), false), list("80m", "10094Mi")},
		"GKE, shared cores":       {noderoom.GKE(list("2", "4Gi"), true), list("1060m", "1124Mi")},
		"GKE, nothing is known":   {noderoom.GKE(nil, true), nil},
		"GKE, nothing of nothing": {noderoom.GKE(list("0", "0"), false), list("0", "355Mi")},
	} {
		if len(tt.got) != len(tt.want) {
			t.Errorf("%s: %v, want %v", name, tt.got, tt.want)
		}
		for resource, want := range tt.want {
			if got := tt.got[resource]; got.Cmp(want) != 0 {
				t.Errorf("%s: %s of %s, want %s", name, &got, resource, &want)
			}
		}
	}
}
