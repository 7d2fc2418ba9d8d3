package mutate_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/preflight"
	"github.com/mixedkube/mixedkube/internal/core/mutate"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

func annotated(pod map[string]any, value string) map[string]any {
	pod["metadata"] = map[string]any{"annotations": map[string]any{preflight.PlatformAnnotation: value}}
	return pod
}

func daemonSet(pod map[string]any) map[string]any {
	return map[string]any{
		"apiVersion": "apps/v1", "kind": "DaemonSet",
		"spec": map[string]any{"template": map[string]any{"spec": pod["spec"]}},
	}
}

func osAffinity(values ...any) map[string]any { return osAffinities(osTerm(values...)) }

func osAffinities(terms ...any) map[string]any {
	return map[string]any{
		"nodeAffinity": map[string]any{
			"requiredDuringSchedulingIgnoredDuringExecution": map[string]any{"nodeSelectorTerms": terms},
		},
	}
}

func osTerm(values ...any) map[string]any {
	return map[string]any{"matchExpressions": []any{map[string]any{
		"key": "kubernetes.io/os", "operator": "In",
		"values": values,
	}}}
}

func betaOSTerm(values ...any) map[string]any {
	return map[string]any{"matchExpressions": []any{map[string]any{
		"key": "beta.kubernetes.io/os", "operator": "In",
		"values": values,
	}}}
}

func runtimeClass(name string, selector map[string]any) map[string]any {
	return map[string]any{
		"apiVersion": "node.k8s.io/v1", "kind": "RuntimeClass", "metadata": map[string]any{"name": name},
		"handler": "runhcs-wcow-process", "scheduling": map[string]any{"nodeSelector": selector},
	}
}

// adoption is what is decided about an object.
type adoption struct {
	Outcome mutate.Outcome
	OS      platform.OS
	Release platform.Platform
	Source  string
	Edits   []string
}

type adoptionCase struct {
	name    string
	object  map[string]any
	options options
	answer  platform.Platform
	want    adoption
}

func adoptAll(t *testing.T, cases []adoptionCase) {
	t.Helper()
	for _, tt := range cases {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got := adopter(tt.options)(tt.object, tt.answer)
			if !got.HasPods || got.Against != nil {
				t.Errorf("has pods: %t, the answer contradicts %v", got.HasPods, got.Against)
			}
			if diff := cmp.Diff(tt.want,
				adoption{got.Outcome, got.OS, got.Platform, got.Source, written(got.Edits)}); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			done := mutate.Apply(tt.object, got.Edits)
			if again := adopter(tt.options)(done, tt.answer); len(again.Edits) > 0 {
				t.Errorf("a second decision has the edits %v", written(again.Edits))
			}
		})
	}
}

