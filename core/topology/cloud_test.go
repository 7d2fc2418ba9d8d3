package topology_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"

	"github.com/mixedkube/mixedkube/core/topology"
)

func TestPoolsHaveThePropertiesOfTheirCloud(t *testing.T) {
	t.Parallel()
	const document = `
cloud: %CLOUD%
kubernetesVersion: "1.36"
pools:
  - {name: linux, platform: linux, size: %SIZE%, maxPods: 29}
  - {name: win22, platform: windows-2022, size: %SIZE%}
  - {name: own, platform: windows-2022, taints: ["a=b:NoSchedule"], labels: {cloud.google.com/gke-nodepool: other}}
`
	type pool struct {
		Taints      []string
		Untainted   bool
		Labels      map[string]string
		Allocatable corev1.ResourceList
	}
	own := pool{Taints: []string{"a=b:NoSchedule"}, Labels: map[string]string{topology.LabelGKENodePool: "other"}}
	for name, tt := range map[string]struct {
		cloud, size string
		want        []pool
	}{
		"none": {`""`, "Standard_D4s_v5", []pool{
			{Allocatable: amounts("4", "16410Mi")}, {Taints: []string{"os=windows:NoSchedule"}}, own,
		}},
		"AKS": {"aks", "Standard_D4s_v5", []pool{
			{Allocatable: amounts("4", "16410Mi")}, {Taints: []string{"os=windows:NoSchedule"}}, own,
		}},
		"EKS": {"eks", "m5.xlarge", []pool{
			{Allocatable: amounts("3920m", "15454Mi")}, {Untainted: true, Allocatable: amounts("4", "16Gi")}, own,
		}},
		"GKE": {"gke", "n2-standard-4", []pool{
			{
				Labels:      map[string]string{topology.LabelGKENodePool: "linux"},
				Allocatable: amounts("3920m", "13392Mi"),
			},
			{
				Taints:      []string{"node.kubernetes.io/os=windows:NoSchedule"},
				Labels:      map[string]string{topology.LabelGKENodePool: "win22"},
				Allocatable: amounts("3920m", "13622Mi"),
			},
			own,
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			in, errs := read(t, strings.NewReplacer("%CLOUD%", tt.cloud, "%SIZE%", tt.size).Replace(document))
			if len(errs) > 0 {
				t.Fatal(errs.ToAggregate())
			}
			complete := in.WithDefaults()
			var got []pool
			for _, p := range complete.Pools {
				one := pool{Untainted: p.Untainted, Labels: p.Labels}
				one.Allocatable, _ = p.Allocatable()
				for _, taint := range p.Taints {
					one.Taints = append(one.Taints, topology.FormatTaint(taint))
				}
				got = append(got, one)
			}
			if name == "none" || name == "AKS" { // Azure's sizes have their own tests
				got[0].Allocatable, tt.want[0].Allocatable, got[1].Allocatable = nil, nil, nil
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("pools (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(complete, complete.WithDefaults()); diff != "" {
				t.Errorf("the defaults change when they are in again (-want +got):\n%s", diff)
			}
			if in.Pools[1].Labels != nil || in.Pools[1].Taints != nil || in.Pools[1].Untainted {
				t.Errorf("the pool that was in is now %+v", in.Pools[1])
			}
		})
	}
}

func TestInvalidCloudsAndReportedValues(t *testing.T) {
	t.Parallel()
	_, errs := read(t, `
cloud: esk
pools:
  - name: linux
    platform: linux
    reported:
      architecture: arm
      capacity: {cpu: 4, memory: 16Go, pods: "110"}
      osVersion: 10.0.17763.973
    reserved: {cpu: "5", memory: -1Gi}
  - {name: win, platform: windows-2022, size: m6g.large, reported: {architecture: arm64, capacity: {cpu: "1"}}}
  - {name: old, platform: windows-2019, reported: {osVersion: 10.0.17763}}
  - {name: other, platform: windows-2019, reported: {osVersion: 10.0.20348.1}}
  - {name: zeros, platform: windows-2019, reported: {osVersion: 10.0.17763.0973}}
  - {name: right, platform: windows-2019, reported: {osVersion: 10.0.17763.973}}
  - {name: none, platform: windows-2021, reported: {osVersion: 10.0.17763.973}}
`)
	wantErrors(t, errs,
		`cloud: Invalid value: "esk": did you mean "eks"? valid clouds are aks, eks, gke; leave it out for any `+
			`other cluster`,
		`pools[0].reported.architecture: Invalid value: "arm": valid architectures are amd64, arm64, 386, ppc64le, `+
			`s390x`,
		`pools[0].reported.capacity[cpu]: Invalid value: 4: must be a string: write it in quotes`,
		`pools[0].reported.capacity[memory]: Invalid value: "16Go": must be a quantity, 500m or 2Gi for example`,
		`pools[0].reported.capacity[pods]: Invalid value: "110": only cpu and memory are compared with what pods `+
			`request: `+
			`remove it`,
		`pools[0].reported.osVersion: Invalid value: "10.0.17763.973": only revisions of Windows are compared with `+
			`those of images: remove it`,
		`pools[0].reserved[memory]: Invalid value: "-1Gi": must not be negative`,
		`pools[1].reported.architecture: Invalid value: "arm64": Windows Server nodes are amd64 only: remove it`,
		`pools[1].reported.capacity[memory]: Required value: set both cpu and memory`,
		`pools[1].size: Invalid value: "m6g.large": an Arm64 size, and Windows Server nodes are amd64 only: use one `+
			`with Intel or AMD processors, for example m6i.xlarge or n2-standard-4`,
		`pools[2].reported.osVersion: Invalid value: "10.0.17763": must be the build of windows-2019 and a `+
			`revision, as 10.0.17763.1`,
		`pools[3].reported.osVersion: Invalid value: "10.0.20348.1": must be the build of windows-2019 and a `+
			`revision, as 10.0.17763.1`,
		`pools[4].reported.osVersion: Invalid value: "10.0.17763.0973": must be the build of windows-2019 and a `+
			`revision, as 10.0.17763.1`,
		`pools[6].platform: Invalid value: "windows-2021": unknown platform: did you mean "windows-2022"? a pool `+
			`runs linux, windows-2019, windows-2022 or windows-2025`,
	)
}

// Reported values take precedence over the values of the size.
func TestReportedValuesTakePrecedence(t *testing.T) {
	t.Parallel()
	p := topology.Pool{Size: "x2gd.xlarge", Reported: topology.Reported{
		Architecture: "arm64", Capacity: amounts("4", "63Gi"),
	}, Reserved: amounts("1", "3Gi")}
	capacity, _ := p.Capacity()
	reported, _ := p.NodeCapacity()
	allocatable, ok := p.Allocatable()
	if !cmp.Equal(capacity, amounts("4", "63Gi")) || !cmp.Equal(reported, amounts("4", "63Gi")) ||
		!cmp.Equal(allocatable, amounts("3", "60Gi")) || !ok || p.Architecture() != "arm64" {
		t.Errorf("%v, %v, %v, %s", capacity, reported, allocatable, p.Architecture())
	}
	p.Size, p.Reserved = "m5.xlarge", amounts("1", "1Gi")
	capacity, _ = p.Capacity()
	allocatable, _ = p.Allocatable()
	if !cmp.Equal(capacity, amounts("4", "16Gi")) || !cmp.Equal(allocatable, amounts("3", "62Gi")) {
		t.Errorf("of a size that is known: %v, %v", capacity, allocatable)
	}
	allocatable["cpu"] = amounts("9", "0")["cpu"]
	if again, _ := p.NodeCapacity(); !cmp.Equal(again, amounts("4", "63Gi")) {
		t.Errorf("the capacity is now %v", again)
	}
}
