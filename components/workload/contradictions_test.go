package workload_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	appsv1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/apps/v1"
	pulumicorev1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/core/v1"
	metav1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/meta/v1"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/guard"
	"github.com/mixedkube/mixedkube/components/mocktest"
	"github.com/mixedkube/mixedkube/components/workload"
	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/preflight"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/testkit/golden"
)

const (
	subject = `mixedkube:workload:Deployment "web": `
	// fromSDK is the text that the SDK puts before the error of an output. It does not name the resource.
	fromSDK = `waiting for RPCs: marshaling properties: awaiting input property "spec": `
)

// requires returns an affinity for the nodes with a label.
func requires(label, value string) pulumicorev1.AffinityArgs {
	return pulumicorev1.AffinityArgs{NodeAffinity: pulumicorev1.NodeAffinityArgs{
		RequiredDuringSchedulingIgnoredDuringExecution: pulumicorev1.NodeSelectorArgs{
			NodeSelectorTerms: pulumicorev1.NodeSelectorTermArray{pulumicorev1.NodeSelectorTermArgs{
				MatchExpressions: pulumicorev1.NodeSelectorRequirementArray{pulumicorev1.NodeSelectorRequirementArgs{
					Key: pulumi.String(label), Operator: pulumi.String("In"),
					Values: pulumi.StringArray{pulumi.String(value)},
				}},
			}},
		},
	}}
}

// diffLateError compares the error of an output. No resource of the type is registered then.
func diffLateError(t *testing.T, graph *mocktest.Graph, typ string, err error, want string) {
	t.Helper()
	golden.Error(t, err, fromSDK+want)
	if found := graph.ByType(typ); len(found) != 0 {
		t.Errorf("registered %v", found)
	}
}

func TestFieldsThatContradictThePlatformAreRefused(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name     string
		platform platform.Platform
		pods     pulumicorev1.PodSpecArgs
		want     string
	}{
		{
			"another operating system", platform.WindowsServer2022,
			pulumicorev1.PodSpecArgs{Os: pulumicorev1.PodOSPtr(&pulumicorev1.PodOSArgs{Name: pulumi.String("linux")})},
			subject + "spec.template.spec.os.name: … (MK207)",
		},
		{
			"the RuntimeClass of another platform", platform.WindowsServer2022,
			pulumicorev1.PodSpecArgs{RuntimeClassName: pulumi.StringPtr("windows-2019")},
			subject + "spec.template.spec.runtimeClassName: … (MK208)",
		},
		{
			"a Windows RuntimeClass on Linux", platform.Linux,
			pulumicorev1.PodSpecArgs{RuntimeClassName: pulumi.String("windows-2022")},
			subject + "spec.template.spec.runtimeClassName: … (MK207)",
		},
		{
			"a node selector for another operating system", platform.WindowsServer2022,
			pulumicorev1.PodSpecArgs{NodeSelector: pulumi.StringMap{"kubernetes.io/os": pulumi.String("linux")}},
			subject + "spec.template.spec.nodeSelector[kubernetes.io/os]: … (MK207)",
		},
		{
			"a node selector for another architecture", platform.WindowsServer2022,
			pulumicorev1.PodSpecArgs{NodeSelector: pulumi.StringMap{"kubernetes.io/arch": pulumi.String("arm64")}},
			subject + "spec.template.spec.nodeSelector[kubernetes.io/arch]: … (MK316)",
		},
		{
			"a node selector for another build", platform.WindowsServer2022,
			pulumicorev1.PodSpecArgs{
				NodeSelector: pulumi.StringMap{"node.kubernetes.io/windows-build": pulumi.String("10.0.17763")},
			},
			subject + "spec.template.spec.nodeSelector[node.kubernetes.io/windows-build]: … (MK208)",
		},
		{
			"a node selector for no operating system of a platform", platform.Linux,
			pulumicorev1.PodSpecArgs{NodeSelector: pulumi.StringMap{"kubernetes.io/os": pulumi.String("darwin")}},
			subject + `spec.template.spec.nodeSelector[kubernetes.io/os]: Invalid value: "darwin": no node of the ` +
				`platform linux has it: write "linux", or remove it`,
		},
		{
			"a node selector for a build with a revision", platform.WindowsServer2022,
			pulumicorev1.PodSpecArgs{
				NodeSelector: pulumi.StringMap{"node.kubernetes.io/windows-build": pulumi.String("10.0.20348.1")},
			},
			subject + `spec.template.spec.nodeSelector[node.kubernetes.io/windows-build]: Invalid value: ` +
				`"10.0.20348.1": no node of the platform windows-2022 has it: write "10.0.20348", or remove it`,
		},
		{
			"an affinity for another operating system", platform.WindowsServer2022,
			pulumicorev1.PodSpecArgs{Affinity: requires("kubernetes.io/os", "linux")},
			subject + "spec.template.spec.affinity.nodeAffinity: … (MK207)",
		},
		{
			"all of it at once, a line each", platform.WindowsServer2022,
			pulumicorev1.PodSpecArgs{
				Os:               pulumicorev1.PodOSArgs{Name: pulumi.String("linux")},
				RuntimeClassName: pulumi.String("windows-2019"),
				NodeSelector: pulumi.StringMap{
					"node.kubernetes.io/windows-build": pulumi.String("10.0.17763"),
					"kubernetes.io/os":                 pulumi.String("linux"),
					"kubernetes.io/arch":               pulumi.String("arm64"),
				},
			},
			strings.Join([]string{
				`mixedkube:workload:Deployment "web":`,
				"spec.template.spec.nodeSelector[kubernetes.io/arch]: … (MK316)",
				"spec.template.spec.nodeSelector[kubernetes.io/os]: … (MK207)",
				"spec.template.spec.nodeSelector[node.kubernetes.io/windows-build]: … (MK208)",
				"spec.template.spec.os.name: … (MK207)",
				"spec.template.spec.runtimeClassName: … (MK208)",
			}, "\n  "),
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			for _, scheduling := range []workload.Scheduling{workload.ByRuntimeClass, workload.BySelector} {
				tt.pods.Containers = containers
				graph, err := mocktest.Run(deploy(&workload.DeploymentArgs{
					Platform: tt.platform, Scheduling: scheduling, Spec: withPods(tt.pods),
				}), mocktest.Preview())
				golden.Refused(t, graph.Resources(), err, tt.want)
			}
		})
	}
}

