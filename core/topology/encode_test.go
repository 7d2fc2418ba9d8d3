package topology_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gopkg.in/yaml.v3"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
)

func TestEncode(t *testing.T) {
	t.Parallel()
	in := topology.Topology{
		KubernetesVersion: "1.36",
		Pools: []topology.Pool{
			{Name: "sys", Platform: platform.Linux, Mode: topology.System, Count: 3, Spot: false},
			{
				Name: "win22", Platform: platform.WindowsServer2022, Size: "Standard_D4s_v5", Zones: []string{"1"},
				Autoscaling: topology.Autoscaling{Max: 5}, Empty: true, Spot: true, SpotMaxPrice: 0.25,
				Upgrade: topology.Upgrade{MaxSurge: "1"}, Labels: map[string]string{"team": "shop"},
				Taints: []corev1.Taint{topology.WindowsTaint(), {Key: "gpu", Effect: corev1.TaintEffectNoExecute}},
				Reserved: corev1.ResourceList{
					corev1.ResourceCPU: resource.MustParse("180m"), corev1.ResourceMemory: resource.MustParse("2Gi"),
				},
			},
			{Name: "win25", Platform: platform.WindowsServer2025, Untainted: true},
		},
		MissingFeatures: []topology.Feature{topology.LoadBalancers},
	}
	const want = `kubernetesVersion: "1.36"
missingFeatures:
    - load-balancers
pools:
    - count: 3
      mode: System
      name: sys
      platform: linux
    - autoscaling:
        max: 5
      empty: true
      labels:
        team: shop
      name: win22
      platform: windows-2022
      reserved:
        cpu: 180m
        memory: 2Gi
      size: Standard_D4s_v5
      spot: true
      spotMaxPrice: 0.25
      taints:
        - os=windows:NoSchedule
        - gpu:NoExecute
      upgrade:
        maxSurge: "1"
      zones:
        - "1"
    - name: win25
      platform: windows-2025
      untainted: true
`
	got, err := yaml.Marshal(topology.Encode(in))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Errorf("document (-want +got):\n%s", diff)
	}
	if again, errs := read(t, string(got)); len(errs) > 0 {
		t.Error(errs.ToAggregate())
	} else if diff := cmp.Diff(in, again); diff != "" {
		t.Errorf("read again (-want +got):\n%s", diff)
	}
}

func TestDecodeRefusesPlaceholdersOfDefaults(t *testing.T) {
	t.Parallel()
	_, errs := read(t, `
pools:
  - {name: sys, platform: linux, count: 0, taints: []}
  - {name: win22, platform: ltsc2022, taints: [], count: -1}
`)
	wantErrors(t, errs,
		"pools[0].count: Invalid value: 0: 0 means the default: write empty: true for a pool that has no nodes "+
			"for now",
		"pools[1].count: Invalid value: -1: must not be negative: set empty for a pool that has no nodes for now",
		"pools[1].taints: Invalid value: []: an empty list means the default: write untainted: true for a pool "+
			"without taints",
	)
}

// In Kubernetes objects, taints are objects.
func TestDecodeShowsTheFormatOfTaints(t *testing.T) {
	t.Parallel()
	_, errs := read(t, `
pools:
  - name: gpu
    platform: linux
    taints: [{key: dedicated, value: gpu, effect: NoSchedule}, {key: dedicated, effect: NoExecute}, {key: a}, [a], 5]
`)
	const must = "must be a string"
	wantErrors(t, errs,
		`pools[0].taints[0]: Invalid value: "an object": `+must+", key=value:Effect: write dedicated=gpu:NoSchedule",
		`pools[0].taints[1]: Invalid value: "an object": `+must+", key=value:Effect: write dedicated:NoExecute",
		`pools[0].taints[2]: Invalid value: "an object": `+must+", key=value:Effect: for example os=windows:NoSchedule",
		`pools[0].taints[3]: Invalid value: "a list": `+must,
		"pools[0].taints[4]: Invalid value: 5: "+must+": write it in quotes",
	)
}

func TestDecodeRefusesWhatCannotBeReserved(t *testing.T) {
	t.Parallel()
	_, errs := read(t, `
pools:
  - {name: sys, platform: linux, reserved: {cpu: -100m, memory: a lot}}
  - {name: win22, platform: ltsc2022, reserved: {cpu: 1, disk: 1Gi}}
`)
	wantErrors(t, errs,
		`pools[0].reserved[cpu]: Invalid value: "-100m": must not be negative`,
		`pools[0].reserved[memory]: Invalid value: "a lot": must be a quantity, 500m or 2Gi for example`,
		"pools[1].reserved[cpu]: Invalid value: 1: must be a string: write it in quotes",
		`pools[1].reserved[disk]: Invalid value: "1Gi": only cpu and memory are compared with what pods `+
			`request: remove it`,
	)
}

// FuzzEncode checks that an encoded topology decodes to the same one.
func FuzzEncode(f *testing.F) {
	f.Add(`{"kubernetesVersion": "1.36", "pools": [{"name": "a", "platform": "linux", "count": 2}]}`)
	f.Add(`{"pools": [{"name": "a", "platform": "linux"}, {"name": "b", "platform": "ltsc2025", "untainted": true}]}`)
	f.Add(`{"pools": [{"name": "a", "platform": "linux", "empty": true, "autoscaling": {"min": 0, "max": 3},
		"taints": ["a=b:NoSchedule"], "labels": {"a": "b"}, "zones": ["1"], "spot": true, "spotMaxPrice": 0.1,
		"reserved": {"cpu": "0.1", "memory": "1000Mi"}, 
		"upgrade": {"maxSurge": "33%", "drainTimeoutMinutes": 3}}], "missingFeatures": ["gmsa-webhook"]}`)
	f.Fuzz(func(t *testing.T, text string) {
		var raw any
		if json.Unmarshal([]byte(text), &raw) != nil {
			return
		}
		read, errs := topology.Decode(raw, nil)
		if len(errs) > 0 {
			return
		}
		again, errs := topology.Decode(topology.Encode(read), nil)
		if len(errs) > 0 {
			t.Fatal(errs.ToAggregate())
		}
		if diff := cmp.Diff(read.WithDefaults(), again.WithDefaults()); diff != "" {
			t.Errorf("another topology (-read +again):\n%s", diff)
		}
	})
}
