package workload_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes"
	appsv1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/apps/v1"
	batchv1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/batch/v1"
	pulumicorev1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/core/v1"
	metav1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/meta/v1"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	corev1 "k8s.io/api/core/v1"

	"github.com/mixedkube/mixedkube/components/mocktest"
	"github.com/mixedkube/mixedkube/components/workload"
	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/preflight"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/testkit/golden"
)

// image runs on windows-2022.
const image = "mcr.microsoft.com/windows/servercore:ltsc2022"

// fullArguments returns the arguments of a workload in which the program sets many fields.
func fullArguments(credentialSpec workload.CredentialSpec) *arguments {
	return &arguments{
		platform: platform.WindowsServer2022,
		metadata: metav1.ObjectMetaArgs{
			Name: pulumi.String("web"), Namespace: pulumi.String("shop"), Labels: labels,
		},
		topology:       mixed,
		user:           `NT AUTHORITY\NetworkService`,
		credentialSpec: credentialSpec,
		pods: pulumicorev1.PodSpecArgs{
			Containers: pulumicorev1.ContainerArray{pulumicorev1.ContainerArgs{
				Name: pulumi.String("web"), Image: pulumi.String(image),
				Env: pulumicorev1.EnvVarArray{pulumicorev1.EnvVarArgs{
					Name: pulumi.String("KEY"), Value: pulumi.ToSecret(pulumi.String("s3cret")).(pulumi.StringOutput),
				}},
				LivenessProbe:  workload.PowerShellProbe("Get-Service w3svc"),
				ReadinessProbe: workload.HTTPProbe("/ready", 8080),
				StartupProbe:   workload.TCPProbe(8080),
			}},
			NodeSelector:       pulumi.StringMap{"disk": pulumi.String("ssd")},
			ServiceAccountName: pulumi.String("seller"),
			Tolerations: pulumicorev1.TolerationArray{pulumicorev1.TolerationArgs{
				Key: pulumi.String("gpu"), Operator: pulumi.String("Exists"),
			}},
		},
	}
}

// plainArguments returns the arguments of the smallest workload of a platform.
func plainArguments(p platform.Platform) *arguments {
	return &arguments{platform: p, pods: pulumicorev1.PodSpecArgs{Containers: containers}}
}

func TestTheWholeGraphOfEachKind(t *testing.T) {
	t.Parallel()
	for _, k := range kinds() {
		t.Run(k.name, func(t *testing.T) {
			t.Parallel()
			program := func(ctx *pulumi.Context) error {
				spec, err := newShopSpec(ctx)
				if err != nil {
					return err
				}
				_, err = k.make(ctx, fullArguments(spec))
				return err
			}
			golden.UpdateAndPreview(t, "testdata/"+strings.ToLower(k.name), mocktest.MustRun(t, program).String(),
				mocktest.MustRun(t, program, mocktest.Preview()).String())
		})
	}
}

func TestPreflightFindsNothingInCreatedWorkloads(t *testing.T) {
	t.Parallel()
	for _, k := range kinds() {
		t.Run(k.name, func(t *testing.T) {
			t.Parallel()
			spot := topology.Topology{KubernetesVersion: "1.36", Pools: []topology.Pool{
				{Name: "sys", Platform: platform.Linux},
				{Name: "win19", Platform: platform.WindowsServer2019},
				{Name: "a", Platform: platform.WindowsServer2022, Labels: map[string]string{"disk": "ssd"}},
				{
					Name: "b", Platform: platform.WindowsServer2022,
					Taints: []corev1.Taint{
						topology.WindowsTaint(),
						{Key: "spot", Effect: corev1.TaintEffectNoSchedule},
					},
				},
				{Name: "win25", Platform: platform.WindowsServer2025, Untainted: true},
			}}
			for _, cluster := range []topology.Topology{{}, mixed, spot} {
				for _, scheduling := range []workload.Scheduling{workload.ByRuntimeClass, workload.BySelector} {
					args := fullArguments(nil)
					args.topology, args.scheduling = cluster, scheduling
					made := k.get(t, mocktest.MustRun(t, k.deploy(args))).Plain()
					for _, finding := range preflight.Check(made, preflight.Options{Topology: cluster}) {
						if finding.Severity != preflight.Info {
							t.Errorf("on %d pools: %v", len(cluster.Pools), finding)
						}
					}
				}
			}
		})
	}
}

