package hostprocess

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	batchv1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/batch/v1"
	corev1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/core/v1"
	metav1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/meta/v1"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	k8score "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/internal/components/input"
	"github.com/mixedkube/mixedkube/internal/components/refusal"
	"github.com/mixedkube/mixedkube/internal/core/fielderrors"
)

const (
	nodeLogsToken = "mixedkube:hostprocess:NodeLogs"
	nodeLogsName  = "node-logs"

	// logDir is what the kubelet serves at /logs, on Windows too
	// (pkg/kubelet/kubelet.go of Kubernetes 1.36.3, nodeLogDir).
	logDir = `C:\var\log\`
)

// NodeLogsArgs are the arguments of [NewNodeLogs].
type NodeLogsArgs struct {
	// Node is the name of the Windows node. Required.
	Node string `pulumi:"node"`

	// Run identifies a collection: a different text gathers the logs again.
	Run string `pulumi:"run,optional"`

	// PodLogs includes the logs of the node's containers. They may hold confidential data. The
	// default is false.
	PodLogs bool `pulumi:"podLogs,optional"`

	// Namespace is the namespace of the Job: kube-system by default. It must allow privileged
	// pods. The name of a Namespace of the same program, its Metadata.Name(), can be given: the
	// Job then waits for it.
	Namespace pulumi.StringPtrInput `pulumi:"namespace,optional"`

	// Image is the image of the container, which uses only its manifest: [DefaultImage] by
	// default. It is for mirrors.
	Image string `pulumi:"image,optional"`
}

// NodeLogs is the logs of a Windows node.
type NodeLogs struct {
	pulumi.ResourceState

	// Job is the Kubernetes resource.
	Job *batchv1.Job
	// Archive is the path of the archive on the node.
	Archive string
	// FetchCommand is what fetches it, for a shell of Linux or macOS.
	FetchCommand string
}

// NewNodeLogs gathers the logs of a Windows node into one archive for troubleshooting: the logs
// of the kubelet, of containerd, of kube-proxy, of the CNI plugins and of the bootstrap, the
// events of the last two days, and what the host networking service, containerd and Windows
// report as their state. It includes only the end of a file that is larger than 32 MiB. Tokens,
// keys and kubeconfigs stay on the node.
//
// A Job with a host-process container does it, on a node that is not ready or repels
// other pods too, as long as its containerd starts containers. The archive lies below
// C:\var\log, which the kubelet serves: [NodeLogs.FetchCommand] needs the permission
// nodes/proxy. Its file problems.txt lists the files that could not be read.
//
// The error lists everything that is wrong with the arguments, with field paths; nothing
// is registered then.
func NewNodeLogs(
	ctx *pulumi.Context, name string, args *NodeLogsArgs, opts ...pulumi.ResourceOption,
) (*NodeLogs, error) {
	if args == nil {
		args = &NodeLogsArgs{}
	}
	subject := fmt.Sprintf("%s %q", nodeLogsToken, name)
	split, wrong := runs(nodeLogsToken, name, jobType, "-job").Split(opts)
	namespace, errs := input.Namespace(subject, args.Namespace, kubeSystem)
	logs := &NodeLogs{}
	held, err := refusal.Hold(ctx, logs, fielderrors.Join(subject, slices.Concat(wrong, errs, args.check())))
	if err != nil {
		return nil, err
	}

	file := nodeLogsName + "/" + args.Node + ".zip"
	logs.Archive = logDir + strings.ReplaceAll(file, "/", `\`)
	logs.FetchCommand = fmt.Sprintf("kubectl get --raw /api/v1/nodes/%s/proxy/logs/%s > %s.zip", args.Node, file,
		args.Node)
	options := slices.Concat(split.Component, held)
	if err := ctx.RegisterComponentResource(nodeLogsToken, name, logs, options...); err != nil {
		return nil, err
	}
	if err := refusal.LogFacts(ctx, logs, map[string]bool{
		"HostProcessImage": args.Image == "",
	}); err != nil {
		return nil, err
	}
	inside := pulumi.Parent(logs)
	config, err := newConfigMap(ctx, name+"-config", nodeLogsName, namespace, pulumi.ToStringMap(map[string]string{
		"settings.json": text(map[string]any{"archive": logs.Archive, "podLogs": args.PodLogs}),
		"node-logs.ps1": script("node-logs.ps1"),
		"node.ps1":      script("node.ps1"),
	}), inside)
	if err != nil {
		return nil, err
	}
	logs.Job, err = batchv1.NewJob(ctx, name+"-job", args.job(namespace, config), split.Main(inside)...)
	if err != nil {
		return nil, err
	}
	return logs, ctx.RegisterResourceOutputs(logs, pulumi.Map{
		"archive":      pulumi.String(logs.Archive),
		"fetchCommand": pulumi.String(logs.FetchCommand),
	})
}

func (a *NodeLogsArgs) check() field.ErrorList {
	at := field.NewPath("node")
	var errs field.ErrorList
	if a.Node == "" {
		errs = append(errs, field.Required(at, "the name of a Windows node, as `kubectl get nodes` shows it"))
	} else if problems := validation.IsDNS1123Subdomain(a.Node); len(problems) > 0 {
		errs = append(errs, field.Invalid(at, a.Node, strings.Join(problems, "; ")+": write the name of a node"))
	}
	return append(errs, refusal.Image(a.Image, field.NewPath("image"))...)
}

// job has no fixed name, so that a new Job exists before the last one is deleted.
func (a *NodeLogsArgs) job(namespace pulumi.StringPtrInput, config *corev1.ConfigMap) *batchv1.JobArgs {
	runs := hostProcess{
		agent:  agent{name: nodeLogsName, namespace: namespace, config: config},
		image:  cmp.Or(a.Image, DefaultImage),
		script: "node-logs.ps1",
	}
	pods := runs.pods()
	pods.Affinity = onNode(a.Node)
	pods.RestartPolicy = pulumi.String(string(k8score.RestartPolicyNever))
	pods.AutomountServiceAccountToken = pulumi.Bool(false)
	pods.Tolerations = tolerateAll()
	metadata := metav1.ObjectMetaArgs{Labels: nameLabel(nodeLogsName)}
	if a.Run != "" {
		metadata.Annotations = pulumi.StringMap{"mixedkube.dev/run": pulumi.String(a.Run)}
	}
	return &batchv1.JobArgs{
		Metadata: metav1.ObjectMetaArgs{
			Namespace: namespace, Labels: nameLabel(nodeLogsName),
			// The next update recreates a failed Job.
			Annotations: pulumi.StringMap{"pulumi.com/replaceUnready": pulumi.String("true")},
		},
		Spec: batchv1.JobSpecArgs{
			BackoffLimit:          pulumi.Int(0),
			ActiveDeadlineSeconds: pulumi.Int(nodeLogsSeconds),
			Template:              corev1.PodTemplateSpecArgs{Metadata: metadata, Spec: pods},
		},
	}
}

// onNode puts pods on one node, by its name: labels can be others.
func onNode(name string) corev1.AffinityArgs {
	return corev1.AffinityArgs{NodeAffinity: corev1.NodeAffinityArgs{
		RequiredDuringSchedulingIgnoredDuringExecution: corev1.NodeSelectorArgs{
			NodeSelectorTerms: corev1.NodeSelectorTermArray{corev1.NodeSelectorTermArgs{
				MatchFields: corev1.NodeSelectorRequirementArray{corev1.NodeSelectorRequirementArgs{
					Key:      pulumi.String("metadata.name"),
					Operator: pulumi.String(string(k8score.NodeSelectorOpIn)),
					Values:   pulumi.ToStringArray([]string{name}),
				}},
			}},
		},
	}}
}

// nodeLogsSeconds is more than all commands of the script may take together.
const nodeLogsSeconds = 1800