func TestObjectsAreAdoptedByTheirSelectors(t *testing.T) {
	t.Parallel()
	one := cluster(platform.WindowsServer2022)
	both := cluster(platform.WindowsServer2019, platform.WindowsServer2022)
	labeled := cluster(platform.WindowsServer2022)
	labeled.Pools[0].Labels, labeled.Pools[1].Labels = map[string]string{"team": "web"},
		map[string]string{"team": "legacy"}
	untainted := cluster(platform.WindowsServer2022)
	untainted.Pools[1].Untainted = true
	type m = map[string]any
	linux := []string{"spec nodeSelector kubernetes.io/os = linux", "spec os name = linux"}
	const tolerate = "spec tolerations + os Equal windows NoSchedule"
	const named = "spec os name = windows"
	select2022 := []string{
		"spec nodeSelector kubernetes.io/arch = amd64",
		"spec nodeSelector kubernetes.io/os = windows",
		"spec nodeSelector node.kubernetes.io/windows-build = 10.0.20348",
	}
	windows := slices.Concat(select2022, []string{tolerate, named})
	adoptAll(t, []adoptionCase{
		{
			"os.name linux selects nothing", pod(m{"os": m{"name": "linux"}}, silentImage),
			options{Topology: one},
			"",
			adoption{mutate.Completed, "linux", "linux", "os.name", linux[:1]},
		},
		{
			"os.name windows", pod(m{"os": m{"name": "windows"}}, silentImage),
			options{Topology: one},
			"",
			adoption{mutate.Completed, "windows", platform.WindowsServer2022, "os.name", windows[:4]},
		},
		{
			"os.name windows, and two releases", pod(m{"os": m{"name": "windows"}}, silentImage),
			options{Topology: both},
			"",
			adoption{mutate.Completed, "windows", "", "os.name", []string{select2022[1], tolerate}},
		},
		{
			"os.name and images of a release", pod(m{"os": m{"name": "windows"}}, core2022),
			options{Topology: both},
			"",
			adoption{mutate.Completed, "windows", platform.WindowsServer2022, "os.name", windows[:4]},
		},
		{
			"a node selector for Linux", pod(m{"nodeSelector": m{"kubernetes.io/os": "linux"}}, silentImage),
			options{Topology: one},
			"",
			adoption{mutate.Unchanged, "linux", "linux", "the nodes that the pods select", nil},
		},
		{
			"the old label", pod(m{"nodeSelector": m{"beta.kubernetes.io/os": "linux"}}, silentImage),
			options{Topology: one},
			"",
			adoption{mutate.Unchanged, "linux", "linux", "the nodes that the pods select", nil},
		},
		{
			"a node affinity for Linux", pod(m{"affinity": osAffinity("linux")}, silentImage),
			options{Topology: untainted},
			"",
			adoption{mutate.Unchanged, "linux", "linux", "the nodes that the pods select", nil},
		},
		{
			"a node affinity for both", pod(m{"affinity": osAffinity("linux", "windows")}, alpine),
			options{Topology: one},
			"",
			adoption{mutate.Completed, "linux", "linux", "the images", linux},
		},
		{
			"a node selector for Windows without tolerations",
			pod(m{"nodeSelector": m{"kubernetes.io/os": "windows"}}, silentImage),
			options{Topology: one},
			"",
			adoption{mutate.Completed, "windows", "", "the nodes that the pods select", []string{tolerate, named}},
		},
		{
			"no tolerations if there are no taints",
			pod(m{"nodeSelector": m{"kubernetes.io/os": "windows"}}, silentImage),
			options{Topology: untainted},
			"",
			adoption{mutate.Completed, "windows", "", "the nodes that the pods select", []string{named}},
		},
		{
			"a node selector for Windows and a known release",
			pod(m{"nodeSelector": m{"kubernetes.io/os": "windows"}}, core2022),
			options{Topology: both},
			"",
			adoption{
				mutate.Completed, "windows", platform.WindowsServer2022, "the nodes that the pods select",
				[]string{select2022[0], select2022[2], tolerate, named},
			},
		},
		{
			"a build", pod(m{"nodeSelector": m{"node.kubernetes.io/windows-build": "10.0.20348"}}, silentImage),
			options{Topology: both},
			"",
			adoption{
				mutate.Completed, "windows", platform.WindowsServer2022, "the nodes that the pods select",
				[]string{tolerate, named},
			},
		},
		{
			"pools by their label", pod(m{"nodeSelector": m{"team": "web"}}, silentImage),
			options{Topology: labeled},
			"",
			adoption{mutate.Unchanged, "linux", "linux", "the nodes that the pods select", nil},
		},
		{
			"Windows pools by their label", pod(m{"nodeSelector": m{"team": "legacy"}}, silentImage),
			options{Topology: labeled},
			"",
			adoption{mutate.Completed, "windows", "", "the nodes that the pods select", []string{tolerate, named}},
		},
		{
			"an existing toleration",
			pod(m{
				"nodeSelector": m{"kubernetes.io/os": "windows"},
				"tolerations":  []any{m{"key": "os", "operator": "Exists"}},
			}, silentImage),
			options{Topology: one},
			"",
			adoption{mutate.Completed, "windows", "", "the nodes that the pods select", []string{named}},
		},
		{
			"a toleration of everything",
			pod(m{"nodeSelector": m{"kubernetes.io/os": "windows"}, "tolerations": []any{m{"operator": "Exists"}}},
				silentImage),
			options{Topology: one},
			"",
			adoption{mutate.Completed, "windows", "", "the nodes that the pods select", []string{named}},
		},
		{
			"tolerations of something else",
			pod(m{"nodeSelector": m{"kubernetes.io/os": "windows"}, "tolerations": []any{
				m{"key": "os", "value": "Windows"},
				m{"key": "os", "operator": "Exists", "effect": "NoExecute"},
				m{"key": "os", "operator": "Gt", "value": "1"},
			}}, silentImage),
			options{Topology: one},
			"",
			adoption{mutate.Completed, "windows", "", "the nodes that the pods select", []string{tolerate, named}},
		},
	})
}

