package completion_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"

	"github.com/mixedkube/mixedkube/components/platform"
	"github.com/mixedkube/mixedkube/components/preflight"
	"github.com/mixedkube/mixedkube/internal/completion"
	"github.com/mixedkube/mixedkube/internal/mutate"
	"github.com/mixedkube/mixedkube/internal/tree"
)

func annotated(pod map[string]any, value string) map[string]any {
	pod["metadata"] = map[string]any{"annotations": map[string]any{preflight.PlatformAnnotation: value}}
	return pod
}

func daemonSet(pod map[string]any) map[string]any {
	return map[string]any{"apiVersion": "apps/v1", "kind": "DaemonSet", "spec": map[string]any{"template": map[string]any{"spec": pod["spec"]}}}
}

func osAffinity(values ...any) map[string]any { return osAffinities(osTerm(values...)) }

func osAffinities(terms ...any) map[string]any {
	return map[string]any{"nodeAffinity": map[string]any{"requiredDuringSchedulingIgnoredDuringExecution": map[string]any{"nodeSelectorTerms": terms}}}
}

func osTerm(values ...any) map[string]any {
	return map[string]any{"matchExpressions": []any{map[string]any{"key": "kubernetes.io/os", "operator": "In", "values": values}}}
}

func betaOSTerm(values ...any) map[string]any {
	return map[string]any{"matchExpressions": []any{map[string]any{"key": "beta.kubernetes.io/os", "operator": "In", "values": values}}}
}

func runtimeClass(name string, selector map[string]any) map[string]any {
	return map[string]any{
		"apiVersion": "node.k8s.io/v1", "kind": "RuntimeClass", "metadata": map[string]any{"name": name},
		"handler": "runhcs-wcow-process", "scheduling": map[string]any{"nodeSelector": selector},
	}
}

