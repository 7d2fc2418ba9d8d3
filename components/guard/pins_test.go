package guard_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	batchv1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/batch/v1"
	corev1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/core/v1"
	metav1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/meta/v1"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/guard"
	"github.com/mixedkube/mixedkube/components/mocktest"
	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
)

// moved is a cluster that has changed from Windows Server 2022 to 2025, whose nodes run the images of both.
var moved = topology.Topology{Matching: platform.Relaxed, Pools: []topology.Pool{
	{Name: "sys", Platform: platform.Linux}, {Name: "win25", Platform: platform.WindowsServer2025},
}}

func TestPinsMoveWithTheTopology(t *testing.T) {
	t.Parallel()
	const mark = "release=windows-2022 nodeSelector=kubernetes.io/arch,kubernetes.io/os," +
		"node.kubernetes.io/windows-build"
	windows := map[string]any{"kubernetes.io/os": "windows"}
	pinned := func() corev1.PodSpecArgs {
		return corev1.PodSpecArgs{
			Containers: container(windowsImage),
			NodeSelector: pulumi.StringMap{
				"kubernetes.io/os": pulumi.String("windows"), "kubernetes.io/arch": pulumi.String("amd64"),
				"node.kubernetes.io/windows-build": pulumi.String("10.0.20348"),
			},
			Tolerations: corev1.TolerationArray{corev1.TolerationArgs{
				Key: pulumi.String("os"), Operator: pulumi.String("Equal"), Value: pulumi.String("windows"),
				Effect: pulumi.String("NoSchedule"),
			}},
			Os: corev1.PodOSArgs{Name: pulumi.String("windows")},
		}
	}
	for name, tt := range map[string]struct {
		marked, move bool
		want         any
		mark         any
	}{
		"marked":                {true, false, windows, "release=windows-2022 nodeSelector=kubernetes.io/os"},
		"not marked":            {false, false, selector2022, nil},
		"not marked, but moved": {false, true, windows, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			metadata := metav1.ObjectMetaArgs{Name: pulumi.String("web")}
			if tt.marked {
				metadata.Annotations = pulumi.StringMap{"mixedkube.dev/placed": pulumi.String(mark)}
			}
			// The program continues after pods that fit no pool.
			graph, _ := mocktest.Run(guarded(guard.Args{Topology: moved, Place: true, MovePins: tt.move},
				func(ctx *pulumi.Context) error {
					_, err := corev1.NewPod(ctx, "web", &corev1.PodArgs{Metadata: metadata, Spec: pinned()})
					if err != nil {
						return err
					}
					_, err = batchv1.NewJob(ctx, "job", &batchv1.JobArgs{Metadata: metadata, Spec: batchv1.JobSpecArgs{
						Template: corev1.PodTemplateSpecArgs{Spec: pinned()},
					}})
					return err
				}), mocktest.Preview())
			if diff := cmp.Diff(tt.want, spec(t, graph, "web")["nodeSelector"]); diff != "" {
				t.Errorf("the node selector (-want +got):\n%s", diff)
			}
			pod, err := graph.Get(podType, "web")
			if err != nil {
				t.Fatal(err)
			}
			annotations, _ := pod.Plain()["metadata"].(map[string]any)["annotations"].(map[string]any)
			if tt.mark != nil && annotations["mixedkube.dev/placed"] != tt.mark {
				t.Errorf("the mark is %v, want %v", annotations["mixedkube.dev/placed"], tt.mark)
			}
			job, err := graph.Get("kubernetes:batch/v1:Job", "job")
			if err != nil {
				t.Fatal(err)
			}
			// Pulumi would replace an existing Job.
			if ignored := len(job.IgnoreChanges) > 0; ignored != (tt.marked && !tt.move) {
				t.Errorf("ignores the changes %v of an existing Job", job.IgnoreChanges)
			}
		})
	}
}

func TestPinsMoveWithPlaceOnly(t *testing.T) {
	t.Parallel()
	_, err := mocktest.Run(guarded(guard.Args{Topology: moved, MovePins: true}, func(*pulumi.Context) error {
		return nil
	}))
	const want = `movePins: Invalid value: true: moves what Place adds: set Place as well`
	if err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("the error is %v, want %s", err, want)
	}
}

// The guard names MovePins where it would help, whether it places pods or not.
func TestTheGuardNamesMovePins(t *testing.T) {
	t.Parallel()
	const moves = "or move it with MovePins (adopt --move-pins): an earlier version of mixedkube wrote the node " +
		"selector (MK303)"
	for _, place := range []bool{false, true} {
		for _, move := range []bool{false, true} {
			if move && !place {
				continue
			}
			graph, err := mocktest.Run(guarded(guard.Args{Topology: moved, Place: place, MovePins: move},
				onePod("web", windows(nil))), mocktest.Preview())
			named := slices.ContainsFunc(logs(graph), func(line string) bool { return strings.HasSuffix(line, moves) })
			if named == move || (err == nil) != move {
				t.Errorf("place %t, move %t: names it %t, %v: %q", place, move, named, err, logs(graph))
			}
		}
	}
}
