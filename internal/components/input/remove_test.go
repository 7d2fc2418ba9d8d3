package input_test

import (
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

const build = "node.kubernetes.io/windows-build"

// removal removes a value at a path.
func removal(value any, path ...string) mutate.Edit {
	return mutate.Edit{Path: path, Value: value, Remove: true}
}

func unknownText() pulumi.StringOutput {
	return pulumi.UnsafeUnknownOutput(nil).ApplyT(func(any) string { return "" }).(pulumi.StringOutput)
}

// Plain arguments stay plain.
func TestRemovalsFromPlainArguments(t *testing.T) {
	t.Parallel()
	text := func(s string) pulumi.StringOutput { return pulumi.String(s).ToStringOutput() }
	for _, tt := range []struct {
		name     string
		in, want any
		edits    []mutate.Edit
	}{
		{
			"with everything that is empty then",
			pulumicorev1.PodSpecArgs{
				NodeSelector: pulumi.StringMap{build: pulumi.String("1")}, HostNetwork: pulumi.Bool(true),
				Tolerations: pulumicorev1.TolerationArray{tolerationArgs("a"), tolerationArgs("b")},
				Affinity: pulumicorev1.AffinityPtr(&pulumicorev1.AffinityArgs{
					NodeAffinity: pulumicorev1.NodeAffinityArgs{
						RequiredDuringSchedulingIgnoredDuringExecution: pulumicorev1.NodeSelectorArgs{
							NodeSelectorTerms: pulumicorev1.NodeSelectorTermArray{pulumicorev1.NodeSelectorTermArgs{
								MatchExpressions: pulumicorev1.NodeSelectorRequirementArray{
									pulumicorev1.NodeSelectorRequirementArgs{Key: pulumi.String("a")},
								},
							}},
						},
					},
				}),
			},
			pulumicorev1.PodSpecArgs{
				Tolerations: pulumicorev1.TolerationArray{tolerationArgs("b")}, HostNetwork: pulumi.Bool(true),
			},
			[]mutate.Edit{
				removal("1", "nodeSelector", build), removal([]any{toleration("a")}, "tolerations"),
				removal([]any{map[string]any{"key": "a"}}, append(requiredAffinity(), "nodeSelectorTerms", tree.Each,
					"matchExpressions")...),
			},
		},
		{
			"and what stays empty",
			pulumicorev1.PodSpecArgs{
				NodeSelector: pulumi.StringMap{build: pulumi.String("1")},
				Tolerations:  pulumicorev1.TolerationArray{tolerationArgs("a")},
				Os:           pulumicorev1.PodOSArgs{Name: pulumi.String("windows")},
				Affinity:     pulumicorev1.AffinityArgs{NodeAffinity: pulumicorev1.NodeAffinityArgs{}},
			},
			pulumicorev1.PodSpecArgs{
				NodeSelector: pulumi.StringMap{}, Tolerations: pulumicorev1.TolerationArray{},
				Os: pulumicorev1.PodOSArgs{}, Affinity: pulumicorev1.AffinityArgs{},
			},
			[]mutate.Edit{
				removal("1", "nodeSelector", build),
				{Path: []string{"nodeSelector"}, Value: map[string]any{}},
				removal([]any{toleration("a")}, "tolerations"),
				{Path: []string{"tolerations"}, Value: []any{}},
				removal("windows", "os", "name"),
				{Path: []string{"os"}, Value: map[string]any{}},
				removal(nil, "affinity", "nodeAffinity"),
				{Path: []string{"affinity"}, Value: map[string]any{}},
			},
		},
		{
			"but not all of them",
			new(appsv1.ReplicaSetSpecArgs{Replicas: pulumi.Int(1)}), new(appsv1.ReplicaSetSpecArgs{}),
			[]mutate.Edit{removal(int64(1), "replicas")},
		},
		{
			"all properties",
			pulumi.Map{"a": pulumi.Map{"b": pulumi.String("c")}},
			pulumi.Map{},
			[]mutate.Edit{removal("c", "a", "b")},
		},
		{
			"nothing",
			pulumi.Map{
				"a": pulumi.Map{"*": pulumi.String("c")}, "b": pulumi.NewStringAsset("c"), "c": nil,
				"d": pulumi.StringArray{}, "e": pulumi.String("f"),
			},
			pulumi.Map{
				"a": pulumi.Map{"*": pulumi.String("c")}, "b": pulumi.NewStringAsset("c"), "c": nil,
				"d": pulumi.StringArray{}, "e": pulumi.String("f"),
			},
			[]mutate.Edit{
				removal("c", "a", tree.Each, "c"), removal("c", "b", "text"), removal(nil, "c"), removal("d", "c"),
				removal([]any{"x"}, "d"), removal("g", "e"), removal("g", "e", "f"), removal("c", "d", "e"),
				{Path: []string{"a", tree.Each}, Value: "d"},
				{Path: []string{"x", "y", tree.Each, "z"}, Value: "d"},
				{Path: []string{"c", tree.Each, "z"}, Value: "d"},
			},
		},
		{
			"what is not known, whatever it is",
			pulumicorev1.PodSpecArgs{RuntimeClassName: unknownText(), NodeSelector: pulumi.StringMap{build: text("1")}},
			pulumicorev1.PodSpecArgs{},
			[]mutate.Edit{removal(nil, "runtimeClassName"), removal(nil, "nodeSelector", build)},
		},
		{
			"additions to each element",
			pulumi.Map{"a": pulumi.Array{pulumi.Map{"b": pulumi.Array{pulumi.String("c")}}, pulumi.String("d")}},
			pulumi.Map{"a": pulumi.Array{
				pulumi.Map{"b": pulumi.Array{pulumi.String("c"), pulumi.String("e")}}, pulumi.String("d"),
			}},
			[]mutate.Edit{{Path: []string{"a", tree.Each, "b"}, Value: []any{"e"}}},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, err := input.Edit(tt.in, tt.edits)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, got, byValue(t), assets); diff != "" {
				t.Errorf("the arguments (-want +got):\n%s", diff)
			}
		})
	}
}

