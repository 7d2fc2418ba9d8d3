// Command stack has workloads for Windows Server 2022. The configuration has the topology of the cluster, their number,
// and how their pods get to the nodes: class and selector for workloads of the package workload, by a RuntimeClass or
// by a selector, place for resources of pulumi-kubernetes that the guard's Place completes.
package main

import (
	"fmt"
	"reflect"

	batchv1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/batch/v1"
	corev1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/core/v1"
	metav1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/meta/v1"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"

	"github.com/mixedkube/mixedkube/components/guard"
	"github.com/mixedkube/mixedkube/components/runtimeclass"
	"github.com/mixedkube/mixedkube/components/workload"
	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
)

func main() { guard.Run(program) }

func program(ctx *pulumi.Context) error {
	given := config.New(ctx, "")
	var cluster topology.Topology
	given.RequireObject("topology", &cluster)
	create := created{}
	var opts []pulumi.ResourceOption
	switch way := given.Require("way"); way {
	case "class":
		classes, err := runtimeclass.NewSet(ctx, ctx.Stack(), &runtimeclass.SetArgs{
			Topology: cluster,
			// The pods name this class until their images are newer.
			Keep: []platform.Platform{platform.WindowsServer2022},
		})
		if err != nil {
			return err
		}
		create, opts = typed(cluster, workload.ByRuntimeClass), []pulumi.ResourceOption{pulumi.DependsOn(classes.Ready())}
	case "selector":
		create = typed(cluster, workload.BySelector)
	case "place":
		if err := guard.Enforce(ctx, placing(cluster)); err != nil {
			return err
		}
		create = raw
	default:
		return fmt.Errorf("way %q: use class, selector or place", way)
	}
	for i := range given.RequireInt("count") {
		w := describe(fmt.Sprintf("%s-%02d", ctx.Stack(), i), i)
		kind := kinds[i%len(kinds)]
		if err := create[kind](ctx, w, opts...); err != nil {
			return err
		}
	}
	return nil
}

// placing are the arguments of the guard: existing Jobs and Pods move too. The version that records has no such field.
func placing(cluster topology.Topology) guard.Args {
	args := guard.Args{Topology: cluster, Place: true}
	if move := reflect.ValueOf(&args).Elem().FieldByName("MovePins"); move.IsValid() {
		move.SetBool(true)
	}
	return args
}

// described is what the constructors of all kinds need.
type described struct {
	name string
	// metadata has a name for the first of each kind. Pulumi names the others.
	metadata metav1.ObjectMetaArgs
	labels   pulumi.StringMap
	pods     corev1.PodSpecArgs
}

func describe(name string, i int) described {
	w := described{name: name, labels: pulumi.StringMap{"app": pulumi.String(name)}}
	w.metadata.Labels = w.labels
	if i < len(kinds) {
		w.metadata.Name = pulumi.String(name)
	}
	w.pods.Containers = corev1.ContainerArray{corev1.ContainerArgs{
		Name: pulumi.String("main"), Image: pulumi.String(images[i%len(images)]),
	}}
	switch i % 3 {
	case 1:
		w.pods.NodeSelector = pulumi.StringMap{"tier": pulumi.String("web")}
	case 2:
		w.pods.Tolerations = corev1.TolerationArray{corev1.TolerationArgs{
			Key: pulumi.String("sale"), Operator: pulumi.String("Exists"),
		}}
	}
	switch kinds[i%len(kinds)] {
	case "Job":
		w.pods.RestartPolicy = pulumi.String("Never")
	case "CronJob":
		w.pods.RestartPolicy = pulumi.String("OnFailure")
	}
	return w
}

func (w described) template() corev1.PodTemplateSpecArgs {
	return corev1.PodTemplateSpecArgs{Metadata: metav1.ObjectMetaArgs{Labels: w.labels}, Spec: w.pods}
}

func (w described) selector() metav1.LabelSelectorArgs {
	return metav1.LabelSelectorArgs{MatchLabels: w.labels}
}

func (w described) job() batchv1.JobSpecArgs {
	return batchv1.JobSpecArgs{BackoffLimit: pulumi.Int(20), Template: w.template()}
}

func (w described) cronJob() batchv1.CronJobSpecArgs {
	return batchv1.CronJobSpecArgs{
		Schedule: pulumi.String("0 4 1 1 *"), JobTemplate: batchv1.JobTemplateSpecArgs{Spec: w.job()},
	}
}

// created are the constructors of workloads, by kind.
type created map[string]func(*pulumi.Context, described, ...pulumi.ResourceOption) error

var kinds = []string{
	"Pod", "Job", "CronJob", "Deployment", "StatefulSet", "DaemonSet", "ReplicaSet", "ReplicationController",
}

var images = []string{
	"mcr.microsoft.com/windows/servercore/iis:windowsservercore-ltsc2022",
	"mcr.microsoft.com/windows/nanoserver:ltsc2022",
	"mcr.microsoft.com/dotnet/framework/aspnet:4.8-windowsservercore-ltsc2022",
	"mcr.microsoft.com/dotnet/runtime:8.0-nanoserver-ltsc2022",
	"mcr.microsoft.com/windows/servercore:ltsc2022",
}
