package mutate_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/core/mutate"
	"github.com/mixedkube/mixedkube/internal/core/pods"
)

// decision decides about an object in a cluster.
func decision(t topology.Topology, object map[string]any, answer platform.Platform) mutate.Decision {
	context := pods.NewContext(t.WithDefaults(), t.Matching, nil)
	return mutate.Decide(pods.ReadObject(object), context.WithPlatform("", answer), mutate.Policy{})
}

// landing returns the Windows pools where the pods of an object land, by the scheduler's checks alone.
func landing(t topology.Topology, object map[string]any) []string {
	context := pods.NewContext(t.WithDefaults(), t.Matching, nil)
	p := pods.ReadObject(object).Pods
	target := context.Target(p, nil)
	answer, _ := context.Place(p, &target)
	var names []string
	for i := range answer.Verdicts {
		v := &answer.Verdicts[i]
		if v.Schedules == platform.Yes && v.Pool.Platform.IsWindows() {
			names = append(names, v.Pool.Name)
		}
	}
	return names
}

// Whatever releases a cluster has, pods land on exactly the nodes that run all of their images, and pods that are
// completed need nothing else.
func TestPodsLandOnAllNodesThatRunTheirImages(t *testing.T) {
	t.Parallel()
	images := map[string]platform.Platform{
		core2019: platform.WindowsServer2019, core2022: platform.WindowsServer2022,
		"mcr.microsoft.com/windows/servercore:ltsc2025": platform.WindowsServer2025,
	}
	refs := []string{core2019, core2022, "mcr.microsoft.com/windows/servercore:ltsc2025"}
	windows := []platform.Platform{
		platform.WindowsServer2019, platform.WindowsServer2022, platform.WindowsServer2025,
	}
	for _, matching := range platform.Matchings() {
		for set := range 1 << len(windows) {
			var some []platform.Platform
			for i, p := range windows {
				if set>>i&1 == 1 {
					some = append(some, p)
				}
			}
			in := cluster(some...)
			in.Matching = matching
			for i := range 1 << len(refs) {
				var used []string
				for j, ref := range refs {
					if i>>j&1 == 1 {
						used = append(used, ref)
					}
				}
				if len(used) == 0 {
					continue
				}
				var want []string
				for _, pool := range in.Pools[1:] {
					if !slices.ContainsFunc(used, func(ref string) bool {
						of := platform.Image{OS: platform.WindowsOS, Release: images[ref]}
						return platform.CanRun(pool.Platform, of, matching) != platform.Yes
					}) {
						want = append(want, pool.Name)
					}
				}
				if len(want) == 0 {
					continue // a finding of preflight
				}
				for kind, object := range map[string]map[string]any{
					"Pod": pod(nil, used...), "DaemonSet": daemonSet(pod(nil, used...)),
				} {
					name := fmt.Sprintf("%s of %v on %v, %s", kind, used, some, matching)
					d := decision(in, object, "")
					done := mutate.Apply(object, d.Edits)
					if diff := cmp.Diff(want, landing(in, done)); diff != "" {
						t.Errorf("%s: the pools (-want +got):\n%s%v", name, diff, editTexts(d.Edits))
					}
					if again := decision(in, done, ""); len(again.Edits) > 0 {
						t.Errorf("%s: completed again: %v", name, editTexts(again.Edits))
					}
				}
			}
		}
	}
}

