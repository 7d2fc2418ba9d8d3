package mutate_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/core/images"
	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/core/mutate"
	"github.com/mixedkube/mixedkube/internal/core/pods"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// named gives an object metadata.
func named(object map[string]any) map[string]any {
	object["metadata"] = map[string]any{"name": "web"}
	return object
}

// adopted returns an object as adopt writes it for a cluster, and what it did.
func adopted(in topology.Topology, object map[string]any, policy mutate.Policy) (map[string]any, mutate.Decision) {
	policy.Mark = true
	context := pods.NewContext(in.WithDefaults(), in.Matching, nil)
	d := mutate.Decide(pods.ReadObject(object), context, policy)
	return mutate.Apply(object, d.Edits), d
}

// clusters are clusters with each set of Windows releases, of which each has a taint of its own.
func clusters(matching platform.Matching) map[string]topology.Topology {
	all := map[string]topology.Topology{}
	windows := []platform.Platform{
		platform.WindowsServer2019, platform.WindowsServer2022, platform.WindowsServer2025,
	}
	for set := 1; set < 1<<len(windows); set++ {
		var some []platform.Platform
		for i, p := range windows {
			if set>>i&1 == 1 {
				some = append(some, p)
			}
		}
		in := cluster(some...)
		in.Matching = matching
		for i := range in.Pools {
			if release := in.Pools[i].Platform; release.IsWindows() {
				taint, err := topology.ParseTaint("release=" + release.String() + ":NoSchedule")
				if err != nil {
					panic(err)
				}
				in.Pools[i].Taints = append(in.Pools[i].Taints, topology.WindowsTaint(), taint)
			}
		}
		all[fmt.Sprint(some)] = in
	}
	return all
}

// Pods need the same in a cluster whether they have been in another one before. There and back, nothing is left.
func TestMarkedPodsFollowTheTopology(t *testing.T) {
	t.Parallel()
	own := map[string]any{"affinity": osAffinities(map[string]any{"matchExpressions": []any{
		map[string]any{"key": "zone", "operator": "In", "values": []any{"1"}},
	}})}
	for _, of := range []struct {
		matching platform.Matching
		partial  bool
	}{{platform.Strict, false}, {platform.Relaxed, false}, {platform.Strict, true}, {platform.Relaxed, true}} {
		matching, all := of.matching, clusters(of.matching)
		for name, in := range all {
			in.Partial = of.partial
			all[name] = in
		}
		for from, first := range all {
			for to, second := range all {
				for name, tt := range map[string]struct {
					object map[string]any
					policy mutate.Policy
				}{
					"an image of 2022":       {named(pod(nil, core2022)), mutate.Policy{}},
					"a DaemonSet":            {named(daemonSet(pod(nil, core2022))), mutate.Policy{}},
					"an image of no release": {named(pod(nil, windowsSomehow)), mutate.Policy{}},
					"a required affinity":    {named(pod(own, core2022)), mutate.Policy{}},
					"a Workflow": {
						named(workflow("Workflow", map[string]any{},
							map[string]any{"container": map[string]any{"image": core2022}},
							map[string]any{"script": map[string]any{"image": core2022}})), mutate.Policy{},
					},
					"a CronWorkflow": {
						named(map[string]any{
							"apiVersion": "argoproj.io/v1alpha1", "kind": "CronWorkflow",
							"spec": map[string]any{"workflowSpec": map[string]any{"templates": []any{
								map[string]any{"container": map[string]any{"image": core2022}},
							}}},
						}), mutate.Policy{},
					},
					"a RuntimeClass": {named(pod(nil, core2022)), mutate.Policy{RuntimeClasses: true}},
					"a selector of its own": {
						named(pod(map[string]any{"nodeSelector": map[string]any{"disk": "ssd"}}, core2022)),
						mutate.Policy{},
					},
					"empty fields": {named(pod(map[string]any{
						"nodeSelector": map[string]any{}, "tolerations": []any{}, "affinity": map[string]any{},
						"os": map[string]any{},
					}, core2022)), mutate.Policy{}},
					"empty metadata": {map[string]any{
						"kind": "Pod", "metadata": map[string]any{}, "spec": pod(nil, core2022)["spec"],
					}, mutate.Policy{}},
					"a term without expressions": {named(pod(map[string]any{"affinity": osAffinities(map[string]any{
						"matchExpressions": []any{}, "matchFields": []any{map[string]any{
							"key": "metadata.name", "operator": "NotIn", "values": []any{"a"},
						}},
					})}, core2022)), mutate.Policy{}},
					"an annotation of its own": {annotated(pod(nil, core2022), "windows-2022"), mutate.Policy{}},
				} {
					placed, d := adopted(first, tt.object, tt.policy)
					what := fmt.Sprintf("%s, %s, from %s to %s", name, matching, from, to)
					if again, d := adopted(first, placed, tt.policy); len(d.Edits) > 0 {
						t.Fatalf("%s: adopt again changes (-before +after):\n%s", what, cmp.Diff(placed, again))
					}
					moved, _ := adopted(second, placed, tt.policy)
					fresh, freshly := adopted(second, tt.object, tt.policy)
					if freshly.Decided && d.Images == freshly.Images && !cmp.Equal(fresh, moved) {
						t.Errorf("%s: moved and new pods differ (-new +moved):\n%s", what, cmp.Diff(fresh, moved))
					}
					if back, _ := adopted(first, moved, tt.policy); !cmp.Equal(placed, back) {
						t.Errorf("%s: there and back (-before +after):\n%s", what, cmp.Diff(placed, back))
					}
				}
			}
		}
	}
}