func TestObjectsAreAdoptedByTheirRuntimeClass(t *testing.T) {
	t.Parallel()
	one := cluster(platform.WindowsServer2022)
	both := cluster(platform.WindowsServer2019, platform.WindowsServer2022)
	untainted := cluster(platform.WindowsServer2022)
	untainted.Pools[1].Untainted = true
	type m = map[string]any
	linux := []string{"spec nodeSelector kubernetes.io/os = linux", "spec os name = linux"}
	const named = "spec os name = windows"
	class2022 := m{"kubernetes.io/os": "windows", "node.kubernetes.io/windows-build": "10.0.20348"}
	adoptAll(t, []adoptionCase{
		{
			"the RuntimeClass of a platform", pod(m{"runtimeClassName": "windows-2022"}, silentImage),
			options{Topology: one},
			"",
			adoption{mutate.Completed, "windows", platform.WindowsServer2022, "the RuntimeClass", []string{named}},
		},
		{
			"the RuntimeClass of a platform in a DaemonSet",
			daemonSet(pod(m{"runtimeClassName": "windows-2022"}, silentImage)),
			options{Topology: one},
			"",
			adoption{mutate.Completed, "windows", platform.WindowsServer2022, "the RuntimeClass", []string{
				"spec template spec nodeSelector kubernetes.io/arch = amd64",
				"spec template spec nodeSelector kubernetes.io/os = windows",
				"spec template spec nodeSelector node.kubernetes.io/windows-build = 10.0.20348",
				"spec template spec tolerations + os Equal windows NoSchedule",
				"spec template spec os name = windows",
			}},
		},
		{
			"a RuntimeClass for Linux in a DaemonSet", daemonSet(pod(m{"runtimeClassName": "mine"}, silentImage)),
			options{Topology: untainted, Classes: []m{runtimeClass("mine", m{"kubernetes.io/os": "linux"})}},
			"",
			adoption{mutate.Completed, "linux", "linux", "the RuntimeClass", []string{
				"spec template spec nodeSelector kubernetes.io/os = linux", "spec template spec os name = linux",
			}},
		},
		{
			"a RuntimeClass for Linux", pod(m{"runtimeClassName": "mine"}, silentImage),
			options{Topology: untainted, Classes: []m{runtimeClass("mine", m{"kubernetes.io/os": "linux"})}},
			"",
			adoption{mutate.Unchanged, "linux", "linux", "the RuntimeClass", nil},
		},
		{
			"a known RuntimeClass", pod(m{"runtimeClassName": "mine"}, silentImage),
			options{Topology: both, Classes: []m{runtimeClass("other", nil), runtimeClass("mine", class2022)}},
			"",
			adoption{mutate.Completed, "windows", platform.WindowsServer2022, "the RuntimeClass", []string{named}},
		},
		{
			"a RuntimeClass that selects nothing", pod(m{"runtimeClassName": "mine"}, alpine),
			options{Topology: both, Classes: []m{runtimeClass("mine", nil)}},
			"",
			adoption{mutate.Completed, "linux", "linux", "the images", linux},
		},
		{
			"an unknown RuntimeClass", pod(m{"runtimeClassName": "mine"}, silentImage),
			options{Topology: both},
			"",
			adoption{mutate.Unknown, "", "", "", nil},
		},
	})
}