func TestAnOutputThatContradictsThePlatformFailsTheDeployment(t *testing.T) {
	t.Parallel()
	known := func(s string) pulumi.StringOutput { return pulumi.String(s).ToStringOutput() }
	tests := []struct {
		name string
		pods pulumicorev1.PodSpecArgs
		want string
	}{
		{
			"os",
			pulumicorev1.PodSpecArgs{Os: pulumicorev1.PodOSArgs{Name: pulumi.String("linux")}.ToPodOSPtrOutput()},
			subject + "spec.template.spec.os.name: … (MK207)",
		},
		{
			"os.name",
			pulumicorev1.PodSpecArgs{Os: pulumicorev1.PodOSArgs{Name: known("linux")}},
			subject + "spec.template.spec.os.name: … (MK207)",
		},
		{
			"the runtimeClassName of Linux",
			pulumicorev1.PodSpecArgs{RuntimeClassName: known("linux")},
			subject + "spec.template.spec.runtimeClassName: … (MK207)",
		},
		{
			"runtimeClassName",
			pulumicorev1.PodSpecArgs{RuntimeClassName: known("windows-2019")},
			subject + "spec.template.spec.runtimeClassName: … (MK208)",
		},
		{
			"affinity",
			pulumicorev1.PodSpecArgs{Affinity: requires("kubernetes.io/os", "linux").ToAffinityPtrOutput()},
			subject + "spec.template.spec.affinity.nodeAffinity: … (MK207)",
		},
		{
			"nodeSelector, a line for each entry",
			pulumicorev1.PodSpecArgs{NodeSelector: pulumi.StringMap{
				"kubernetes.io/os": pulumi.String("linux"), "kubernetes.io/arch": pulumi.String("arm64"),
			}.ToStringMapOutput()},
			strings.TrimSuffix(subject, " ") + `
  spec.template.spec.nodeSelector[kubernetes.io/arch]: … (MK316)
  spec.template.spec.nodeSelector[kubernetes.io/os]: … (MK207)`,
		},
		{
			"a field of Linux in securityContext",
			pulumicorev1.PodSpecArgs{
				SecurityContext: pulumicorev1.PodSecurityContextArgs{
					FsGroup: pulumi.Int(1),
				}.ToPodSecurityContextPtrOutput(),
			},
			subject + "spec.template.spec.securityContext.fsGroup: … (MK118)",
		},
		{
			"an entry of nodeSelector",
			pulumicorev1.PodSpecArgs{NodeSelector: pulumi.StringMap{"kubernetes.io/os": known("linux")}},
			subject + "spec.template.spec.nodeSelector[kubernetes.io/os]: … (MK207)",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			for _, options := range [][]mocktest.Option{nil, {mocktest.Preview()}} {
				graph, err := mocktest.Run(completionTest{pods: tt.pods}.program(), options...)
				diffLateError(t, graph, deploymentType, err, tt.want)
			}
		})
	}
}