// windowsPods and classPods are the fields that pods get by selector and by RuntimeClass.
func windowsPods(build string, tolerations ...any) map[string]any {
	pods := map[string]any{"os": map[string]any{"name": "windows"}, "nodeSelector": selector(build)}
	if len(tolerations) > 0 {
		pods["tolerations"] = tolerations
	}
	return pods
}

func classPods(class string) map[string]any {
	return map[string]any{"os": map[string]any{"name": "windows"}, "runtimeClassName": class}
}

func TestPodDefaultsOfEachKind(t *testing.T) {
	t.Parallel()
	team := corev1.Taint{Key: "team", Value: "shop", Effect: corev1.TaintEffectNoExecute}
	spot := corev1.Taint{Key: "spot", Effect: corev1.TaintEffectNoSchedule}
	cluster := topology.Topology{KubernetesVersion: "1.36", Pools: []topology.Pool{
		{Name: "sys", Platform: platform.Linux},
		{Name: "win19", Platform: platform.WindowsServer2019},
		{Name: "a", Platform: platform.WindowsServer2022, Taints: []corev1.Taint{team, spot, topology.WindowsTaint()}},
		{Name: "b", Platform: platform.WindowsServer2022, Taints: []corev1.Taint{spot, team}},
		{Name: "win25", Platform: platform.WindowsServer2025, Untainted: true},
	}}
	tolerated := []any{
		map[string]any{"key": "team", "operator": "Equal", "value": "shop", "effect": "NoExecute"},
		map[string]any{"key": "spot", "operator": "Equal", "effect": "NoSchedule"},
		windowsToleration(),
	}
	linux := map[string]any{
		"os":           map[string]any{"name": "linux"},
		"nodeSelector": map[string]any{"kubernetes.io/os": "linux"},
	}
	own := overridden(windowsPods("10.0.20348", map[string]any{"key": "gpu", "operator": "Exists"},
		windowsToleration()), nil)
	own["nodeSelector"].(map[string]any)["disk"] = "ssd"
	custom := pulumicorev1.PodSpecArgs{
		Containers:   containers,
		NodeSelector: pulumi.StringMap{"disk": pulumi.String("ssd")},
		Tolerations: pulumicorev1.TolerationArray{pulumicorev1.TolerationArgs{
			Key:      pulumi.String("gpu"),
			Operator: pulumi.String("Exists"),
		}},
	}
	tests := []struct {
		name     string
		platform platform.Platform
		topology topology.Topology
		pods     pulumicorev1.PodSpecArgs
		// class and selector are the fields that pods get by RuntimeClass and by selector.
		class, selector map[string]any
	}{
		{name: "Linux", platform: platform.Linux, class: linux, selector: linux},
		{
			name: "the default taint without a topology", platform: platform.WindowsServer2022,
			class: classPods("windows-2022"), selector: windowsPods("10.0.20348", windowsToleration()),
		},
		{
			name: "the default taint of a pool", platform: platform.WindowsServer2019, topology: cluster,
			class: classPods("windows-2019"), selector: windowsPods("10.0.17763", windowsToleration()),
		},
		{
			name: "taints that all pools share, and the default one", platform: platform.WindowsServer2022,
			topology: cluster,
			class:    classPods("windows-2022"), selector: windowsPods("10.0.20348", tolerated...),
		},
		{
			name: "a pool without taints", platform: platform.WindowsServer2025, topology: cluster,
			class: classPods("windows-2025"), selector: windowsPods("10.0.26100"),
		},
		{
			name: "selector and tolerations of the program", platform: platform.WindowsServer2022, pods: custom,
			class: overridden(classPods("windows-2022"), map[string]any{
				"nodeSelector": map[string]any{"disk": "ssd"},
				"tolerations":  []any{map[string]any{"key": "gpu", "operator": "Exists"}},
			}),
			selector: own,
		},
		{
			name: "a RuntimeClass of the program", platform: platform.WindowsServer2022,
			pods: pulumicorev1.PodSpecArgs{RuntimeClassName: pulumi.String("my-class")},
			class: overridden(windowsPods("10.0.20348", windowsToleration()),
				map[string]any{"runtimeClassName": "my-class"}),
			selector: overridden(windowsPods("10.0.20348", windowsToleration()),
				map[string]any{"runtimeClassName": "my-class"}),
		},
		{
			name: "outputs of the program", platform: platform.WindowsServer2022,
			pods: pulumicorev1.PodSpecArgs{
				Os:           pulumicorev1.PodOSArgs{Name: pulumi.String("windows")}.ToPodOSPtrOutput(),
				NodeSelector: custom.NodeSelector.ToStringMapOutput(),
				Tolerations:  custom.Tolerations.ToTolerationArrayOutput(),
			},
			class: overridden(classPods("windows-2022"), map[string]any{
				"nodeSelector": map[string]any{"disk": "ssd"},
				"tolerations":  []any{map[string]any{"key": "gpu", "operator": "Exists"}},
			}),
			selector: own,
		},
	}
	for _, k := range kinds() {
		t.Run(k.name, func(t *testing.T) {
			t.Parallel()
			for _, tt := range tests {
				tt.pods.Containers = containers
				for scheduling, want := range map[workload.Scheduling]map[string]any{
					workload.ByRuntimeClass: tt.class,
					workload.BySelector:     tt.selector,
				} {
					if k.bySelector {
						want = tt.selector
					}
					args := &arguments{
						platform: tt.platform, scheduling: scheduling, topology: tt.topology,
						pods: tt.pods,
					}
					for _, options := range [][]mocktest.Option{nil, {mocktest.Preview()}} {
						if diff := cmp.Diff(want,
							k.pods(t, mocktest.MustRun(t, k.deploy(args), options...))); diff != "" {
							t.Errorf("%s, scheduling %s (-want +got):\n%s", tt.name, scheduling, diff)
						}
					}
				}
			}
		})
	}
}