func TestObjectsAreAdoptedByAnnotationsAndAnswers(t *testing.T) {
	t.Parallel()
	one := cluster(platform.WindowsServer2022)
	both := cluster(platform.WindowsServer2019, platform.WindowsServer2022)
	type m = map[string]any
	linux := []string{"spec nodeSelector kubernetes.io/os = linux", "spec os name = linux"}
	const tolerate = "spec tolerations + os Equal windows NoSchedule"
	const named = "spec os name = windows"
	select2022 := []string{
		"spec nodeSelector kubernetes.io/arch = amd64",
		"spec nodeSelector kubernetes.io/os = windows",
		"spec nodeSelector node.kubernetes.io/windows-build = 10.0.20348",
	}
	windows := slices.Concat(select2022, []string{tolerate, named})
	adoptAll(t, []adoptionCase{
		{
			"host process", pod(m{"securityContext": m{"windowsOptions": m{"hostProcess": true}}}, silentImage),
			options{Topology: both},
			"",
			adoption{mutate.Completed, "windows", "", "host process", []string{select2022[1], tolerate, named}},
		},
		{
			"the annotation", annotated(pod(nil, silentImage), "windows-2022"),
			options{Topology: both},
			"",
			adoption{mutate.Completed, "windows", platform.WindowsServer2022, "the annotation", windows},
		},
		{
			"the annotation without a release", annotated(pod(nil, silentImage), "windows"),
			options{Topology: both},
			"",
			adoption{mutate.Completed, "windows", "", "the annotation", []string{select2022[1], tolerate, named}},
		},
		{
			"the annotation wins over images", annotated(pod(nil, core2022), "linux"),
			options{Topology: both},
			"",
			adoption{mutate.Completed, "linux", "linux", "the annotation", linux},
		},
		{
			"the release of images in addition to the annotation", annotated(pod(nil, core2022), "windows"),
			options{Topology: both},
			"",
			adoption{mutate.Completed, "windows", platform.WindowsServer2022, "the annotation", windows},
		},
		{
			"a wrong annotation", annotated(pod(nil, alpine), "linus"),
			options{Topology: both, AssumeLinux: true},
			"",
			adoption{mutate.Misannotated, "", "", "", nil},
		},
		{
			"an answer", pod(nil, silentImage),
			options{Topology: both},
			platform.WindowsServer2022,
			adoption{mutate.Completed, "windows", platform.WindowsServer2022, "the caller", windows},
		},
		{
			"an answer wins over images", pod(nil, alpine, core2022),
			options{Topology: both},
			platform.Linux,
			adoption{mutate.Completed, "linux", "linux", "the caller", linux},
		},
		{
			"by RuntimeClass", pod(nil, core2022),
			options{Topology: both, RuntimeClasses: true},
			"",
			adoption{
				mutate.Completed, "windows", platform.WindowsServer2022, "the images",
				[]string{"spec runtimeClassName = windows-2022", named},
			},
		},
		{
			"by RuntimeClass without a release", pod(nil, windowsSomehow),
			options{Topology: both, RuntimeClasses: true},
			"",
			adoption{mutate.Completed, "windows", "", "the images", []string{select2022[1], tolerate, named}},
		},
		{
			"a DaemonSet of any release", daemonSet(pod(m{"os": m{"name": "windows"}}, silentImage)),
			options{Topology: one, RuntimeClasses: true},
			"",
			adoption{mutate.Completed, "windows", "", "os.name", []string{
				"spec template spec nodeSelector kubernetes.io/os = windows",
				"spec template spec tolerations + os Equal windows NoSchedule",
			}},
		},
	})
}

