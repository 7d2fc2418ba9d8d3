package manifest

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/core/v1"
	metav1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/meta/v1"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/mocktest"
	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/preflight"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/testkit/golden"
)

type component struct{ pulumi.ResourceState }

// watch registers pods in the same way as the provider does for a chart, and returns the error of the chart's output.
func watch(
	options Options, guarded bool, pods map[string]corev1.PodSpecArgs, run ...mocktest.Option,
) (graph *mocktest.Graph, failure, err error) {
	var w *watcher
	graph, err = mocktest.Run(func(ctx *pulumi.Context) error {
		c := &component{}
		if err := ctx.RegisterComponentResource("test:test:Chart", "chart", c); err != nil {
			return err
		}
		w = newWatcher(ctx, c, options, guarded)
		var errs []error
		for name, spec := range pods {
			_, err := corev1.NewPod(ctx, "chart:"+name,
				&corev1.PodArgs{Metadata: metav1.ObjectMetaArgs{Name: pulumi.String(name)}, Spec: spec},
				pulumi.Parent(c), pulumi.Transforms([]pulumi.ResourceTransform{w.transform}))
			errs = append(errs, err)
		}
		return errors.Join(errs...)
	}, run...)
	return graph, w.failure("the chart"), err
}

var mixed = topology.Topology{KubernetesVersion: "1.36", Pools: []topology.Pool{
	{Name: "linux", Platform: platform.Linux},
	{Name: "win22", Platform: platform.WindowsServer2022},
}}

func containers(image string) corev1.ContainerArray {
	return corev1.ContainerArray{corev1.ContainerArgs{Name: pulumi.String("a"), Image: pulumi.String(image)}}
}

// wrong returns pods that the API server refuses.
func wrong() corev1.PodSpecArgs {
	return corev1.PodSpecArgs{
		Os: corev1.PodOSArgs{Name: pulumi.String("windows")}, HostPID: pulumi.Bool(true),
		Containers: containers("shop.example/a"),
	}
}

func TestTheObjectsOfAChartAreCompleted(t *testing.T) {
	t.Parallel()
	pods := map[string]corev1.PodSpecArgs{
		"linux":   {Containers: containers("alpine")},
		"windows": {Containers: containers("mcr.microsoft.com/windows/nanoserver:ltsc2022")},
		"answered": {
			Containers:   containers("shop.example/a"),
			NodeSelector: pulumi.StringMap{"disk": pulumi.String("ssd")},
		},
		"unsaid": {Containers: containers("shop.example/b")},
	}
	options := Options{Topology: mixed, Platforms: map[string]platform.Platform{"Pod/answered": platform.Linux}}
	for _, run := range [][]mocktest.Option{nil, {mocktest.Preview()}} {
		graph, failure, err := watch(options, true, pods, run...)
		if err != nil || failure != nil {
			t.Fatal(err, failure)
		}
		ignored := map[string][]string{}
		got := map[string]any{}
		for _, pod := range graph.ByType("kubernetes:core/v1:Pod") {
			spec := pod.Plain()["spec"].(map[string]any)
			delete(spec, "containers")
			got[pod.Name], ignored[pod.Name] = spec, pod.IgnoreChanges
		}
		// Pulumi would replace existing pods.
		wantIgnored := map[string][]string{
			"chart:linux":    {"spec.nodeSelector", "spec.os"},
			"chart:windows":  {"spec.nodeSelector", "spec.tolerations", "spec.os"},
			"chart:answered": {`spec.nodeSelector["kubernetes.io/os"]`, "spec.os"}, "chart:unsaid": nil,
		}
		if diff := cmp.Diff(wantIgnored, ignored); diff != "" {
			t.Errorf("ignored changes (-want +got):\n%s", diff)
		}
		want := map[string]any{
			"chart:linux": map[string]any{
				"nodeSelector": map[string]any{"kubernetes.io/os": "linux"},
				"os":           map[string]any{"name": "linux"},
			},
			"chart:windows": map[string]any{
				"nodeSelector": map[string]any{
					"kubernetes.io/os": "windows", "kubernetes.io/arch": "amd64",
					"node.kubernetes.io/windows-build": "10.0.20348",
				},
				"tolerations": []any{map[string]any{
					"key": "os", "operator": "Equal", "value": "windows",
					"effect": "NoSchedule",
				}},
				"os": map[string]any{"name": "windows"},
			},
			"chart:answered": map[string]any{
				"nodeSelector": map[string]any{"kubernetes.io/os": "linux", "disk": "ssd"},
				"os":           map[string]any{"name": "linux"},
			},
			"chart:unsaid": map[string]any{},
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("the pods (-want +got):\n%s", diff)
		}
		const question = "chart:unsaid: Pod/unsaid: spec: nothing indicates whether the pods are for Linux or for " +
			"Windows, nor do the images (shop.example/b): " +
			"specify it with the annotation mixedkube.dev/platform: linux or, for example, windows-2022"
		if logs := graph.Logs(); len(logs) != 1 || logs[0].Message != question || logs[0].Severity != "warning" {
			t.Errorf("the log is %v, want %s", logs, question)
		}
	}
}