// A removal waits for the outputs that decide it.
func TestRemovalsFromOutputs(t *testing.T) {
	t.Parallel()
	text := func(s string) pulumi.StringOutput { return pulumi.String(s).ToStringOutput() }
	of := removal("1", "nodeSelector", build)
	for _, tt := range []struct {
		name string
		in   any
		edit mutate.Edit
		want any
	}{
		{
			"the only key",
			pulumicorev1.PodSpecArgs{NodeSelector: pulumi.StringMap{build: text("1"), "x": nil}},
			of,
			map[string]any{},
		},
		{
			"another value",
			pulumicorev1.PodSpecArgs{NodeSelector: pulumi.StringMap{build: text("2")}},
			of,
			map[string]any{"nodeSelector": map[string]any{build: "2"}},
		},
		{
			"one of several keys",
			pulumicorev1.PodSpecArgs{NodeSelector: pulumi.StringMap{build: text("1"), "disk": pulumi.String("ssd")}},
			of,
			map[string]any{"nodeSelector": map[string]any{"disk": "ssd"}},
		},
		{
			"a secret",
			pulumicorev1.PodSpecArgs{NodeSelector: pulumi.StringMap{
				build: pulumi.ToSecret(pulumi.String("1")).(pulumi.StringOutput), "disk": pulumi.String("ssd"),
			}},
			of,
			map[string]any{"nodeSelector": map[string]any{"disk": tree.Secret{Value: "ssd"}}},
		},
		{
			"unknown",
			pulumicorev1.PodSpecArgs{NodeSelector: pulumi.StringMap{build: unknownText()}},
			of,
			map[string]any{"nodeSelector": tree.Unknown{}},
		},
		{
			"a text",
			pulumicorev1.PodSpecArgs{RuntimeClassName: text("a"), HostNetwork: pulumi.Bool(true)},
			removal("a", "runtimeClassName"),
			map[string]any{"hostNetwork": true},
		},
		{
			"a struct",
			pulumicorev1.PodSpecArgs{Os: pulumicorev1.PodOSArgs{Name: pulumi.String("a")}.ToPodOSOutput()},
			removal("a", "os", "name"),
			map[string]any{},
		},
		{
			"whole arguments",
			pulumicorev1.PodSpecArgs{NodeSelector: pulumi.StringMap{build: pulumi.String("1")}}.ToPodSpecOutput(),
			of,
			map[string]any{},
		},
		{
			"an element",
			pulumicorev1.PodSpecArgs{Tolerations: pulumicorev1.TolerationArray{
				tolerationArgs("a").ToTolerationOutput(), tolerationArgs("b"),
			}},
			removal([]any{toleration("a")}, "tolerations"),
			map[string]any{"tolerations": []any{toleration("b")}},
		},
		{
			"a part of anything",
			pulumi.Map{"spec": pulumi.Map{
				"x": pulumi.Any(map[string]any{"a": []any{"1", "2"}}), "y": pulumi.String("z"),
			}},
			removal([]any{"1", "2"}, "spec", "x", "a"),
			map[string]any{"spec": map[string]any{"y": "z"}},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, err := input.Edit(tt.in, []mutate.Edit{tt.edit})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, input.Resolved(t.Context(), got)); diff != "" {
				t.Errorf("the arguments (-want +got):\n%s", diff)
			}
		})
	}
}

// The field of a resolved value may have no way to be missing.
func TestARemovalThatAnOutputCannotHaveFailsIt(t *testing.T) {
	t.Parallel()
	var in pulumicorev1.NodeSelectorRequirementInput = pulumicorev1.NodeSelectorRequirementArgs{
		Key: pulumi.String("a"), Operator: pulumi.String("In"),
	}.ToNodeSelectorRequirementOutput()
	in, err := input.Edit(in, []mutate.Edit{removal("a", "key"), removal("In", "operator")}[:1])
	if err != nil {
		t.Fatal(err)
	}
	const want = "cannot remove key: v1.NodeSelectorRequirement always has a value there, of type string"
	_, err = internals.UnsafeAwaitOutput(t.Context(), in.(pulumi.Output))
	if err == nil || err.Error() != want {
		t.Errorf("the output fails with %v\nwant %s", err, want)
	}
}
