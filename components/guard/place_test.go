package guard_test

import (
	"maps"
	"testing"

	"github.com/google/go-cmp/cmp"
	appsv1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/apps/v1"
	corev1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/core/v1"
	metav1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/meta/v1"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/guard"
	"github.com/mixedkube/mixedkube/components/mocktest"
)

const windowsImage = "mcr.microsoft.com/windows/servercore:ltsc2022"

func deploymentSpec(pods corev1.PodSpecArgs) appsv1.DeploymentSpecArgs {
	labels := pulumi.StringMap{"app": pulumi.String("web")}
	return appsv1.DeploymentSpecArgs{
		Selector: metav1.LabelSelectorArgs{MatchLabels: labels},
		Template: corev1.PodTemplateSpecArgs{Metadata: metav1.ObjectMetaArgs{Labels: labels}, Spec: pods},
	}
}

var selector2022 = map[string]any{
	"kubernetes.io/os": "windows", "kubernetes.io/arch": "amd64", "node.kubernetes.io/windows-build": "10.0.20348",
}

var toleration = map[string]any{"key": "os", "operator": "Equal", "value": "windows", "effect": "NoSchedule"}

var selectorLinux = map[string]any{"kubernetes.io/os": "linux"}

// named returns spec.os.
func named(os string) any { return map[string]any{"name": os} }

// placed are the fields that Place can add to pods.
type placed struct{ selector, tolerations, os any }

func diffPlaced(t *testing.T, graph *mocktest.Graph, want map[string]placed) {
	t.Helper()
	got := map[string]placed{}
	for name := range want {
		pods := spec(t, graph, name)
		got[name] = placed{pods["nodeSelector"], pods["tolerations"], pods["os"]}
	}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(placed{})); diff != "" {
		t.Errorf("node selectors, tolerations and os (-want +got):\n%s", diff)
	}
}

func TestPlaceCompletesPodsThatNameNoSystem(t *testing.T) {
	t.Parallel()
	gpu := corev1.TolerationArgs{Key: pulumi.String("gpu"), Operator: pulumi.String("Exists")}
	program := guarded(guard.Args{Topology: mixed, Place: true}, podsOf(map[string]corev1.PodSpecArgs{
		"windows": {Containers: container(windowsImage)},
		"adds": {
			Containers:   container(windowsImage),
			NodeSelector: pulumi.StringMap{"kubernetes.io/hostname": pulumi.String("win22-0")},
			Tolerations:  corev1.TolerationArray{gpu},
		},
		"output": {
			Containers:   container(windowsImage),
			NodeSelector: pulumi.StringMap{"kubernetes.io/hostname": pulumi.String("win22-0")}.ToStringMapOutput(),
			Tolerations:  corev1.TolerationArray{gpu}.ToTolerationArrayOutput(),
		},
		"linux":  {Containers: container("alpine:3.22")},
		"unsaid": {Containers: container("shop.example/web:1")},
		"class":  {Containers: container(windowsImage), RuntimeClassName: pulumi.String("windows-2022")},
	}))
	for _, options := range [][]mocktest.Option{nil, {mocktest.Preview()}} {
		graph := mocktest.MustRun(t, program, options...)
		gpu := map[string]any{"key": "gpu", "operator": "Exists"}
		host := map[string]any{"kubernetes.io/hostname": "win22-0"}
		maps.Copy(host, selector2022)
		diffPlaced(t, graph, map[string]placed{
			"windows": {selector2022, []any{toleration}, named("windows")},
			"adds":    {host, []any{gpu, toleration}, named("windows")},
			"output":  {host, []any{gpu, toleration}, named("windows")},
			"linux":   {selectorLinux, nil, named("linux")},
			"unsaid":  {},
			"class":   {os: named("windows")}, // the class has all other fields
		})
	}
	graph := mocktest.MustRun(t, program, mocktest.Preview())
	var landings string
	for _, l := range graph.Logs() {
		if l.URN == "" {
			landings = l.Message
		}
	}
	want := "where the pods can land:\n  adds    → perhaps win22 (2 nodes)\n  class   → win22 (2 nodes)\n  linux   → " +
		"sys (3 nodes)\n  output  → perhaps win22 (2 nodes)\n  unsaid  → sys (3 nodes), not placed: the images do " +
		"not indicate their operating system\n  windows → win22 (2 nodes)\nPlace completes 5 of 6 workloads\n  5 " +
		"Pods: those that exist stay as they are, new ones are completed\n  1 workload without a known operating " +
		"system: set AssumeLinux, the annotation mixedkube.dev/platform, or look up the images with mixedkube images " +
		"lock"
	if diff := cmp.Diff(want, landings); diff != "" {
		t.Errorf("landings (-want +got):\n%s", diff)
	}
}

