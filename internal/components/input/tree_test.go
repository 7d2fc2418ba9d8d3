package input_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	appsv1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/apps/v1"
	pulumicorev1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/core/v1"
	metav1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/meta/v1"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/internal/components/input"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

func TestArgumentsOfAConstructorBecomeATree(t *testing.T) {
	t.Parallel()
	labels := pulumi.StringMap{"app": pulumi.String("iis")}
	var missing *pulumicorev1.PodSpecArgs
	tests := []struct {
		name string
		in   any
		want any
	}{
		{"nothing", nil, nil},
		{"a nil pointer", missing, nil},
		{"the SDK's nil pointer", pulumicorev1.PodSpecPtr(nil), nil},
		{"a nil list", pulumicorev1.ContainerArray(nil), nil},
		{"an empty list is not nil", pulumicorev1.ContainerArray{}, []any{}},
		{"an empty map is not nil", pulumi.StringMap{}, map[string]any{}},
		{"the SDK's pointer to a text", pulumi.StringPtr("windows"), "windows"},
		{"an explicit false", pulumi.Bool(false), false},
		{"a whole number as a float", pulumi.Float64(80), int64(80)},
		{"a large one", pulumi.Float64(1 << 60), int64(1 << 60)},
		{"one that does not fit into an int64", pulumi.Float64(1 << 63), float64(1 << 63)},
		{"a fraction", pulumi.Float64(0.5), 0.5},
		{"a number too large to be sure of", pulumi.Float64(1e300), 1e300},
		{"an output", pulumi.String("web").ToStringOutput(), tree.Unknown{}},
		{"a secret, which is an output", pulumi.ToSecret("web"), tree.Unknown{}},
		{"an output of a struct", pulumicorev1.PodSpecArgs{}.ToPodSpecOutput(), tree.Unknown{}},
		{"an asset has no plain form", pulumi.NewStringAsset("x"), tree.Unknown{}},
		{
			"a map without its empty entries",
			pulumi.StringMap{"app": pulumi.String("iis"), "none": nil, "later": pulumi.String("x").ToStringOutput()},
			map[string]any{"app": "iis", "later": tree.Unknown{}},
		},
		{
			"a Deployment, by the names of its properties",
			appsv1.DeploymentArgs{
				Metadata: metav1.ObjectMetaArgs{Labels: labels},
				Spec: &appsv1.DeploymentSpecArgs{
					Replicas: pulumi.Int(2),
					Selector: metav1.LabelSelectorArgs{MatchLabels: labels},
					Template: pulumicorev1.PodTemplateSpecArgs{Spec: pulumicorev1.PodSpecPtr(&pulumicorev1.PodSpecArgs{
						Os: pulumicorev1.PodOSArgs{Name: pulumi.String("windows")},
						SecurityContext: pulumicorev1.PodSecurityContextArgs{
							FsGroup: pulumi.String("x").ToStringOutput().
								ApplyT(func(string) int { return 1 }).(pulumi.IntOutput),
						},
						Containers: pulumicorev1.ContainerArray{pulumicorev1.ContainerArgs{
							Name: pulumi.String("iis"),
							Ports: pulumicorev1.ContainerPortArray{
								pulumicorev1.ContainerPortArgs{ContainerPort: pulumi.Int(80)},
							},
						}},
					})},
				},
			},
			map[string]any{
				"metadata": map[string]any{"labels": map[string]any{"app": "iis"}},
				"spec": map[string]any{
					"replicas": int64(2),
					"selector": map[string]any{"matchLabels": map[string]any{"app": "iis"}},
					"template": map[string]any{"spec": map[string]any{
						"os":              map[string]any{"name": "windows"},
						"securityContext": map[string]any{"fsGroup": tree.Unknown{}},
						"containers": []any{map[string]any{
							"name": "iis", "ports": []any{map[string]any{"containerPort": int64(80)}},
						}},
					}},
				},
			},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(tt.want, input.Tree(tt.in)); diff != "" {
				t.Errorf("the tree (-want +got):\n%s", diff)
			}
		})
	}
}

// yes is an input of a program's own.
type yes struct{}

func (yes) ElementType() reflect.Type { return reflect.TypeFor[bool]() }

// wrapping is an input whose type has no value of its own.
type wrapping struct{ pulumi.BoolInput }

