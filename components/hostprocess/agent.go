package hostprocess

import (
	"strings"

	appsv1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/apps/v1"
	corev1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/core/v1"
	metav1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/meta/v1"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	k8score "k8s.io/api/core/v1"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/internal/core/facts"
)

const (
	// DefaultImage is the base image for host-process containers: it has no files, so
	// that one image runs on all releases of Windows Server
	// (https://github.com/microsoft/windows-host-process-containers-base-image).
	DefaultImage = facts.HostProcessImage

	// powerShell is a full path: what PATH is in a container depends on its image.
	powerShell = `C:\Windows\System32\WindowsPowerShell\v1.0\powershell.exe`
	// agentUser is [System] as the agents have always spelled it: another spelling would
	// roll them out. They need it: kube-proxy and flanneld create networks, endpoints and
	// load balancers of the Host Networking Service, which only administrators may.
	agentUser    = User(`NT AUTHORITY\system`)
	amd64        = "amd64"
	nameLabelKey = "app.kubernetes.io/name"
	nodeCritical = "system-node-critical"
)

// agent is a program of the nodes that a pod on each node of a system keeps running.
type agent struct {
	// name is the name of the DaemonSet and the container, and the value of its label.
	name           string
	namespace      pulumi.StringPtrInput
	serviceAccount pulumi.StringInput
	// config is the ConfigMap that is mounted at mountPath.
	config *corev1.ConfigMap
}

// hostProcess is an agent of the Windows nodes: one container that runs as the system
// and starts with a script of its ConfigMap.
type hostProcess struct {
	agent
	image, script string
	env           corev1.EnvVarArray
}

// mountPath returns a directory of its own, as what is mounted hides the directory of the host from
// the container.
func (a agent) mountPath() string { return mountPathOf(a.name) }

func mountPathOf(name string) string { return "/mounts/" + name }

// windowsPath is mountPath, or a file in it, as programs of Windows read it: without the
// drive they would take a path for a relative one.
func (a agent) windowsPath(file string) string { return "C:" + a.mountPath() + "/" + file }

// daemonSet returns the agent's, complete except the pods.
func (a agent) daemonSet(pods corev1.PodSpecArgs) *appsv1.DaemonSetArgs {
	pods.ServiceAccountName = a.serviceAccount.ToStringOutput().ToStringPtrOutput()
	pods.HostNetwork = pulumi.Bool(true)
	// A node does not work without the agent: it is scheduled before all else, even onto nodes
	// that are not ready or repel other pods.
	pods.PriorityClassName = pulumi.String(nodeCritical)
	pods.Tolerations = tolerateAll()
	return labeled(a.name, a.namespace, nil, pods)
}

// labeled returns a DaemonSet whose pods have its name as their label.
func labeled(
	name string, namespace pulumi.StringPtrInput, annotations pulumi.StringMapInput, pods corev1.PodSpecArgs,
) *appsv1.DaemonSetArgs {
	labels := nameLabel(name)
	return &appsv1.DaemonSetArgs{
		Metadata: metav1.ObjectMetaArgs{
			Name: pulumi.String(name), Namespace: namespace, Labels: labels,
			Annotations: annotations,
		},
		Spec: appsv1.DaemonSetSpecArgs{
			Selector:       metav1.LabelSelectorArgs{MatchLabels: labels},
			UpdateStrategy: appsv1.DaemonSetUpdateStrategyArgs{Type: pulumi.String("RollingUpdate")},
			Template: corev1.PodTemplateSpecArgs{
				Metadata: metav1.ObjectMetaArgs{Labels: labels},
				Spec:     pods,
			},
		},
	}
}

func nameLabel(name string) pulumi.StringMap {
	return pulumi.StringMap{nameLabelKey: pulumi.String(name)}
}

// onWindowsNodes turns pods into host-process pods of Windows nodes. The DaemonSet controller does
// not look at RuntimeClasses when it picks nodes, so the selector is their own.
func onWindowsNodes(pods corev1.PodSpecArgs, user User) corev1.PodSpecArgs {
	pods.Os = corev1.PodOSArgs{Name: pulumi.String(string(platform.WindowsOS))}
	pods.HostNetwork = pulumi.Bool(true)
	pods.NodeSelector = pulumi.StringMap{
		k8score.LabelOSStable:   pulumi.String(string(platform.WindowsOS)),
		k8score.LabelArchStable: pulumi.String(amd64),
	}
	pods.SecurityContext = corev1.PodSecurityContextArgs{WindowsOptions: corev1.WindowsSecurityContextOptionsArgs{
		HostProcess:   pulumi.Bool(true),
		RunAsUserName: pulumi.String(string(user)),
	}}
	return pods
}

// tolerateAll lets pods onto every node, whatever is wrong with it.
func tolerateAll() corev1.TolerationArray {
	return corev1.TolerationArray{corev1.TolerationArgs{Operator: pulumi.String(string(k8score.TolerationOpExists))}}
}

// daemonSet has pods that are on Windows nodes only.
func (h hostProcess) daemonSet() *appsv1.DaemonSetArgs { return h.agent.daemonSet(h.pods()) }

func (h hostProcess) pods() corev1.PodSpecArgs {
	return onWindowsNodes(corev1.PodSpecArgs{
		Containers: corev1.ContainerArray{corev1.ContainerArgs{
			Name:  pulumi.String(h.name),
			Image: pulumi.String(h.image),
			Command: pulumi.ToStringArray([]string{
				powerShell, "-NoProfile", "-NonInteractive", "-ExecutionPolicy", "Bypass",
				"-File", strings.ReplaceAll(h.windowsPath(h.script), "/", `\`),
			}),
			Env:          h.env,
			VolumeMounts: corev1.VolumeMountArray{mount("config", h.mountPath())},
		}},
		Volumes: corev1.VolumeArray{h.configVolume()},
	}, agentUser)
}

func (a agent) configVolume() corev1.VolumeArgs {
	return corev1.VolumeArgs{
		Name:      pulumi.String("config"),
		ConfigMap: corev1.ConfigMapVolumeSourceArgs{Name: a.config.Metadata.Name()},
	}
}

func mount(volume, path string) corev1.VolumeMountArgs {
	return corev1.VolumeMountArgs{Name: pulumi.String(volume), MountPath: pulumi.String(path)}
}

// fromField returns a variable with what a field of the pod says.
func fromField(name, path string) corev1.EnvVarArgs {
	return corev1.EnvVarArgs{
		Name:      pulumi.String(name),
		ValueFrom: corev1.EnvVarSourceArgs{FieldRef: corev1.ObjectFieldSelectorArgs{FieldPath: pulumi.String(path)}},
	}
}