func TestPlaceTreatsPodsAsLinuxIfThatIsEnabled(t *testing.T) {
	t.Parallel()
	// The nodes of both pools are untainted.
	open := mixed
	open.Pools = append(open.Pools[:0:0], mixed.Pools...)
	for i := range open.Pools {
		open.Pools[i].Untainted = open.Pools[i].Platform.IsWindows()
	}
	program := func(assume bool) pulumi.RunFunc {
		return guarded(guard.Args{Topology: open, Place: true, AssumeLinux: assume},
			onePod("web", corev1.PodSpecArgs{Containers: container("nginx:1.28")}))
	}
	graph := mocktest.MustRun(t, program(true), mocktest.Preview())
	if diff := cmp.Diff(map[string]any{"kubernetes.io/os": "linux"},
		spec(t, graph, "web")["nodeSelector"]); diff != "" {
		t.Errorf("the node selector (-want +got):\n%s", diff)
	}
	diffLogs(t, graph, "info the stack: where the pods can land:\n  web → sys (3 nodes), assumed to be for Linux: "+
		"the images do not indicate it\nPlace completes 1 of 1 workloads\n  1 Pod: those that exist stay as they "+
		"are, new ones are completed")

	graph = mocktest.MustRun(t, program(false), mocktest.Preview())
	diffLogs(t, graph, "info the stack: where the pods can land:\n  web → sys (3 nodes), win19 (1 node), win22 (2 "+
		"nodes), not placed: the images do not indicate their operating system\nPlace completes 0 of 1 workloads\n  "+
		"1 workload without a known operating system: set AssumeLinux, the annotation mixedkube.dev/platform, or "+
		"look up the images with mixedkube images lock",
		"warning web: spec.nodeSelector: … (MK314)")
}

func TestPlaceAddsMissingFields(t *testing.T) {
	t.Parallel()
	program := guarded(guard.Args{Topology: mixed, Place: true}, func(ctx *pulumi.Context) error {
		// Its ID is unknown in a preview.
		late, err := pod(ctx, "late", corev1.PodSpecArgs{Containers: container("alpine:3.22")})
		if err != nil {
			return err
		}
		osWindows := corev1.PodOSArgs{Name: pulumi.String("windows")}
		selects := func(key, value string) pulumi.StringMap { return pulumi.StringMap{key: pulumi.String(value)} }
		user := corev1.WindowsSecurityContextOptionsArgs{RunAsUserName: pulumi.String("ContainerUser")}
		return podsOf(map[string]corev1.PodSpecArgs{
			"named":     {Containers: container(windowsImage), Os: osWindows},
			"system":    {Containers: container(windowsImage), NodeSelector: selects("kubernetes.io/os", "windows")},
			"pool":      {Containers: container("shop.example/web:1"), NodeSelector: selects("agentpool", "win22")},
			"linuxpool": {Containers: container("shop.example/web:1"), NodeSelector: selects("agentpool", "sys")},
			"options": {
				Containers:      container("shop.example/web:1"),
				SecurityContext: corev1.PodSecurityContextArgs{WindowsOptions: user},
			},
			"unknown": {Containers: container(windowsImage), RuntimeClassName: late.ID().ToStringOutput()},
			"node":    {Containers: container(windowsImage), NodeName: pulumi.String("win22-0")},
		})(ctx)
	})
	graph := mocktest.MustRun(t, program, mocktest.Preview())
	diffLogs(t, graph,
		"info node: spec.os.name: … (MK105)",
		"info the stack: where the pods can land:\n  late      → sys (3 nodes)\n  linuxpool → perhaps sys (3 "+
			"nodes)\n  named     → win22 (2 nodes)\n  node      → perhaps win22 (2 nodes)\n  options   → sys (3 "+
			"nodes), not placed: the images do not indicate their operating system\n  pool      → perhaps win19 (1 "+
			"node), perhaps win22 (2 nodes)\n  system    → win22 (2 nodes)\n  unknown   → perhaps win19 (1 node), "+
			"perhaps win22 (2 nodes)\nPlace completes 4 of 8 workloads\n  4 Pods: those that exist stay as they are, "+
			"new ones are completed\n  1 workload without a known operating system: set AssumeLinux, the annotation "+
			"mixedkube.dev/platform, or look up the images with mixedkube images lock",
		"info unknown: spec.os.name: … (MK105)")
	diffPlaced(t, graph, map[string]placed{
		"late":      {selectorLinux, nil, named("linux")},
		"named":     {selector2022, []any{toleration}, named("windows")},
		"system":    {selector2022, []any{toleration}, named("windows")},
		"pool":      {map[string]any{"agentpool": "win22"}, []any{toleration}, named("windows")},
		"linuxpool": {selector: map[string]any{"agentpool": "sys"}},
		"options":   {},
		"unknown":   {},
		"node":      {},
	})
}

func TestPlaceCompletesOnlySelectedResources(t *testing.T) {
	t.Parallel()
	args := guard.Args{Topology: mixed, EnforcementLevel: guard.Advisory, Place: true, PlaceOnly: []guard.Selection{
		{Namespaces: []string{"shop"}, Resources: []string{"a*"}}, {Resources: []string{"Pod/c"}},
	}}
	graph := mocktest.MustRun(t, guarded(args, func(ctx *pulumi.Context) error {
		const image = "mcr.microsoft.com/windows/servercore:ltsc2022"
		for name, namespace := range map[string]string{"a": "shop", "a2": "other", "b": "shop", "c": "other"} {
			if err := inNamespace(ctx, name, namespace, corev1.PodSpecArgs{Containers: container(image)}); err != nil {
				return err
			}
		}
		return nil
	}))
	for name, want := range map[string]bool{"a": true, "a2": false, "b": false, "c": true} {
		if _, placed := spec(t, graph, name)["tolerations"]; placed != want {
			t.Errorf("%s: placed %t, want %t", name, placed, want)
		}
	}
	_, err := mocktest.Run(guarded(guard.Args{PlaceOnly: []guard.Selection{{}}}, twoMistakes))
	diffError(t, err, "guard:\n  placeOnly: Forbidden: is an option of place: set Place, or remove it\n"+
		"  placeOnly[0]: Required value: set namespaces or resources")
}
