package stackconfig

import (
	"errors"
	"fmt"
	"net/netip"
	"slices"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/components/topology"
	"github.com/mixedkube/mixedkube/internal/decode"
	"github.com/mixedkube/mixedkube/internal/fielderrors"
	"github.com/mixedkube/mixedkube/internal/nearest"
)

// Project is the namespace of the configuration's keys: the name of the Pulumi
// project.
const Project = "mixedkube"

const (
	keyCluster   = Project + ":cluster"
	keyWorkloads = Project + ":workloads"

	// KeyAKS says how the cluster is made on AKS; without it the cluster is given.
	KeyAKS = Project + ":aks"
	// KeyKubeadm says how the cluster is made on Azure virtual machines.
	KeyKubeadm = Project + ":kubeadm"
	// KeyClusterSecret is what the keys of a self-managed cluster are made from, a secret.
	// Only whether it is there is decoded.
	KeyClusterSecret = Project + ":clusterSecret"
	// KeyWindowsPassword is the password of the Windows nodes' administrator, a
	// secret. Only whether it is there is decoded.
	KeyWindowsPassword = Project + ":windowsPassword"

	keyInstalled = Project + ":installed"
	keyChecks    = Project + ":connectivity"
)

// Keys are all keys that the configuration has.
func Keys() []string {
	return []string{
		keyCluster, KeyAKS, KeyKubeadm, KeyClusterSecret, KeyWindowsPassword, keyWorkloads, keyInstalled,
		keyChecks,
	}
}

// Workload names something that the stack deploys.
type Workload string

const (
	// WinWebserver is the PowerShell web server of the Kubernetes guide for
	// Windows, with a NodePort Service, on each Windows platform.
	WinWebserver Workload = "win-webserver"
	// IIS is Internet Information Services with a LoadBalancer Service, or one of the type
	// NodePort if the cluster lacks load balancers, on each Windows platform.
	IIS Workload = "iis"
	// Secret is a Pod that reads a Secret in its environment and in a volume, on each
	// Windows platform.
	Secret Workload = "secret"
	// ConfigMap is a Pod that reads a ConfigMap in the same ways, on each Windows platform.
	ConfigMap Workload = "config-map"
	// HostPath is a Pod with a folder of its node, on each Windows platform.
	HostPath Workload = "host-path"
	// EmptyDirs is a Pod with two empty folders, on each Windows platform.
	EmptyDirs Workload = "empty-dirs"
	// PersistentVolumeClaim is a Pod with a share of a file server, on each Windows
	// platform.
	PersistentVolumeClaim Workload = "persistent-volume-claim"
	// NamedPipe is a Pod with a pipe of its node, on each Windows platform.
	NamedPipe Workload = "named-pipe"
	// GracePeriod is a Pod that has two minutes to end, on each Windows platform.
	GracePeriod Workload = "grace-period"
	// Autoscaling is a Deployment with an autoscaler, on each Windows platform.
	Autoscaling Workload = "autoscaling"
	// RunAsUser is a Pod that runs as ContainerUser, on each Windows platform.
	RunAsUser Workload = "run-as-user"
	// DaemonSet is a pod on each node of each Windows platform.
	DaemonSet Workload = "daemon-set"
	// CronJob is a Job for each night, on each Windows platform.
	CronJob Workload = "cron-job"
	// LogMonitor is IIS with its logs on standard output, on each Windows platform.
	LogMonitor Workload = "log-monitor"
	// GMSA is a group managed service account, and a Pod that runs as it on each Windows
	// platform.
	GMSA Workload = "gmsa"
	// HostProcess is a command on each Windows node itself.
	HostProcess Workload = "host-process"
	// WindowsExporter is Prometheus' exporter on each Windows node.
	WindowsExporter Workload = "windows-exporter"
	// Connectivity are the checks of the network between all platforms.
	Connectivity Workload = "connectivity"
	// HelmChart is a chart that knows nothing of mixed clusters, completed for this one.
	// It needs a pool of Windows Server 2022.
	HelmChart Workload = "adopt-helm-chart"
	// LinuxWeb is an ordinary Deployment that says nothing about platforms.
	LinuxWeb Workload = "linux-web"
)

// Workloads are all workloads that a stack can deploy.
func Workloads() []Workload {
	return []Workload{
		WinWebserver, IIS, Secret, ConfigMap, HostPath, EmptyDirs, PersistentVolumeClaim, NamedPipe, GracePeriod,
		Autoscaling,
		RunAsUser, DaemonSet, CronJob, LogMonitor, GMSA, HostProcess, WindowsExporter, Connectivity, HelmChart,
		LinuxWeb,
	}
}

// onWindows says whether a workload is deployed onto Windows nodes.
func (w Workload) onWindows() bool { return w != LinuxWeb && w != Connectivity }

// Config is what a stack deploys, and onto what.
type Config struct {
	// Topology is the cluster's, and valid.
	Topology topology.Topology
	// AKS and Kubeadm say how the cluster is made; both nil is a cluster that is given.
	AKS     *AKS
	Kubeadm *Kubeadm
	// Workloads are to be deployed, each once.
	Workloads []Workload
	// Installed are features that the cluster has although it is made without them, because
	// somebody installs what provides them.
	Installed []topology.Feature
	// Checks say how the network is checked, if it is.
	Checks Checks
}

// Deploys says whether a workload is to be deployed.
func (c Config) Deploys(w Workload) bool { return slices.Contains(c.Workloads, w) }