func TestPodsOfRelaxedClusters(t *testing.T) {
	t.Parallel()
	const (
		os       = "[spec nodeSelector kubernetes.io/os]: windows"
		tolerate = "[spec tolerations]: [map[effect:NoSchedule key:os operator:Equal value:windows]]"
		named    = "[spec os name]: windows"
		terms    = "[spec affinity nodeAffinity requiredDuringSchedulingIgnoredDuringExecution nodeSelectorTerms]: "
		both     = terms + "[map[matchExpressions:[map[key:node.kubernetes.io/windows-build operator:In " +
			"values:[10.0.20348 10.0.26100]]]]]"
		inEach = "[spec affinity nodeAffinity requiredDuringSchedulingIgnoredDuringExecution nodeSelectorTerms * " +
			"matchExpressions]: [map[key:node.kubernetes.io/windows-build operator:In values:[10.0.20348 10.0.26100]]]"
		w19, w22, w25 = platform.WindowsServer2019, platform.WindowsServer2022, platform.WindowsServer2025
	)
	build := func(build string) []string {
		return []string{
			"[spec nodeSelector kubernetes.io/arch]: amd64", os,
			"[spec nodeSelector node.kubernetes.io/windows-build]: " + build,
		}
	}
	required := map[string]any{"affinity": osAffinities(map[string]any{"matchExpressions": []any{
		map[string]any{"key": "zone", "operator": "In", "values": []any{"1"}},
	}})}
	for name, tt := range map[string]struct {
		releases []platform.Platform
		partial  bool
		object   map[string]any
		answer   platform.Platform
		platform platform.Platform
		want     []string
	}{
		"two of three releases": {
			[]platform.Platform{w19, w22, w25}, false, pod(nil, core2022), "", w22, []string{os, both, tolerate, named},
		},
		"all releases": {
			[]platform.Platform{w22, w25}, false, pod(nil, core2022), "", w22, []string{os, tolerate, named},
		},
		"only a newer one": {
			[]platform.Platform{w25}, false, pod(nil, core2022), "", w25, []string{os, tolerate, named},
		},
		"only newer ones": {
			[]platform.Platform{w19, w25},
			false, pod(nil, core2022), "", w25,
			append(build("10.0.26100"), tolerate, named),
		},
		"an answer": {
			[]platform.Platform{w19, w22, w25},
			false, pod(nil, silentImage), w22, w22,
			[]string{os, both, tolerate, named},
		},
		"an unknown release": {
			[]platform.Platform{w19, w22}, false, pod(nil, windowsSomehow), "", "", []string{os, tolerate, named},
		},
		"an unknown release on the only one": {
			[]platform.Platform{w22}, false, pod(nil, windowsSomehow), "", w22, []string{os, tolerate, named},
		},
		"no release runs them": {
			[]platform.Platform{w19}, false, pod(nil, core2022), "", "", []string{os, tolerate, named},
		},
		"a partial list": {
			[]platform.Platform{w22}, true, pod(nil, core2022), "", w22, []string{os, both, tolerate, named},
		},
		"a partial list without a pool": {
			[]platform.Platform{w19}, true, pod(nil, core2022), "", "", []string{os, tolerate, named},
		},
		"an unknown release and a partial list": {
			[]platform.Platform{w22}, true, pod(nil, windowsSomehow), "", w22, []string{os, both, tolerate, named},
		},
		"a build that is selected": {
			[]platform.Platform{w19, w22, w25},
			false,
			pod(map[string]any{"nodeSelector": map[string]any{
				"node.kubernetes.io/windows-build": "10.0.26100",
			}}, core2022),
			"", w25,
			[]string{tolerate, named},
		},
		"terms of their own": {
			[]platform.Platform{w19, w22, w25},
			false, pod(required, core2022), "", w22,
			[]string{os, inEach, tolerate, named},
		},
		"terms that are not a list": {
			[]platform.Platform{w19, w22, w25},
			false,
			pod(map[string]any{"affinity": map[string]any{"nodeAffinity": map[string]any{
				"requiredDuringSchedulingIgnoredDuringExecution": map[string]any{"nodeSelectorTerms": "x"},
			}}}, core2022), "", w22, append(build("10.0.20348"), tolerate, named),
		},
		"an empty term, which matches no node": {
			[]platform.Platform{w19, w22, w25},
			false,
			pod(map[string]any{"affinity": osAffinities(osTerm("windows"), map[string]any{})}, core2022),
			"", w22, append(build("10.0.20348"), tolerate, named),
		},
		"a term that selects the builds already": {
			[]platform.Platform{w19, w22, w25},
			false,
			pod(map[string]any{"affinity": osAffinities(osTerm("windows"), map[string]any{"matchExpressions": []any{
				map[string]any{
					"key": "node.kubernetes.io/windows-build", "operator": "In",
					"values": []any{"10.0.20348", "10.0.26100"},
				},
			}})}, core2022), "", w22, append(build("10.0.20348"), tolerate, named),
		},
		"a listed host without affinity": {
			[]platform.Platform{w25},
			true,
			pod(map[string]any{"affinity": map[string]any{"nodeAffinity": map[string]any{
				"requiredDuringSchedulingIgnoredDuringExecution": map[string]any{"nodeSelectorTerms": "x"},
			}}}, core2022), "", w22, append(build("10.0.26100"), tolerate, named),
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			in := cluster(tt.releases...)
			in.Matching, in.Partial = platform.Relaxed, tt.partial
			got := decision(in, tt.object, tt.answer)
			if diff := cmp.Diff(tt.want, editTexts(got.Edits)); diff != "" {
				t.Errorf("edits (-want +got):\n%s", diff)
			}
			if got.Platform != tt.platform {
				t.Errorf("platform %q, want %q", got.Platform, tt.platform)
			}
		})
	}
}

// Pods that select Linux need the tolerations for taints of the system, and none of dedicated pools.
func TestLinuxPodsTolerateTheTaintsOfTheSystem(t *testing.T) {
	t.Parallel()
	taint := func(key, value string) corev1.Taint {
		return corev1.Taint{Key: key, Value: value, Effect: corev1.TaintEffectNoSchedule}
	}
	in := cluster(platform.WindowsServer2022)
	in.Pools[0].Taints = []corev1.Taint{taint("cattle.io/os", "linux"), taint("dedicated", "database")}
	const tolerate = "[spec tolerations]: [map[effect:NoSchedule key:cattle.io/os operator:Equal value:linux]]"
	linux := map[string]any{"kubernetes.io/os": "linux"}
	for name, tt := range map[string]struct {
		spec map[string]any
		want []string
	}{
		"by a selector": {map[string]any{"nodeSelector": linux}, []string{tolerate, "[spec os name]: linux"}},
		"by affinity":   {map[string]any{"affinity": osAffinity("linux")}, []string{tolerate, "[spec os name]: linux"}},
		"tolerated already": {map[string]any{
			"nodeSelector": linux, "tolerations": []any{map[string]any{"operator": "Exists"}},
		}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := decision(in, pod(tt.spec, silentImage), "")
			if diff := cmp.Diff(tt.want, editTexts(got.Edits)); diff != "" {
				t.Errorf("edits (-want +got):\n%s", diff)
			}
		})
	}
}