func TestObjectsThatContradictThemselves(t *testing.T) {
	t.Parallel()
	one := cluster(platform.WindowsServer2022)
	both := cluster(platform.WindowsServer2019, platform.WindowsServer2022)
	type m = map[string]any
	adoptAll(t, []adoptionCase{
		{
			"labels that contradict each other",
			pod(m{"nodeSelector": m{"kubernetes.io/os": "linux", "beta.kubernetes.io/os": "windows"}}, silentImage),
			options{Topology: one},
			"",
			adoption{mutate.Unchanged, "linux", "", "the nodes that the pods select", nil},
		},
		{
			"a label and the build of Windows",
			pod(m{"nodeSelector": m{"kubernetes.io/os": "linux", "node.kubernetes.io/windows-build": "10.0.20348"}},
				silentImage),
			options{Topology: one},
			"",
			adoption{mutate.Unchanged, "linux", "", "the nodes that the pods select", nil},
		},
		{
			"releases that contradict each other",
			pod(m{
				"nodeSelector":     m{"node.kubernetes.io/windows-build": "10.0.17763"},
				"runtimeClassName": "windows-2022",
			}, silentImage),
			options{Topology: both},
			"",
			adoption{mutate.Unchanged, "windows", "", "the nodes that the pods select", nil},
		},
		{
			"an existing label is not added again",
			pod(m{"nodeSelector": m{"kubernetes.io/os": "darwin"}}, alpine),
			options{Topology: one},
			"",
			adoption{mutate.Unchanged, "linux", "linux", "the images", nil},
		},
		{
			"preflight reports pods that contradict themselves",
			pod(m{"os": m{"name": "linux"}, "nodeSelector": m{"kubernetes.io/os": "windows"}}, silentImage),
			options{Topology: one},
			"",
			adoption{mutate.Unchanged, "linux", "", "os.name", nil},
		},
		{
			"a node affinity for both, and nothing else",
			pod(m{"affinity": osAffinity("linux", "windows")}, silentImage),
			options{Topology: one, AssumeLinux: true},
			"",
			adoption{mutate.Unchanged, "", "", "the nodes that the pods select", nil},
		},
		{
			"a node affinity for both in two terms",
			pod(m{"affinity": osAffinities(osTerm("linux"), osTerm("windows"))}, silentImage),
			options{Topology: one, AssumeLinux: true},
			"",
			adoption{mutate.Unchanged, "", "", "the nodes that the pods select", nil},
		},
		{
			"a node affinity for both in each of two terms, one with the old label",
			pod(m{"affinity": osAffinities(osTerm("linux", "windows"), betaOSTerm("windows", "linux"))}, silentImage),
			options{Topology: one},
			"",
			adoption{mutate.Unchanged, "", "", "the nodes that the pods select", nil},
		},
		{
			"a node affinity for both by the old label",
			pod(m{"affinity": osAffinities(betaOSTerm("linux"), betaOSTerm("windows"))}, silentImage),
			options{Topology: one},
			"",
			adoption{mutate.Unchanged, "", "", "the nodes that the pods select", nil},
		},
		{
			"a node affinity with a term that fits any node",
			pod(m{"affinity": osAffinities(osTerm("linux"),
				m{"matchExpressions": []any{m{"key": "disk", "operator": "In", "values": []any{"ssd"}}}})},
				silentImage),
			options{Topology: one},
			"",
			adoption{mutate.Unknown, "", "", "", nil},
		},
		{
			"a node name", pod(m{"nodeName": "a"}, alpine),
			options{Topology: one},
			"",
			adoption{mutate.Unchanged, "", "", "the nodes that the pods select", nil},
		},
	})
}

func TestObjectsWithoutAClaim(t *testing.T) {
	t.Parallel()
	one := cluster(platform.WindowsServer2022)
	type m = map[string]any
	linux := []string{"spec nodeSelector kubernetes.io/os = linux", "spec os name = linux"}
	adoptAll(t, []adoptionCase{
		{"no claim", pod(nil, silentImage), options{Topology: one}, "", adoption{mutate.Unknown, "", "", "", nil}},
		{
			"no claim is assumed to be for Linux", pod(nil, silentImage),
			options{Topology: one, AssumeLinux: true},
			"",
			adoption{mutate.AssumedLinux, "linux", "linux", mutate.ByAssumption, linux},
		},
		{
			"images that contradict each other are not assumed to be for Linux", pod(nil, alpine, core2022),
			options{Topology: one, AssumeLinux: true},
			"",
			adoption{mutate.Unknown, "", "", "", nil},
		},
		{
			"options for Windows are not assumed to be for Linux",
			pod(m{"securityContext": m{"windowsOptions": m{"gmsaCredentialSpecName": "a"}}}, silentImage),
			options{Topology: one, AssumeLinux: true},
			"",
			adoption{mutate.Unknown, "", "", "", nil},
		},
		{
			"pods that fit no Linux pool are not assumed to be for Linux",
			pod(m{"nodeSelector": m{"node.kubernetes.io/windows": "x"}, "affinity": osAffinity("darwin")}, silentImage),
			options{Topology: one, AssumeLinux: true},
			"",
			adoption{mutate.Unknown, "", "", "", nil},
		},
		{
			"values that are not known yet", pod(m{"nodeSelector": tree.Unknown{}, "affinity": tree.Unknown{}}, alpine),
			options{Topology: one},
			"",
			adoption{mutate.Unchanged, "", "", "", nil},
		},
	})
}

