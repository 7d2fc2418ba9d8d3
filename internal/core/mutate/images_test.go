package mutate_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/core/mutate"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

const (
	core2022 = "mcr.microsoft.com/windows/servercore:ltsc2022"
	core2019 = "mcr.microsoft.com/windows/servercore:ltsc2019"
	core2025 = "mcr.microsoft.com/windows/servercore:ltsc2025"
	// windowsSomehow is for Windows, without a release.
	windowsSomehow = "mcr.microsoft.com/dotnet/framework/aspnet:4.8"
	alpine         = "docker.io/library/alpine:3.22"
	taggedAlpine   = "e2e.example.com/nginx:1.14-alpine"
	silentImage    = "shop.example/web:1"
)

// cluster returns a topology with pools of the platforms.
func cluster(windows ...platform.Platform) topology.Topology {
	t := topology.Topology{Pools: []topology.Pool{{Name: "sys", Platform: platform.Linux}}}
	for _, p := range windows {
		t.Pools = append(t.Pools,
			topology.Pool{Name: "win" + strings.TrimPrefix(p.String(), "windows-20"), Platform: p})
	}
	return t
}

func pod(spec map[string]any, images ...string) map[string]any {
	var containers []any
	for _, image := range images {
		containers = append(containers, map[string]any{"image": image})
	}
	if spec == nil {
		spec = map[string]any{}
	}
	spec["containers"] = containers
	return map[string]any{"kind": "Pod", "spec": spec}
}

// written returns edits as lines: a path and the value that is set.
func written(edits []mutate.Edit) []string {
	var lines []string
	for _, e := range edits {
		line := strings.Join(e.Path, " ")
		switch v := e.Value.(type) {
		case string:
			line += " = " + v
		case []any:
			var added []string
			for _, element := range v {
				t := element.(map[string]any)
				added = append(added, fmt.Sprintf("%s %s %s %s", t["key"], t["operator"], t["value"], t["effect"]))
			}
			line += " + " + strings.Join(added, " + ")
		}
		lines = append(lines, line)
	}
	return lines
}

// completion is a decision about an object: its edits lead the pods to a platform.
type completion struct {
	name     string
	object   map[string]any
	outcome  mutate.Outcome
	platform platform.Platform
	want     []string
}

func diffCompletions(t *testing.T, assume bool, on topology.Topology, tests []completion) {
	t.Helper()
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got := adopter(options{Topology: on, AssumeLinux: assume})(tt.object, "")
			if got.Outcome != tt.outcome || got.Platform != tt.platform {
				t.Errorf("outcome %d for %q, want %d for %q", got.Outcome, got.Platform, tt.outcome, tt.platform)
			}
			if diff := cmp.Diff(tt.want, written(got.Edits)); diff != "" {
				t.Errorf("edits (-want +got):\n%s", diff)
			}
			if got.Outcome.Completes() != (tt.want != nil) {
				t.Errorf("Completes() = %t with %d edits", got.Outcome.Completes(), len(got.Edits))
			}
		})
	}
}

const (
	tolerated = "spec tolerations + os Equal windows NoSchedule"
	osWindows = "spec os name = windows"
)

var (
	both        = cluster(platform.WindowsServer2019, platform.WindowsServer2022)
	selects2022 = slices.Clip([]string{
		"spec nodeSelector kubernetes.io/arch = amd64",
		"spec nodeSelector kubernetes.io/os = windows",
		"spec nodeSelector node.kubernetes.io/windows-build = 10.0.20348",
	})
	to2022    = append(selects2022, tolerated, osWindows)
	toWindows = []string{"spec nodeSelector kubernetes.io/os = windows", tolerated, osWindows}
	toLinux   = []string{"spec nodeSelector kubernetes.io/os = linux", "spec os name = linux"}
)

