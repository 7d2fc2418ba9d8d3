package main

import (
	appsv1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/apps/v1"
	batchv1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/batch/v1"
	corev1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/core/v1"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

// raw creates resources of pulumi-kubernetes, which Place completes.
var raw = created{
	"Pod": func(ctx *pulumi.Context, w described, opts ...pulumi.ResourceOption) error {
		_, err := corev1.NewPod(ctx, w.name, &corev1.PodArgs{Metadata: w.metadata, Spec: w.pods}, opts...)
		return err
	},
	"Job": func(ctx *pulumi.Context, w described, opts ...pulumi.ResourceOption) error {
		_, err := batchv1.NewJob(ctx, w.name, &batchv1.JobArgs{Metadata: w.metadata, Spec: w.job()}, opts...)
		return err
	},
	"CronJob": func(ctx *pulumi.Context, w described, opts ...pulumi.ResourceOption) error {
		args := &batchv1.CronJobArgs{Metadata: w.metadata, Spec: w.cronJob()}
		_, err := batchv1.NewCronJob(ctx, w.name, args, opts...)
		return err
	},
	"Deployment": func(ctx *pulumi.Context, w described, opts ...pulumi.ResourceOption) error {
		spec := appsv1.DeploymentSpecArgs{Selector: w.selector(), Template: w.template()}
		args := &appsv1.DeploymentArgs{Metadata: w.metadata, Spec: spec}
		_, err := appsv1.NewDeployment(ctx, w.name, args, opts...)
		return err
	},
	"StatefulSet": func(ctx *pulumi.Context, w described, opts ...pulumi.ResourceOption) error {
		spec := appsv1.StatefulSetSpecArgs{
			ServiceName: pulumi.String(w.name), Selector: w.selector(), Template: w.template(),
		}
		args := &appsv1.StatefulSetArgs{Metadata: w.metadata, Spec: spec}
		_, err := appsv1.NewStatefulSet(ctx, w.name, args, opts...)
		return err
	},
	"DaemonSet": func(ctx *pulumi.Context, w described, opts ...pulumi.ResourceOption) error {
		spec := appsv1.DaemonSetSpecArgs{Selector: w.selector(), Template: w.template()}
		_, err := appsv1.NewDaemonSet(ctx, w.name, &appsv1.DaemonSetArgs{Metadata: w.metadata, Spec: spec}, opts...)
		return err
	},
	"ReplicaSet": func(ctx *pulumi.Context, w described, opts ...pulumi.ResourceOption) error {
		spec := appsv1.ReplicaSetSpecArgs{Selector: w.selector(), Template: w.template()}
		args := &appsv1.ReplicaSetArgs{Metadata: w.metadata, Spec: spec}
		_, err := appsv1.NewReplicaSet(ctx, w.name, args, opts...)
		return err
	},
	"ReplicationController": func(ctx *pulumi.Context, w described, opts ...pulumi.ResourceOption) error {
		spec := corev1.ReplicationControllerSpecArgs{Selector: w.labels, Template: w.template()}
		args := &corev1.ReplicationControllerArgs{Metadata: w.metadata, Spec: spec}
		_, err := corev1.NewReplicationController(ctx, w.name, args, opts...)
		return err
	},
}