func TestObjectsAreAdopted(t *testing.T) {
	t.Parallel()
	one, both := cluster(platform.WindowsServer2022), cluster(platform.WindowsServer2019, platform.WindowsServer2022)
	labelled := cluster(platform.WindowsServer2022)
	labelled.Pools[0].Labels, labelled.Pools[1].Labels = map[string]string{"team": "web"}, map[string]string{"team": "legacy"}
	untainted := cluster(platform.WindowsServer2022)
	untainted.Pools[1].Taints = []corev1.Taint{}
	type m = map[string]any
	linux := []string{"spec nodeSelector kubernetes.io/os = linux"}
	const (
		tolerate = "spec tolerations + os Equal windows NoSchedule"
		named    = "spec os name = windows"
	)
	select2022 := []string{
		"spec nodeSelector kubernetes.io/arch = amd64",
		"spec nodeSelector kubernetes.io/os = windows",
		"spec nodeSelector node.kubernetes.io/windows-build = 10.0.20348",
	}
	windows := slices.Concat(select2022, []string{tolerate, named})
	class2022 := m{"kubernetes.io/os": "windows", "node.kubernetes.io/windows-build": "10.0.20348"}
	type want struct {
		Outcome completion.Outcome
		OS      platform.OS
		Release platform.Platform
		Source  completion.Source
		Edits   []string
	}
	const (
		kept    = completion.Untouched
		forWin  = completion.ForWindows
		forLin  = completion.ForLinux
		nobody  = completion.ByNobody
		win2022 = platform.WindowsServer2022
	)
	for _, tt := range []struct {
		name    string
		object  m
		options completion.Options
		answer  platform.Platform
		want    want
	}{
		{"os.name linux selects nothing", pod(m{"os": m{"name": "linux"}}, silentImage), completion.Options{Topology: one}, "", want{forLin, "linux", "", completion.ByOSName, linux}},
		{"os.name windows", pod(m{"os": m{"name": "windows"}}, silentImage), completion.Options{Topology: one}, "", want{forWin, "windows", win2022, completion.ByOSName, windows[:4]}},
		{
			"os.name windows, and two releases", pod(m{"os": m{"name": "windows"}}, silentImage),
			completion.Options{Topology: both},
			"",
			want{forWin, "windows", "", completion.ByOSName, []string{select2022[1], tolerate}},
		},
		{"os.name and images of a release", pod(m{"os": m{"name": "windows"}}, core2022), completion.Options{Topology: both}, "", want{forWin, "windows", win2022, completion.ByOSName, windows[:4]}},
		{"a node selector for Linux", pod(m{"nodeSelector": m{"kubernetes.io/os": "linux"}}, silentImage), completion.Options{Topology: one}, "", want{kept, "linux", "", completion.BySelection, nil}},
		{"the label of old", pod(m{"nodeSelector": m{"beta.kubernetes.io/os": "linux"}}, silentImage), completion.Options{Topology: one}, "", want{kept, "linux", "", completion.BySelection, nil}},
		{"a node affinity for Linux", pod(m{"affinity": osAffinity("linux")}, silentImage), completion.Options{Topology: untainted}, "", want{kept, "linux", "", completion.BySelection, nil}},
		{"a node affinity for both", pod(m{"affinity": osAffinity("linux", "windows")}, alpine), completion.Options{Topology: one}, "", want{forLin, "linux", "", completion.ByImages, linux}},
		{"a node selector for Windows lacks tolerations", pod(m{"nodeSelector": m{"kubernetes.io/os": "windows"}}, silentImage), completion.Options{Topology: one}, "", want{forWin, "windows", "", completion.BySelection, []string{tolerate, named}}},
		{"and none where there are no taints", pod(m{"nodeSelector": m{"kubernetes.io/os": "windows"}}, silentImage), completion.Options{Topology: untainted}, "", want{forWin, "windows", "", completion.BySelection, []string{named}}},
		{"a node selector for Windows and a release that is said", pod(m{"nodeSelector": m{"kubernetes.io/os": "windows"}}, core2022), completion.Options{Topology: both}, "", want{forWin, "windows", win2022, completion.BySelection, []string{select2022[0], select2022[2], tolerate, named}}},
		{"a build", pod(m{"nodeSelector": m{"node.kubernetes.io/windows-build": "10.0.20348"}}, silentImage), completion.Options{Topology: both}, "", want{forWin, "windows", win2022, completion.BySelection, []string{tolerate, named}}},
		{"pools by their label", pod(m{"nodeSelector": m{"team": "web"}}, silentImage), completion.Options{Topology: labelled}, "", want{kept, "linux", "", completion.BySelection, nil}},
		{"Windows pools by their label", pod(m{"nodeSelector": m{"team": "legacy"}}, silentImage), completion.Options{Topology: labelled}, "", want{forWin, "windows", "", completion.BySelection, []string{tolerate, named}}},
		{
			"a toleration that is there", pod(m{"nodeSelector": m{"kubernetes.io/os": "windows"}, "tolerations": []any{m{"key": "os", "operator": "Exists"}}}, silentImage),
			completion.Options{Topology: one},
			"",
			want{forWin, "windows", "", completion.BySelection, []string{named}},
		},
		{
			"a toleration of everything", pod(m{"nodeSelector": m{"kubernetes.io/os": "windows"}, "tolerations": []any{m{"operator": "Exists"}}}, silentImage),
			completion.Options{Topology: one},
			"",
			want{forWin, "windows", "", completion.BySelection, []string{named}},
		},
		{
			"tolerations of something else", pod(m{"nodeSelector": m{"kubernetes.io/os": "windows"}, "tolerations": []any{
				m{"key": "os", "value": "Windows"}, m{"key": "os", "operator": "Exists", "effect": "NoExecute"}, m{"key": "os", "operator": "Gt", "value": "1"},
			}}, silentImage),
			completion.Options{Topology: one},
			"",
			want{forWin, "windows", "", completion.BySelection, []string{tolerate, named}},
		},
		{"the RuntimeClass of a platform", pod(m{"runtimeClassName": "windows-2022"}, silentImage), completion.Options{Topology: one}, "", want{forWin, "windows", win2022, completion.ByRuntimeClass, []string{named}}},
		{"which does not help a DaemonSet", daemonSet(pod(m{"runtimeClassName": "windows-2022"}, silentImage)), completion.Options{Topology: one}, "", want{forWin, "windows", win2022, completion.ByRuntimeClass, []string{
			"spec template spec nodeSelector kubernetes.io/arch = amd64", "spec template spec nodeSelector kubernetes.io/os = windows",
			"spec template spec nodeSelector node.kubernetes.io/windows-build = 10.0.20348", "spec template spec tolerations + os Equal windows NoSchedule",
			"spec template spec os name = windows",
		}}},
		{"nor does one for Linux", daemonSet(pod(m{"runtimeClassName": "mine"}, silentImage)), completion.Options{Topology: untainted, Classes: []m{runtimeClass("mine", m{"kubernetes.io/os": "linux"})}}, "", want{forLin, "linux", "", completion.ByRuntimeClass, []string{
			"spec template spec nodeSelector kubernetes.io/os = linux",
		}}},
		{"which is enough for other pods", pod(m{"runtimeClassName": "mine"}, silentImage), completion.Options{Topology: untainted, Classes: []m{runtimeClass("mine", m{"kubernetes.io/os": "linux"})}}, "", want{kept, "linux", "", completion.ByRuntimeClass, nil}},
		{"a RuntimeClass that is known", pod(m{"runtimeClassName": "mine"}, silentImage), completion.Options{Topology: both, Classes: []m{runtimeClass("other", nil), runtimeClass("mine", class2022)}}, "", want{forWin, "windows", win2022, completion.ByRuntimeClass, []string{named}}},
		{"one that selects nothing", pod(m{"runtimeClassName": "mine"}, alpine), completion.Options{Topology: both, Classes: []m{runtimeClass("mine", nil)}}, "", want{forLin, "linux", "", completion.ByImages, linux}},
		{"one that nobody knows", pod(m{"runtimeClassName": "mine"}, silentImage), completion.Options{Topology: both}, "", want{completion.Unsaid, "", "", nobody, nil}},
		{"host process", pod(m{"securityContext": m{"windowsOptions": m{"hostProcess": true}}}, silentImage), completion.Options{Topology: both}, "", want{forWin, "windows", "", completion.ByHostProcess, []string{select2022[1], tolerate, named}}},
		{"the annotation", annotated(pod(nil, silentImage), "windows-2022"), completion.Options{Topology: both}, "", want{forWin, "windows", win2022, completion.ByAnnotation, windows}},
		{"the annotation without a release", annotated(pod(nil, silentImage), "windows"), completion.Options{Topology: both}, "", want{forWin, "windows", "", completion.ByAnnotation, []string{select2022[1], tolerate, named}}},
		{"the annotation before images", annotated(pod(nil, core2022), "linux"), completion.Options{Topology: both}, "", want{forLin, "linux", "", completion.ByAnnotation, linux}},
		{"the release of images beside the annotation", annotated(pod(nil, core2022), "windows"), completion.Options{Topology: both}, "", want{forWin, "windows", win2022, completion.ByAnnotation, windows}},
		{"an annotation that is wrong", annotated(pod(nil, alpine), "linus"), completion.Options{Topology: both, AssumeLinux: true}, "", want{completion.Unsaid, "", "", nobody, nil}},
		{"an answer", pod(nil, silentImage), completion.Options{Topology: both}, win2022, want{forWin, "windows", win2022, completion.ByAnswer, windows}},
		{"an answer before images", pod(nil, alpine, core2022), completion.Options{Topology: both}, platform.Linux, want{forLin, "linux", "", completion.ByAnswer, linux}},
		{"by RuntimeClass", pod(nil, core2022), completion.Options{Topology: both, RuntimeClasses: true}, "", want{forWin, "windows", win2022, completion.ByImages, []string{"spec runtimeClassName = windows-2022", named}}},
		{"by RuntimeClass without a release", pod(nil, windowsSomehow), completion.Options{Topology: both, RuntimeClasses: true}, "", want{forWin, "windows", "", completion.ByImages, []string{select2022[1], tolerate, named}}},
		{"a DaemonSet of any release", daemonSet(pod(m{"os": m{"name": "windows"}}, silentImage)), completion.Options{Topology: one, RuntimeClasses: true}, "", want{forWin, "windows", "", completion.ByOSName, []string{
			"spec template spec nodeSelector kubernetes.io/os = windows", "spec template spec tolerations + os Equal windows NoSchedule",
		}}},
		{"what contradicts itself is preflight's", pod(m{"os": m{"name": "linux"}, "nodeSelector": m{"kubernetes.io/os": "windows"}}, silentImage), completion.Options{Topology: one}, "", want{kept, "linux", "", completion.ByOSName, nil}},
		{"a node affinity for both, and nothing else", pod(m{"affinity": osAffinity("linux", "windows")}, silentImage), completion.Options{Topology: one, AssumeLinux: true}, "", want{kept, "", "", completion.BySelection, nil}},
		{"in two terms", pod(m{"affinity": osAffinities(osTerm("linux"), osTerm("windows"))}, silentImage), completion.Options{Topology: one, AssumeLinux: true}, "", want{kept, "", "", completion.BySelection, nil}},
		{"in each of two terms, of which one has the label of old", pod(m{"affinity": osAffinities(osTerm("linux", "windows"), betaOSTerm("windows", "linux"))}, silentImage), completion.Options{Topology: one}, "", want{kept, "", "", completion.BySelection, nil}},
		{"by the label of old", pod(m{"affinity": osAffinities(betaOSTerm("linux"), betaOSTerm("windows"))}, silentImage), completion.Options{Topology: one}, "", want{kept, "", "", completion.BySelection, nil}},
		{"of which one takes any", pod(m{"affinity": osAffinities(osTerm("linux"), m{"matchExpressions": []any{m{"key": "disk", "operator": "In", "values": []any{"ssd"}}}})}, silentImage), completion.Options{Topology: one}, "", want{completion.Unsaid, "", "", nobody, nil}},
		{"a node by its name", pod(m{"nodeName": "a"}, alpine), completion.Options{Topology: one}, "", want{kept, "", "", completion.BySelection, nil}},
		{"nothing", pod(nil, silentImage), completion.Options{Topology: one}, "", want{completion.Unsaid, "", "", nobody, nil}},
		{"nothing is taken for Linux", pod(nil, silentImage), completion.Options{Topology: one, AssumeLinux: true}, "", want{completion.TakenForLinux, "linux", "", completion.ByAssumption, linux}},
		{"but for images that contradict each other", pod(nil, alpine, core2022), completion.Options{Topology: one, AssumeLinux: true}, "", want{completion.Unsaid, "", "", nobody, nil}},
		{"for options of Windows", pod(m{"securityContext": m{"windowsOptions": m{"gmsaCredentialSpecName": "a"}}}, silentImage), completion.Options{Topology: one, AssumeLinux: true}, "", want{completion.Unsaid, "", "", nobody, nil}},
		{"and for pods that fit no Linux pool", pod(m{"nodeSelector": m{"node.kubernetes.io/windows": "x"}, "affinity": osAffinity("darwin")}, silentImage), completion.Options{Topology: one, AssumeLinux: true}, "", want{completion.Unsaid, "", "", nobody, nil}},
		{"what is not known yet", pod(m{"nodeSelector": tree.Unknown{}, "affinity": tree.Unknown{}}, alpine), completion.Options{Topology: one}, "", want{kept, "", "", nobody, nil}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got := completion.NewAdopter(tt.options).Adopt(tt.object, tt.answer)
			if !got.HasPods || got.Contradicts != nobody {
				t.Errorf("has pods: %t, the answer contradicts %q", got.HasPods, got.Contradicts)
			}
			if diff := cmp.Diff(tt.want, want{got.Outcome, got.OS, got.Release, got.Source, written(got.Edits)}); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			done := mutate.Apply(tt.object, got.Edits)
			if again := completion.NewAdopter(tt.options).Adopt(done, tt.answer); len(again.Edits) > 0 {
				t.Errorf("adopted again it gets %v", written(again.Edits))
			}
		})
	}
}