func TestPodsAreCompletedForTheirImages(t *testing.T) {
	t.Parallel()
	const win22 = platform.WindowsServer2022
	gpu := cluster(win22)
	gpu.Pools[1].Taints = append([]corev1.Taint{topology.WindowsTaint()},
		corev1.Taint{Key: "gpu", Value: "a10", Effect: corev1.TaintEffectNoSchedule})
	ofInit := map[string]any{"initContainers": []any{map[string]any{"image": alpine}}}
	diffCompletions(t, false, both, []completion{
		{"a Windows image of a release", pod(nil, core2022), mutate.Completed, win22, to2022},
		{
			"in addition to an image that indicates nothing", pod(nil, silentImage, core2022), mutate.Completed,
			win22, to2022,
		},
		{"no known release, and several in the cluster", pod(nil, windowsSomehow), mutate.Completed, "", toWindows},
		{
			"os.name is left out if the API server then refuses another field",
			pod(map[string]any{"securityContext": map[string]any{"fsGroup": 1}}, core2022), mutate.Completed, win22,
			append(selects2022, tolerated),
		},
		{"a Linux image", pod(nil, alpine), mutate.Completed, platform.Linux, toLinux},
		{"an image that indicates nothing", pod(nil, silentImage), mutate.Unknown, "", nil},
		{"a word of a tag that means Linux indicates nothing", pod(nil, taggedAlpine), mutate.Unknown, "", nil},
		{
			"a word of a tag agrees with another image", pod(nil, taggedAlpine, alpine), mutate.Completed,
			platform.Linux, toLinux,
		},
		{"an image that is not known yet indicates nothing", unknownImage(), mutate.Unknown, "", nil},
		{
			"init containers count",
			map[string]any{"kind": "Pod", "spec": ofInit},
			mutate.Completed, platform.Linux,
			toLinux,
		},
		{
			"a node selector with other labels is added to",
			pod(map[string]any{"nodeSelector": map[string]any{"disk": "ssd"}}, alpine), mutate.Completed,
			platform.Linux, toLinux,
		},
		{
			"the pods of a CronJob",
			map[string]any{"kind": "CronJob", "spec": map[string]any{"jobTemplate": map[string]any{
				"spec": map[string]any{"template": pod(nil, alpine)},
			}}},
			mutate.Completed, platform.Linux,
			[]string{
				"spec jobTemplate spec template spec nodeSelector kubernetes.io/os = linux",
				"spec jobTemplate spec template spec os name = linux",
			},
		},
	})
	diffCompletions(t, false, cluster(win22), []completion{
		{"the release of the only pool", pod(nil, windowsSomehow), mutate.Completed, win22, to2022},
	})
	diffCompletions(t, false, gpu, []completion{{
		"all taints that the pools share are tolerated", pod(nil, core2022), mutate.Completed, win22,
		append(selects2022, tolerated+" + gpu Equal a10 NoSchedule", osWindows),
	}})
	diffCompletions(t, false, cluster(), []completion{{
		"a release without a pool is not selected, and placement reports that nothing fits", pod(nil, core2022),
		mutate.Completed, "",
		[]string{"spec nodeSelector kubernetes.io/os = windows", osWindows},
	}})
	diffCompletions(t, true, both, []completion{
		{
			"an image that indicates nothing is assumed to be for Linux by the policy", pod(nil, silentImage),
			mutate.AssumedLinux, platform.Linux, toLinux,
		},
		{
			"a word of a tag does not prevent the assumption of Linux", pod(nil, taggedAlpine), mutate.AssumedLinux,
			platform.Linux, toLinux,
		},
		{"a word of a tag contradicts another image", pod(nil, taggedAlpine, core2022), mutate.Unknown, "", nil},
		{
			"images that contradict each other are not assumed to be for Linux", pod(nil, alpine, core2022),
			mutate.Unknown, "", nil,
		},
		{"two releases", pod(nil, core2019, core2022), mutate.Unknown, "", nil},
	})
}

// unknownImage returns a Pod whose image is not known yet.
func unknownImage() map[string]any {
	containers := []any{map[string]any{"image": tree.Unknown{}}}
	return map[string]any{"kind": "Pod", "spec": map[string]any{"containers": containers}}
}

