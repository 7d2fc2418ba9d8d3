package stackprogram

import (
	"slices"
	"strings"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/guard"
	"github.com/mixedkube/mixedkube/components/platform"
	"github.com/mixedkube/mixedkube/components/runtimeclass"
	"github.com/mixedkube/mixedkube/components/topology"
	"github.com/mixedkube/mixedkube/stacks/stackconfig"
)

// New is a program for [guard.Run]: it makes the cluster that the configuration of its
// stack describes, and deploys RuntimeClasses and workloads into it.
func New(
	program stackconfig.Program, newCluster func(*pulumi.Context, stackconfig.Config) (Cluster, error),
) pulumi.RunFunc {
	return func(ctx *pulumi.Context) error {
		c, err := readConfig(ctx, program)
		if err != nil {
			return err
		}
		cluster, err := newCluster(ctx, c)
		if err != nil {
			return err
		}
		cluster.Topology = cluster.Topology.With(c.Installed...)
		return deploy(ctx, c, target{Cluster: cluster, program: program, checks: c.Checks})
	}
}

func deploy(ctx *pulumi.Context, c stackconfig.Config, cluster target) error {
	if err := guard.Enforce(ctx, guard.Args{Topology: cluster.Topology}); err != nil {
		return err
	}
	classes, err := runtimeclass.NewSet(ctx, "windows", &runtimeclass.SetArgs{Topology: cluster.Topology},
		cluster.Options...)
	if err != nil {
		return err
	}
	var deployed []string
	for _, p := range cluster.Topology.Platforms() {
		if !p.IsWindows() {
			continue
		}
		var nodePort pulumi.IntPtrInput
		if i := len(cluster.windows); i < len(cluster.NodePorts) {
			nodePort = pulumi.Int(cluster.NodePorts[i])
		}
		cluster.windows = append(cluster.windows, windows{
			platform: p,
			exposed:  exposed(cluster.Topology),
			nodePort: nodePort,
			cluster:  cluster.Options,
			options:  append(slices.Clone(cluster.Options), pulumi.DependsOn([]pulumi.Resource{classes.Classes[p]})),
		})
	}
	for _, on := range cluster.windows {
		for _, w := range onEachWindows {
			if !c.Deploys(w.name) {
				continue
			}
			on := on.named(w.name)
			if err := w.deploy(ctx, on); err != nil {
				return err
			}
			deployed = append(deployed, on.name)
		}
	}
	for _, w := range onceInTheCluster {
		if !c.Deploys(w.name) {
			continue
		}
		if err := w.deploy(ctx, string(w.name), cluster); err != nil {
			return err
		}
		deployed = append(deployed, string(w.name))
	}
	ctx.Export("workloads", pulumi.ToStringArray(deployed))
	return nil
}

// windows is where a workload is deployed that each Windows platform has.
type windows struct {
	name     string
	platform platform.Platform
	// exposed is the type of Services for clients outside the cluster.
	exposed pulumi.String
	// nodePort is that of such a Service; nil lets Kubernetes choose one.
	nodePort pulumi.IntPtrInput
	// cluster are the options of what goes into the cluster, and options those of pods:
	// they wait for their RuntimeClass.
	cluster, options []pulumi.ResourceOption
}

func exposed(t topology.Topology) pulumi.String {
	if t.Has(topology.LoadBalancers) {
		return "LoadBalancer"
	}
	return "NodePort"
}

// named is w for one workload.
func (w windows) named(workload stackconfig.Workload) windows {
	w.name = workloadName(workload, w.platform)
	return w
}

// onEachWindows are deployed once for each Windows platform.
var onEachWindows = []struct {
	name   stackconfig.Workload
	deploy func(*pulumi.Context, windows) error
}{
	{stackconfig.WinWebserver, deployWinWebserver},
	{stackconfig.IIS, deployIIS},
	{stackconfig.Secret, deploySecret},
	{stackconfig.ConfigMap, deployConfigMap},
	{stackconfig.HostPath, deployHostPath},
	{stackconfig.EmptyDirs, deployEmptyDirs},
	{stackconfig.PersistentVolumeClaim, deployPersistentVolumeClaim},
	{stackconfig.NamedPipe, deployNamedPipe},
	{stackconfig.GracePeriod, deployGracePeriod},
	{stackconfig.Autoscaling, deployAutoscaling},
	{stackconfig.RunAsUser, deployRunAsUser},
	{stackconfig.DaemonSet, deployDaemonSet},
	{stackconfig.CronJob, deployCronJob},
	{stackconfig.LogMonitor, deployLogMonitor},
}

// onceInTheCluster are deployed once.
var onceInTheCluster = []struct {
	name   stackconfig.Workload
	deploy func(ctx *pulumi.Context, name string, cluster target) error
}{
	{stackconfig.GMSA, deployGMSA},
	{stackconfig.HostProcess, deployHostProcess},
	{stackconfig.WindowsExporter, deployWindowsExporter},
	{stackconfig.Connectivity, deployConnectivity},
	{stackconfig.HelmChart, deployHelmChart},
	{stackconfig.LinuxWeb, deployLinuxWeb},
}

// workloadName names a workload after its platform, as in iis-2019.
func workloadName(w stackconfig.Workload, p platform.Platform) string {
	return string(w) + "-" + strings.TrimPrefix(p.String(), "windows-")
}

// imageTag is the tag of Microsoft's images for a platform, as in ltsc2019.
func imageTag(p platform.Platform) string {
	release, _ := p.Release()
	return release.Tags[0]
}