func TestThePlatformsRuntimeClassStaysWhereTheProgramNamesIt(t *testing.T) {
	t.Parallel()
	for _, k := range kinds() {
		t.Run(k.name, func(t *testing.T) {
			t.Parallel()
			args := plainArguments(platform.WindowsServer2022)
			args.pods.RuntimeClassName = pulumi.String("windows-2022")
			want := classPods("windows-2022")
			if k.bySelector {
				want = overridden(windowsPods("10.0.20348", windowsToleration()), want)
			}
			if diff := cmp.Diff(want, k.pods(t, mocktest.MustRun(t, k.deploy(args)))); diff != "" {
				t.Errorf("the pods (-want +got):\n%s", diff)
			}
		})
	}
}

func TestUnknownValuesStayUnknownInAPreviewOfEachKind(t *testing.T) {
	t.Parallel()
	for _, k := range kinds() {
		t.Run(k.name, func(t *testing.T) {
			t.Parallel()
			args := plainArguments(platform.WindowsServer2022)
			args.scheduling, args.user = workload.BySelector, workload.ContainerUser
			args.pods.Os = pulumicorev1.PodOSArgs{Name: mocktest.Unknown[pulumi.StringOutput]()}
			args.pods.NodeSelector = mocktest.Unknown[pulumi.StringMapOutput]()
			args.pods.SecurityContext = mocktest.Unknown[pulumicorev1.PodSecurityContextPtrOutput]()
			want := map[string]any{
				"os": map[string]any{"name": mocktest.UnknownValue}, "nodeSelector": mocktest.UnknownValue,
				"tolerations": []any{windowsToleration()}, "securityContext": mocktest.UnknownValue,
			}
			if diff := cmp.Diff(want, k.pods(t, mocktest.MustRun(t, k.deploy(args), mocktest.Preview()))); diff != "" {
				t.Errorf("the pods (-want +got):\n%s", diff)
			}
		})
	}
}