// A selector without a mark moves if the policy moves pins and mixedkube wrote all of it for these images.
func TestUnmarkedSelectorsMoveOnRequest(t *testing.T) {
	t.Parallel()
	const newer = platform.WindowsServer2025
	whole := func() map[string]any {
		return map[string]any{
			"kubernetes.io/os": "windows", "kubernetes.io/arch": "amd64",
			"node.kubernetes.io/windows-build": "10.0.20348",
		}
	}
	with := func(key, value string) map[string]any {
		selector := whole()
		selector[key] = value
		return selector
	}
	without := whole()
	delete(without, "kubernetes.io/arch")
	hint := &pods.Pin{Path: "spec.nodeSelector[node.kubernetes.io/windows-build]", Build: "10.0.20348"}
	earlier := *hint
	earlier.Earlier = true
	for name, tt := range map[string]struct {
		selector any
		image    string
		matching platform.Matching
		move     bool
		moves    bool
		pin      *pods.Pin
	}{
		"the whole selector":          {whole(), core2022, platform.Relaxed, true, true, nil},
		"an image of no release":      {whole(), windowsSomehow, platform.Relaxed, true, true, nil},
		"without the request":         {whole(), core2022, platform.Relaxed, false, false, &earlier},
		"without it, of no release":   {whole(), windowsSomehow, platform.Relaxed, false, false, &earlier},
		"of no release, and a label":  {with("disk", "ssd"), windowsSomehow, platform.Relaxed, false, false, nil},
		"another label":               {with("disk", "ssd"), core2022, platform.Relaxed, true, false, hint},
		"without the architecture":    {without, core2022, platform.Relaxed, true, false, hint},
		"an image of another release": {whole(), core2025, platform.Relaxed, true, false, hint},
		"no pool runs the image":      {whole(), core2022, platform.Strict, true, false, nil},
		"a build of the cluster": {
			with("node.kubernetes.io/windows-build", "10.0.26100"), core2025, platform.Strict, true, false, nil,
		},
		"a secret build": {
			map[string]any{"node.kubernetes.io/windows-build": tree.Secret{Value: "10.0.20348"}},
			core2022,
			platform.Relaxed, true, false, nil,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			in := cluster(newer)
			in.Matching = tt.matching
			object := named(pod(map[string]any{
				"nodeSelector": tt.selector, "os": map[string]any{"name": "windows"},
				"tolerations": []any{map[string]any{
					"key": "os", "operator": "Equal", "value": "windows", "effect": "NoSchedule",
				}},
			}, tt.image))
			after, d := adopted(in, object, mutate.Policy{MovePins: tt.move})
			if diff := cmp.Diff(tt.pin, d.Pin); diff != "" {
				t.Errorf("the question (-want +got):\n%s", diff)
			}
			if tt.moves && !slices.Equal(landing(in, after), []string{"win25"}) {
				t.Errorf("lands on %v: %v", landing(in, after), after["spec"])
			}
			if !tt.moves && len(d.Edits) > 0 {
				t.Errorf("changes %v", editTexts(d.Edits))
			}
		})
	}
}

