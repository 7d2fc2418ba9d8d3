package hostprocess

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	appsv1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/apps/v1"
	corev1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/core/v1"
	metav1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/meta/v1"
	rbacv1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/rbac/v1"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/components/refusal"
	"github.com/mixedkube/mixedkube/internal/core/facts"
)

const (
	problemDetectorToken = "mixedkube:hostprocess:NodeProblemDetector"
	problemDetectorName  = "node-problem-detector-windows"

	// DefaultNodeProblemDetectorImage is the image of the release, for Windows Server 2022 and
	// newer (https://github.com/kubernetes/node-problem-detector/blob/master/docs/release_process.md).
	DefaultNodeProblemDetectorImage = facts.NodeProblemDetectorImage

	// problemDetectorProgram is where its image has the program.
	problemDetectorProgram = `$env:CONTAINER_SANDBOX_MOUNT_POINT\node-problem-detector.exe`
)

// DefaultLogMonitors returns the log monitors for nodes that the bootstrap of this library has
// set up.
func DefaultLogMonitors() map[string]string {
	return map[string]string{"containerd.json": ContainerdMonitor(`C:\var\log\containerd\containerd.log`)}
}

// logMonitor is the configuration of a log monitor
// (https://github.com/kubernetes/node-problem-detector/tree/master/config).
type logMonitor struct {
	Plugin       string            `json:"plugin"`
	PluginConfig map[string]string `json:"pluginConfig"`
	LogPath      string            `json:"logPath"`
	Lookback     string            `json:"lookback"`
	BufferSize   int               `json:"bufferSize"`
	Source       string            `json:"source"`
	Conditions   []struct{}        `json:"conditions"`
	Rules        []logRule         `json:"rules"`
}

type logRule struct {
	Type    string `json:"type"`
	Reason  string `json:"reason"`
	Pattern string `json:"pattern"`
}

// ContainerdMonitor returns a log monitor for containerd's log on Windows, by the path of the
// log on the nodes: it reports containers that Windows does not start, and networks that it
// does not create, as events of the node.
func ContainerdMonitor(logPath string) string {
	const event = "temporary"
	return text(logMonitor{
		Plugin: "filelog",
		PluginConfig: map[string]string{
			"timestamp":       `^time="(\S*)"`,
			"timestampFormat": "2006-01-02T15:04:05.999999999-07:00",
			"message":         `msg="(.*)"`,
		},
		LogPath:    logPath,
		Lookback:   "5m",
		BufferSize: 10,
		Source:     "containerd",
		Conditions: []struct{}{},
		Rules: []logRule{
			{
				event, "WindowsReleaseMismatch",
				`.*container operating system does not match the host operating system.*`,
			},
			{event, "ComputeSystemFailed", `.*hcs::(CreateComputeSystem|System::Start).*`},
			{event, "HostNetworkingFailed", `.*hnsCall failed in Win32.*`},
		},
	})
}

