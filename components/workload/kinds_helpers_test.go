package workload_test

import (
	"strings"
	"testing"

	appsv1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/apps/v1"
	batchv1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/batch/v1"
	corev1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/core/v1"
	metav1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/meta/v1"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/mocktest"
	"github.com/mixedkube/mixedkube/components/workload"
	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
)

// arguments are the arguments of all kinds.
type arguments struct {
	platform       platform.Platform
	metadata       metav1.ObjectMetaPtrInput
	scheduling     workload.Scheduling
	topology       topology.Topology
	user           workload.User
	credentialSpec workload.CredentialSpec
	pods           corev1.PodSpecArgs
}

// made is the result of a constructor.
type made struct {
	component pulumi.ComponentResource
	child     pulumi.CustomResource
	name      pulumi.StringPtrOutput
}

// kind is one kind of workload.
type kind struct {
	name string
	// typ is the type of the Kubernetes resource.
	typ string
	// path is the path of the pod spec.
	path string
	// bySelector is true if the pods never name the platform's RuntimeClass.
	bySelector bool
	// make calls the constructor with the name "web", and without arguments if args is nil.
	make func(ctx *pulumi.Context, args *arguments, opts ...pulumi.ResourceOption) (made, error)
}

func (k kind) component() string { return "mixedkube:workload:" + k.name }

func (k kind) child() string { return "web-" + strings.ToLower(k.name) }

func (k kind) subject() string { return k.component() + ` "web": ` }

func (k kind) deploy(args *arguments, opts ...pulumi.ResourceOption) pulumi.RunFunc {
	return func(ctx *pulumi.Context) error {
		_, err := k.make(ctx, args, opts...)
		return err
	}
}

