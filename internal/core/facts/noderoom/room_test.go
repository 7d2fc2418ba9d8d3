package noderoom_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/mixedkube/mixedkube/internal/core/facts/noderoom"
)

func list(cpu, memory string) corev1.ResourceList {
	return corev1.ResourceList{"cpu": resource.MustParse(cpu), "memory": resource.MustParse(memory)}
}

// published is a node of AKS, from an output of kubectl describe that someone has published.
type published struct {
	// source is where the output was published. If the repository of a public file is not known
	// here, it is a search for the node's name.
	source, size string
	windows      bool
	// version is a version from the time of the output if the output does not show one.
	version string
	// pods is 0 if the output does not show it; before 1.29 it does not count.
	pods int
	// nominal is the capacity of the size; capacity and allocatable are those of the node.
	nominal, capacity, allocatable corev1.ResourceList
}

const search = "https://github.com/search?type=code&q="

var nodes = []published{
	{
		source: "https://github.com/Azure/AKS/issues/1216", size: "Standard_B2s", version: "1.14.6",
		nominal: list("2", "4Gi"), capacity: list("2", "4017088Ki"), allocatable: list("1900m", "2200512Ki"),
	},
	{
		source: "https://chunliu.me/2020/06/11/node-allocatable-in-aks/", size: "Standard_DS2_v2", version: "1.17",
		pods: 110, nominal: list("2", "7Gi"), capacity: list("2", "7113660Ki"),
		allocatable: list("1900m", "4668348Ki"),
	},
	{
		source: "https://github.com/MicrosoftDocs/azure-docs/issues/56773", size: "2 CPUs, 7 GiB", windows: true,
		version: "1.17", pods: 30, nominal: list("2", "7Gi"), capacity: list("2", "7339572Ki"),
		allocatable: list("1900m", "3565108Ki"),
	},
	{
		source: "https://github.com/Azure/AKS/issues/3525", size: "2 CPUs, 4 GiB", version: "1.24", pods: 100,
		nominal: list("2", "4Gi"), capacity: list("2", "4025836Ki"), allocatable: list("1900m", "2209260Ki"),
	},
	{
		source: "https://github.com/marosset/aks-windows-gpu-acceleration/blob/" +
			"11e3c7a72a9f8adaa3130066d294b5b3a133a4cd/test_scenarios/directx_sample_with_aks.md",
		size: "Standard_NC4as_T4_v3", windows: true, version: "1.25.4", pods: 30, nominal: list("4", "28Gi"),
		capacity: list("4", "29359668Ki"), allocatable: list("3860m", "23781940Ki"),
	},
	{
		source: "https://github.com/UCL/TLOmodel/issues/1356", size: "2 CPUs, 16 GiB", version: "1.28", pods: 110,
		nominal: list("2", "16Gi"), capacity: list("2", "16375056Ki"), allocatable: list("1900m", "12881168Ki"),
	},
	{
		source: search + "aksnpw22000000", size: "Standard_D32ads_v5", windows: true, version: "1.28.12", pods: 30,
		nominal: list("32", "128Gi"), capacity: list("32", "134217268Ki"),
		allocatable: list("31580m", "122348084Ki"),
	},
	{
		source: search + "aks-default-19023758-vmss000000", size: "Standard_D2s_v3", version: "1.30.9", pods: 250,
		nominal: list("2", "8Gi"), capacity: list("2", "8130044Ki"), allocatable: list("1900m", "5930492Ki"),
	},
	{
		source: search + "aks-system-10377240-vmss000005", size: "Standard_B8ms", version: "1.32.7", pods: 110,
		nominal: list("8", "32Gi"), capacity: list("8", "32859916Ki"), allocatable: list("7820m", "30453516Ki"),
	},
	// The thread shows no capacity, and has the two versions the wrong way round: it complains
	// that the newer one keeps less.
	{
		source: "https://github.com/Azure/AKS/issues/4524", size: "16 CPUs, 64 GiB", version: "1.28.5", pods: 60,
		nominal: list("16", "64Gi"), allocatable: list("15740m", "59329368Ki"),
	},
	{
		source: "https://github.com/Azure/AKS/issues/4524", size: "16 CPUs, 64 GiB", version: "1.30", pods: 60,
		nominal: list("16", "64Gi"), allocatable: list("15740m", "64460556Ki"),
	},
}

