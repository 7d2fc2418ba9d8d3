package provider

import (
	"fmt"
	"reflect"

	"github.com/mixedkube/mixedkube/components/aks"
	"github.com/mixedkube/mixedkube/components/connectivity"
	"github.com/mixedkube/mixedkube/components/gmsa"
	"github.com/mixedkube/mixedkube/components/hostprocess"
	"github.com/mixedkube/mixedkube/components/kubeadm"
	"github.com/mixedkube/mixedkube/components/logmonitor"
	"github.com/mixedkube/mixedkube/components/manifest"
	"github.com/mixedkube/mixedkube/components/runtimeclass"
	"github.com/mixedkube/mixedkube/components/workload"
	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/machines/bootstrap"
	"github.com/mixedkube/mixedkube/machines/bootstrap/network"
)

// typeTokens are the names of types in other languages: of the components, and of the objects and choices in arguments and
// outputs. [Functions] has the names of the functions. Programs and stacks of users contain them: a type that moves to
// another package retains its token.
var typeTokens = map[reflect.Type]string{
	reflect.TypeFor[aks.APIServer]():       "mixedkube:aks:APIServer",
	reflect.TypeFor[aks.Change]():          "mixedkube:aks:Change",
	reflect.TypeFor[aks.Cluster]():         "mixedkube:aks:Cluster",
	reflect.TypeFor[aks.ExistingCluster](): "mixedkube:aks:ExistingCluster",
	reflect.TypeFor[aks.GMSA]():            "mixedkube:aks:GMSA",
	reflect.TypeFor[aks.Identity]():        "mixedkube:aks:Identity",
	reflect.TypeFor[aks.KubeletIdentity](): "mixedkube:aks:KubeletIdentity",
	reflect.TypeFor[aks.LicenseType]():     "mixedkube:aks:LicenseType",
	reflect.TypeFor[aks.Login]():           "mixedkube:aks:Login",
	reflect.TypeFor[aks.LoginMode]():       "mixedkube:aks:LoginMode",
	reflect.TypeFor[aks.Network]():         "mixedkube:aks:Network",
	reflect.TypeFor[aks.NetworkMode]():     "mixedkube:aks:NetworkMode",
	reflect.TypeFor[aks.NetworkPolicy]():   "mixedkube:aks:NetworkPolicy",
	reflect.TypeFor[aks.NodePool]():        "mixedkube:aks:NodePool",
	reflect.TypeFor[aks.OutboundType]():    "mixedkube:aks:OutboundType",
	reflect.TypeFor[aks.PoolArgs]():        "mixedkube:aks:Pool",
	reflect.TypeFor[aks.PoolOptions]():     "mixedkube:aks:PoolOptions",
	reflect.TypeFor[aks.Preview]():         "mixedkube:aks:Preview",
	reflect.TypeFor[aks.Retry]():           "mixedkube:aks:Retry",
	reflect.TypeFor[aks.WindowsAdmin]():    "mixedkube:aks:WindowsAdmin",

	reflect.TypeFor[bootstrap.APIServerOptions]():  "mixedkube:bootstrap:APIServerOptions",
	reflect.TypeFor[bootstrap.Audit]():             "mixedkube:bootstrap:Audit",
	reflect.TypeFor[network.Destination]():         "mixedkube:bootstrap:Destination",
	reflect.TypeFor[bootstrap.Download]():          "mixedkube:bootstrap:Download",
	reflect.TypeFor[bootstrap.Downloads]():         "mixedkube:bootstrap:Downloads",
	reflect.TypeFor[network.Kind]():                "mixedkube:bootstrap:Kind",
	reflect.TypeFor[bootstrap.KubeletOptions]():    "mixedkube:bootstrap:KubeletOptions",
	reflect.TypeFor[bootstrap.KubernetesRelease](): "mixedkube:bootstrap:KubernetesRelease",
	reflect.TypeFor[network.Network]():             "mixedkube:bootstrap:Network",
	reflect.TypeFor[bootstrap.OIDC]():              "mixedkube:bootstrap:OIDC",
	reflect.TypeFor[bootstrap.Release]():           "mixedkube:bootstrap:Release",
	reflect.TypeFor[bootstrap.Releases]():          "mixedkube:bootstrap:Releases",

	reflect.TypeFor[connectivity.Check]():  "mixedkube:connectivity:Check",
	reflect.TypeFor[connectivity.Images](): "mixedkube:connectivity:Images",
	reflect.TypeFor[connectivity.Suite]():  "mixedkube:connectivity:Suite",

	reflect.TypeFor[gmsa.Certificate]():       "mixedkube:gmsa:Certificate",
	reflect.TypeFor[gmsa.CredentialSpec]():    "mixedkube:gmsa:CredentialSpec",
	reflect.TypeFor[gmsa.Domain]():            "mixedkube:gmsa:Domain",
	reflect.TypeFor[gmsa.HostAccountConfig](): "mixedkube:gmsa:HostAccountConfig",
	reflect.TypeFor[gmsa.ServiceAccount]():    "mixedkube:gmsa:ServiceAccount",
	reflect.TypeFor[gmsa.Webhook]():           "mixedkube:gmsa:Webhook",

	reflect.TypeFor[hostprocess.CSIProxy]():            "mixedkube:hostprocess:CSIProxy",
	reflect.TypeFor[hostprocess.Containerd]():          "mixedkube:hostprocess:Containerd",
	reflect.TypeFor[hostprocess.DaemonSet]():           "mixedkube:hostprocess:DaemonSet",
	reflect.TypeFor[hostprocess.Flannel]():             "mixedkube:hostprocess:Flannel",
	reflect.TypeFor[hostprocess.KubeProxy]():           "mixedkube:hostprocess:KubeProxy",
	reflect.TypeFor[hostprocess.NodeLogs]():            "mixedkube:hostprocess:NodeLogs",
	reflect.TypeFor[hostprocess.NodeProblemDetector](): "mixedkube:hostprocess:NodeProblemDetector",
	reflect.TypeFor[hostprocess.User]():                "mixedkube:hostprocess:User",
	reflect.TypeFor[hostprocess.WindowsExporter]():     "mixedkube:hostprocess:WindowsExporter",

	reflect.TypeFor[kubeadm.APIServer]():     "mixedkube:kubeadm:APIServer",
	reflect.TypeFor[kubeadm.Cluster]():       "mixedkube:kubeadm:Cluster",
	reflect.TypeFor[kubeadm.ControlPlane]():  "mixedkube:kubeadm:ControlPlane",
	reflect.TypeFor[kubeadm.Image]():         "mixedkube:kubeadm:Image",
	reflect.TypeFor[kubeadm.Key]():           "mixedkube:kubeadm:Key",
	reflect.TypeFor[kubeadm.KeyPair]():       "mixedkube:kubeadm:KeyPair",
	reflect.TypeFor[kubeadm.Keys]():          "mixedkube:kubeadm:Keys",
	reflect.TypeFor[kubeadm.LinuxAdmin]():    "mixedkube:kubeadm:LinuxAdmin",
	reflect.TypeFor[kubeadm.NodePool]():      "mixedkube:kubeadm:NodePool",
	reflect.TypeFor[kubeadm.PatchMode]():     "mixedkube:kubeadm:PatchMode",
	reflect.TypeFor[kubeadm.Patching]():      "mixedkube:kubeadm:Patching",
	reflect.TypeFor[kubeadm.PoolOptions]():   "mixedkube:kubeadm:PoolOptions",
	reflect.TypeFor[kubeadm.RebootSetting](): "mixedkube:kubeadm:RebootSetting",
	reflect.TypeFor[kubeadm.Security]():      "mixedkube:kubeadm:Security",
	reflect.TypeFor[kubeadm.SecurityType]():  "mixedkube:kubeadm:SecurityType",
	reflect.TypeFor[kubeadm.ServicePort]():   "mixedkube:kubeadm:ServicePort",
	reflect.TypeFor[kubeadm.WindowsAdmin]():  "mixedkube:kubeadm:WindowsAdmin",

	reflect.TypeFor[logmonitor.Channel]():  "mixedkube:logmonitor:Channel",
	reflect.TypeFor[logmonitor.Config]():   "mixedkube:logmonitor:Config",
	reflect.TypeFor[logmonitor.ETW]():      "mixedkube:logmonitor:ETW",
	reflect.TypeFor[logmonitor.EventLog](): "mixedkube:logmonitor:EventLog",
	reflect.TypeFor[logmonitor.File]():     "mixedkube:logmonitor:File",
	reflect.TypeFor[logmonitor.Format]():   "mixedkube:logmonitor:Format",
	reflect.TypeFor[logmonitor.Level]():    "mixedkube:logmonitor:Level",
	reflect.TypeFor[logmonitor.Process]():  "mixedkube:logmonitor:Process",
	reflect.TypeFor[logmonitor.Provider](): "mixedkube:logmonitor:Provider",

	reflect.TypeFor[manifest.Chart](): "mixedkube:manifest:Chart",
	reflect.TypeFor[manifest.Group](): "mixedkube:manifest:Group",

	reflect.TypeFor[platform.Matching](): "mixedkube:platform:Matching",
	reflect.TypeFor[platform.OS]():       "mixedkube:platform:OS",
	reflect.TypeFor[platform.Platform](): "mixedkube:platform:Platform",

	reflect.TypeFor[Finding](): "mixedkube:preflight:Finding",

	reflect.TypeFor[rule.Severity](): "mixedkube:rule:Severity",

	reflect.TypeFor[runtimeclass.Set](): "mixedkube:runtimeclass:Set",

	reflect.TypeFor[topology.Autoscaling]():      "mixedkube:topology:Autoscaling",
	reflect.TypeFor[topology.Cloud]():            "mixedkube:topology:Cloud",
	reflect.TypeFor[topology.Feature]():          "mixedkube:topology:Feature",
	reflect.TypeFor[topology.Mode]():             "mixedkube:topology:Mode",
	reflect.TypeFor[topology.OSDiskType]():       "mixedkube:topology:OSDiskType",
	reflect.TypeFor[topology.UndrainableNodes](): "mixedkube:topology:UndrainableNodes",
	reflect.TypeFor[topology.Pool]():             "mixedkube:topology:Pool",
	reflect.TypeFor[topology.Reported]():         "mixedkube:topology:Reported",
	reflect.TypeFor[topology.RuntimeClass]():     "mixedkube:topology:RuntimeClass",
	reflect.TypeFor[topology.Toleration]():       "mixedkube:topology:Toleration",
	reflect.TypeFor[topology.Topology]():         "mixedkube:topology:Topology",
	reflect.TypeFor[topology.Upgrade]():          "mixedkube:topology:Upgrade",

	reflect.TypeFor[workload.CronJob]():               "mixedkube:workload:CronJob",
	reflect.TypeFor[workload.DaemonSet]():             "mixedkube:workload:DaemonSet",
	reflect.TypeFor[workload.Deployment]():            "mixedkube:workload:Deployment",
	reflect.TypeFor[workload.Job]():                   "mixedkube:workload:Job",
	reflect.TypeFor[workload.Pod]():                   "mixedkube:workload:Pod",
	reflect.TypeFor[workload.ReplicaSet]():            "mixedkube:workload:ReplicaSet",
	reflect.TypeFor[workload.ReplicationController](): "mixedkube:workload:ReplicationController",
	reflect.TypeFor[workload.Scheduling]():            "mixedkube:workload:Scheduling",
	reflect.TypeFor[workload.StatefulSet]():           "mixedkube:workload:StatefulSet",
	reflect.TypeFor[workload.User]():                  "mixedkube:workload:User",
}

// token returns the name of a type in other languages.
func token(t reflect.Type) string {
	name, ok := typeTokens[t]
	if !ok {
		panic(fmt.Sprintf(
			"provider: %s.%s has no token: add a row to internal/provider/tokens.go", t.PkgPath(), t.Name()))
	}
	return name
}
