package hostprocess

import (
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes"
	"github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/apiextensions"
	appsv1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/apps/v1"
	corev1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/core/v1"
	metav1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/meta/v1"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/components/refusal"
	"github.com/mixedkube/mixedkube/internal/core/facts"
	"github.com/mixedkube/mixedkube/internal/core/fielderrors"
)

const (
	windowsExporterToken = "mixedkube:hostprocess:WindowsExporter"
	windowsExporterName  = "windows-exporter"
	// windowsExporterPort is the registered port of the exporter.
	windowsExporterPort = 9182
	metricsPort         = "metrics"

	// DefaultWindowsExporterImage is built on the base image for host-process containers,
	// as all since 0.30 are: it runs on every release of Windows Server.
	DefaultWindowsExporterImage = facts.WindowsExporterImage
)

// DefaultCollectors returns what [NewWindowsExporter] collects: what the exporter collects by
// default, and the containers.
func DefaultCollectors() []string { return []string{"[defaults]", "container"} }

// WindowsExporterArgs are the arguments of [NewWindowsExporter].
type WindowsExporterArgs struct {
	// Namespace is the namespace of all resources: kube-system by default. It must allow
	// privileged pods. The name of a Namespace of the same program, its Metadata.Name(), can
	// be given: all of them then wait for it.
	Namespace pulumi.StringPtrInput `pulumi:"namespace,optional"`

	// Platforms are the releases of Windows Server on whose nodes the pods run, as in
	// [DaemonSetArgs]. The default is all Windows nodes.
	Platforms []platform.Platform `pulumi:"platforms,optional"`

	// Topology is the cluster's, as in [DaemonSetArgs]. It is optional.
	Topology topology.Topology `pulumi:"topology,optional"`

	// Containerd is the release on the nodes: [Containerd17] by default.
	Containerd Containerd `pulumi:"containerd,optional"`

	// Image is the exporter's: [DefaultWindowsExporterImage] by default.
	Image string `pulumi:"image,optional"`

	// FirewallImage is the image of the init container, which uses only its manifest:
	// [DefaultImage] by default. It is for mirrors.
	FirewallImage string `pulumi:"firewallImage,optional"`

	// AllowedSources are who reaches the port: addresses, ranges in CIDR notation, or
	// LocalSubnet, the networks that the node is in. Give the ranges that your Prometheus
	// has as the nodes see it: that of the nodes, and that of the pods where the network
	// does not translate their addresses. The default is [PrivateSources]: no topology
	// says which ranges a cluster has. "Any" is everyone.
	AllowedSources []string `pulumi:"allowedSources,optional"`

	// Collectors are the names of what is collected, with "[defaults]" for what the
	// exporter collects by default: [DefaultCollectors] by default. The exporter does not
	// start with a name that it does not know. Names that look misspelled are refused; other
	// names are left to the exporter, because each release has its own.
	Collectors []string `pulumi:"collectors,optional"`

	// ServiceMonitor creates a ServiceMonitor beside the Service, for the Prometheus
	// operator. The cluster must have its CustomResourceDefinition: whether it does is
	// not known in a preview, and without it the update fails.
	ServiceMonitor bool `pulumi:"serviceMonitor,optional"`

	// ServiceMonitorLabels are labels of the ServiceMonitor, beside app.kubernetes.io/name,
	// by which a Prometheus selects it. That of the chart kube-prometheus-stack selects by
	// release, the name of the chart's release, unless its values say otherwise. There are
	// none by default.
	ServiceMonitorLabels map[string]string `pulumi:"serviceMonitorLabels,optional"`
}

// WindowsExporter is Prometheus' exporter on the Windows nodes of a cluster.
type WindowsExporter struct {
	pulumi.ResourceState

	// DaemonSet is windows-exporter.
	DaemonSet *appsv1.DaemonSet
	// Service is windows-exporter, without an address of its own: it leads to each node.
	Service *corev1.Service
	// ServiceMonitor is windows-exporter, nil if none was requested.
	ServiceMonitor *apiextensions.CustomResource
}