// Host-process containers run on nodes of any release.
func TestTheImagesOfHostProcessPodsTellNoRelease(t *testing.T) {
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
		options completion.Options
		answer  platform.Platform
		want    want
	}{
		{"the only release", hostProcess(core2022), completion.Options{Topology: one}, "", want{Edits: selectOS}},
		{"no release is said", hostProcess(silentImage), completion.Options{Topology: one}, "", want{Edits: selectOS}},
		{"one of several", hostProcess(core2022, silentImage), completion.Options{Topology: both}, "", want{selectOS, "", platform.WindowsServer2022}},
		{"one without a pool", hostProcess(core2019), completion.Options{Topology: one}, "", want{selectOS, "", platform.WindowsServer2019}},
		{"two releases", hostProcess(core2019, core2022), completion.Options{Topology: both}, "", want{Edits: selectOS}},
		{"in place of a RuntimeClass", hostProcess(core2022), completion.Options{Topology: both, RuntimeClasses: true}, "", want{selectOS, "", platform.WindowsServer2022}},
		{"of a DaemonSet", daemonSet(hostProcess(core2022)), completion.Options{Topology: both}, "", want{[]string{
			"spec template spec nodeSelector kubernetes.io/os = windows", "spec template spec tolerations + os Equal windows NoSchedule",
			"spec template spec os name = windows",
		}, "", platform.WindowsServer2022}},
		{"and pods that select Windows", selecting, completion.Options{Topology: both}, "", want{[]string{tolerate, named}, "", platform.WindowsServer2019}},
		{"the annotation tells it", annotated(hostProcess(core2019), "windows-2022"), completion.Options{Topology: both}, "", want{select2022, platform.WindowsServer2022, ""}},
		{"an answer tells it", hostProcess(core2019), completion.Options{Topology: both}, platform.WindowsServer2022, want{select2022, platform.WindowsServer2022, ""}},
		{"process isolation", pod(nil, core2022), completion.Options{Topology: both}, "", want{select2022, platform.WindowsServer2022, ""}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got := completion.NewAdopter(tt.options).Adopt(tt.object, tt.answer)
			if diff := cmp.Diff(tt.want, want{written(got.Edits), got.Release, got.Unselected}); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestWhatHasNoPodsIsNotAdopted(t *testing.T) {
	t.Parallel()
	adopter := completion.NewAdopter(completion.Options{Topology: cluster(platform.WindowsServer2022), AssumeLinux: true})
	for name, object := range map[string]map[string]any{
		"a Service":                    {"apiVersion": "v1", "kind": "Service", "spec": map[string]any{}},
		"a template that is not there": {"apiVersion": "apps/v1", "kind": "Deployment", "spec": map[string]any{}},
	} {
		if diff := cmp.Diff(completion.Adoption{}, adopter.Adopt(object, "")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func TestAnAnswerThatContradictsIsSaid(t *testing.T) {
	t.Parallel()
	adopter := completion.NewAdopter(completion.Options{Topology: cluster(platform.WindowsServer2019, platform.WindowsServer2022)})
	for _, tt := range []struct {
		object map[string]any
		answer platform.Platform
		want   completion.Source
	}{
		{pod(map[string]any{"os": map[string]any{"name": "linux"}}, silentImage), platform.WindowsServer2022, completion.ByOSName},
		{pod(map[string]any{"nodeSelector": map[string]any{"kubernetes.io/os": "windows"}}, silentImage), platform.Linux, completion.BySelection},
		{pod(map[string]any{"runtimeClassName": "windows-2019"}, silentImage), platform.WindowsServer2022, completion.ByRuntimeClass},
		{annotated(pod(nil, silentImage), "windows-2019"), platform.WindowsServer2022, completion.ByAnnotation},
		{annotated(pod(nil, silentImage), "windows"), platform.WindowsServer2022, completion.ByNobody},
		{pod(nil, alpine), platform.WindowsServer2022, completion.ByNobody},
		{pod(map[string]any{"nodeName": "a"}, silentImage), platform.WindowsServer2022, completion.BySelection},
		{pod(map[string]any{"nodeName": "a"}, silentImage), "", completion.ByNobody},
		{annotated(pod(nil, silentImage), "linus"), platform.Linux, completion.ByAnnotation},
		{annotated(pod(nil, silentImage), "linus"), "", completion.ByNobody},
		{pod(map[string]any{"nodeSelector": "a"}, silentImage), platform.Linux, completion.ByForm},
		{pod(map[string]any{"tolerations": map[string]any{}}, silentImage), platform.WindowsServer2022, completion.ByForm},
		{pod(map[string]any{"tolerations": map[string]any{}}, silentImage), "", completion.ByNobody},
		{pod(map[string]any{"nodeSelector": tree.Unknown{}}, silentImage), platform.Linux, completion.ByNobody},
	} {
		got := adopter.Adopt(tt.object, tt.answer)
		if got.Contradicts != tt.want || (tt.want != completion.ByNobody && len(got.Edits) > 0) {
			t.Errorf("%s for %v: %q contradicts, want %q, with %v", tt.answer, tt.object, got.Contradicts, tt.want, written(got.Edits))
		}
	}
}
