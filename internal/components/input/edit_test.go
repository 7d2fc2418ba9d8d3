package input_test

import (
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"
	appsv1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/apps/v1"
	pulumicorev1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/core/v1"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/internals"

	"github.com/mixedkube/mixedkube/internal/components/input"
	"github.com/mixedkube/mixedkube/internal/core/mutate"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

func toleration(key string) map[string]any { return map[string]any{"key": key, "operator": "Exists"} }

func tolerationArgs(key string) pulumicorev1.TolerationArgs {
	return pulumicorev1.TolerationArgs{Key: pulumi.String(key), Operator: pulumi.String("Exists")}
}

// Plain arguments are edited at once, into the arguments that a program would have.
func TestEditsOfPlainArguments(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name     string
		in, want any
		edits    []mutate.Edit
	}{
		{
			"into empty pods, with everything that pods need", pulumicorev1.PodSpecArgs{}, pulumicorev1.PodSpecArgs{
				Os:               pulumicorev1.PodOSArgs{Name: pulumi.String("windows")},
				RuntimeClassName: pulumi.String("windows-2022"),
				NodeSelector: pulumi.StringMap{
					"kubernetes.io/os":                 pulumi.String("windows"),
					"node.kubernetes.io/windows-build": pulumi.String("10.0.20348"),
				},
				Tolerations: pulumicorev1.TolerationArray{
					pulumicorev1.TolerationArgs{
						Key: pulumi.String("os"), Operator: pulumi.String("Equal"),
						Value: pulumi.String("windows"), Effect: pulumi.String("NoSchedule"),
					},
					pulumicorev1.TolerationArgs{Operator: pulumi.String("Exists"), TolerationSeconds: pulumi.Int(30)},
				},
				SecurityContext: pulumicorev1.PodSecurityContextArgs{
					WindowsOptions: pulumicorev1.WindowsSecurityContextOptionsArgs{
						HostProcess: pulumi.Bool(true), RunAsUserName: pulumi.String(`NT AUTHORITY\SYSTEM`),
						GmsaCredentialSpecName: pulumi.String("web"),
					},
				},
				HostNetwork: pulumi.Bool(true),
				Affinity: pulumicorev1.AffinityArgs{NodeAffinity: pulumicorev1.NodeAffinityArgs{
					RequiredDuringSchedulingIgnoredDuringExecution: pulumicorev1.NodeSelectorArgs{
						NodeSelectorTerms: pulumicorev1.NodeSelectorTermArray{pulumicorev1.NodeSelectorTermArgs{
							MatchExpressions: pulumicorev1.NodeSelectorRequirementArray{
								pulumicorev1.NodeSelectorRequirementArgs{
									Key: pulumi.String("pool"), Operator: pulumi.String("In"),
									Values: pulumi.StringArray{pulumi.String("win22"), pulumi.String("win25")},
								},
							},
						}},
					},
				}},
			}, possible,
		},
		{
			"through pointers, which become plain arguments if helpers of the SDK made them",
			&appsv1.ReplicaSetSpecArgs{Template: pulumicorev1.PodTemplateSpecPtr(&pulumicorev1.PodTemplateSpecArgs{
				Spec: &pulumicorev1.PodSpecArgs{Os: pulumicorev1.PodOSPtr(&pulumicorev1.PodOSArgs{})},
			})},
			&appsv1.ReplicaSetSpecArgs{Template: pulumicorev1.PodTemplateSpecArgs{
				Spec: &pulumicorev1.PodSpecArgs{Os: pulumicorev1.PodOSArgs{Name: pulumi.String("windows")}},
			}},
			[]mutate.Edit{{Path: []string{"template", "spec", "os", "name"}, Value: "windows"}},
		},
		{
			"a nil pointer in an interface is a missing value",
			pulumicorev1.PodSpecArgs{
				Os: pulumicorev1.PodOSPtr(nil), RuntimeClassName: (*pulumi.String)(nil),
				NodeSelector: pulumi.StringMap(nil),
			},
			pulumicorev1.PodSpecArgs{
				Os:               pulumicorev1.PodOSArgs{Name: pulumi.String("windows")},
				RuntimeClassName: pulumi.String("windows-2022"),
				NodeSelector:     pulumi.StringMap{"kubernetes.io/os": pulumi.String("windows")},
			},
			possible[:3],
		},
		{
			"an existing value stays, even if it is empty",
			pulumicorev1.PodSpecArgs{
				Os: pulumicorev1.PodOSArgs{Name: pulumi.String("linux")}, RuntimeClassName: pulumi.StringPtr(""),
				NodeSelector: pulumi.StringMap{
					"kubernetes.io/os": pulumi.String("linux"),
					"disk":             pulumi.String("ssd"),
				},
			},
			pulumicorev1.PodSpecArgs{
				Os: pulumicorev1.PodOSArgs{Name: pulumi.String("linux")}, RuntimeClassName: pulumi.StringPtr(""),
				NodeSelector: pulumi.StringMap{
					"kubernetes.io/os": pulumi.String("linux"),
					"disk":             pulumi.String("ssd"),
				},
			},
			possible[:3],
		},
		{
			"a list is appended to",
			pulumicorev1.PodSpecArgs{Tolerations: pulumicorev1.TolerationArray{tolerationArgs("a")}},
			pulumicorev1.PodSpecArgs{Tolerations: pulumicorev1.TolerationArray{
				tolerationArgs("a"),
				tolerationArgs("b"),
			}},
			[]mutate.Edit{{Path: []string{"tolerations"}, Value: []any{toleration("b")}}},
		},
		{
			"a list and a text on the path",
			pulumicorev1.PodSpecArgs{Tolerations: pulumicorev1.TolerationArray{}, RuntimeClassName: pulumi.String("a")},
			pulumicorev1.PodSpecArgs{Tolerations: pulumicorev1.TolerationArray{}, RuntimeClassName: pulumi.String("a")},
			[]mutate.Edit{
				{Path: []string{"tolerations", "x"}, Value: "y"},
				{Path: []string{"runtimeClassName", "x"}, Value: "y"},
			},
		},
		{
			"a text instead of a list",
			pulumicorev1.PodSpecArgs{Tolerations: pulumicorev1.TolerationArray{}},
			pulumicorev1.PodSpecArgs{Tolerations: pulumicorev1.TolerationArray{}},
			[]mutate.Edit{{Path: []string{"tolerations"}, Value: "y"}},
		},
		{
			"properties, which take anything",
			pulumi.Map{"spec": pulumi.Map{"a": pulumi.String("b"), "list": pulumi.Array{pulumi.Float64(1)}}},
			pulumi.Map{"spec": pulumi.Map{
				"a":    pulumi.String("b"),
				"list": pulumi.Array{pulumi.Float64(1), pulumi.Map{"x": pulumi.Array{pulumi.String("y")}}},
				"new":  pulumi.Map{"int": pulumi.Int(1), "bool": pulumi.Bool(true), "float": pulumi.Float64(0.5)},
			}},
			[]mutate.Edit{
				{Path: []string{"spec", "list"}, Value: []any{map[string]any{"x": []any{"y"}}}},
				{Path: []string{"spec", "a"}, Value: "c"},
				{Path: []string{"spec", "new"}, Value: map[string]any{"int": int64(1), "bool": true, "float": 0.5}},
			},
		},
		{
			"an asset on the path",
			pulumi.Map{"spec": pulumi.NewStringAsset("x")},
			pulumi.Map{"spec": pulumi.NewStringAsset("x")},
			[]mutate.Edit{{Path: []string{"spec", "os"}, Value: "windows"}},
		},
		{"nil without a type", nil, map[string]any{"a": "b"}, []mutate.Edit{{Path: []string{"a"}, Value: "b"}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			before := input.Tree(tt.in)
			got, err := input.Edit(tt.in, tt.edits)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, got, assets); diff != "" {
				t.Errorf("the arguments (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(before, input.Tree(tt.in)); diff != "" {
				t.Errorf("the original arguments have changed (-before +after):\n%s", diff)
			}
		})
	}
}