// NewWindowsExporter runs windows_exporter on the Windows nodes
// (https://github.com/prometheus-community/windows_exporter/blob/main/docs/kubernetes/kubernetes.md):
// metrics of the node and of its containers, at http://<node>:9182/metrics, without
// encryption and without a password. An init container opens the port in the node's
// firewall for AllowedSources, with the rule windows-exporter, which stays when the
// DaemonSet goes.
//
// The error lists everything that is wrong with the arguments, with field paths; nothing
// is registered then.
func NewWindowsExporter(
	ctx *pulumi.Context, name string, args *WindowsExporterArgs, opts ...pulumi.ResourceOption,
) (*WindowsExporter, error) {
	if args == nil {
		args = &WindowsExporterArgs{}
	}
	config := map[string]string{"config.yml": args.config()}
	subject := fmt.Sprintf("%s %q", windowsExporterToken, name)
	split, wrong := runs(windowsExporterToken, name, daemonSetType, "-daemonset").Split(opts)
	set, err := DaemonSetArgs{
		Name: windowsExporterName, Namespace: args.Namespace,
		Platforms: args.Platforms, Topology: args.Topology,
		// It asks the Host Compute Service for the containers, and its init container
		// changes the firewall.
		User: System,
		Pods: args.pods(configMapName(windowsExporterName, config)),
	}.build(ctx, subject, append(wrong, args.check()...))
	exporter := &WindowsExporter{}
	held, err := refusal.Hold(ctx, exporter, err)
	if err != nil {
		return nil, err
	}

	if err := ctx.RegisterComponentResource(windowsExporterToken, name, exporter,
		append(split.Component, held...)...); err != nil {
		return nil, err
	}
	if err := refusal.LogFacts(ctx, exporter, map[string]bool{
		"WindowsExporterImage": args.Image == "", "HostProcessImage": args.FirewallImage == "",
	}); err != nil {
		return nil, err
	}
	inside, namespace := pulumi.Parent(exporter), namespaceOf(subject, args.Namespace)
	configMap, err := newConfigMap(ctx, name+"-config", windowsExporterName, namespace, pulumi.ToStringMap(config),
		inside)
	if err != nil {
		return nil, err
	}
	exporter.DaemonSet, err = appsv1.NewDaemonSet(ctx, name+"-daemonset", set,
		split.Main(inside, pulumi.DependsOn([]pulumi.Resource{configMap}))...)
	if err != nil {
		return nil, err
	}
	if err := exporter.newService(ctx, name, namespace, args, inside); err != nil {
		return nil, err
	}
	return exporter, ctx.RegisterResourceOutputs(exporter, pulumi.Map{})
}

var collector = regexp.MustCompile(`^(\[defaults\]|[a-z][a-z0-9_]*)$`)

func (a *WindowsExporterArgs) check() field.ErrorList {
	errs := a.Containerd.check(field.NewPath("containerd"))
	errs = append(errs, refusal.Image(a.Image, field.NewPath("image"))...)
	errs = append(errs, refusal.Image(a.FirewallImage, field.NewPath("firewallImage"))...)
	errs = append(errs, checkSources(a.AllowedSources, field.NewPath("allowedSources"))...)
	for i, c := range a.Collectors {
		if detail := wrongCollector(c); detail != "" {
			errs = append(errs, field.Invalid(field.NewPath("collectors").Index(i), c, detail))
		}
	}
	return append(errs, a.checkLabels(field.NewPath("serviceMonitorLabels"))...)
}

// wrongCollector returns what is wrong with the name of a collector, "" if it is valid.
func wrongCollector(name string) string {
	switch {
	case !collector.MatchString(name):
		return "is not the name of a collector: write one in lower case, cpu_info for example, or [defaults]"
	case name == "default" || name == "defaults":
		return "is not a collector: write [defaults]"
	case name == "[defaults]" || slices.Contains(collectors(), name):
		return ""
	}
	if near, ok := fielderrors.Nearest(name, collectors()); ok {
		return fmt.Sprintf("is not a known collector: did you mean %q?", near)
	}
	return ""
}

// checkLabels is for the labels of the ServiceMonitor.
func (a *WindowsExporterArgs) checkLabels(path *field.Path) field.ErrorList {
	if len(a.ServiceMonitorLabels) > 0 && !a.ServiceMonitor {
		return field.ErrorList{field.Forbidden(path,
			"have no effect without a ServiceMonitor: set serviceMonitor, or remove them")}
	}
	var errs field.ErrorList
	for _, key := range slices.Sorted(maps.Keys(a.ServiceMonitorLabels)) {
		value := a.ServiceMonitorLabels[key]
		for _, detail := range validation.IsQualifiedName(key) {
			errs = append(errs, field.Invalid(path.Key(key), key, detail+": use such a key"))
		}
		for _, detail := range validation.IsValidLabelValue(value) {
			errs = append(errs, field.Invalid(path.Key(key), value, detail+": use such a value"))
		}
		if key == nameLabelKey {
			errs = append(errs, field.Forbidden(path.Key(key), "is always "+windowsExporterName+": remove it"))
		}
	}
	return errs
}

// config returns the exporter's configuration, in YAML.
func (a *WindowsExporterArgs) config() string {
	enabled := a.Collectors
	if len(enabled) == 0 {
		enabled = DefaultCollectors()
	}
	return "collectors:\n  enabled: " + strconv.Quote(strings.Join(enabled, ",")) + "\n"
}

