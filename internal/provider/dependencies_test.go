package provider

import (
	"maps"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	appsv1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/apps/v1"
	corev1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/core/v1"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource/plugin"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	pulumirpc "github.com/pulumi/pulumi/sdk/v3/proto/go"

	"github.com/mixedkube/mixedkube/components/gmsa"
	"github.com/mixedkube/mixedkube/components/mocktest"
	"github.com/mixedkube/mixedkube/components/runtimeclass"
	"github.com/mixedkube/mixedkube/components/workload"
	"github.com/mixedkube/mixedkube/core/platform"
)

// settings returns a resource of the program whose output is known in a preview.
func settings(ctx *pulumi.Context) (pulumi.Resource, pulumi.StringOutput, error) {
	made, err := corev1.NewConfigMap(ctx, "settings", &corev1.ConfigMapArgs{
		Data: pulumi.StringMap{"name": pulumi.String("win22")},
	})
	if err != nil {
		return nil, pulumi.StringOutput{}, err
	}
	return made, made.Data.MapIndex(pulumi.String("name")), nil
}

// waysToSendDependencies returns changes to a request that send the dependencies of its inputs as different SDKs do:
// the Go SDK sends all of them as dependencies of the component too.
func waysToSendDependencies(t *testing.T) map[string]func(*pulumirpc.ConstructRequest) {
	t.Helper()
	return map[string]func(*pulumirpc.ConstructRequest){
		"of the component": func(*pulumirpc.ConstructRequest) {},
		"in output values only": func(req *pulumirpc.ConstructRequest) {
			req.Dependencies, req.InputDependencies = nil, nil
		},
		"next to plain values only": func(req *pulumirpc.ConstructRequest) {
			inputs, err := plugin.UnmarshalProperties(req.GetInputs(), plugin.MarshalOptions{
				KeepUnknowns: true, KeepSecrets: true, KeepResources: true,
			})
			if err != nil {
				t.Error(err)
			}
			plain := plugin.MarshalOptions{KeepUnknowns: true, KeepSecrets: true}
			req.Inputs, err = plugin.MarshalProperties(inputs, plain)
			if err != nil {
				t.Error(err)
			}
			req.Dependencies = nil
		},
	}
}

// TestAComponentDependsOnItsInputs compares a component with outputs as inputs with a component of Go with plain values
// and the option DependsOn.
func TestAComponentDependsOnItsInputs(t *testing.T) {
	t.Parallel()
	nested := func(name pulumi.Input) pulumi.Map {
		pool := pulumi.Map{"count": pulumi.Int(2)}
		maps.Copy(pool, cluster["pools"].(pulumi.Array)[1].(pulumi.Map))
		pool["name"] = name
		return pulumi.Map{
			"kubernetesVersion": pulumi.String("1.36"),
			"pools":             pulumi.Array{cluster["pools"].(pulumi.Array)[0], pool},
		}
	}
	set := func(ctx *pulumi.Context, after pulumi.Resource) error {
		_, err := runtimeclass.NewSet(ctx, "windows", &runtimeclass.SetArgs{Topology: inGo()},
			pulumi.DependsOn([]pulumi.Resource{after}))
		return err
	}
	for name, tt := range map[string]struct {
		typed   func(ctx *pulumi.Context, after pulumi.Resource) error
		untyped func(ctx *pulumi.Context, name pulumi.StringOutput) error
	}{
		"a topology": {set, func(ctx *pulumi.Context, name pulumi.StringOutput) error {
			whole := pulumi.All(name, cluster).ApplyT(func(all []any) any { return all[1] })
			_, err := register(ctx, "mixedkube:runtimeclass:Set", "windows", pulumi.Map{"topology": whole})
			return err
		}},
		"an output in a topology": {set, func(ctx *pulumi.Context, name pulumi.StringOutput) error {
			_, err := register(ctx, "mixedkube:runtimeclass:Set", "windows", pulumi.Map{"topology": nested(name)})
			return err
		}},
		"a credential specification": {
			func(ctx *pulumi.Context, after pulumi.Resource) error {
				_, err := workload.NewDeployment(ctx, "web", &workload.DeploymentArgs{
					Platform: platform.WindowsServer2022, CredentialSpec: gmsa.Reference("win22"),
					Spec: appsv1.DeploymentSpecArgs{Template: corev1.PodTemplateSpecArgs{Spec: corev1.PodSpecArgs{
						Containers: corev1.ContainerArray{corev1.ContainerArgs{
							Name: pulumi.String("web"), Image: pulumi.String("a:ltsc2022"),
						}},
					}}},
				}, pulumi.DependsOn([]pulumi.Resource{after}))
				return err
			},
			func(ctx *pulumi.Context, name pulumi.StringOutput) error {
				_, err := register(ctx, deployment, "web", pulumi.Map{
					"platform": pulumi.String("windows-2022"), "credentialSpec": name,
					"spec": pods(pulumi.String("a:ltsc2022"), nil),
				})
				return err
			},
		},
	} {
		want := mocktest.MustRun(t, func(ctx *pulumi.Context) error {
			after, _, err := settings(ctx)
			if err != nil {
				return err
			}
			return tt.typed(ctx, after)
		}, mocktest.Preview()).String()
		if !strings.Contains(want, "(component)\n    depends on:") {
			t.Errorf("%s: in Go nothing depends on anything:\n%s", name, want)
		}
		for way, change := range waysToSendDependencies(t) {
			t.Run(name+", "+way, func(t *testing.T) {
				t.Parallel()
				got := mocktest.MustRun(t, func(ctx *pulumi.Context) error {
					_, value, err := settings(ctx)
					if err != nil {
						return err
					}
					return tt.untyped(ctx, value)
				}, mocktest.Preview(), served(t, change)).String()
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("what is registered (-Go +plugin):\n%s", diff)
				}
			})
		}
	}
}