// With the reported capacity the allocatable resources are exact. With the size alone they are
// never less than those of the node, so that no pod that fits is refused.
func TestPublishedNodes(t *testing.T) {
	t.Parallel()
	for _, n := range nodes {
		t.Run(n.size+" with "+n.version, func(t *testing.T) {
			t.Parallel()
			reserved := noderoom.AKS(n.nominal, n.windows, n.version, n.pods)
			if n.capacity != nil {
				for name, got := range noderoom.Allocatable(n.capacity, reserved) {
					if want := n.allocatable[name]; got.Cmp(want) != 0 {
						t.Errorf("%s: %s is %s, want %s", n.source, name, &got, &want)
					}
				}
			}
			capacity := noderoom.Reported(n.nominal, n.windows)
			for name, got := range noderoom.Allocatable(capacity, reserved) {
				want := n.allocatable[name]
				least, most := want.AsApproximateFloat64(), want.AsApproximateFloat64()
				if !n.windows && name == corev1.ResourceMemory {
					most += 0.005 * capacity.Memory().AsApproximateFloat64()
				}
				if is := got.AsApproximateFloat64(); is < least || is > most {
					t.Errorf("%s: %s from the size is %s, want %s", n.source, name, &got, &want)
				}
			}
		})
	}
}

// The figures are from https://learn.microsoft.com/azure/aks/node-resource-reservations.
func TestAKSMatchesItsDocumentation(t *testing.T) {
	t.Parallel()
	for cpus, want := range map[string]string{
		"1": "60m", "2": "100m", "4": "140m", "8": "180m", "16": "260m", "32": "420m", "64": "740m",
	} {
		got := noderoom.AKS(list(cpus, "8Gi"), false, "1.34", 30)[corev1.ResourceCPU]
		if got.Cmp(resource.MustParse(want)) != 0 {
			t.Errorf("of %s CPUs %s, want %s", cpus, &got, want)
		}
	}
	for name, tt := range map[string]struct {
		memory, version string
		pods            int
		windows         bool
		want            string
	}{
		"8 GB and 30 pods":                {"8Gi", "1.29", 30, false, "750Mi"},
		"4 GB and 70 pods":                {"4Gi", "1.29", 70, false, "1124Mi"},
		"7 GB before":                     {"7Gi", "1.28", 30, false, "2388Mi"},
		"more than 128 GB before":         {"256Gi", "v1.28.9", 30, false, "12915Mi"},
		"Windows before":                  {"8Gi", "1.28", 30, true, "3891Mi"},
		"Windows":                         {"8Gi", "1.29", 30, true, "2698Mi"},
		"Windows, whatever Kubernetes is": {"8Gi", "1.31", 30, true, "2698Mi"},
		"a version that is not known":     {"8Gi", "", 30, false, "750Mi"},
		"next to nothing":                 {"0", "1.34", 110, false, "100Mi"},
	} {
		got := noderoom.AKS(list("2", tt.memory), tt.windows, tt.version, tt.pods)[corev1.ResourceMemory]
		if got.Cmp(resource.MustParse(tt.want)) != 0 {
			t.Errorf("%s: %s, want %s", name, &got, tt.want)
		}
	}
	if got := noderoom.AKS(nil, true, "1.34", 30); got != nil {
		t.Errorf("of a size that is not known: %v", got)
	}
}

func TestAllocatable(t *testing.T) {
	t.Parallel()
	capacity := list("2", "4Gi")
	capacity[corev1.ResourcePods] = resource.MustParse("30")
	got := noderoom.Allocatable(capacity, list("250m", "8Gi"))
	for name, want := range map[corev1.ResourceName]string{"cpu": "1750m", "memory": "0", "pods": "30"} {
		if q := got[name]; q.Cmp(resource.MustParse(want)) != 0 {
			t.Errorf("%s: %s, want %s", name, &q, want)
		}
	}
	if cpu := capacity[corev1.ResourceCPU]; cpu.String() != "2" {
		t.Errorf("the capacity is now %s", &cpu)
	}
	if got := noderoom.Allocatable(nil, list("1", "1Gi")); got != nil {
		t.Errorf("of a capacity that is not known: %v", got)
	}
}

func FuzzAllocatable(f *testing.F) {
	f.Add(int64(2), int64(8<<30), true, "1.34", 30)
	f.Add(int64(0), int64(0), false, "1.28", -1)
	f.Add(int64(96), int64(672<<30), false, "", 250)
	f.Fuzz(func(t *testing.T, cpus, memory int64, windows bool, version string, pods int) {
		nominal := corev1.ResourceList{
			"cpu":    *resource.NewQuantity(max(cpus, 0)%4096, resource.DecimalSI),
			"memory": *resource.NewQuantity(max(memory, 0)%(1<<50), resource.BinarySI),
		}
		capacity := noderoom.Reported(nominal, windows)
		got := noderoom.Allocatable(capacity, noderoom.AKS(nominal, windows, version, pods))
		for name, has := range capacity {
			if left := got[name]; left.Sign() < 0 || left.Cmp(has) > 0 || has.Cmp(nominal[name]) > 0 {
				t.Errorf("%s: %s of %s of %v", name, &left, &has, nominal[name])
			}
		}
	})
}