// lines returns an error with several problems.
func (k kind) lines(problems ...string) string {
	return strings.TrimSuffix(k.subject(), " ") + "\n  " + strings.Join(problems, "\n  ")
}

func TestContradictionsAreRefusedAtThePathsOfEachKind(t *testing.T) {
	t.Parallel()
	for _, k := range kinds() {
		t.Run(k.name, func(t *testing.T) {
			t.Parallel()
			args := plainArguments(platform.WindowsServer2022)
			args.user, args.credentialSpec = workload.ContainerUser, named("shop")
			args.pods = pulumicorev1.PodSpecArgs{
				Containers:       containers,
				Os:               pulumicorev1.PodOSArgs{Name: pulumi.String("linux")},
				RuntimeClassName: pulumi.String("windows-2019"),
				NodeSelector:     pulumi.StringMap{"kubernetes.io/arch": pulumi.String("arm64")},
				SecurityContext: pulumicorev1.PodSecurityContextArgs{
					FsGroup: pulumi.Int(2000),
					WindowsOptions: pulumicorev1.WindowsSecurityContextOptionsArgs{
						RunAsUserName: pulumi.String("SHOP\\web"), GmsaCredentialSpecName: pulumi.String("store"),
					},
				},
			}
			graph, err := mocktest.Run(k.deploy(args), mocktest.Preview())
			golden.Refused(t, graph.Resources(), err, k.lines(
				k.path+".nodeSelector[kubernetes.io/arch]: … (MK316)",
				k.path+".os.name: … (MK207)",
				k.path+".runtimeClassName: … (MK208)",
				k.path+".securityContext.windowsOptions: … (MK103)",
				k.path+`.securityContext.windowsOptions.gmsaCredentialSpecName: Invalid value: "store": contradicts `+
					`the argument CredentialSpec, whose name is "shop": remove one of the two`,
				k.path+`.securityContext.windowsOptions.runAsUserName: Invalid value: "SHOP\\web": contradicts the `+
					`argument User, which is "ContainerUser": remove one of the two`,
			))
		})
	}
}

func TestTheRulesOfPreflightRefuseAtThePathsOfEachKind(t *testing.T) {
	t.Parallel()
	for _, k := range kinds() {
		t.Run(k.name, func(t *testing.T) {
			t.Parallel()
			args := plainArguments(platform.WindowsServer2022)
			args.pods.SecurityContext = pulumicorev1.PodSecurityContextArgs{FsGroup: pulumi.Int(2000)}
			args.pods.Containers = pulumicorev1.ContainerArray{pulumicorev1.ContainerArgs{
				Name: pulumi.String("web"), Image: pulumi.String("mcr.microsoft.com/windows/servercore:ltsc2019"),
			}}
			graph, err := mocktest.Run(k.deploy(args), mocktest.Preview())
			golden.Refused(t, graph.Resources(), err, k.lines(
				k.path+".containers[0].image: … (MK201)",
				k.path+".securityContext.fsGroup: … (MK118)",
			))

			args.metadata = metav1.ObjectMetaArgs{
				Annotations: pulumi.StringMap{preflight.IgnoreAnnotation: pulumi.String("MK118, MK201")},
			}
			mocktest.MustRun(t, k.deploy(args), mocktest.Preview())
		})
	}
}