// No rule checks a label: a DaemonSet that selects other nodes has no pods, and does not fail. Labels that nodes of the
// platform also have do select them.
func TestADaemonSetThatSelectsTheNodesOfAnotherPlatformIsRefused(t *testing.T) {
	t.Parallel()
	cluster := topology.Topology{KubernetesVersion: "1.36", Pools: []topology.Pool{
		{Name: "sys", Platform: platform.Linux, Labels: map[string]string{"disk": "nvme"}},
		{Name: "win19", Platform: platform.WindowsServer2019, Labels: map[string]string{"disk": "hdd", "zone": "a"}},
		{Name: "win22", Platform: platform.WindowsServer2022, Labels: map[string]string{"disk": "ssd", "zone": "a"}},
		{
			Name: "win25", Platform: platform.WindowsServer2025, Labels: map[string]string{"disk": "tape"},
			Untainted: true,
		},
	}}
	const want = `mixedkube:workload:DaemonSet "web": spec.template.spec.nodeSelector: Forbidden: selects no node of ` +
		`the platform windows-2022: remove it, or change the platform`
	selects := func(label, value string) pulumi.RunFunc {
		return func(ctx *pulumi.Context) error {
			_, err := workload.NewDaemonSet(ctx, "web", &workload.DaemonSetArgs{
				Platform: platform.WindowsServer2022, Topology: cluster,
				Spec: appsv1.DaemonSetSpecArgs{
					Template: pulumicorev1.PodTemplateSpecArgs{Spec: pulumicorev1.PodSpecArgs{
						Containers: containers, NodeSelector: pulumi.StringMap{label: pulumi.String(value)},
					}},
				},
			})
			return err
		}
	}
	for name, disk := range map[string]string{
		"of Linux": "nvme", "of another release": "hdd",
		"of one without taints": "tape",
	} {
		for how, program := range map[string]pulumi.RunFunc{
			"alone": selects("disk", disk), "under guard": underGuard(cluster, selects("disk", disk)),
		} {
			t.Run(name+" "+how, func(t *testing.T) {
				t.Parallel()
				graph, err := mocktest.Run(program)
				golden.Refused(t, graph.Resources(), err, want)
			})
		}
	}
	t.Run("of several platforms", func(t *testing.T) {
		t.Parallel()
		made, err := mocktest.MustRun(t, selects("zone", "a")).Get("kubernetes:apps/v1:DaemonSet", "web-daemonset")
		if err != nil {
			t.Fatal(err)
		}
		want := selector("10.0.20348")
		want["zone"] = "a"
		spec := made.Plain()["spec"].(map[string]any)["template"].(map[string]any)["spec"].(map[string]any)
		if diff := cmp.Diff(any(want), spec["nodeSelector"]); diff != "" {
			t.Errorf("the node selector (-want +got):\n%s", diff)
		}
	})
}

// underGuard returns a program whose resources package guard checks.
func underGuard(cluster topology.Topology, program pulumi.RunFunc) pulumi.RunFunc {
	return guard.Program(func(ctx *pulumi.Context) error {
		if err := guard.Enforce(ctx, guard.Args{Topology: cluster}); err != nil {
			return err
		}
		return program(ctx)
	})
}