// document is a configuration as it is written.
type document struct {
	Cluster         any      `json:"mixedkube:cluster" required:"say which pools the cluster has"`
	AKS             *AKS     `json:"mixedkube:aks"`
	Kubeadm         *Kubeadm `json:"mixedkube:kubeadm"`
	ClusterSecret   any      `json:"mixedkube:clusterSecret"`
	WindowsPassword any      `json:"mixedkube:windowsPassword"`
	Workloads       []string `json:"mixedkube:workloads"`
	Installed       []string `json:"mixedkube:installed"`
	Checks          Checks   `json:"mixedkube:connectivity"`
}

// Decode reads a configuration from its decoded values by key, as they come from
// JSON or YAML. The error lists everything that is wrong; the configuration is
// empty then.
func Decode(values map[string]any) (Config, error) {
	var d document
	errs := decode.Into(&d, values, nil, decode.Text(prefixOf), decode.Text(addressOf))
	c := Config{AKS: d.AKS, Kubeadm: d.Kubeadm, Checks: d.Checks}
	if d.Cluster != nil {
		t, invalid := topology.Decode(d.Cluster, field.NewPath(keyCluster))
		c.Topology, errs = t, append(errs, invalid...)
	}
	errs = append(errs, d.target(c)...)
	if values[keyWorkloads] == nil {
		errs = append(errs, field.Required(field.NewPath(keyWorkloads),
			"list what to deploy, or write [] for nothing"))
	}
	var unknown, notInstalled field.ErrorList
	c.Workloads, unknown = names(d.Workloads, errs, keyWorkloads, "workload", Workloads())
	c.Installed, notInstalled = names(d.Installed, errs, keyInstalled, "feature", topology.Features())
	// What is said of a wrong topology would be wrong as well.
	if len(errs)+len(unknown) == 0 {
		errs = checkPlacement(c, field.NewPath(keyWorkloads))
	}
	if err := fielderrors.Join("stack configuration", slices.Concat(errs, unknown, notInstalled)); err != nil {
		return Config{}, err
	}
	return c, nil
}

// prefixOf is a range of addresses.
func prefixOf(text string) (netip.Prefix, error) {
	prefix, err := netip.ParsePrefix(text)
	if err != nil {
		return prefix, errors.New("must be a CIDR, 10.240.0.0/24 for example")
	}
	return prefix, nil
}

func addressOf(text string) (netip.Addr, error) {
	address, err := netip.ParseAddr(text)
	if err != nil {
		return address, errors.New("must be an IP address, 10.96.0.10 for example")
	}
	return address, nil
}

// target checks how the cluster is made, and that the secrets for it are there.
func (d document) target(c Config) field.ErrorList {
	var errs field.ErrorList
	if c.InAzure() && len(c.Topology.Lacks) > 0 {
		errs = append(errs, field.Forbidden(field.NewPath(keyCluster, "lacks"),
			"the stack knows what a cluster that it makes lacks: remove it, and list what you install in "+
				keyInstalled))
	}
	onAKS, onMachines := c.AKS != nil, c.Kubeadm != nil
	if onAKS && onMachines {
		errs = append(errs, field.Invalid(field.NewPath(KeyKubeadm), field.OmitValueType{},
			"the cluster is made on AKS or on virtual machines: leave one of the two out"))
	}
	if onMachines && d.ClusterSecret == nil {
		errs = append(errs, field.Required(field.NewPath(KeyClusterSecret),
			"set it with `openssl rand -base64 32 | pulumi config set --secret clusterSecret`"))
	}
	windows := slices.ContainsFunc(c.Topology.Pools, func(p topology.Pool) bool { return p.Platform.IsWindows() })
	if (onAKS || onMachines && windows) && d.WindowsPassword == nil {
		errs = append(errs, field.Required(field.NewPath(KeyWindowsPassword),
			"set it with `pulumi config set --secret windowsPassword`"))
	}
	return errs
}

// InAzure says whether the cluster is made there.
func (c Config) InAzure() bool { return c.AKS != nil || c.Kubeadm != nil }

// checkPlacement finds the workloads that would run nowhere, or anywhere.
func checkPlacement(c Config, path *field.Path) field.ErrorList {
	windows := slices.DeleteFunc(slices.Clone(c.Topology.Pools),
		func(p topology.Pool) bool { return !p.Platform.IsWindows() })
	untainted := slices.IndexFunc(windows, func(p topology.Pool) bool { return !p.Repels() })
	var errs field.ErrorList
	for i, w := range c.Workloads {
		switch {
		case w.onWindows() && len(windows) == 0:
			errs = append(errs, field.Invalid(path.Index(i), w,
				"runs on Windows, and the cluster has no Windows pool: add one, or remove the workload"))
		case w == LinuxWeb && untainted >= 0:
			errs = append(errs, field.Invalid(path.Index(i), w, fmt.Sprintf(
				"says nothing about its platform, and the pool %s has no taint to keep it off: give the pool %s, or "+
					"remove the workload",
				windows[untainted].Name, topology.FormatTaint(topology.WindowsTaint()))))
		}
	}
	return errs
}

// names takes names, each of a kind of which all are known, and given once. Those that could not
// be read are among the errors already.
func names[T ~string](given []string, unread field.ErrorList, key, kind string, known []T) ([]T, field.ErrorList) {
	all := make([]string, len(known))
	for i, k := range known {
		all[i] = string(k)
	}
	var taken []T
	var errs field.ErrorList
	for i, name := range given {
		path := field.NewPath(key).Index(i)
		switch {
		case slices.ContainsFunc(unread, func(err *field.Error) bool { return err.Field == path.String() }):
		case !slices.Contains(all, name):
			errs = append(errs, field.Invalid(path, name, nearest.Unknown(kind, name, all)))
		case slices.Contains(taken, T(name)):
			err := field.Duplicate(path, name)
			err.Detail = "list each " + kind + " once"
			errs = append(errs, err)
		default:
			taken = append(taken, T(name))
		}
	}
	return taken, errs
}