func TestAnOutputThatContradictsFailsTheResourceOfEachKind(t *testing.T) {
	t.Parallel()
	for _, k := range kinds() {
		t.Run(k.name, func(t *testing.T) {
			t.Parallel()
			args := plainArguments(platform.WindowsServer2022)
			args.pods.Os = pulumicorev1.PodOSArgs{Name: pulumi.String("linux").ToStringOutput()}
			for _, options := range [][]mocktest.Option{nil, {mocktest.Preview()}} {
				graph, err := mocktest.Run(k.deploy(args), options...)
				want := k.subject() + k.path + ".os.name: … (MK207)"
				diffLateError(t, graph, k.typ, err, want)
			}
		})
	}
}

func TestWrongArgumentsOfEachKindAreRefusedBeforeAnythingIsRegistered(t *testing.T) {
	t.Parallel()
	const noPlatform = `platform: Required value: set what the containers run on, for example ` +
		`platform.WindowsServer2022`
	noPods := map[string]string{
		"Pod":     "",
		"CronJob": `spec.jobTemplate: Required value: a CronJob needs the template of its Jobs`,
	}
	for _, k := range kinds() {
		t.Run(k.name, func(t *testing.T) {
			t.Parallel()
			want := k.lines(noPlatform, `spec.template: Required value: a workload needs the template of its pods`)
			switch problem, special := noPods[k.name]; {
			case special && problem == "":
				want = k.subject() + noPlatform
			case special:
				want = k.lines(noPlatform, problem)
			}
			graph, err := mocktest.Run(k.deploy(nil), mocktest.Preview())
			golden.Refused(t, graph.Resources(), err, want)

			args := plainArguments(platform.WindowsServer2019)
			args.topology = mixed
			graph, err = mocktest.Run(k.deploy(args), mocktest.Preview())
			golden.Refused(t, graph.Resources(), err,
				k.subject()+`platform: Invalid value: "windows-2019": no pool of the topology runs it, only linux, `+
					`windows-2022: add a pool, or use one of these`)

			args = plainArguments("windows-2023")
			args.scheduling = "ByName"
			graph, err = mocktest.Run(k.deploy(args), mocktest.Preview())
			problems := []string{
				`platform: Invalid value: "windows-2023": unknown platform: did you mean "windows-2022"? a pool runs ` +
					`linux, windows-2019, windows-2022 or windows-2025`,
				`scheduling: Invalid value: "ByName": use ByRuntimeClass or BySelector`,
			}
			if k.bySelector {
				golden.Refused(t, graph.Resources(), err, k.subject()+problems[0])
			} else {
				golden.Refused(t, graph.Resources(), err, k.lines(problems...))
			}
		})
	}
}