// Fields decide before images do, and before pods are assumed to be for Linux.
func TestPodsAreCompletedForTheirFields(t *testing.T) {
	t.Parallel()
	windowsOptions := func(options map[string]any) map[string]any {
		return map[string]any{"windowsOptions": options}
	}
	onWindows := map[string]any{"kubernetes.io/os": "windows"}
	noLinux := map[string]any{"key": "kubernetes.io/os", "operator": "NotIn", "values": []any{"linux"}}
	affinity := map[string]any{"nodeAffinity": map[string]any{
		"requiredDuringSchedulingIgnoredDuringExecution": map[string]any{
			"nodeSelectorTerms": []any{map[string]any{"matchExpressions": []any{noLinux}}},
		},
	}}
	diffCompletions(t, true, both, []completion{
		{
			"os.name", pod(map[string]any{"os": map[string]any{"name": "windows"}}, core2022), mutate.Completed,
			platform.WindowsServer2022, append(selects2022, tolerated),
		},
		{"an os that is not known yet", pod(map[string]any{"os": tree.Unknown{}}, core2022), mutate.Unchanged, "", nil},
		{
			"an unknown RuntimeClass", pod(map[string]any{"runtimeClassName": "gvisor"}, alpine), mutate.Completed,
			platform.Linux, toLinux,
		},
		{"a node name", pod(map[string]any{"nodeName": "win22-0"}, core2022), mutate.Unchanged, "", nil},
		{
			"an empty node name", pod(map[string]any{"nodeName": ""}, core2022), mutate.Completed,
			platform.WindowsServer2022, to2022,
		},
		{
			"a node selector for an operating system",
			pod(map[string]any{"nodeSelector": map[string]any{"kubernetes.io/os": "linux"}}, silentImage),
			mutate.Unchanged, platform.Linux, nil,
		},
		{
			"a node selector that is not known yet", pod(map[string]any{"nodeSelector": tree.Unknown{}}, core2022),
			mutate.Unchanged, "", nil,
		},
		{
			"host-process pods",
			pod(map[string]any{"securityContext": windowsOptions(map[string]any{"hostProcess": true})}, silentImage),
			mutate.Completed, "", toWindows,
		},
		{
			"Windows selected", pod(map[string]any{"nodeSelector": onWindows}, silentImage), mutate.Completed, "",
			[]string{tolerated, osWindows},
		},
		{
			"Windows selected, with a field for Linux",
			pod(map[string]any{
				"nodeSelector": onWindows, "securityContext": map[string]any{"fsGroup": int64(1)},
			}, silentImage),
			mutate.Completed, "",
			[]string{tolerated},
		},
		{
			"options for Windows",
			pod(map[string]any{
				"securityContext": windowsOptions(map[string]any{"runAsUserName": "ContainerUser"}),
			}, silentImage),
			mutate.Unknown, "", nil,
		},
		{
			"options for Windows of a container",
			map[string]any{"kind": "Pod", "spec": map[string]any{
				"containers": []any{map[string]any{"securityContext": windowsOptions(map[string]any{})}},
			}},
			mutate.Unknown, "", nil,
		},
		{
			"the name of a pool of the topology",
			pod(map[string]any{"nodeSelector": map[string]any{"kubernetes.azure.com/agentpool": "win22"}}, silentImage),
			mutate.Completed, platform.WindowsServer2022,
			[]string{tolerated, osWindows},
		},
		{
			"pods that no Linux pool can run are for Windows", pod(map[string]any{"affinity": affinity}, silentImage),
			mutate.Completed, "",
			[]string{tolerated, osWindows},
		},
		{
			"tolerations that are not a list", pod(map[string]any{"tolerations": map[string]any{}}, core2022),
			mutate.Unchanged, "", nil,
		},
		{
			"a node selector that is not a map", pod(map[string]any{"nodeSelector": []any{}}, core2022),
			mutate.Unchanged, "", nil,
		},
		{
			"an object without pods",
			map[string]any{"kind": "Service", "spec": map[string]any{}},
			mutate.Unchanged,
			"", nil,
		},
		{
			"a template that is not known yet",
			map[string]any{"kind": "Deployment", "spec": map[string]any{"template": tree.Unknown{}}},
			mutate.Unchanged, "", nil,
		},
	})
}
