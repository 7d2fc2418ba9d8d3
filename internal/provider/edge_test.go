package provider

import (
	"maps"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	appsv1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/apps/v1"
	corev1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/core/v1"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/mocktest"
	"github.com/mixedkube/mixedkube/components/workload"
)

// pods returns the spec of a Deployment with one container.
func pods(image pulumi.Input, more pulumi.Map) pulumi.Map {
	spec := pulumi.Map{"containers": pulumi.Array{pulumi.Map{"name": pulumi.String("web"), "image": image}}}
	maps.Copy(spec, more)
	return pulumi.Map{"template": pulumi.Map{"spec": spec}}
}

const deployment = "mixedkube:workload:Deployment"

// TestErrorsMatchGo compares the errors of a component in Go and through the plugin.
func TestErrorsMatchGo(t *testing.T) {
	t.Parallel()
	_, typed := mocktest.Run(func(ctx *pulumi.Context) error {
		_, err := workload.NewDeployment(ctx, "web", &workload.DeploymentArgs{
			Platform: "windows-2022", Scheduling: "ByName",
			Spec: appsv1.DeploymentSpecArgs{Template: corev1.PodTemplateSpecArgs{Spec: corev1.PodSpecArgs{
				HostNetwork: pulumi.Bool(true),
				Containers: corev1.ContainerArray{corev1.ContainerArgs{
					Name: pulumi.String("web"), Image: pulumi.String("a:ltsc2019"),
				}},
			}}},
		})
		return err
	})
	_, untyped := run(func(ctx *pulumi.Context) error {
		_, err := register(ctx, deployment, "web", pulumi.Map{
			"platform": pulumi.String("windows-2022"), "scheduling": pulumi.String("ByName"),
			"spec": pods(pulumi.String("a:ltsc2019"), pulumi.Map{"hostNetwork": pulumi.Bool(true)}),
		})
		return err
	}, served(t))
	if typed == nil || untyped == nil {
		t.Fatalf("the errors are %v in Go and %v through the plugin", typed, untyped)
	}
	if !strings.Contains(untyped.Error(), typed.Error()) {
		t.Errorf("through the plugin:\n%v\nin Go:\n%v", untyped, typed)
	}
}

// edgeCase is a component with a mistake, and parts of its error.
type edgeCase struct {
	token  string
	inputs pulumi.Map
	want   []string
}

func TestEdgeCasesOfInputs(t *testing.T) {
	t.Parallel()
	all := outputsInPlainFields()
	maps.Copy(all, wrongInputs())
	for name, tt := range all {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := run(func(ctx *pulumi.Context) error {
				_, err := register(ctx, tt.token, "web", tt.inputs)
				return err
			}, mocktest.Preview(), served(t))
			if err == nil {
				t.Fatal("no error")
			}
			for _, want := range tt.want {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("error:\n%v\nwithout:\n%s", err, want)
				}
			}
		})
	}
}

// outputsInPlainFields returns outputs and secrets in fields whose values the component needs.
func outputsInPlainFields() map[string]edgeCase {
	unknown := mocktest.Unknown[pulumi.StringOutput]()
	secret := pulumi.ToSecret(pulumi.String("windows-2022"))
	return map[string]edgeCase{
		"an output in a plain field": {
			deployment,
			pulumi.Map{"platform": unknown, "spec": pods(pulumi.String("a"), nil)},
			[]string{`mixedkube:workload:Deployment "web": platform: Invalid value: ` + mustBePlain},
		},
		"a secret in a plain field": {
			deployment,
			pulumi.Map{"platform": secret, "spec": pods(pulumi.String("a"), nil)},
			[]string{`platform: Invalid value: ` + mustBePlain},
		},
		"a secret topology": {
			"mixedkube:runtimeclass:Set",
			pulumi.Map{"topology": pulumi.ToSecret(cluster)},
			[]string{`mixedkube:runtimeclass:Set "web": topology: Invalid value: ` + mustBeShown},
		},
		"a secret in a topology": {
			"mixedkube:runtimeclass:Set",
			pulumi.Map{"topology": pulumi.Map{"kubernetesVersion": secret, "pools": cluster["pools"]}},
			[]string{`topology: Invalid value: ` + mustBeShown},
		},
		"a secret credential specification": {
			deployment,
			pulumi.Map{
				"platform": pulumi.String("windows-2022"), "credentialSpec": secret,
				"spec": pods(pulumi.String("a"), nil),
			},
			[]string{`credentialSpec: Invalid value: ` + mustBeShown},
		},
	}
}