func TestTemplatesThatCannotBeCompletedAreRefused(t *testing.T) {
	t.Parallel()
	const (
		jobs      = `mixedkube:workload:CronJob "web": `
		asOutput  = `: Invalid value: "an output": write it as `
		completed = `, with outputs in its fields, so that it can be completed for the platform`
	)
	cronJob := func(jobs batchv1.JobTemplateSpecInput) pulumi.RunFunc {
		return func(ctx *pulumi.Context) error {
			_, err := workload.NewCronJob(ctx, "web",
				&workload.CronJobArgs{Platform: platform.Linux, Spec: batchv1.CronJobSpecArgs{JobTemplate: jobs}})
			return err
		}
	}
	replicaSet := func(template pulumicorev1.PodTemplateSpecPtrInput) pulumi.RunFunc {
		return func(ctx *pulumi.Context) error {
			_, err := workload.NewReplicaSet(ctx, "web",
				&workload.ReplicaSetArgs{Platform: platform.Linux, Spec: appsv1.ReplicaSetSpecArgs{Template: template}})
			return err
		}
	}
	tests := []struct {
		name    string
		program pulumi.RunFunc
		want    string
	}{
		{
			"a template of Jobs as an output", cronJob(batchv1.JobTemplateSpecArgs{}.ToJobTemplateSpecOutput()),
			jobs + `spec.jobTemplate` + asOutput + `batchv1.JobTemplateSpecArgs` + completed,
		},
		{
			"no spec of Jobs", cronJob(batchv1.JobTemplateSpecArgs{}),
			jobs + `spec.jobTemplate.spec: Required value: a CronJob needs the spec of its Jobs`,
		},
		{
			"a spec of Jobs as an output",
			cronJob(batchv1.JobTemplateSpecArgs{Spec: batchv1.JobSpecArgs{}.ToJobSpecPtrOutput()}),
			jobs + `spec.jobTemplate.spec` + asOutput + `batchv1.JobSpecArgs` + completed,
		},
		{
			"no template of pods", cronJob(&batchv1.JobTemplateSpecArgs{Spec: batchv1.JobSpecArgs{}}),
			jobs + `spec.jobTemplate.spec.template: Required value: a workload needs the template of its pods`,
		},
		{
			"no pods, through pointers",
			cronJob(
				&batchv1.JobTemplateSpecArgs{
					Spec: batchv1.JobSpecPtr(&batchv1.JobSpecArgs{Template: &pulumicorev1.PodTemplateSpecArgs{}}),
				},
			),
			jobs + `spec.jobTemplate.spec.template.spec: Required value: a workload needs the spec of its pods`,
		},
		{
			"an optional template as an output",
			replicaSet(pulumicorev1.PodTemplateSpecArgs{}.ToPodTemplateSpecPtrOutput()),
			`mixedkube:workload:ReplicaSet "web": spec.template` + asOutput + `corev1.PodTemplateSpecArgs` + completed,
		},
		{
			"an optional template that is nil", replicaSet(pulumicorev1.PodTemplateSpecPtr(nil)),
			`mixedkube:workload:ReplicaSet "web": spec.template: Required value: a workload needs the template of ` +
				`its pods`,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			graph, err := mocktest.Run(tt.program, mocktest.Preview())
			golden.Refused(t, graph.Resources(), err, tt.want)
		})
	}
}

func TestOutputsAndOptionsOfEachKind(t *testing.T) {
	t.Parallel()
	for _, k := range kinds() {
		t.Run(k.name, func(t *testing.T) {
			t.Parallel()
			program := func(ctx *pulumi.Context) error {
				provider, err := kubernetes.NewProvider(ctx, "cluster", nil)
				if err != nil {
					return err
				}
				c, err := k.make(ctx, plainArguments(platform.Linux), pulumi.Provider(provider), pulumi.Protect(true))
				if err != nil {
					return err
				}
				ctx.Export("name", c.name)
				ctx.Export("component", c.component.URN())
				ctx.Export("child", c.child.URN())
				return nil
			}
			component := "urn:pulumi:stack::project::" + k.component() + "::web"
			child := "urn:pulumi:stack::project::" + k.component() + "$" + k.typ + "::" + k.child()
			want := map[string]any{"name": mocktest.UnknownValue, "component": component, "child": child}
			preview := mocktest.MustRun(t, program, mocktest.Preview())
			if diff := cmp.Diff(want, mocktest.Plain(preview.Exports())); diff != "" {
				t.Errorf("exports of the preview (-want +got):\n%s", diff)
			}
			update := mocktest.MustRun(t, program, mocktest.Outputs(func(mocktest.Resource) resource.PropertyMap {
				return resource.NewPropertyMapFromMap(map[string]any{"metadata": map[string]any{"name": "web-1a2b"}})
			}))
			want["name"] = "web-1a2b"
			if diff := cmp.Diff(want, mocktest.Plain(update.Exports())); diff != "" {
				t.Errorf("exports of the update (-want +got):\n%s", diff)
			}
			made := k.get(t, preview)
			provider := resource.URN("urn:pulumi:stack::project::pulumi:providers:kubernetes::cluster")
			if made.Provider != provider {
				t.Errorf("the provider is %q, want %q", made.Provider, provider)
			}
			if !made.Protect {
				t.Errorf("the %s is not protected", k.name)
			}
		})
	}
}