// People may change what a mark is about: the image, or the fields.
func TestMarksAfterChangesOfPeople(t *testing.T) {
	t.Parallel()
	in := cluster(platform.WindowsServer2019, platform.WindowsServer2022)
	placed, _ := adopted(in, named(pod(nil, core2022)), mutate.Policy{})
	change := func(value any, path ...string) map[string]any {
		return tree.Map(tree.With(placed, path, value))
	}
	containers := func(image string) []any { return []any{map[string]any{"image": image}} }
	fresh := func(image string) map[string]any {
		object, _ := adopted(in, named(pod(nil, image)), mutate.Policy{})
		return object
	}
	withoutMark := mutate.Apply(placed, []mutate.Edit{
		{Path: []string{"metadata", "annotations", pods.PlacedAnnotation}, Remove: true},
	})
	for name, tt := range map[string]struct{ object, want map[string]any }{
		"an image of another release": {change(containers(core2019), "spec", "containers"), fresh(core2019)},
		"another build": {
			change("10.0.17763", "spec", "nodeSelector", "node.kubernetes.io/windows-build"), placed,
		},
		"a field removed": {
			mutate.Apply(placed, []mutate.Edit{{Path: []string{"spec", "nodeSelector"}, Remove: true}}), placed,
		},
		"the mark removed": {withoutMark, withoutMark},
		"another mark": {
			change("by hand", "metadata", "annotations", pods.PlacedAnnotation),
			change("by hand", "metadata", "annotations", pods.PlacedAnnotation),
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, _ := adopted(in, tt.object, mutate.Policy{})
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// The release that an answer or the only Windows nodes have shown stays, if the images show none: nothing else would
// report that the pods land on nodes of another release.
func TestPodsOfSilentImagesStayWithTheirRelease(t *testing.T) {
	t.Parallel()
	strict := func(windows ...platform.Platform) topology.Topology {
		in := cluster(windows...)
		in.Matching = platform.Strict
		return in
	}
	first, second := strict(platform.WindowsServer2022), strict(platform.WindowsServer2025)
	context := pods.NewContext(first.WithDefaults(), first.Matching, nil).WithPlatform("", platform.WindowsServer2022)
	object := named(pod(nil, silentImage))
	placed := mutate.Apply(object, mutate.Decide(pods.ReadObject(object), context, mutate.Policy{Mark: true}).Edits)
	moved, _ := adopted(second, placed, mutate.Policy{})
	if diff := cmp.Diff(placed, moved); diff != "" {
		t.Errorf("no node has the release, and the pods change (-before +after):\n%s", diff)
	}
	second.Matching = platform.Relaxed
	relaxed, _ := adopted(second, placed, mutate.Policy{})
	if got := landing(second, relaxed); !slices.Equal(got, []string{"win25"}) {
		t.Errorf("with relaxed matching, the pods land on %v", got)
	}
	if back, _ := adopted(first, relaxed, mutate.Policy{}); !cmp.Equal(placed, back) {
		t.Errorf("there and back (-before +after):\n%s", cmp.Diff(placed, back))
	}
}

// A mark is older than the facts about an image.
func TestFactsReplaceTheReleaseOfAMark(t *testing.T) {
	t.Parallel()
	lock := &images.Lock{}
	facts := &platform.Facts{Digest: "sha256:index"}
	for _, version := range []string{"10.0.17763.5820", "10.0.20348.2461"} {
		facts.Variants = append(facts.Variants,
			platform.Variant{OS: platform.WindowsOS, OSVersion: version, Architecture: "amd64"})
	}
	if err := lock.Set(silentImage, facts); err != nil {
		t.Fatal(err)
	}
	adopted := func(in topology.Topology, object map[string]any) map[string]any {
		context := pods.NewContext(in.WithDefaults(), platform.Strict, lock)
		return mutate.Apply(object, mutate.Decide(pods.ReadObject(object), context, mutate.Policy{Mark: true}).Edits)
	}
	object := named(pod(nil, silentImage))
	later := cluster(platform.WindowsServer2019, platform.WindowsServer2025)
	moved := adopted(later, adopted(cluster(platform.WindowsServer2022, platform.WindowsServer2025), object))
	if diff := cmp.Diff(adopted(later, object), moved); diff != "" {
		t.Errorf("moved and new pods differ (-new +moved):\n%s", diff)
	}
}
