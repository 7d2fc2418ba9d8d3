package hostprocess

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"net"
	"regexp"
	"slices"
	"strings"

	appsv1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/apps/v1"
	corev1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/core/v1"
	metav1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/meta/v1"
	rbacv1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/rbac/v1"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/components/platform"
	"github.com/mixedkube/mixedkube/components/topology"
)

const (
	problemDetectorToken = "mixedkube:hostprocess:NodeProblemDetector"
	problemDetectorName  = "node-problem-detector-windows"

	// DefaultNodeProblemDetector is where the nodes have the program by default, beside
	// those of their bootstrap.
	DefaultNodeProblemDetector = `C:\k\node-problem-detector.exe`
)

// NodeProblemDetectorArgs are the arguments of [NewNodeProblemDetector].
type NodeProblemDetectorArgs struct {
	// Namespace is that of all resources: kube-system by default. It must allow
	// privileged pods.
	Namespace string

	// Platforms and Topology are those of [DaemonSetArgs].
	Platforms []platform.Platform
	Topology  topology.Topology

	// Endpoint is the address of the API server that all nodes reach, host:port,
	// api.example.com:6443 for example. Required: Windows nodes do not reach that of the
	// Service.
	Endpoint string

	// Program is where the nodes have node-problem-detector.exe:
	// [DefaultNodeProblemDetector] by default.
	Program string

	// LogMonitors are the configurations of its log monitors, with the plugin filelog: the
	// name of a file, ending with .json, and its content. Required: which logs there are,
	// and where, differs with how the nodes were made. A log that is not there ends the
	// program.
	LogMonitors map[string]string

	// Image is that of the containers, of which nothing but the manifest is used:
	// [DefaultImage] by default. It is for mirrors.
	Image string
}

// NodeProblemDetector is the node problem detector on the Windows nodes of a cluster.
type NodeProblemDetector struct {
	pulumi.ResourceState

	// DaemonSet is node-problem-detector-windows.
	DaemonSet *appsv1.DaemonSet
}

// NewNodeProblemDetector runs the node problem detector on the Windows nodes: what it
// finds in their logs becomes events and conditions of the nodes
// (https://github.com/kubernetes/node-problem-detector#windows).
//
// Its support for Windows is preliminary, in its own words: log monitors of the plugin
// filelog work, most of the rest has not been tested. No image for Windows is published.
// So the containers run the program of the node's disk, from the archive
// node-problem-detector-<version>-windows_amd64.tar.gz of a release, which something
// else must have put there: the bootstrap of this library does not. The nodes need
// containerd 1.7 or newer, as the program looks for its account's token at one path only.
//
// The error lists everything that is wrong with the arguments, with field paths; nothing
// is registered then.
func NewNodeProblemDetector(ctx *pulumi.Context, name string, args *NodeProblemDetectorArgs, opts ...pulumi.ResourceOption) (*NodeProblemDetector, error) {
	if args == nil {
		args = &NodeProblemDetectorArgs{}
	}
	set, err := DaemonSetArgs{
		Name: problemDetectorName, Namespace: args.Namespace,
		Platforms: args.Platforms, Topology: args.Topology,
		Pods: args.pods(configMapName(problemDetectorName, args.LogMonitors)),
	}.build(ctx, fmt.Sprintf("%s %q", problemDetectorToken, name), args.check())
	if err != nil {
		return nil, err
	}

	detector := &NodeProblemDetector{}
	if err := ctx.RegisterComponentResource(problemDetectorToken, name, detector, opts...); err != nil {
		return nil, err
	}
	inside, namespace := pulumi.Parent(detector), cmp.Or(args.Namespace, kubeSystem)
	configMap, err := newConfigMap(ctx, name+"-config", problemDetectorName, namespace, args.LogMonitors, inside)
	if err != nil {
		return nil, err
	}
	account, err := corev1.NewServiceAccount(ctx, name+"-account", &corev1.ServiceAccountArgs{
		Metadata: metav1.ObjectMetaArgs{Name: pulumi.String(problemDetectorName), Namespace: pulumi.String(namespace)},
	}, inside)
	if err != nil {
		return nil, err
	}
	binding, err := rbacv1.NewClusterRoleBinding(ctx, name+"-binding", &rbacv1.ClusterRoleBindingArgs{
		Metadata: metav1.ObjectMetaArgs{Name: pulumi.String(problemDetectorName)},
		// The API server makes this one itself.
		RoleRef:  roleRef("system:node-problem-detector"),
		Subjects: subjects(account),
	}, inside)
	if err != nil {
		return nil, err
	}
	detector.DaemonSet, err = appsv1.NewDaemonSet(ctx, name+"-daemonset", set, inside, pulumi.DependsOn([]pulumi.Resource{configMap, account, binding}))
	if err != nil {
		return nil, err
	}
	return detector, ctx.RegisterResourceOutputs(detector, pulumi.Map{})
}