func TestAnObjectOfAChartThatIsWrongIsNotDeployed(t *testing.T) {
	t.Parallel()
	options := Options{
		Topology: mixed,
		Platforms: map[string]platform.Platform{
			"Pod/b": platform.Linux, "Pod/wonrg": platform.Linux,
			"Pod/named": platform.Linux,
		},
	}
	named := wrong()
	named.HostPID = nil
	pods := map[string]corev1.PodSpecArgs{"wrong": wrong(), "b": {Containers: containers("alpine")}, "named": named}
	const want = `the chart:
  chart:wrong: Pod/wrong: spec.hostPID: … (MK111)
  platforms[Pod/named]: Invalid value: "linux": contradicts os.name windows in chart:named: ` +
		`remove the answer, or change the manifest
  platforms[Pod/wonrg]: Invalid value: "Pod/wonrg": no object with pods has this name: did you mean Pod/wrong?`

	graph, failure, err := watch(options, false, pods, mocktest.Preview())
	if err != nil {
		t.Fatal(err)
	}
	compare := func(failure error) {
		t.Helper()
		golden.Error(t, failure, want)
		if f, ok := errors.AsType[*preflight.FindingError](failure); !ok || f.Rule != "MK111" {
			t.Errorf("no finding of MK111 in the error: %v", f)
		}
	}
	compare(failure)
	unknown := map[string]bool{}
	for _, pod := range graph.ByType("kubernetes:core/v1:Pod") {
		unknown[pod.Name] = len(pod.Unknowns()) > 0
	}
	if diff := cmp.Diff(map[string]bool{"chart:wrong": true, "chart:named": true, "chart:b": false},
		unknown); diff != "" {
		t.Errorf("pods without a request to the API server (-want +got):\n%s", diff)
	}

	graph, failure, err = watch(options, false, pods)
	compare(failure)
	if err == nil || !golden.Contains(err.Error(), "chart:wrong: Pod/wrong: spec.hostPID: … (MK111)") {
		t.Errorf("the error of the update is %v", err)
	}
	var deployed []string
	for _, pod := range graph.ByType("kubernetes:core/v1:Pod") {
		deployed = append(deployed, pod.Name)
	}
	if diff := cmp.Diff([]string{"chart:b"}, deployed); diff != "" {
		t.Errorf("deployed (-want +got):\n%s", diff)
	}
}

func TestUnderGuardItReportsTheFindings(t *testing.T) {
	t.Parallel()
	graph, failure, err := watch(Options{Topology: mixed}, true, map[string]corev1.PodSpecArgs{"wrong": wrong()},
		mocktest.Preview())
	if err != nil || failure != nil || len(graph.Logs()) != 0 {
		t.Errorf("the program fails with %v, the output with %v, the log is %v", err, failure, graph.Logs())
	}
	for _, pod := range graph.ByType("kubernetes:core/v1:Pod") {
		if unknown := pod.Unknowns(); len(unknown) > 0 {
			t.Errorf("%s has been stopped: %v", pod.Name, unknown)
		}
	}
}

// Guard does not know the program's answers about objects: an object that is not completed because of an answer must
// not be deployed.
func TestUnderGuardAContradictionIsNotDeployed(t *testing.T) {
	t.Parallel()
	options := Options{Topology: mixed, Platforms: map[string]platform.Platform{"Pod/named": platform.Linux}}
	named := wrong()
	named.HostPID = nil
	pods := map[string]corev1.PodSpecArgs{"named": named, "b": {Containers: containers("alpine")}}
	const want = "platforms[Pod/named]: Invalid value: \"linux\": contradicts os.name windows in chart:named: remove " +
		"the answer, or change the manifest"

	graph, failure, err := watch(options, true, pods, mocktest.Preview())
	if err != nil || failure == nil || failure.Error() != "the chart: "+want {
		t.Errorf("the program fails with %v, the output with %v, want %s", err, failure, want)
	}
	unknown := map[string]bool{}
	for _, pod := range graph.ByType("kubernetes:core/v1:Pod") {
		unknown[pod.Name] = len(pod.Unknowns()) > 0
	}
	if diff := cmp.Diff(map[string]bool{"chart:named": true, "chart:b": false}, unknown); diff != "" {
		t.Errorf("pods without a request to the API server (-want +got):\n%s", diff)
	}

	graph, _, err = watch(options, true, pods)
	if err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("the error of the update is %v, want %s in it", err, want)
	}
	for _, pod := range graph.ByType("kubernetes:core/v1:Pod") {
		if pod.Name != "chart:b" {
			t.Errorf("%s was deployed", pod.Name)
		}
	}
}
