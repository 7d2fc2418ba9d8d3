package guard_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes"
	"github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/apiextensions"
	appsv1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/apps/v1"
	batchv1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/batch/v1"
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
	program := guarded(guard.Args{Topology: mixed, Place: true}, func(ctx *pulumi.Context) error {
		gpu := corev1.TolerationArgs{Key: pulumi.String("gpu"), Operator: pulumi.String("Exists")}
		for name, pods := range map[string]corev1.PodSpecArgs{
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
		} {
			if _, err := pod(ctx, name, pods); err != nil {
				return err
			}
		}
		return nil
	})
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
	want := "where the pods can land:\n" +
		"  adds    → perhaps win22 (2 nodes)\n" +
		"  class   → win22 (2 nodes)\n" +
		"  linux   → sys (3 nodes)\n" +
		"  output  → perhaps win22 (2 nodes)\n" +
		"  unsaid  → sys (3 nodes), not placed: the images do not indicate their operating system\n" +
		"  windows → win22 (2 nodes)\n" +
		"Place completes 5 of 6 workloads\n" +
		"  5 Pods: those that exist stay as they are, new ones are completed\n" +
		"  1 workload without a known operating system: set AssumeLinux, the annotation mixedkube.dev/platform, or " +
		"look " +
		"up the images with mixedkube images lock"
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
		return guarded(guard.Args{Topology: open, Place: true, AssumeLinux: assume}, func(ctx *pulumi.Context) error {
			_, err := corev1.NewPod(ctx, "web",
				&corev1.PodArgs{Spec: corev1.PodSpecArgs{Containers: container("nginx:1.28")}})
			return err
		})
	}
	graph := mocktest.MustRun(t, program(true), mocktest.Preview())
	if diff := cmp.Diff(map[string]any{"kubernetes.io/os": "linux"},
		spec(t, graph, "web")["nodeSelector"]); diff != "" {
		t.Errorf("the node selector (-want +got):\n%s", diff)
	}
	diffLogs(t, graph, "info the stack: where the pods can land:\n  web → sys (3 nodes), assumed to be for Linux: the "+
		"images do not indicate it\n"+
		"Place completes 1 of 1 workloads\n"+
		"  1 Pod: those that exist stay as they are, new ones are completed")

	graph = mocktest.MustRun(t, program(false), mocktest.Preview())
	diffLogs(t, graph, "info the stack: where the pods can land:\n"+
		"  web → sys (3 nodes), win19 (1 node), win22 (2 nodes), not placed: the images do not indicate their "+
		"operating system\n"+
		"Place completes 0 of 1 workloads\n"+
		"  1 workload without a known operating system: set AssumeLinux, the annotation mixedkube.dev/platform, or "+
		"look "+
		"up the images with mixedkube images lock",
		"warning web: spec.nodeSelector: these pods can land on pool sys and on pools win19 and win22, and nothing "+
			"says which operating system they are for: "+
			"select kubernetes.io/os=linux or kubernetes.io/os=windows (MK314)")
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
		for name, pods := range map[string]corev1.PodSpecArgs{
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
		} {
			if _, err := pod(ctx, name, pods); err != nil {
				return err
			}
		}
		return nil
	})
	graph := mocktest.MustRun(t, program, mocktest.Preview())
	diffLogs(t, graph,
		"info node: spec.os.name: is not set, and these are Windows pods: write windows (MK105)",
		"info the stack: where the pods can land:\n"+
			"  late      → sys (3 nodes)\n"+
			"  linuxpool → perhaps sys (3 nodes)\n"+
			"  named     → win22 (2 nodes)\n"+
			"  node      → perhaps win22 (2 nodes)\n"+
			"  options   → sys (3 nodes), not placed: the images do not indicate their operating system\n"+
			"  pool      → perhaps win19 (1 node), perhaps win22 (2 nodes)\n"+
			"  system    → win22 (2 nodes)\n"+
			"  unknown   → perhaps win19 (1 node), perhaps win22 (2 nodes)\n"+
			"Place completes 4 of 8 workloads\n"+
			"  4 Pods: those that exist stay as they are, new ones are completed\n"+
			"  1 workload without a known operating system: set AssumeLinux, the annotation mixedkube.dev/platform, "+
			"or "+
			"look up the images with mixedkube images lock",
		"info unknown: spec.os.name: is not set, and these are Windows pods: write windows (MK105)")
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

