package stackconfig

import (
	"fmt"
	"slices"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/core/fielderrors"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// Project is the namespace of the configuration's keys: the name of the Pulumi
// project.
const Project = "mixedkube"

const (
	keyCluster   = Project + ":cluster"
	keyWorkloads = Project + ":workloads"

	// KeyAKS describes how to create the cluster on AKS; without it the stack uses an existing cluster.
	KeyAKS = Project + ":aks"
	// KeyKubeadm describes how to create the cluster on Azure virtual machines.
	KeyKubeadm = Project + ":kubeadm"
	// KeyWindowsPassword is the password of the Windows nodes' administrator, a
	// secret. Decode checks only that it is set.
	KeyWindowsPassword = Project + ":windowsPassword"

	keyInstalled = Project + ":installed"
	keyChecks    = Project + ":connectivity"
)

// Keys returns all keys of the configuration.
func Keys() []string {
	return []string{
		keyCluster, KeyAKS, KeyKubeadm, KeyWindowsPassword, keyWorkloads, keyInstalled,
		keyChecks,
	}
}

// Workload is the name of a workload that the stack deploys.
type Workload string

const (
	// IIS is Internet Information Services on each Windows platform, with a LoadBalancer
	// Service, or a NodePort Service if the cluster lacks load balancers.
	IIS Workload = "iis"
	// LinuxWeb is a plain Deployment that does not name a platform.
	LinuxWeb Workload = "linux-web"
	// Connectivity checks the network between all platforms.
	Connectivity Workload = "connectivity"
)

// Workloads returns all workloads that a stack can deploy. The programs in the directory examples
// show other workloads for Windows nodes.
func Workloads() []Workload { return []Workload{IIS, LinuxWeb, Connectivity} }

// Config describes what a stack deploys, and the cluster for it.
type Config struct {
	// Topology is the valid topology of the cluster.
	Topology topology.Topology
	// AKS and Kubeadm describe how to create the cluster. If both are nil, the cluster exists already.
	AKS     *AKS
	Kubeadm *Kubeadm
	// Workloads are the workloads to deploy, each once, in this order.
	Workloads []Workload
	// Installed are features that the stack does not install, and that the cluster has because
	// its users install them.
	Installed []topology.Feature
	// Checks describes how the workload [Connectivity] checks the network.
	Checks Checks
}

// Document is a configuration as users write it.
type Document struct {
	// Cluster is the topology of the cluster: its pools, and its version.
	Cluster any `json:"mixedkube:cluster" required:"list the pools of the cluster"`
	// AKS describes how to create the cluster on AKS. Without AKS and Kubeadm the stack uses an existing cluster.
	AKS *AKS `json:"mixedkube:aks"`
	// Kubeadm describes how to create the cluster on Azure virtual machines.
	Kubeadm *Kubeadm `json:"mixedkube:kubeadm"`
	// WindowsPassword is the password of the Windows nodes' administrator, a secret: set it with
	// pulumi config set --secret windowsPassword.
	WindowsPassword any `json:"mixedkube:windowsPassword"`
	// Workloads are the workloads to deploy, each once. [] means none.
	Workloads []string `json:"mixedkube:workloads"`
	// Installed are features that the stack does not install, and that the cluster has because its users
	// install them.
	Installed []string `json:"mixedkube:installed"`
	// Checks describes how the workload connectivity checks the network.
	Checks Checks `json:"mixedkube:connectivity"`
}

// Decode reads a configuration from its values by key, decoded from JSON or YAML. The
// error lists all mistakes; the configuration is empty then.
func Decode(values map[string]any) (Config, error) {
	var d Document
	errs := tree.Decode(&d, values, nil)
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
	// The findings for an invalid topology would be wrong as well.
	if len(errs)+len(unknown) == 0 {
		errs = checkPlacement(c, field.NewPath(keyWorkloads))
	}
	if err := fielderrors.Join("stack configuration", slices.Concat(errs, unknown, notInstalled)); err != nil {
		return Config{}, err
	}
	return c, nil
}

// target checks how the stack creates the cluster, and that the secrets for it are set.
func (d Document) target(c Config) field.ErrorList {
	var errs field.ErrorList
	if c.InAzure() && len(c.Topology.MissingFeatures) > 0 {
		errs = append(errs, field.Forbidden(field.NewPath(keyCluster, "missingFeatures"),
			"the stack knows what a cluster that it creates lacks: remove it, and list what you install in "+
				keyInstalled))
	}
	onAKS, onMachines := c.AKS != nil, c.Kubeadm != nil
	if onAKS && onMachines {
		errs = append(errs, field.Invalid(field.NewPath(KeyKubeadm), field.OmitValueType{},
			"the cluster is created on AKS or on virtual machines: leave one of the two out"))
	}
	windows := slices.ContainsFunc(c.Topology.Pools, func(p topology.Pool) bool { return p.Platform.IsWindows() })
	if (onAKS || onMachines && windows) && d.WindowsPassword == nil {
		errs = append(errs, field.Required(field.NewPath(KeyWindowsPassword),
			"set it with `pulumi config set --secret windowsPassword`"))
	}
	return errs
}

// InAzure reports whether the stack creates the cluster in Azure.
func (c Config) InAzure() bool { return c.AKS != nil || c.Kubeadm != nil }

// checkPlacement reports the workloads that could not run on any node, or could run on the wrong nodes.
func checkPlacement(c Config, path *field.Path) field.ErrorList {
	windows := slices.DeleteFunc(c.Topology.WithDefaults().Pools,
		func(p topology.Pool) bool { return !p.Platform.IsWindows() })
	untainted := slices.IndexFunc(windows, func(p topology.Pool) bool { return !p.Repels() })
	var errs field.ErrorList
	for i, w := range c.Workloads {
		switch {
		case w == IIS && len(windows) == 0:
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

// names converts configured names. Each must be one of the known names of a kind, and be listed once.
// The errors in unread cover the names that could not be read.
func names[T ~string](configured []string, unread field.ErrorList, key, kind string, known []T) ([]T, field.ErrorList) {
	all := make([]string, len(known))
	for i, k := range known {
		all[i] = string(k)
	}
	var taken []T
	var errs field.ErrorList
	for i, name := range configured {
		path := field.NewPath(key).Index(i)
		switch {
		case slices.ContainsFunc(unread, func(err *field.Error) bool { return err.Field == path.String() }):
		case !slices.Contains(all, name):
			errs = append(errs, field.Invalid(path, name, fielderrors.Unknown(kind, name, all)))
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