var (
	monitorFile = regexp.MustCompile(`^[A-Za-z0-9][-A-Za-z0-9_.]*\.json$`)
	programPath = regexp.MustCompile(`^[A-Za-z]:\\.*\.exe$`)
)

func (a *NodeProblemDetectorArgs) check() field.ErrorList {
	errs := checkEndpoint(a.Endpoint, field.NewPath("endpoint"))
	errs = append(errs, checkImage(a.Image, field.NewPath("image"))...)
	if a.Program != "" && !programPath.MatchString(a.Program) {
		errs = append(errs, field.Invalid(field.NewPath("program"), a.Program, "must be the full path of a program on the nodes: write "+DefaultNodeProblemDetector+" for example"))
	}
	path := field.NewPath("logMonitors")
	if len(a.LogMonitors) == 0 {
		errs = append(errs, field.Required(path, "say which logs it reads: without one it does nothing"))
	}
	for file, content := range a.LogMonitors {
		at := path.Key(file)
		if !monitorFile.MatchString(file) {
			errs = append(errs, field.Invalid(at, file, "must be the name of a file that ends with .json, containerd.json for example"))
		}
		var monitor struct{ Plugin, LogPath string }
		if err := json.Unmarshal([]byte(content), &monitor); err != nil {
			errs = append(errs, field.Invalid(at, content, "is not the JSON of a log monitor: "+err.Error()))
			continue
		}
		if monitor.Plugin != "filelog" {
			errs = append(errs, field.Invalid(at.Child("plugin"), monitor.Plugin, "is not there on Windows: use filelog"))
		}
		if monitor.LogPath == "" {
			errs = append(errs, field.Required(at.Child("logPath"), "the log on the node"))
		}
	}
	return errs
}

func (a *NodeProblemDetectorArgs) pods(configMap string) corev1.PodSpecArgs {
	const volume = "config"
	folder := mountPathOf(problemDetectorName)
	host, port, _ := net.SplitHostPort(a.Endpoint)
	var files []string
	for _, file := range slices.Sorted(maps.Keys(a.LogMonitors)) {
		files = append(files, Containerd17.Path(folder+"/"+file))
	}
	return corev1.PodSpecArgs{
		ServiceAccountName: pulumi.String(problemDetectorName),
		Containers: corev1.ContainerArray{corev1.ContainerArgs{
			Name:  pulumi.String("node-problem-detector"),
			Image: pulumi.String(cmp.Or(a.Image, DefaultImage)),
			Command: pulumi.ToStringArray([]string{
				cmp.Or(a.Program, DefaultNodeProblemDetector), "--logtostderr", "--config.system-log-monitor=" + strings.Join(files, ","),
			}),
			Env: corev1.EnvVarArray{
				fromField("NODE_NAME", "spec.nodeName"),
				corev1.EnvVarArgs{Name: pulumi.String("KUBERNETES_SERVICE_HOST"), Value: pulumi.String(host)},
				corev1.EnvVarArgs{Name: pulumi.String("KUBERNETES_SERVICE_PORT"), Value: pulumi.String(port)},
			},
			Resources:    resources("20m", "128Mi"),
			VolumeMounts: corev1.VolumeMountArray{mount(volume, folder)},
		}},
		Volumes: corev1.VolumeArray{corev1.VolumeArgs{
			Name:      pulumi.String(volume),
			ConfigMap: corev1.ConfigMapVolumeSourceArgs{Name: pulumi.String(configMap)},
		}},
	}
}