var assets = cmp.Comparer(func(a, b pulumi.Asset) bool { return reflect.DeepEqual(a, b) })

// An output is edited when it is known, and is replaced with an output of the same type.
func TestEditsOfOutputs(t *testing.T) {
	t.Parallel()
	spec := func(in pulumicorev1.PodSpecArgs) any { return in }
	tests := []struct {
		name  string
		in    any
		edits []mutate.Edit
		want  any
	}{
		{
			"an output of a pointer",
			spec(pulumicorev1.PodSpecArgs{Os: pulumicorev1.PodOSArgs{Name: pulumi.String("a")}.ToPodOSPtrOutput()}),
			possible[:1],
			map[string]any{"os": map[string]any{"name": "a"}},
		},
		{
			"an output that resolves to nil", spec(pulumicorev1.PodSpecArgs{
				Os: pulumi.ToOutput(1).
					ApplyT(func(int) *pulumicorev1.PodOS { return nil }).(pulumicorev1.PodOSPtrOutput),
				RuntimeClassName: pulumi.ToOutput(1).ApplyT(func(int) *string { return nil }).(pulumi.StringPtrOutput),
			}),
			possible[:2],
			map[string]any{"os": map[string]any{"name": "windows"}, "runtimeClassName": "windows-2022"},
		},
		{
			"an output of a whole spec", pulumicorev1.PodSpecArgs{HostNetwork: pulumi.Bool(false)}.ToPodSpecOutput(),
			[]mutate.Edit{possible[0], possible[7], possible[8], possible[4]},
			map[string]any{
				"os": map[string]any{"name": "windows"}, "hostNetwork": false,
				"securityContext": map[string]any{"windowsOptions": map[string]any{"gmsaCredentialSpecName": "web"}},
				"tolerations": []any{
					map[string]any{"key": "os", "operator": "Equal", "value": "windows", "effect": "NoSchedule"},
					map[string]any{"operator": "Exists", "tolerationSeconds": int64(30)},
				},
			},
		},
		{
			"an empty text of a plain struct is an existing value",
			spec(pulumicorev1.PodSpecArgs{Os: pulumicorev1.PodOSArgs{}.ToPodOSOutput()}),
			possible[:1],
			map[string]any{"os": map[string]any{"name": ""}},
		},
		{
			"a secret and the additions to it are secret",
			spec(pulumicorev1.PodSpecArgs{
				NodeSelector: pulumi.ToSecret(pulumi.StringMap{"disk": pulumi.String("ssd")}).(pulumi.StringMapOutput),
			}),
			possible[2:3],
			map[string]any{"nodeSelector": map[string]any{
				"disk": tree.Secret{Value: "ssd"}, "kubernetes.io/os": tree.Secret{Value: "windows"},
			}},
		},
		{
			"a list with an output in it", spec(pulumicorev1.PodSpecArgs{
				Tolerations: pulumicorev1.TolerationArray{tolerationArgs("a").ToTolerationOutput()},
			}),
			[]mutate.Edit{{Path: []string{"tolerations"}, Value: []any{toleration("b")}}},
			map[string]any{"tolerations": []any{toleration("a"), toleration("b")}},
		},
		{
			"an output that stays unknown", spec(pulumicorev1.PodSpecArgs{
				RuntimeClassName: pulumi.UnsafeUnknownOutput(nil).
					ApplyT(func(any) string { return "" }).(pulumi.StringOutput),
			}),
			possible[1:2],
			map[string]any{"runtimeClassName": tree.Unknown{}},
		},
		{
			"an output of anything",
			pulumi.Map{"spec": pulumi.Any(map[string]any{"list": []any{"a"}})},
			[]mutate.Edit{
				{Path: []string{"spec", "list"}, Value: []any{"b"}},
				{Path: []string{"spec", "os", "name"}, Value: "windows"},
			},
			map[string]any{"spec": map[string]any{"list": []any{"a", "b"}, "os": map[string]any{"name": "windows"}}},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, err := input.Edit(tt.in, tt.edits)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, input.Resolved(t.Context(), got)); diff != "" {
				t.Errorf("the arguments (-want +got):\n%s", diff)
			}
		})
	}
}