func (a *WindowsExporterArgs) pods(configMap string) corev1.PodSpecArgs {
	const volume = "config"
	dir := mountPathOf(windowsExporterName)
	health := func(seconds int) corev1.ProbeArgs {
		return corev1.ProbeArgs{
			HttpGet: corev1.HTTPGetActionArgs{
				Path: pulumi.String("/health"),
				Port: pulumi.Int(windowsExporterPort),
			},
			PeriodSeconds: pulumi.Int(seconds),
			// A busy node answers late.
			TimeoutSeconds: pulumi.Int(5),
		}
	}
	return corev1.PodSpecArgs{
		// It does not call the Kubernetes API.
		AutomountServiceAccountToken: pulumi.Bool(false),
		InitContainers: corev1.ContainerArray{corev1.ContainerArgs{
			Name:  pulumi.String("configure-firewall"),
			Image: pulumi.String(cmp.Or(a.FirewallImage, DefaultImage)),
			Command: pulumi.ToStringArray([]string{
				powerShell, "-NoProfile", "-NonInteractive", "-Command",
				a.openPort(),
			}),
			Resources: resources("100m", "256Mi"),
		}},
		Containers: corev1.ContainerArray{corev1.ContainerArgs{
			Name:  pulumi.String(windowsExporterName),
			Image: pulumi.String(cmp.Or(a.Image, DefaultWindowsExporterImage)),
			Args:  pulumi.ToStringArray([]string{"--config.file=" + a.Containerd.Path(dir+"/config.yml")}),
			Ports: corev1.ContainerPortArray{corev1.ContainerPortArgs{
				Name:          pulumi.String(metricsPort),
				ContainerPort: pulumi.Int(windowsExporterPort),
			}},
			LivenessProbe:  health(30),
			ReadinessProbe: health(10),
			Resources:      resources("100m", "512Mi"),
			VolumeMounts:   corev1.VolumeMountArray{mount(volume, dir)},
		}},
		Volumes: corev1.VolumeArray{corev1.VolumeArgs{
			Name:      pulumi.String(volume),
			ConfigMap: corev1.ConfigMapVolumeSourceArgs{Name: pulumi.String(configMap)},
		}},
	}
}

// resources reserves as much memory as a container may use: Windows nodes have no other
// protection from promising more than they have.
func resources(cpu, memory string) corev1.ResourceRequirementsArgs {
	return corev1.ResourceRequirementsArgs{
		Requests: pulumi.StringMap{"cpu": pulumi.String(cpu), "memory": pulumi.String(memory)},
		Limits:   pulumi.StringMap{"memory": pulumi.String(memory)},
	}
}

func (e *WindowsExporter) newService(
	ctx *pulumi.Context, name string, namespace pulumi.StringPtrInput, args *WindowsExporterArgs,
	inside pulumi.ResourceOption,
) error {
	labels := nameLabel(windowsExporterName)
	metadata := metav1.ObjectMetaArgs{
		Name: pulumi.String(windowsExporterName), Namespace: namespace,
		Labels: labels,
	}
	var err error
	e.Service, err = corev1.NewService(ctx, name+"-service", &corev1.ServiceArgs{
		Metadata: metadata,
		Spec: corev1.ServiceSpecArgs{
			ClusterIP: pulumi.String("None"),
			Selector:  labels,
			Ports: corev1.ServicePortArray{corev1.ServicePortArgs{
				Name: pulumi.String(metricsPort),
				Port: pulumi.Int(windowsExporterPort),
			}},
		},
	}, inside)
	if err != nil || !args.ServiceMonitor {
		return err
	}
	monitored := pulumi.ToStringMap(args.ServiceMonitorLabels)
	maps.Copy(monitored, labels)
	metadata.Labels = monitored
	e.ServiceMonitor, err = apiextensions.NewCustomResource(ctx, name+"-servicemonitor",
		&apiextensions.CustomResourceArgs{
			ApiVersion: pulumi.String("monitoring.coreos.com/v1"),
			Kind:       pulumi.String("ServiceMonitor"),
			Metadata:   metadata,
			OtherFields: kubernetes.UntypedArgs{"spec": map[string]any{
				"jobLabel": "app.kubernetes.io/name",
				"selector": map[string]any{
					"matchLabels": map[string]any{"app.kubernetes.io/name": windowsExporterName},
				},
				"endpoints": []any{map[string]any{
					"port": metricsPort,
					// The node's name says more than its address.
					"relabelings": []any{map[string]any{
						"sourceLabels": []any{"__meta_kubernetes_pod_node_name"},
						"targetLabel":  "instance",
					}},
				}},
			}},
		}, inside)
	return err
}