// Guard does not know the platform of the arguments: the constructor reports contradictions to it. In a preview they
// are shown at the component, and the program continues.
func TestContradictionsUnderGuardAreReportedByTheConstructor(t *testing.T) {
	t.Parallel()
	for _, k := range kinds() {
		t.Run(k.name, func(t *testing.T) {
			t.Parallel()
			args := plainArguments(platform.WindowsServer2022)
			args.user = workload.ContainerUser
			args.pods.RuntimeClassName = pulumi.String("windows-2019")
			args.pods.NodeSelector = pulumi.StringMap{"kubernetes.io/os": pulumi.String("linux")}
			args.pods.HostPID = pulumi.Bool(true)
			want := k.lines(k.path+".nodeSelector[kubernetes.io/os]: … (MK207)", k.path+".runtimeClassName: … (MK208)")
			guarded := underGuard(topology.Topology{}, k.deploy(args))
			graph, err := mocktest.Run(guarded)
			golden.Refused(t, graph.Resources(), err, want)

			graph, err = mocktest.Run(guarded, mocktest.Preview())
			if _, ok := errors.AsType[*guard.Error](err); !ok {
				t.Errorf("the preview ends with %v", err)
			}
			var shown []string
			for _, l := range graph.Logs() {
				shown = append(shown, l.Severity+" "+l.URN.Name()+" "+l.Message)
			}
			if diff := cmp.Diff([]string{"error web " + want}, shown, golden.AnySentence); diff != "" {
				t.Errorf("the log of the preview (-want +got):\n%s", diff)
			}
		})
	}
}

func TestOutputsThatContradictUnderGuardFailLater(t *testing.T) {
	t.Parallel()
	known := func(s string) pulumi.StringOutput { return pulumi.String(s).ToStringOutput() }
	tests := []struct {
		name string
		pods pulumicorev1.PodSpecArgs
		want string
	}{
		{"os.name", pulumicorev1.PodSpecArgs{Os: pulumicorev1.PodOSArgs{Name: known("linux")}}, ".os.name: … (MK207)"},
		{
			"runtimeClassName",
			pulumicorev1.PodSpecArgs{RuntimeClassName: known("windows-2019")},
			".runtimeClassName: … (MK208)",
		},
		{
			"affinity",
			pulumicorev1.PodSpecArgs{Affinity: requires("kubernetes.io/os", "linux").ToAffinityPtrOutput()},
			".affinity.nodeAffinity: … (MK207)",
		},
		{
			"a secret in nodeSelector",
			pulumicorev1.PodSpecArgs{NodeSelector: pulumi.StringMap{
				"kubernetes.io/os": pulumi.ToSecret(pulumi.String("linux")).(pulumi.StringOutput),
			}},
			".nodeSelector[kubernetes.io/os]: [secret]: … (MK207)",
		},
		{
			"the user",
			pulumicorev1.PodSpecArgs{
				SecurityContext: options(pulumicorev1.WindowsSecurityContextOptionsArgs{RunAsUserName: known("web")}),
			},
			`.securityContext.windowsOptions.runAsUserName: Invalid value: "web": contradicts the argument User, ` +
				`which is "ContainerUser": remove one of the two`,
		},
	}
	for _, k := range kinds() {
		for _, tt := range tests {
			t.Run(k.name+" "+tt.name, func(t *testing.T) {
				t.Parallel()
				args := plainArguments(platform.WindowsServer2022)
				args.user = workload.ContainerUser
				args.pods = tt.pods
				args.pods.Containers = containers
				for _, options := range [][]mocktest.Option{nil, {mocktest.Preview()}} {
					graph, err := mocktest.Run(underGuard(topology.Topology{}, k.deploy(args)), options...)
					diffLateError(t, graph, k.typ, err, k.subject()+k.path+tt.want)
				}
			})
		}
	}
}

func TestAnAnnotationThatContradictsThePlatformIsRefused(t *testing.T) {
	t.Parallel()
	for value, want := range map[string]string{"linux": "… (MK903)", "linx": "… (MK902)"} {
		_, err := mocktest.Run(func(ctx *pulumi.Context) error {
			_, err := workload.NewPod(ctx, "web", &workload.PodArgs{
				Platform: platform.WindowsServer2022, Spec: pulumicorev1.PodSpecArgs{Containers: containers},
				Metadata: metav1.ObjectMetaArgs{
					Annotations: pulumi.StringMap{preflight.PlatformAnnotation: pulumi.String(value)},
				},
			})
			return err
		})
		golden.Error(t, err, `mixedkube:workload:Pod "web": metadata.annotations[mixedkube.dev/platform]: `+want)
	}
}