func TestTreesOfPlainArgumentsAreComplete(t *testing.T) {
	t.Parallel()
	container := func(image pulumi.StringPtrInput) any {
		return &pulumicorev1.PodArgs{Spec: pulumicorev1.PodSpecArgs{Containers: pulumicorev1.ContainerArray{
			pulumicorev1.ContainerArgs{Image: image},
		}}}
	}
	tests := []struct {
		name string
		in   any
		want bool
	}{
		{"nothing", nil, true},
		{"plain arguments", container(pulumi.String("web")), true},
		{"no argument", container(nil), true},
		{"an output deep inside", container(pulumi.String("web").ToStringOutput()), false},
		{"a secret", container(pulumi.ToSecret(pulumi.String("web")).(pulumi.StringOutput)), false},
		{"an asset", pulumi.Map{"file": pulumi.NewStringAsset("x")}, false},
		{"a resource", map[string]any{"of": &pulumi.ResourceState{}}, false},
		{"an input that is not an SDK's", pulumi.Map{"hostPID": yes{}}, false},
		{"a pointer to one", pulumi.Map{"hostPID": &yes{}}, false},
		{"a number without a sign", map[string]any{"port": uint(80)}, false},
		{"a list of plain values", map[string]any{"ports": []any{80, nil, "http"}}, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			tree, whole := input.Whole(tt.in)
			if whole != tt.want {
				t.Errorf("whole of the tree %v is %v, want %v", tree, whole, tt.want)
			}
		})
	}
}

func TestTreeOfPropertiesInTransforms(t *testing.T) {
	t.Parallel()
	failing := pulumi.String("x").ToStringOutput().ApplyT(func(string) (string, error) { return "", errors.New("no") })
	tests := []struct {
		name string
		in   any
		want any
	}{
		{
			"properties from the engine",
			pulumi.Map{
				"kind": pulumi.String("Pod"),
				"spec": pulumi.Map{
					"hostNetwork": pulumi.Bool(true),
					"containers":  pulumi.Array{pulumi.Map{"ports": pulumi.Array{pulumi.Float64(80)}}},
				},
			},
			map[string]any{
				"kind": "Pod",
				"spec": map[string]any{
					"hostNetwork": true,
					"containers":  []any{map[string]any{"ports": []any{int64(80)}}},
				},
			},
		},
		{"a resolved output", pulumi.Map{"a": pulumi.String("b").ToStringOutput()}, map[string]any{"a": "b"}},
		{
			"an output that is not known",
			pulumi.Map{"a": pulumi.UnsafeUnknownOutput(nil)},
			map[string]any{"a": tree.Unknown{}},
		},
		{"an output that has failed", pulumi.Map{"a": failing}, map[string]any{"a": tree.Unknown{}}},
		{"a secret", pulumi.Map{"a": pulumi.ToSecret("b")}, map[string]any{"a": tree.Secret{Value: "b"}}},
		{
			"a secret in each of its leaves",
			pulumi.ToSecret(map[string]any{"a": "b", "c": []any{1, true, nil}}),
			map[string]any{
				"a": tree.Secret{Value: "b"},
				"c": []any{tree.Secret{Value: int64(1)}, tree.Secret{Value: true}, nil},
			},
		},
		{
			"an output of a struct",
			pulumicorev1.PodOSArgs{Name: pulumi.String("windows")}.ToPodOSOutput(),
			map[string]any{"name": "windows"},
		},
		{"an input whose value only methods know", pulumi.Map{"a": yes{}, "b": wrapping{}}, map[string]any{
			"a": tree.Unknown{}, "b": tree.Unknown{},
		}},
		{"a secret in an output", pulumi.All(pulumi.ToSecret("b")), []any{tree.Secret{Value: "b"}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(tt.want, input.Resolved(t.Context(), tt.in)); diff != "" {
				t.Errorf("the tree (-want +got):\n%s", diff)
			}
		})
	}
}

func TestSecretsAreNeverPrinted(t *testing.T) {
	t.Parallel()
	made := input.Resolved(t.Context(), pulumi.ToSecret(map[string]any{"spec": map[string]any{"password": "hunter2"}}))
	asJSON, err := json.Marshal(made)
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{
		fmt.Sprint(made), fmt.Sprintf("%v %+v %#v %q %s", made, made, made, made, made),
		string(asJSON),
	} {
		if strings.Contains(text, "hunter2") || !strings.Contains(text, "[secret]") {
			t.Errorf("printed: %s", text)
		}
	}
}