// get returns the Kubernetes resource.
func (k kind) get(t *testing.T, graph *mocktest.Graph) mocktest.Resource {
	t.Helper()
	r, err := graph.Get(k.typ, k.child())
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// pods returns the spec of the recorded pods, without the containers.
func (k kind) pods(t *testing.T, graph *mocktest.Graph) map[string]any {
	t.Helper()
	at := k.get(t, graph).Plain()
	for key := range strings.SplitSeq(k.path, ".") {
		at = at[key].(map[string]any)
	}
	delete(at, "containers")
	delete(at, "restartPolicy")
	return at
}

var (
	labels   = pulumi.StringMap{"app": pulumi.String("web")}
	selects  = metav1.LabelSelectorArgs{MatchLabels: labels}
	byLabels = metav1.ObjectMetaArgs{Labels: labels}
)

// templateOf returns a template with the pods.
func templateOf(args *arguments) corev1.PodTemplateSpecArgs {
	return corev1.PodTemplateSpecArgs{Metadata: byLabels, Spec: args.pods}
}

// jobOf returns a Job with the pods, which are not restarted forever.
func jobOf(args *arguments) batchv1.JobSpecArgs {
	once := *args
	once.pods.RestartPolicy = pulumi.String("Never")
	return batchv1.JobSpecArgs{BackoffLimit: pulumi.Int(2), Template: templateOf(&once)}
}

// result avoids reading fields of a component that does not exist.
func result[C pulumi.ComponentResource](
	c C, err error, child func(C) (pulumi.CustomResource, pulumi.StringPtrOutput),
) (made, error) {
	if err != nil {
		return made{}, err
	}
	resource, name := child(c)
	return made{c, resource, name}, nil
}

// kinds returns all kinds.
func kinds() []kind {
	return []kind{
		{
			name: "Pod", typ: "kubernetes:core/v1:Pod", path: "spec",
			make: func(ctx *pulumi.Context, in *arguments, opts ...pulumi.ResourceOption) (made, error) {
				var args *workload.PodArgs
				if in != nil {
					args = &workload.PodArgs{
						Platform: in.platform, Metadata: in.metadata, Scheduling: in.scheduling, Topology: in.topology,
						User: in.user, CredentialSpec: in.credentialSpec, Spec: in.pods,
					}
				}
				c, err := workload.NewPod(ctx, "web", args, opts...)
				return result(c, err,
					func(c *workload.Pod) (pulumi.CustomResource, pulumi.StringPtrOutput) { return c.Pod, c.Name })
			},
		},
		{
			name: "Deployment", typ: deploymentType, path: "spec.template.spec",
			make: func(ctx *pulumi.Context, in *arguments, opts ...pulumi.ResourceOption) (made, error) {
				var args *workload.DeploymentArgs
				if in != nil {
					args = &workload.DeploymentArgs{
						Platform: in.platform, Metadata: in.metadata, Scheduling: in.scheduling, Topology: in.topology,
						User: in.user, CredentialSpec: in.credentialSpec,
						Spec: appsv1.DeploymentSpecArgs{
							Replicas: pulumi.Int(2), Selector: selects,
							Template: templateOf(in),
						},
					}
				}
				c, err := workload.NewDeployment(ctx, "web", args, opts...)
				return result(c, err, func(c *workload.Deployment) (pulumi.CustomResource, pulumi.StringPtrOutput) {
					return c.Deployment, c.Name
				})
			},
		},
		{
			name: "ReplicaSet", typ: "kubernetes:apps/v1:ReplicaSet", path: "spec.template.spec",
			make: func(ctx *pulumi.Context, in *arguments, opts ...pulumi.ResourceOption) (made, error) {
				var args *workload.ReplicaSetArgs
				if in != nil {
					args = &workload.ReplicaSetArgs{
						Platform: in.platform, Metadata: in.metadata, Scheduling: in.scheduling, Topology: in.topology,
						User: in.user, CredentialSpec: in.credentialSpec,
						Spec: appsv1.ReplicaSetSpecArgs{
							Replicas: pulumi.Int(2), Selector: selects,
							Template: templateOf(in),
						},
					}
				}
				c, err := workload.NewReplicaSet(ctx, "web", args, opts...)
				return result(c, err, func(c *workload.ReplicaSet) (pulumi.CustomResource, pulumi.StringPtrOutput) {
					return c.ReplicaSet, c.Name
				})
			},
		},
		{
			name: "ReplicationController", typ: "kubernetes:core/v1:ReplicationController", path: "spec.template.spec",
			make: func(ctx *pulumi.Context, in *arguments, opts ...pulumi.ResourceOption) (made, error) {
				var args *workload.ReplicationControllerArgs
				if in != nil {
					args = &workload.ReplicationControllerArgs{
						Platform: in.platform, Metadata: in.metadata, Scheduling: in.scheduling, Topology: in.topology,
						User: in.user, CredentialSpec: in.credentialSpec,
						Spec: corev1.ReplicationControllerSpecArgs{
							Replicas: pulumi.Int(2), Selector: labels,
							Template: templateOf(in),
						},
					}
				}
				c, err := workload.NewReplicationController(ctx, "web", args, opts...)
				return result(c, err,
					func(c *workload.ReplicationController) (pulumi.CustomResource, pulumi.StringPtrOutput) {
						return c.ReplicationController, c.Name
					})
			},
		},
		{
			name: "StatefulSet", typ: "kubernetes:apps/v1:StatefulSet", path: "spec.template.spec",
			make: func(ctx *pulumi.Context, in *arguments, opts ...pulumi.ResourceOption) (made, error) {
				var args *workload.StatefulSetArgs
				if in != nil {
					args = &workload.StatefulSetArgs{
						Platform: in.platform, Metadata: in.metadata, Scheduling: in.scheduling, Topology: in.topology,
						User: in.user, CredentialSpec: in.credentialSpec,
						Spec: appsv1.StatefulSetSpecArgs{
							ServiceName: pulumi.String("web"), Selector: selects, Template: templateOf(in),
							VolumeClaimTemplates: corev1.PersistentVolumeClaimTypeArray{
								corev1.PersistentVolumeClaimTypeArgs{
									Metadata: metav1.ObjectMetaArgs{Name: pulumi.String("data")},
								},
							},
						},
					}
				}
				c, err := workload.NewStatefulSet(ctx, "web", args, opts...)
				return result(c, err, func(c *workload.StatefulSet) (pulumi.CustomResource, pulumi.StringPtrOutput) {
					return c.StatefulSet, c.Name
				})
			},
		},
		{
			name: "DaemonSet", typ: "kubernetes:apps/v1:DaemonSet", path: "spec.template.spec", bySelector: true,
			make: func(ctx *pulumi.Context, in *arguments, opts ...pulumi.ResourceOption) (made, error) {
				var args *workload.DaemonSetArgs
				if in != nil {
					args = &workload.DaemonSetArgs{
						Platform: in.platform, Metadata: in.metadata, Topology: in.topology,
						User: in.user, CredentialSpec: in.credentialSpec,
						Spec: appsv1.DaemonSetSpecArgs{
							MinReadySeconds: pulumi.Int(5), Selector: selects,
							Template: templateOf(in),
						},
					}
				}
				c, err := workload.NewDaemonSet(ctx, "web", args, opts...)
				return result(c, err, func(c *workload.DaemonSet) (pulumi.CustomResource, pulumi.StringPtrOutput) {
					return c.DaemonSet, c.Name
				})
			},
		},
		{
			name: "Job", typ: "kubernetes:batch/v1:Job", path: "spec.template.spec",
			make: func(ctx *pulumi.Context, in *arguments, opts ...pulumi.ResourceOption) (made, error) {
				var args *workload.JobArgs
				if in != nil {
					args = &workload.JobArgs{
						Platform: in.platform, Metadata: in.metadata, Scheduling: in.scheduling, Topology: in.topology,
						User: in.user, CredentialSpec: in.credentialSpec, Spec: jobOf(in),
					}
				}
				c, err := workload.NewJob(ctx, "web", args, opts...)
				return result(c, err,
					func(c *workload.Job) (pulumi.CustomResource, pulumi.StringPtrOutput) { return c.Job, c.Name })
			},
		},
		{
			name: "CronJob", typ: "kubernetes:batch/v1:CronJob", path: "spec.jobTemplate.spec.template.spec",
			make: func(ctx *pulumi.Context, in *arguments, opts ...pulumi.ResourceOption) (made, error) {
				var args *workload.CronJobArgs
				if in != nil {
					args = &workload.CronJobArgs{
						Platform: in.platform, Metadata: in.metadata, Scheduling: in.scheduling, Topology: in.topology,
						User: in.user, CredentialSpec: in.credentialSpec,
						Spec: batchv1.CronJobSpecArgs{
							Schedule:    pulumi.String("0 3 * * *"),
							JobTemplate: batchv1.JobTemplateSpecArgs{Metadata: byLabels, Spec: jobOf(in)},
						},
					}
				}
				c, err := workload.NewCronJob(ctx, "web", args, opts...)
				return result(c, err, func(c *workload.CronJob) (pulumi.CustomResource, pulumi.StringPtrOutput) {
					return c.CronJob, c.Name
				})
			},
		},
	}
}