func TestEditsThatArgumentsCannotHave(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		edit mutate.Edit
		want string
	}{
		{
			"a field that does not exist",
			mutate.Edit{Path: []string{"os", "nam"}, Value: "windows"},
			"there is no os.nam: v1.PodOSArgs has no such field",
		},
		{
			"a field of new arguments that does not exist",
			mutate.Edit{Path: []string{"tolerations"}, Value: []any{map[string]any{"keys": "a"}}},
			"there is no tolerations.0.keys: v1.TolerationArgs has no such field",
		},
		{
			"arguments of an unknown type",
			mutate.Edit{Path: []string{"affinity", "podAffinity", "x"}, Value: "y"},
			"cannot set affinity.podAffinity: no known type of arguments makes a v1.PodAffinityPtrInput " +
				"of a value of type map[string]interface {}",
		},
		{
			"a value of another type",
			mutate.Edit{Path: []string{"hostNetwork"}, Value: "yes"},
			"cannot set hostNetwork: no known type of arguments makes a pulumi.BoolPtrInput of a value of type string",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			_, err := input.Edit(pulumicorev1.PodSpecArgs{Os: pulumicorev1.PodOSArgs{}}, []mutate.Edit{tt.edit})
			if err == nil || err.Error() != tt.want {
				t.Errorf("the error is %v\nwant %s", err, tt.want)
			}
		})
	}
}

// An edit that does not fit into the value of an output cannot fail Edit, which does not know the value yet.
func TestAnEditThatAnOutputCannotHaveFailsIt(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		edit mutate.Edit
		want string
	}{
		{
			"a field that does not exist",
			mutate.Edit{Path: []string{"os", "nam"}, Value: "windows"},
			"there is no os.nam: v1.PodOS has no such field",
		},
		{
			"a value of another type",
			mutate.Edit{Path: []string{"hostNetwork"}, Value: "yes"},
			"cannot set hostNetwork: a value of type string does not fit into bool",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var pods pulumicorev1.PodSpecInput = pulumicorev1.PodSpecArgs{}.ToPodSpecOutput()
			pods, err := input.Edit(pods, []mutate.Edit{tt.edit})
			if err != nil {
				t.Fatal(err)
			}
			_, err = internals.UnsafeAwaitOutput(t.Context(), pods.(pulumi.Output))
			if err == nil || err.Error() != tt.want {
				t.Errorf("the output fails with %v\nwant %s", err, tt.want)
			}
		})
	}
}