// wrongInputs returns keys and values that the component does not take.
func wrongInputs() map[string]edgeCase {
	return map[string]edgeCase{
		"a wrong key": {
			deployment,
			pulumi.Map{
				"plattform": pulumi.String("windows-2022"), "spec": pods(pulumi.String("a"), pulumi.Map{
					"nodeSelektor": pulumi.Map{"a": pulumi.String("b")},
				}),
			},
			[]string{
				`plattform: Invalid value: "plattform": unknown key: did you mean "platform"?`,
				`spec.template.spec.nodeSelektor: Invalid value: "nodeSelektor": unknown key: ` +
					`did you mean "nodeSelector"?`,
			},
		},
		"wrong types": {
			deployment,
			pulumi.Map{
				"platform": pulumi.Int(1), "spec": pulumi.Map{"replicas": pulumi.String("three")},
			},
			[]string{
				`platform: Invalid value: 1: must be a string: write it in quotes`,
				`spec.replicas: Invalid value: must be a whole number, not string`,
			},
		},
		"arguments that are an output": {
			deployment,
			pulumi.Map{"platform": pulumi.String("linux"), "spec": mocktest.Unknown[pulumi.MapOutput]()},
			[]string{"spec: Invalid value: must be plain, because the component completes them: only their fields " +
				"may be outputs"},
		},
		"a topology": {
			"mixedkube:runtimeclass:Set",
			pulumi.Map{"topology": pulumi.Map{"pools": pulumi.Array{
				pulumi.Map{
					"name": pulumi.String("win22"), "count": pulumi.Int(0),
					"taints": pulumi.Array{pulumi.String("os=windows")},
				},
			}}},
			[]string{
				`topology.pools[0].count: Invalid value: 0: 0 means the default`,
				`topology.pools[0].taints[0]: Invalid value: "os=windows": taint "os=windows" has no effect: ` +
					`write key=value:Effect`,
			},
		},
		"an unknown component": {
			"mixedkube:workload:Deploiment",
			pulumi.Map{},
			[]string{`did you mean "mixedkube:workload:Deployment"?`},
		},
	}
}

// TestATopologyMayBeAnOutput passes a topology as most programs do: topology: cluster.topology.
func TestATopologyMayBeAnOutput(t *testing.T) {
	t.Parallel()
	const class = "kubernetes:node.k8s.io/v1:RuntimeClass"
	of := func(token string, topology pulumi.Input) pulumi.RunFunc {
		return func(ctx *pulumi.Context) error {
			inputs := pulumi.Map{"topology": topology}
			if token == deployment {
				inputs["platform"] = pulumi.String("windows-2022")
				inputs["spec"] = pods(pulumi.String("a:ltsc2022"), nil)
			}
			_, err := register(ctx, token, "windows", inputs)
			return err
		}
	}
	for name, tt := range map[string]struct {
		token    string
		topology pulumi.Input
		children int
		want     string
	}{
		"known": {"mixedkube:runtimeclass:Set", pulumi.ToOutput(cluster), 1, ""},
		"known, of a workload": {
			deployment, pulumi.ToOutput(cluster), 1,
			"where the pods can land:\n  windows-deployment → win22 (2 nodes)",
		},
		"unknown, of a set": {
			"mixedkube:runtimeclass:Set", mocktest.Unknown[pulumi.MapOutput](), 0,
			"topology is not known yet: this preview neither checks the arguments nor shows what the component " +
				"creates; the update does",
		},
		"unknown, of a workload": {
			deployment, mocktest.Unknown[pulumi.MapOutput](), 1,
			"topology is not known yet: this preview checks and shows the component as if it were left out; the " +
				"update checks it",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			graph := mocktest.MustRun(t, of(tt.token, tt.topology), mocktest.Preview(), served(t))
			made := len(graph.ByType(class)) + len(graph.ByType("kubernetes:apps/v1:Deployment"))
			if made != tt.children {
				t.Errorf("%d children, want %d:\n%s", made, tt.children, graph)
			}
			var messages []string
			for _, log := range graph.Logs() {
				messages = append(messages, log.Message)
			}
			if diff := cmp.Diff(tt.want, strings.Join(messages, "\n")); diff != "" {
				t.Errorf("log (-want +got):\n%s", diff)
			}
		})
	}
}