func TestPodsWithAWrongAnnotationAreNotPlaced(t *testing.T) {
	t.Parallel()
	program := guarded(guard.Args{Topology: mixed, Place: true}, func(ctx *pulumi.Context) error {
		_, err := corev1.NewPod(ctx, "web", &corev1.PodArgs{
			Metadata: metav1.ObjectMetaArgs{
				Annotations: pulumi.StringMap{"mixedkube.dev/platform": pulumi.String("linx")},
			},
			Spec: corev1.PodSpecArgs{Containers: container("alpine:3.22")},
		})
		return err
	})
	graph, err := mocktest.Run(program, mocktest.Preview())
	diffError(t, err, "mixedkube preflight: 1 error, shown at its resource")
	diffLogs(t, graph,
		`error web: metadata.annotations[mixedkube.dev/platform]: "linx": is not a platform: did you mean linux? `+
			`(MK902)`,
		"info the stack: where the pods can land:\n"+
			"  web → sys (3 nodes), not placed: the annotation mixedkube.dev/platform is wrong\n"+
			"Place completes 0 of 1 workloads")
}

// The guard checks the completed pod.
func TestMistakesThatPlaceCannotFixAreFound(t *testing.T) {
	t.Parallel()
	program := guarded(guard.Args{Topology: mixed, Place: true}, func(ctx *pulumi.Context) error {
		_, err := pod(ctx, "web",
			corev1.PodSpecArgs{Containers: container("mcr.microsoft.com/windows/servercore:ltsc2025")})
		return err
	})
	graph, err := mocktest.Run(program, mocktest.Preview())
	diffError(t, err, "mixedkube preflight: 1 error, shown at its resource")
	diffLogs(t, graph,
		`error web: spec.containers[0].image: "mcr.microsoft.com/windows/servercore:ltsc2025": needs a Windows `+
			`Server 2025 node, `+
			"but the pod can land on the pools win19 and win22: use an image for one of Windows Server 2019, Windows "+
			"Server 2022, "+
			"and select the node.kubernetes.io/windows-build of that release (MK305)",
		"info the stack: where the pods can land:\n  web → nowhere\nPlace completes 1 of 1 workloads\n"+
			"  1 Pod: those that exist stay as they are, new ones are completed")
}

// A Workflow has no landing, because each of its templates can have its own. It counts as one workload.
func TestPlaceCountsWorkflows(t *testing.T) {
	t.Parallel()
	program := guarded(guard.Args{Topology: mixed, Place: true}, func(ctx *pulumi.Context) error {
		for name, image := range map[string]string{"build": windowsImage, "unsaid": "shop.example/build:1"} {
			templates := []any{map[string]any{"name": "run", "container": map[string]any{"image": image}}}
			_, err := apiextensions.NewCustomResource(ctx, name, &apiextensions.CustomResourceArgs{
				ApiVersion: pulumi.String("argoproj.io/v1alpha1"), Kind: pulumi.String("Workflow"),
				OtherFields: kubernetes.UntypedArgs{"spec": map[string]any{"templates": templates}},
			})
			if err != nil {
				return err
			}
		}
		_, err := corev1.NewConfigMap(ctx, "runner", &corev1.ConfigMapArgs{Data: pulumi.StringMap{
			"config.toml": pulumi.String("[[runners]]\n[runners.kubernetes]\nimage = 'alpine'"),
		}})
		return err
	})
	graph := mocktest.MustRun(t, program, mocktest.Preview())
	const placed = "info the stack: Place completes 1 of 2 workloads" +
		"\n  1 Workflow: pods that exist stay as they are, new ones are completed"
	if !slices.Contains(logs(graph), placed) {
		t.Errorf("the logs do not have %s:\n%s", placed, strings.Join(logs(graph), "\n"))
	}
}

