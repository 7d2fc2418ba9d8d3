package kubeadm

import (
	"slices"

	batchv1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/batch/v1"
	corev1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/core/v1"
	metav1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/meta/v1"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	kubernetes "k8s.io/api/core/v1"

	"github.com/mixedkube/mixedkube/components/hostprocess"
	"github.com/mixedkube/mixedkube/components/kubeadm/internal/drain"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/machines/kubeadm/plan"
)

// readyTimeout is how long a machine may take to become a node that runs a container: Windows
// installs features, restarts, and unpacks images of gigabytes.
const readyTimeout = "60m"

func (m machine) readyName() string { return m.resource + "-ready" }

// nodeResource returns the name of the resource of the machine's node.
func (m machine) nodeResource() string { return m.resource + "-node" }

// newReady waits until a machine is a node that is Ready: Pulumi waits for a Job whose pod runs
// only on this machine. The pod does not tolerate the taints of nodes that are not ready, and ends
// at once.
func (m machine) newReady(ctx *pulumi.Context, opts ...pulumi.ResourceOption) (*batchv1.Job, error) {
	return batchv1.NewJob(ctx, m.readyName(), &batchv1.JobArgs{
		Metadata: metav1.ObjectMetaArgs{
			Name:      pulumi.String("ready-" + m.Name),
			Namespace: pulumi.String("kube-system"),
		},
		Spec: batchv1.JobSpecArgs{
			// The first containers of a node may fail while its network starts.
			BackoffLimit: pulumi.Int(100),
			Template:     corev1.PodTemplateSpecArgs{Spec: readyPod(m.Machine)},
		},
	}, append(opts, m.parent, pulumi.Timeouts(&pulumi.CustomTimeouts{Create: readyTimeout}))...)
}

func readyPod(m plan.Machine) corev1.PodSpecArgs {
	pod := corev1.PodSpecArgs{
		NodeSelector: pulumi.StringMap{
			kubernetes.LabelHostname: pulumi.String(m.Name),
			kubernetes.LabelOSStable: pulumi.String(string(m.Pool.Platform.OS())),
		},
		Os:                           corev1.PodOSArgs{Name: pulumi.String(string(m.Pool.Platform.OS()))},
		Tolerations:                  tolerations(m.Pool),
		RestartPolicy:                pulumi.String("OnFailure"),
		AutomountServiceAccountToken: pulumi.Bool(false),
	}
	container := corev1.ContainerArgs{
		Name: pulumi.String("ready"),
		// The node has this image already.
		Image:   pulumi.String(m.PauseImage),
		Command: pulumi.ToStringArray([]string{"/pause", "-v"}),
	}
	if m.Pool.Platform.IsWindows() {
		// The pause image of Windows cannot end by itself; this one runs on every release.
		container.Image = pulumi.String(hostprocess.DefaultImage)
		container.Command = pulumi.ToStringArray([]string{"cmd.exe", "/c", "exit 0"})
		pod.HostNetwork = pulumi.Bool(true)
		pod.SecurityContext = corev1.PodSecurityContextArgs{WindowsOptions: corev1.WindowsSecurityContextOptionsArgs{
			HostProcess:   pulumi.Bool(true),
			RunAsUserName: pulumi.String(`NT AUTHORITY\Local service`),
		}}
	}
	pod.Containers = corev1.ContainerArray{container}
	return pod
}

// tolerations returns tolerations of the pool's own taints.
func tolerations(pool topology.Pool) corev1.TolerationArray {
	var list corev1.TolerationArray
	for _, t := range slices.DeleteFunc(slices.Clone(pool.Taints),
		func(t kubernetes.Taint) bool { return t.Effect == kubernetes.TaintEffectPreferNoSchedule }) {
		list = append(list, corev1.TolerationArgs{
			Key: pulumi.String(t.Key), Operator: pulumi.String("Equal"), Value: pulumi.String(t.Value),
			Effect: pulumi.String(string(t.Effect)),
		})
	}
	return list
}

// newNode makes the node of a machine a resource of the program, so that it is deleted with the
// machine: otherwise nothing would delete it from Kubernetes. With server-side apply the provider
// adopts the existing object. It changes only the annotation that tells people the pool.
func (m machine) newNode(
	ctx *pulumi.Context, annotated bool, opts ...pulumi.ResourceOption,
) (*corev1.Node, error) {
	meta := metav1.ObjectMetaArgs{Name: pulumi.String(m.Name)}
	if annotated {
		meta.Annotations = pulumi.StringMap{drain.PoolAnnotation: pulumi.String(m.Pool.Name)}
	}
	return corev1.NewNode(ctx, m.nodeResource(), &corev1.NodeArgs{Metadata: meta}, append(opts, m.parent)...)
}
