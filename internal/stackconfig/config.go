package stackconfig

import (
	"fmt"
	"slices"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/components/topology"
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
	// Topology is the cluster's, with defaults applied, and valid.
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

// Decode reads a configuration from its decoded values by key, as they come from
// JSON or YAML. The error lists everything that is wrong; the configuration is
// empty then.
func Decode(values map[string]any) (Config, error) {
	var c Config
	var errs field.ErrorList
	root := &object{values: values, errs: &errs}
	if v, ok := root.require(keyCluster, "say which pools the cluster has"); ok {
		c.Topology = decodeTopology(v)
	}
	c.decodeTarget(root)
	if c.InAzure() && len(c.Topology.Lacks) > 0 {
		errs = append(errs, field.Forbidden(field.NewPath(keyCluster, "lacks"),
			"the stack knows what a cluster that it makes lacks: remove it, and list what you install in "+
				keyInstalled))
	}
	if v, ok := root.require(keyWorkloads, "list what to deploy, or write [] for nothing"); ok {
		c.Workloads = decodeNames(v, "workload", Workloads())
		// What is said of a wrong topology would be wrong as well.
		if len(errs) == 0 {
			errs = checkPlacement(c, v.path)
		}
	}
	if v, ok := root.get(keyInstalled); ok {
		c.Installed = decodeNames(v, "feature", topology.Features())
	}
	if v, ok := root.get(keyChecks); ok {
		c.Checks = decodeChecks(v)
	}
	root.finish()
	if err := fielderrors.Join("stack configuration", errs); err != nil {
		return Config{}, err
	}
	return c, nil
}

// decodeTarget reads how the cluster is made, and sees that the secrets for it are there.
func (c *Config) decodeTarget(root *object) {
	aks, onAKS := root.get(KeyAKS)
	if onAKS {
		c.AKS = decodeAKS(aks)
	}
	kubeadm, onMachines := root.get(KeyKubeadm)
	if onMachines {
		c.Kubeadm = decodeKubeadm(kubeadm)
	}
	if onAKS && onMachines {
		kubeadm.report(field.Invalid(kubeadm.path, field.OmitValueType{},
			"the cluster is made on AKS or on virtual machines: leave one of the two out"))
	}
	if secret, given := root.get(KeyClusterSecret); onMachines && !given {
		secret.report(field.Required(secret.path,
			"set it with `openssl rand -base64 32 | pulumi config set --secret clusterSecret`"))
	}
	windows := slices.ContainsFunc(c.Topology.Pools, func(p topology.Pool) bool { return p.Platform.IsWindows() })
	if password, given := root.get(KeyWindowsPassword); (onAKS || onMachines && windows) && !given {
		password.report(field.Required(password.path, "set it with `pulumi config set --secret windowsPassword`"))
	}
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

// decodeNames reads names, each of a kind of which all are known, and given once.
func decodeNames[T ~string](v value, kind string, known []T) []T {
	names := make([]string, len(known))
	for i, k := range known {
		names[i] = string(k)
	}
	var given []T
	for _, item := range v.list() {
		name, ok := item.text()
		switch {
		case !ok:
		case !slices.Contains(names, name):
			item.report(field.Invalid(item.path, name, nearest.Unknown(kind, name, names)))
		case slices.Contains(given, T(name)):
			err := field.Duplicate(item.path, name)
			err.Detail = "list each " + kind + " once"
			item.report(err)
		default:
			given = append(given, T(name))
		}
	}
	return given
}
