package manifest

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/core/v1"
	metav1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/meta/v1"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/mocktest"
)

// objectsWithPods are a pod of each system, and one with its own timeout.
const objectsWithPods = `
apiVersion: v1
kind: Pod
metadata: {name: linux, namespace: shop}
spec: {os: {name: linux}, containers: [{name: a, image: busybox}]}
---
apiVersion: v1
kind: Pod
metadata: {name: windows, namespace: shop}
spec: {os: {name: windows}, containers: [{name: a, image: "mcr.microsoft.com/windows/nanoserver:ltsc2022"}]}
---
apiVersion: v1
kind: Pod
metadata: {name: patient, namespace: shop, annotations: {pulumi.com/timeoutSeconds: "60"}}
spec: {os: {name: windows}, containers: [{name: a, image: "mcr.microsoft.com/windows/nanoserver:ltsc2022"}]}
`

var (
	long     = mocktest.CustomTimeouts{Create: "30m", Update: "30m"}
	explicit = &pulumi.CustomTimeouts{Create: "1h"}
	timeouts = map[bool]map[string]mocktest.CustomTimeouts{
		false: {"linux": {}, "windows": long, "patient": {}},
		true: {
			"linux": {Create: "1h"}, "windows": {Create: "1h", Update: "30m"}, "patient": {Create: "1h"},
		},
	}
)

func TestTheObjectsOfAGroupHaveTheirTimeouts(t *testing.T) {
	t.Parallel()
	for isSet, want := range timeouts {
		graph := mocktest.MustRun(t, func(ctx *pulumi.Context) error {
			var opts []pulumi.ResourceOption
			if isSet {
				opts = append(opts, pulumi.Timeouts(explicit))
			}
			_, err := NewGroup(ctx, "g", &GroupArgs{YAML: objectsWithPods, Options: Options{Topology: mixed}}, opts...)
			return err
		})
		got := map[string]mocktest.CustomTimeouts{}
		for _, pod := range graph.ByType("kubernetes:core/v1:Pod") {
			got[pod.Name[len("g:shop/"):]] = pod.CustomTimeouts
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("timeouts, with some set: %t (-want +got):\n%s", isSet, diff)
		}
	}
}

func TestTheObjectsOfAChartHaveTheirTimeouts(t *testing.T) {
	t.Parallel()
	for isSet, want := range timeouts {
		graph := mocktest.MustRun(t, func(ctx *pulumi.Context) error {
			c := &component{}
			if err := ctx.RegisterComponentResource("test:test:Chart", "chart", c); err != nil {
				return err
			}
			w := newWatcher(ctx, c, Options{Topology: mixed}, false)
			if isSet {
				w.timeouts = *explicit
			}
			for name, os := range map[string]string{"linux": "linux", "windows": "windows", "patient": "windows"} {
				metadata := metav1.ObjectMetaArgs{Name: pulumi.String(name)}
				if name == "patient" {
					metadata.Annotations = pulumi.StringMap{"pulumi.com/timeoutSeconds": pulumi.String("60")}
				}
				_, err := corev1.NewPod(ctx, name, &corev1.PodArgs{Metadata: metadata, Spec: corev1.PodSpecArgs{
					Os: corev1.PodOSArgs{Name: pulumi.String(os)}, Containers: containers("shop.example/a"),
				}}, pulumi.Parent(c), pulumi.Transforms([]pulumi.ResourceTransform{w.transform}))
				if err != nil {
					return err
				}
			}
			return nil
		})
		got := map[string]mocktest.CustomTimeouts{}
		for _, pod := range graph.ByType("kubernetes:core/v1:Pod") {
			got[pod.Name] = pod.CustomTimeouts
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("timeouts, with some set: %t (-want +got):\n%s", isSet, diff)
		}
	}
}

// A group takes over the objects of another one, and single objects by their names.
func TestAGroupTakesOverObjects(t *testing.T) {
	t.Parallel()
	const pod = "kubernetes:core/v1:Pod"
	graph := mocktest.MustRun(t, func(ctx *pulumi.Context) error {
		_, err := NewGroup(ctx, "g", &GroupArgs{YAML: objectsWithPods, Options: Options{Topology: mixed}},
			pulumi.Aliases([]pulumi.Alias{
				{Type: pulumi.String("kubernetes:yaml/v2:ConfigGroup")},
				{Type: pulumi.String(pod), Name: pulumi.String("linux")},
				{Type: pulumi.String(pod), Name: pulumi.String("shop/windows")},
			}))
		return err
	})
	got := map[string][]mocktest.Alias{}
	for _, r := range graph.Resources() {
		if len(r.Aliases) > 0 {
			got[r.Name] = r.Aliases
		}
	}
	want := map[string][]mocktest.Alias{
		"g":              {{Type: "kubernetes:yaml/v2:ConfigGroup"}},
		"g:shop/linux":   {{Name: "linux", Type: pod, NoParent: true}},
		"g:shop/windows": {{Name: "shop/windows", Type: pod, NoParent: true}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("aliases (-want +got):\n%s", diff)
	}
}