// Host-process containers run on nodes of any release.
func TestImagesOfHostProcessPodsIndicateNoRelease(t *testing.T) {
	t.Parallel()
	type m = map[string]any
	hostProcess := func(images ...string) m {
		return pod(m{"securityContext": m{"windowsOptions": m{"hostProcess": true}}}, images...)
	}
	one, both := cluster(platform.WindowsServer2022), cluster(platform.WindowsServer2019, platform.WindowsServer2022)
	const (
		tolerate = "spec tolerations + os Equal windows NoSchedule"
		named    = "spec os name = windows"
	)
	selectOS := []string{"spec nodeSelector kubernetes.io/os = windows", tolerate, named}
	select2022 := []string{
		"spec nodeSelector kubernetes.io/arch = amd64", selectOS[0],
		"spec nodeSelector node.kubernetes.io/windows-build = 10.0.20348", tolerate, named,
	}
	selecting := hostProcess(core2019)
	selecting["spec"].(m)["nodeSelector"] = m{"kubernetes.io/os": "windows"}
	type want struct {
		Edits               []string
		Release, Unselected platform.Platform
	}
	for _, tt := range []struct {
		name    string
		object  m
		options options
		answer  platform.Platform
		want    want
	}{
		{"the only release", hostProcess(core2022), options{Topology: one}, "", want{Edits: selectOS}},
		{"no known release", hostProcess(silentImage), options{Topology: one}, "", want{Edits: selectOS}},
		{
			"one of several", hostProcess(core2022, silentImage),
			options{Topology: both},
			"",
			want{selectOS, "", platform.WindowsServer2022},
		},
		{
			"one without a pool", hostProcess(core2019),
			options{Topology: one},
			"",
			want{selectOS, "", platform.WindowsServer2019},
		},
		{"two releases", hostProcess(core2019, core2022), options{Topology: both}, "", want{Edits: selectOS}},
		{
			"instead of a RuntimeClass", hostProcess(core2022),
			options{Topology: both, RuntimeClasses: true},
			"",
			want{selectOS, "", platform.WindowsServer2022},
		},
		{"of a DaemonSet", daemonSet(hostProcess(core2022)), options{Topology: both}, "", want{[]string{
			"spec template spec nodeSelector kubernetes.io/os = windows",
			"spec template spec tolerations + os Equal windows NoSchedule",
			"spec template spec os name = windows",
		}, "", platform.WindowsServer2022}},
		{
			"pods that select Windows", selecting,
			options{Topology: both},
			"",
			want{[]string{tolerate, named}, "", platform.WindowsServer2019},
		},
		{
			"the annotation has the release", annotated(hostProcess(core2019), "windows-2022"),
			options{Topology: both},
			"",
			want{select2022, platform.WindowsServer2022, ""},
		},
		{
			"an answer has the release", hostProcess(core2019),
			options{Topology: both},
			platform.WindowsServer2022,
			want{select2022, platform.WindowsServer2022, ""},
		},
		{
			"process isolation", pod(nil, core2022),
			options{Topology: both},
			"",
			want{select2022, platform.WindowsServer2022, ""},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got := adopter(tt.options)(tt.object, tt.answer)
			if diff := cmp.Diff(tt.want, want{written(got.Edits), got.Platform, got.Unselected}); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestObjectsWithoutPodsAreNotAdopted(t *testing.T) {
	t.Parallel()
	adopt := adopter(options{Topology: cluster(platform.WindowsServer2022), AssumeLinux: true})
	for name, object := range map[string]map[string]any{
		"a Service":          {"apiVersion": "v1", "kind": "Service", "spec": map[string]any{}},
		"a missing template": {"apiVersion": "apps/v1", "kind": "Deployment", "spec": map[string]any{}},
	} {
		if diff := cmp.Diff(mutate.Decision{}, adopt(object, "")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func TestContradictionsToAnAnswerAreReported(t *testing.T) {
	t.Parallel()
	contradicts := func(path, text string) *mutate.Obstacle {
		return &mutate.Obstacle{Path: path, Text: text, Contradicts: true}
	}
	adopt := adopter(options{Topology: cluster(platform.WindowsServer2019, platform.WindowsServer2022)})
	for _, tt := range []struct {
		object map[string]any
		answer platform.Platform
		want   *mutate.Obstacle
	}{
		{
			pod(map[string]any{"os": map[string]any{"name": "linux"}}, silentImage), platform.WindowsServer2022,
			contradicts("spec.os.name", "os.name linux"),
		},
		{
			pod(map[string]any{"nodeSelector": map[string]any{"kubernetes.io/os": "windows"}}, silentImage),
			platform.Linux, contradicts("spec.nodeSelector[kubernetes.io/os]", "the node selector "+
				"kubernetes.io/os=windows"),
		},
		{
			pod(map[string]any{"runtimeClassName": "windows-2019"}, silentImage), platform.WindowsServer2022,
			contradicts("spec.runtimeClassName", "the RuntimeClass windows-2019"),
		},
		{
			annotated(pod(nil, silentImage), "windows-2019"), platform.WindowsServer2022,
			contradicts("metadata.annotations[mixedkube.dev/platform]", "the annotation mixedkube.dev/platform"),
		},
		{annotated(pod(nil, silentImage), "windows"), platform.WindowsServer2022, nil},
		{pod(nil, alpine), platform.WindowsServer2022, nil},
		{
			pod(map[string]any{"securityContext": map[string]any{
				"windowsOptions": map[string]any{"hostProcess": true},
			}}, silentImage), platform.Linux,
			contradicts("spec.securityContext.windowsOptions.hostProcess", "host process"),
		},
		{
			pod(map[string]any{"nodeName": "a"}, silentImage), platform.WindowsServer2022,
			&mutate.Obstacle{Path: "spec.nodeName", Text: "nodeName"},
		},
		{pod(map[string]any{"nodeName": "a"}, silentImage), "", nil},
		{
			annotated(pod(nil, silentImage), "linus"), platform.Linux,
			&mutate.Obstacle{Path: "metadata.annotations[mixedkube.dev/platform]", Text: "a wrong annotation"},
		},
		{annotated(pod(nil, silentImage), "linus"), "", nil},
		{
			pod(map[string]any{"nodeSelector": "a"}, silentImage), platform.Linux,
			&mutate.Obstacle{Path: "spec.nodeSelector", Text: "nodeSelector of a wrong type"},
		},
		{
			pod(map[string]any{"tolerations": map[string]any{}}, silentImage), platform.WindowsServer2022,
			&mutate.Obstacle{Path: "spec.tolerations", Text: "tolerations of a wrong type"},
		},
		{pod(map[string]any{"tolerations": map[string]any{}}, silentImage), "", nil},
		{pod(map[string]any{"nodeSelector": tree.Unknown{}}, silentImage), platform.Linux, nil},
	} {
		got := adopt(tt.object, tt.answer)
		if diff := cmp.Diff(tt.want, got.Against); diff != "" || tt.want != nil && len(got.Edits) > 0 {
			t.Errorf("%s for %v, with the edits %v (-want +got):\n%s", tt.answer, tt.object, written(got.Edits), diff)
		}
	}
}
