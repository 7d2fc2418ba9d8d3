// Command kinds deploys every kind of workload onto every platform: "job-windows-2022",
// for one, with its name as the label "app" of its pods.
package main

import (
	appsv1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/apps/v1"
	batchv1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/batch/v1"
	corev1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/core/v1"
	metav1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/meta/v1"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/guard"
	"github.com/mixedkube/mixedkube/components/runtimeclass"
	"github.com/mixedkube/mixedkube/components/workload"
	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
)

// images are what each platform runs.
var images = map[platform.Platform]string{
	platform.Linux:             "busybox:1.37",
	platform.WindowsServer2019: "mcr.microsoft.com/windows/nanoserver:ltsc2019",
	platform.WindowsServer2022: "mcr.microsoft.com/windows/nanoserver:ltsc2022",
	platform.WindowsServer2025: "mcr.microsoft.com/windows/nanoserver:ltsc2025",
}

func main() { guard.Run(program) }

func program(ctx *pulumi.Context) error {
	var cluster topology.Topology
	for _, p := range topology.PoolPlatforms() {
		cluster.Pools = append(cluster.Pools, topology.Pool{Name: p.String(), Platform: p})
	}
	if err := guard.Enforce(ctx, guard.Args{Topology: cluster}); err != nil {
		return err
	}
	classes, err := runtimeclass.NewSet(ctx, "windows", &runtimeclass.SetArgs{Topology: cluster})
	if err != nil {
		return err
	}
	for _, p := range topology.PoolPlatforms() {
		for kind, deploy := range kinds {
			w := deployment{
				name: kind + "-" + p.String(), platform: p,
				after: pulumi.DependsOn(classes.Ready(p)),
			}
			if err := deploy(ctx, w); err != nil {
				return err
			}
		}
	}
	return nil
}

// deployment is one workload on one platform.
type deployment struct {
	name     string
	platform platform.Platform
	after    pulumi.ResourceOption
}

func (d deployment) metadata() metav1.ObjectMetaArgs {
	return metav1.ObjectMetaArgs{Name: pulumi.String(d.name), Labels: d.labels()}
}

func (d deployment) labels() pulumi.StringMap { return pulumi.StringMap{"app": pulumi.String(d.name)} }

func (d deployment) selector() metav1.LabelSelectorArgs {
	return metav1.LabelSelectorArgs{MatchLabels: d.labels()}
}

func (d deployment) pods() corev1.PodSpecArgs {
	return corev1.PodSpecArgs{Containers: corev1.ContainerArray{corev1.ContainerArgs{
		Name: pulumi.String("main"), Image: pulumi.String(images[d.platform]),
	}}}
}

func (d deployment) template() corev1.PodTemplateSpecArgs {
	return corev1.PodTemplateSpecArgs{Metadata: metav1.ObjectMetaArgs{Labels: d.labels()}, Spec: d.pods()}
}

func (d deployment) job() batchv1.JobSpecArgs {
	pods := d.pods()
	pods.RestartPolicy = pulumi.String("Never")
	template := d.template()
	template.Spec = pods
	return batchv1.JobSpecArgs{Template: template}
}

var kinds = map[string]func(*pulumi.Context, deployment) error{
	"pod": func(ctx *pulumi.Context, d deployment) error {
		_, err := workload.NewPod(ctx, d.name,
			&workload.PodArgs{Platform: d.platform, Metadata: d.metadata(), Spec: d.pods()}, d.after)
		return err
	},
	"deployment": func(ctx *pulumi.Context, d deployment) error {
		_, err := workload.NewDeployment(ctx, d.name, &workload.DeploymentArgs{
			Platform: d.platform, Metadata: d.metadata(),
			Spec: appsv1.DeploymentSpecArgs{Selector: d.selector(), Template: d.template()},
		}, d.after)
		return err
	},
	"replica-set": func(ctx *pulumi.Context, d deployment) error {
		_, err := workload.NewReplicaSet(ctx, d.name, &workload.ReplicaSetArgs{
			Platform: d.platform, Metadata: d.metadata(),
			Spec: appsv1.ReplicaSetSpecArgs{Selector: d.selector(), Template: d.template()},
		}, d.after)
		return err
	},
	"replication-controller": func(ctx *pulumi.Context, d deployment) error {
		_, err := workload.NewReplicationController(ctx, d.name, &workload.ReplicationControllerArgs{
			Platform: d.platform, Metadata: d.metadata(),
			Spec: corev1.ReplicationControllerSpecArgs{Selector: d.labels(), Template: d.template()},
		}, d.after)
		return err
	},
	"stateful-set": func(ctx *pulumi.Context, d deployment) error {
		_, err := workload.NewStatefulSet(ctx, d.name, &workload.StatefulSetArgs{
			Platform: d.platform, Metadata: d.metadata(),
			Spec: appsv1.StatefulSetSpecArgs{
				ServiceName: pulumi.String(d.name), Selector: d.selector(),
				Template: d.template(),
			},
		}, d.after)
		return err
	},
	"daemon-set": func(ctx *pulumi.Context, d deployment) error {
		_, err := workload.NewDaemonSet(ctx, d.name, &workload.DaemonSetArgs{
			Platform: d.platform, Metadata: d.metadata(),
			Spec: appsv1.DaemonSetSpecArgs{Selector: d.selector(), Template: d.template()},
		}, d.after)
		return err
	},
	"job": func(ctx *pulumi.Context, d deployment) error {
		_, err := workload.NewJob(ctx, d.name,
			&workload.JobArgs{Platform: d.platform, Metadata: d.metadata(), Spec: d.job()}, d.after)
		return err
	},
	"cron-job": func(ctx *pulumi.Context, d deployment) error {
		_, err := workload.NewCronJob(ctx, d.name, &workload.CronJobArgs{
			Platform: d.platform, Metadata: d.metadata(),
			Spec: batchv1.CronJobSpecArgs{
				Schedule:    pulumi.String("* * * * *"),
				JobTemplate: batchv1.JobTemplateSpecArgs{Spec: d.job()},
			},
		}, d.after)
		return err
	},
}