// Pulumi replaces a Job or a Pod whose pod template changes: a Job would run again.
func TestPlaceCompletesOnlyNewJobsAndPods(t *testing.T) {
	t.Parallel()
	gpu := corev1.TolerationArray{corev1.TolerationArgs{Key: pulumi.String("gpu"), Operator: pulumi.String("Exists")}}
	disk := pulumi.StringMap{"disk": pulumi.String("ssd")}
	program := guarded(guard.Args{Topology: mixed, Place: true}, func(ctx *pulumi.Context) error {
		template := func(image string) corev1.PodTemplateSpecArgs {
			return corev1.PodTemplateSpecArgs{Spec: corev1.PodSpecArgs{
				Containers:    container(image),
				RestartPolicy: pulumi.String("Never"),
			}}
		}
		own := template(windowsImage)
		own.Spec = corev1.PodSpecArgs{Containers: container(windowsImage), NodeSelector: disk, Tolerations: gpu}
		for name, t := range map[string]corev1.PodTemplateSpecArgs{
			"windows": template(windowsImage),
			"linux":   template("alpine:3.22"), "own": own,
		} {
			_, err := batchv1.NewJob(ctx, name, &batchv1.JobArgs{Spec: batchv1.JobSpecArgs{Template: t}},
				pulumi.IgnoreChanges([]string{"metadata"}))
			if err != nil {
				return err
			}
		}
		if _, err := pod(ctx, "pod", corev1.PodSpecArgs{Containers: container(windowsImage)}); err != nil {
			return err
		}
		if _, err := pod(ctx, "unsaid", corev1.PodSpecArgs{Containers: container("shop.example/web:1")}); err != nil {
			return err
		}
		job := batchv1.JobTemplateSpecArgs{Spec: batchv1.JobSpecArgs{Template: template("alpine:3.22")}}
		_, err := batchv1.NewCronJob(ctx, "cron",
			&batchv1.CronJobArgs{Spec: batchv1.CronJobSpecArgs{Schedule: pulumi.String("@daily"), JobTemplate: job}})
		if err != nil {
			return err
		}
		_, err = appsv1.NewDeployment(ctx, "web",
			&appsv1.DeploymentArgs{Spec: deploymentSpec(corev1.PodSpecArgs{Containers: container("alpine:3.22")})})
		return err
	})
	graph := mocktest.MustRun(t, program, mocktest.Preview())
	const pods = "spec.template.spec."
	for name, want := range map[string][]string{
		"windows": {"metadata", pods + "nodeSelector", pods + "tolerations", pods + "os"},
		"linux":   {"metadata", pods + "nodeSelector", pods + "os"},
		"own": {
			"metadata", pods + `nodeSelector["kubernetes.io/arch"]`, pods + `nodeSelector["kubernetes.io/os"]`,
			pods + `nodeSelector["node.kubernetes.io/windows-build"]`, pods + "tolerations", pods + "os",
		},
		"pod": {"spec.nodeSelector", "spec.tolerations", "spec.os"}, "unsaid": nil, "cron": nil, "web": nil,
	} {
		for _, r := range graph.Resources() {
			if r.Name == name {
				if diff := cmp.Diff(want, r.IgnoreChanges); diff != "" {
					t.Errorf("%s ignores changes (-want +got):\n%s", name, diff)
				}
			}
		}
	}
	const placed = "\nPlace completes 6 of 7 workloads" +
		"\n  1 Deployment: changes only where the preview shows an update" +
		"\n  3 Jobs, 1 Pod: those that exist stay as they are, new ones are completed" +
		"\n  1 CronJob: pods that exist stay as they are, new ones are completed" +
		"\n  1 workload without a known operating system: set AssumeLinux, the annotation mixedkube.dev/platform, or " +
		"look " +
		"up the images with mixedkube images lock"
	if !slices.ContainsFunc(logs(graph), func(line string) bool { return strings.HasSuffix(line, placed) }) {
		t.Errorf("the logs do not end with %s:\n%s", placed, strings.Join(logs(graph), "\n"))
	}
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
