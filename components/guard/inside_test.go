package guard_test

import (
	"context"
	"fmt"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	appsv1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/apps/v1"
	batchv1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/batch/v1"
	corev1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/core/v1"
	metav1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/meta/v1"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/guard"
	preview500 "github.com/mixedkube/mixedkube/components/guard/testdata/preview500/shop"
	"github.com/mixedkube/mixedkube/components/mocktest"
	"github.com/mixedkube/mixedkube/components/workload"
	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/internal/components/input"
)

// The engine begins to show all resources before it has received the earlier ones.
func TestResourcesAreCheckedOnce(t *testing.T) {
	t.Parallel()
	const each = 50
	program, looked := counted(guard.Args{Topology: mixed}, nil, func(ctx *pulumi.Context) error {
		name, open, _ := ctx.NewOutput()
		gate, err := corev1.NewNamespacePatch(ctx, "gate", &corev1.NamespacePatchArgs{
			Metadata: metav1.ObjectMetaPatchArgs{
				Name: name.ApplyT(func(any) string { return "gate" }).(pulumi.StringOutput),
			},
		})
		if err != nil {
			return err
		}
		after := pulumi.DependsOn([]pulumi.Resource{gate})
		for i := range each {
			if _, err := pod(ctx, fmt.Sprintf("right-%d", i), windows(nil), after); err != nil {
				return err
			}
			if _, err := pod(ctx, fmt.Sprintf("wrong-%d", i), windows(withHostPID), after); err != nil {
				return err
			}
		}
		err = ctx.RegisterRemoteComponentResource("shop:index:Remote", "remote", nil, &pulumi.ResourceState{})
		open("gate")
		return err
	})
	graph, err := mocktest.Run(program, mocktest.Preview())
	diffError(t, err, "mixedkube preflight: 50 errors, shown at their resources")
	if got, want := looked(), "100 objects, 50 of them in the program itself"; got != want {
		t.Errorf("looked at %s, want %s", got, want)
	}
	if got := len(logs(graph)); got != each+1 {
		t.Errorf("%d lines in the log, want one for each error, and the landings", got)
	}
}

// The figures of tests/bench are about this program.
func TestWorkloadsAreCheckedInTheProgram(t *testing.T) {
	t.Parallel()
	program, looked := counted(guard.Args{Topology: mixed}, nil, func(ctx *pulumi.Context) error {
		_, err := workload.NewDeployment(ctx, "web", &workload.DeploymentArgs{
			Platform: platform.WindowsServer2022, Topology: mixed, Scheduling: workload.BySelector,
			Metadata: preview500.Metadata("web"), Spec: preview500.Spec("web", corev1.PodSpecArgs{}),
		})
		return err
	})
	mocktest.MustRun(t, program, mocktest.Preview())
	if got := looked(); got != inside {
		t.Errorf("looked at %s, want %s", got, inside)
	}
}

// The guard reads the same values from arguments as the engine would show it.
func TestArgumentsAreReadAsTheEngineShowsThem(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	read, shown := map[string]any{}, map[string]any{}
	graph := mocktest.MustRun(t, func(ctx *pulumi.Context) error {
		if err := ctx.RegisterStackTransformation(func(
			args *pulumi.ResourceTransformationArgs,
		) *pulumi.ResourceTransformationResult {
			object, whole := input.Whole(args.Props)
			if !whole {
				t.Errorf("%s has something that is not known", args.Name)
			}
			read[args.Name] = object
			return nil
		}); err != nil {
			return err
		}
		if err := ctx.RegisterResourceTransform(func(c context.Context,
			args *pulumi.ResourceTransformArgs,
		) *pulumi.ResourceTransformResult {
			object := input.Resolved(c, args.Props)
			mu.Lock()
			defer mu.Unlock()
			shown[args.Name] = object
			return nil
		}); err != nil {
			return err
		}
		return formsOfArguments(ctx)
	}, mocktest.Preview())
	if got := len(graph.Resources()); got != 4 || len(shown) != got {
		t.Errorf("%d resources, %d shown, want 4", got, len(shown))
	}
	if diff := cmp.Diff(shown, read); diff != "" {
		t.Errorf("the arguments (-shown +read):\n%s", diff)
	}
}

// formsOfArguments registers objects with each kind of plain arguments.
func formsOfArguments(ctx *pulumi.Context) error {
	if _, err := appsv1.NewDeployment(ctx, "shop", &appsv1.DeploymentArgs{
		Metadata: preview500.Metadata("shop"), Spec: preview500.Spec("shop", windows(nil)),
	}); err != nil {
		return err
	}
	spec := windows(withFSGroup)
	labels := pulumi.StringMap{"app": pulumi.String("web"), "none": nil}
	if _, err := appsv1.NewDaemonSet(ctx, "pointers", &appsv1.DaemonSetArgs{
		ApiVersion: pulumi.StringPtr("apps/v1"),
		Metadata:   &metav1.ObjectMetaArgs{Labels: labels, Finalizers: pulumi.StringArray{}},
		Spec: &appsv1.DaemonSetSpecArgs{
			Selector: &metav1.LabelSelectorArgs{MatchLabels: pulumi.ToStringMap(map[string]string{"app": "web"})},
			Template: &corev1.PodTemplateSpecArgs{Metadata: (*metav1.ObjectMetaArgs)(nil), Spec: &spec},
		},
	}); err != nil {
		return err
	}
	if _, err := batchv1.NewCronJob(ctx, "numbers", &batchv1.CronJobArgs{Spec: batchv1.CronJobSpecArgs{
		Schedule: pulumi.String("@daily"), Suspend: pulumi.BoolPtr(false),
		StartingDeadlineSeconds: pulumi.IntPtr(1 << 30),
		JobTemplate: batchv1.JobTemplateSpecArgs{
			Spec: batchv1.JobSpecArgs{Template: corev1.PodTemplateSpecArgs{Spec: windows(nil)}},
		},
	}}); err != nil {
		return err
	}
	_, err := corev1.NewService(ctx, "ports", &corev1.ServiceArgs{Spec: corev1.ServiceSpecArgs{
		Selector: labels, Ports: corev1.ServicePortArray{
			corev1.ServicePortArgs{Port: pulumi.Int(80), TargetPort: pulumi.String("http")},
			corev1.ServicePortArgs{Port: pulumi.Int(81), TargetPort: pulumi.Int(8080)},
			&corev1.ServicePortArgs{Port: pulumi.Int(82), TargetPort: pulumi.Float64(0.5)},
		},
	}})
	return err
}