// TestAKnownOutputIsNotPlain uses an output that the preview of an existing stack knows: the next preview might not
// know it.
func TestAKnownOutputIsNotPlain(t *testing.T) {
	t.Parallel()
	for way, change := range waysToSendDependencies(t) {
		t.Run(way, func(t *testing.T) {
			t.Parallel()
			_, err := run(func(ctx *pulumi.Context) error {
				_, value, err := settings(ctx)
				if err != nil {
					return err
				}
				_, err = register(ctx, deployment, "web", pulumi.Map{
					"platform": value, "spec": pods(pulumi.String("a"), nil),
				})
				return err
			}, mocktest.Preview(), served(t, change))
			want := `mixedkube:workload:Deployment "web": platform: Invalid value: ` + mustBePlain
			if way == "next to plain values only" {
				// The plugin cannot see that it was an output.
				want = `platform: Invalid value: "win22": unknown platform: `
			}
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("error:\n%v\nwithout:\n%s", err, want)
			}
		})
	}
}

// TestAComponentIsNotAValue passes a component instead of one of its outputs.
func TestAComponentIsNotAValue(t *testing.T) {
	t.Parallel()
	const urn = "urn:pulumi:stack::project::mixedkube:aks:Cluster::shop"
	component := resource.MakeComponentResourceReference(urn, "")
	const want = "must be a value, not a resource: take one of its outputs"
	r := read(reflect.TypeFor[workload.DeploymentArgs](), resource.PropertyMap{
		"topology": component, "credentialSpec": component, "platform": component,
	})
	var got []string
	for _, err := range r.errs {
		got = append(got, err.Error())
	}
	if diff := cmp.Diff([]string{
		"credentialSpec: Invalid value: " + want, "platform: Invalid value: " + want,
		"topology: Invalid value: " + want,
	}, got); diff != "" {
		t.Errorf("errors (-want +got):\n%s", diff)
	}
}

// TestDependenciesOfAnOutputInAnOutput reads what SDKs send for outputs in an object that is an output.
func TestDependenciesOfAnOutputInAnOutput(t *testing.T) {
	t.Parallel()
	output := func(of resource.PropertyValue, urn resource.URN) resource.PropertyValue {
		return resource.NewProperty(resource.Output{Element: of, Known: true, Dependencies: []resource.URN{urn}})
	}
	version := output(resource.NewProperty("1.36"), "inner")
	r := read(reflect.TypeFor[runtimeclass.SetArgs](), resource.PropertyMap{
		"topology": output(resource.NewProperty(resource.PropertyMap{"kubernetesVersion": version}), "outer"),
	})
	if diff := cmp.Diff(map[string]bool{"inner": true, "outer": true}, r.after); diff != "" {
		t.Errorf("dependencies (-want +got):\n%s", diff)
	}
	want := any(map[string]any{"topology": map[string]any{"kubernetesVersion": "1.36"}})
	if diff := cmp.Diff(want, r.plain); diff != "" {
		t.Errorf("the value (-want +got):\n%s", diff)
	}
}
