package main

import (
	appsv1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/apps/v1"
	corev1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/core/v1"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/workload"
	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
)

// typed creates workloads of the package workload.
func typed(cluster topology.Topology, how workload.Scheduling) created {
	const on = platform.WindowsServer2022
	return created{
		"Pod": func(ctx *pulumi.Context, w described, opts ...pulumi.ResourceOption) error {
			args := &workload.PodArgs{
				Platform: on, Topology: cluster, Scheduling: how, Metadata: w.metadata, Spec: w.pods,
			}
			_, err := workload.NewPod(ctx, w.name, args, opts...)
			return err
		},
		"Job": func(ctx *pulumi.Context, w described, opts ...pulumi.ResourceOption) error {
			args := &workload.JobArgs{
				Platform: on, Topology: cluster, Scheduling: how, Metadata: w.metadata, Spec: w.job(),
			}
			_, err := workload.NewJob(ctx, w.name, args, opts...)
			return err
		},
		"CronJob": func(ctx *pulumi.Context, w described, opts ...pulumi.ResourceOption) error {
			args := &workload.CronJobArgs{
				Platform: on, Topology: cluster, Scheduling: how, Metadata: w.metadata, Spec: w.cronJob(),
			}
			_, err := workload.NewCronJob(ctx, w.name, args, opts...)
			return err
		},
		"Deployment": func(ctx *pulumi.Context, w described, opts ...pulumi.ResourceOption) error {
			args := &workload.DeploymentArgs{
				Platform: on, Topology: cluster, Scheduling: how, Metadata: w.metadata,
				Spec: appsv1.DeploymentSpecArgs{Selector: w.selector(), Template: w.template()},
			}
			_, err := workload.NewDeployment(ctx, w.name, args, opts...)
			return err
		},
		"StatefulSet": func(ctx *pulumi.Context, w described, opts ...pulumi.ResourceOption) error {
			args := &workload.StatefulSetArgs{
				Platform: on, Topology: cluster, Scheduling: how, Metadata: w.metadata,
				Spec: appsv1.StatefulSetSpecArgs{
					ServiceName: pulumi.String(w.name), Selector: w.selector(), Template: w.template(),
				},
			}
			_, err := workload.NewStatefulSet(ctx, w.name, args, opts...)
			return err
		},
		"DaemonSet": func(ctx *pulumi.Context, w described, opts ...pulumi.ResourceOption) error {
			args := &workload.DaemonSetArgs{
				Platform: on, Topology: cluster, Metadata: w.metadata,
				Spec: appsv1.DaemonSetSpecArgs{Selector: w.selector(), Template: w.template()},
			}
			_, err := workload.NewDaemonSet(ctx, w.name, args, opts...)
			return err
		},
		"ReplicaSet": func(ctx *pulumi.Context, w described, opts ...pulumi.ResourceOption) error {
			args := &workload.ReplicaSetArgs{
				Platform: on, Topology: cluster, Scheduling: how, Metadata: w.metadata,
				Spec: appsv1.ReplicaSetSpecArgs{Selector: w.selector(), Template: w.template()},
			}
			_, err := workload.NewReplicaSet(ctx, w.name, args, opts...)
			return err
		},
		"ReplicationController": func(ctx *pulumi.Context, w described, opts ...pulumi.ResourceOption) error {
			args := &workload.ReplicationControllerArgs{
				Platform: on, Topology: cluster, Scheduling: how, Metadata: w.metadata,
				Spec: corev1.ReplicationControllerSpecArgs{Selector: w.labels, Template: w.template()},
			}
			_, err := workload.NewReplicationController(ctx, w.name, args, opts...)
			return err
		},
	}
}