// NodeProblemDetectorArgs are the arguments of [NewNodeProblemDetector].
type NodeProblemDetectorArgs struct {
	// Namespace is the namespace of all resources: kube-system by default. It must allow
	// privileged pods. The name of a Namespace of the same program, its Metadata.Name(), can
	// be given: all of them then wait for it.
	Namespace pulumi.StringPtrInput `pulumi:"namespace,optional"`

	// Platforms are the releases of Windows Server on whose nodes the pods run, as in
	// [DaemonSetArgs]. Without a Program the default is Windows Server 2022 and newer, of which
	// the topology has pools if it is given: there is no image for older releases.
	Platforms []platform.Platform `pulumi:"platforms,optional"`

	// Topology is the cluster's, as in [DaemonSetArgs]. It is optional.
	Topology topology.Topology `pulumi:"topology,optional"`

	// Endpoint is the address of the API server that all nodes reach, host:port,
	// api.example.com:6443 for example. Required: Windows nodes do not reach that of the
	// Service. An output is checked when it is known; that of a cluster of AKS is
	// its domain name with the port 443.
	//
	// In Go, that is pulumi.Sprintf("%s:443", cluster.Cluster.Fqdn).
	Endpoint pulumi.StringInput `pulumi:"endpoint"`

	// Program is where the nodes themselves have node-problem-detector.exe,
	// C:\k\node-problem-detector.exe for example: from the archive
	// node-problem-detector-<version>-windows_amd64.tar.gz of a release. It is for Windows
	// Server 2019. The default is the program of the image.
	Program string `pulumi:"program,optional"`

	// LogMonitors are the configurations of its log monitors, with the plugin filelog: the
	// name of a file, ending with .json, and its content. [DefaultLogMonitors] by default,
	// for nodes that the bootstrap of this library has set up; other nodes have their logs in
	// other places, see [ContainerdMonitor]. If a log does not exist, the program ends.
	LogMonitors map[string]string `pulumi:"logMonitors,optional"`

	// Image is the image of the containers: [DefaultNodeProblemDetectorImage] by default, or,
	// with a Program, [DefaultImage], for its manifest only.
	Image string `pulumi:"image,optional"`
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
// filelog work, most of the rest has not been tested. The nodes need containerd 1.7 or
// newer, as the program looks for its account's token at one path only, and on Windows
// Server 2025 containerd 2.1 or newer, which runs images of Windows Server 2022 there.
//
// The error lists everything that is wrong with the arguments, with field paths; nothing
// is registered then.
func NewNodeProblemDetector(
	ctx *pulumi.Context, name string, args *NodeProblemDetectorArgs, opts ...pulumi.ResourceOption,
) (*NodeProblemDetector, error) {
	if args == nil {
		args = &NodeProblemDetectorArgs{}
	}
	args = args.withDefaults()
	subject := fmt.Sprintf("%s %q", problemDetectorToken, name)
	split, wrong := runs(problemDetectorToken, name, daemonSetType, "-daemonset").Split(opts)
	endpoint, errs := endpointOf(subject, args.Endpoint)
	set, err := DaemonSetArgs{
		Name: problemDetectorName, Namespace: args.Namespace,
		Platforms: args.Platforms, Topology: args.Topology,
		// It reads logs that only administrators may.
		User: System,
		Pods: args.pods(configMapName(problemDetectorName, args.LogMonitors), endpoint),
	}.build(ctx, subject, slices.Concat(wrong, errs, args.check()))
	detector := &NodeProblemDetector{}
	held, err := refusal.Hold(ctx, detector, err)
	if err != nil {
		return nil, err
	}

	if err := ctx.RegisterComponentResource(problemDetectorToken, name, detector,
		append(split.Component, held...)...); err != nil {
		return nil, err
	}
	if err := refusal.LogFacts(ctx, detector, map[string]bool{
		"NodeProblemDetectorImage": args.Image == DefaultNodeProblemDetectorImage,
		"HostProcessImage":         args.Image == DefaultImage,
		"AKSContainerd":            args.Topology.Cloud == topology.AKS,
	}); err != nil {
		return nil, err
	}
	inside, namespace := pulumi.Parent(detector), namespaceOf(subject, args.Namespace)
	configMap, err := newConfigMap(ctx, name+"-config", problemDetectorName, namespace,
		pulumi.ToStringMap(args.LogMonitors), inside)
	if err != nil {
		return nil, err
	}
	account, err := corev1.NewServiceAccount(ctx, name+"-account", &corev1.ServiceAccountArgs{
		Metadata: metav1.ObjectMetaArgs{Name: pulumi.String(problemDetectorName), Namespace: namespace},
	}, inside)
	if err != nil {
		return nil, err
	}
	binding, err := rbacv1.NewClusterRoleBinding(ctx, name+"-binding", &rbacv1.ClusterRoleBindingArgs{
		Metadata: metav1.ObjectMetaArgs{Name: pulumi.String(problemDetectorName)},
		// The API server creates this one itself.
		RoleRef:  roleRef("system:node-problem-detector"),
		Subjects: subjects(account),
	}, inside)
	if err != nil {
		return nil, err
	}
	detector.DaemonSet, err = appsv1.NewDaemonSet(ctx, name+"-daemonset", set,
		split.Main(inside, pulumi.DependsOn([]pulumi.Resource{configMap, account, binding}))...)
	if err != nil {
		return nil, err
	}
	return detector, ctx.RegisterResourceOutputs(detector, pulumi.Map{})
}

var (
	monitorFile = regexp.MustCompile(`^[A-Za-z0-9][-A-Za-z0-9_.]*\.json$`)
	programPath = regexp.MustCompile(`^[A-Za-z]:\\.*\.exe$`)
)

func (a *NodeProblemDetectorArgs) withDefaults() *NodeProblemDetectorArgs {
	completed := *a
	if a.LogMonitors == nil {
		completed.LogMonitors = DefaultLogMonitors()
	}
	completed.Image = cmp.Or(a.Image, DefaultNodeProblemDetectorImage)
	if a.Program != "" {
		completed.Image = cmp.Or(a.Image, DefaultImage)
	} else if len(a.Platforms) == 0 {
		for _, p := range topology.PoolPlatforms() {
			if hasProblemDetectorImage(p) && (!a.Topology.IsSet() || len(a.Topology.PoolsOf(p)) > 0) {
				completed.Platforms = append(completed.Platforms, p)
			}
		}
	}
	return &completed
}

// hasProblemDetectorImage reports whether the image runs on a platform: it is based on that
// of Windows Server 2022.
func hasProblemDetectorImage(p platform.Platform) bool {
	image := platform.Image{OS: platform.WindowsOS, Release: platform.WindowsServer2022}
	return platform.CanRun(p, image, platform.Relaxed) == platform.Yes
}

func (a *NodeProblemDetectorArgs) check() field.ErrorList {
	errs := refusal.Image(a.Image, field.NewPath("image"))
	if a.Program != "" && !programPath.MatchString(a.Program) {
		errs = append(errs, field.Invalid(field.NewPath("program"), a.Program,
			`must be the full path of a program on the nodes: write C:\k\node-problem-detector.exe for example`))
	}
	if a.Program == "" {
		errs = append(errs, a.checkPlatforms()...)
	}
	errs = append(errs, a.checkContainerd()...)
	path := field.NewPath("logMonitors")
	if len(a.LogMonitors) == 0 {
		errs = append(errs, field.Required(path, "list at least one log: without it, the detector does nothing"))
	}
	for _, file := range slices.Sorted(maps.Keys(a.LogMonitors)) {
		content := a.LogMonitors[file]
		at := path.Key(file)
		if !monitorFile.MatchString(file) {
			errs = append(errs, field.Invalid(at, file,
				"must be the name of a file that ends with .json, containerd.json for example"))
		}
		var monitor struct{ Plugin, LogPath string }
		if err := json.Unmarshal([]byte(content), &monitor); err != nil {
			errs = append(errs, field.Invalid(at, content, "is not the JSON of a log monitor: "+err.Error()))
			continue
		}
		if monitor.Plugin != "filelog" {
			errs = append(errs, field.Invalid(at.Child("plugin"), monitor.Plugin,
				"does not exist on Windows: use filelog"))
		}
		if monitor.LogPath == "" {
			errs = append(errs, field.Required(at.Child("logPath"), "the log on the node"))
		}
	}
	return errs
}

// checkPlatforms is for the program of the image.
func (a *NodeProblemDetectorArgs) checkPlatforms() field.ErrorList {
	const detail = "there is no image for it: give the program that its nodes have, or leave it out"
	at := field.NewPath("platforms")
	if len(a.Platforms) == 0 {
		return field.ErrorList{field.Required(at,
			"the topology has no pool of Windows Server 2022 or newer, and there is no image for older releases: "+
				"give the program that the nodes have")}
	}
	var errs field.ErrorList
	for i, p := range a.Platforms {
		if p.IsWindows() && !hasProblemDetectorImage(p) {
			errs = append(errs, field.Invalid(at.Index(i), string(p), detail))
		}
	}
	return errs
}

// checkContainerd refuses the nodes of AKS whose containerd does not run the image of the detector.
func (a *NodeProblemDetectorArgs) checkContainerd() field.ErrorList {
	if a.Program != "" || a.Image != DefaultNodeProblemDetectorImage ||
		!slices.Contains(a.Platforms, platform.WindowsServer2025) {
		return nil
	}
	return withoutOlderImages(a.Topology, platform.WindowsServer2025,
		"it does not run the image, which is for Windows Server 2022: leave it out of platforms, or give the "+
			"program that its nodes have")
}

func (a *NodeProblemDetectorArgs) pods(configMap string, endpoint pulumi.StringPtrInput) corev1.PodSpecArgs {
	const volume = "config"
	dir := mountPathOf(problemDetectorName)
	host, port := hostAndPort(endpoint)
	var files []string
	for _, file := range slices.Sorted(maps.Keys(a.LogMonitors)) {
		files = append(files, Containerd17.Path(dir+"/"+file))
	}
	return corev1.PodSpecArgs{
		ServiceAccountName: pulumi.String(problemDetectorName),
		Containers: corev1.ContainerArray{corev1.ContainerArgs{
			Name:  pulumi.String("node-problem-detector"),
			Image: pulumi.String(a.Image),
			Command: pulumi.ToStringArray([]string{
				cmp.Or(a.Program, problemDetectorProgram), "--logtostderr",
				"--config.system-log-monitor=" + strings.Join(files, ","),
			}),
			Env: corev1.EnvVarArray{
				fromField("NODE_NAME", "spec.nodeName"),
				corev1.EnvVarArgs{Name: pulumi.String("KUBERNETES_SERVICE_HOST"), Value: host},
				corev1.EnvVarArgs{Name: pulumi.String("KUBERNETES_SERVICE_PORT"), Value: port},
			},
			Resources:    resources("20m", "128Mi"),
			VolumeMounts: corev1.VolumeMountArray{mount(volume, dir)},
		}},
		Volumes: corev1.VolumeArray{corev1.VolumeArgs{
			Name:      pulumi.String(volume),
			ConfigMap: corev1.ConfigMapVolumeSourceArgs{Name: pulumi.String(configMap)},
		}},
	}
}
