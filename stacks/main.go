// Command stacks is the program behind the Pulumi.yaml of this repository. It
// deploys RuntimeClasses and workloads into a cluster: one that is given by the
// ordinary kubeconfig, or one that it makes on AKS. The stack's configuration says
// which pools the cluster has and which workloads are wanted (see package
// stackconfig). Package guard checks all of it.
package main

import (
	"encoding/json"
	"os"
	"slices"
	"strings"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/guard"
	"github.com/mixedkube/mixedkube/components/platform"
	"github.com/mixedkube/mixedkube/components/runtimeclass"
	"github.com/mixedkube/mixedkube/internal/stackconfig"
)

func main() { guard.Run(deploy) }

func deploy(ctx *pulumi.Context) error {
	c, err := readConfig(ctx)
	if err != nil {
		return err
	}
	cluster, err := newTarget(ctx, c)
	if err != nil {
		return err
	}
	cluster.checks = c.Checks
	if err := guard.Enforce(ctx, guard.Args{Topology: cluster.topology}); err != nil {
		return err
	}
	classes, err := runtimeclass.NewSet(ctx, "windows", &runtimeclass.SetArgs{Topology: cluster.topology}, cluster.options...)
	if err != nil {
		return err
	}
	var deployed []string
	for _, p := range cluster.topology.Platforms() {
		if !p.IsWindows() {
			continue
		}
		cluster.windows = append(cluster.windows, windows{
			platform: p,
			cluster:  cluster.options,
			options:  append(slices.Clone(cluster.options), pulumi.DependsOn([]pulumi.Resource{classes.Classes[p]})),
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
	// cluster are the options of what goes into the cluster, and options those of pods:
	// they wait for their RuntimeClass.
	cluster, options []pulumi.ResourceOption
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

// readConfig takes the values as Pulumi hands them over: objects and lists as
// JSON, a text as it is.
func readConfig(ctx *pulumi.Context) (stackconfig.Config, error) {
	values := map[string]any{}
	for _, key := range configKeys(os.Getenv(pulumi.EnvConfig)) {
		text, ok := ctx.GetConfig(key)
		if !ok {
			continue
		}
		var value any
		if err := json.Unmarshal([]byte(text), &value); err != nil {
			value = text
		}
		values[key] = value
	}
	return stackconfig.Decode(values)
}

// configKeys are the keys that there may be, and those of this project that
// there are: Pulumi hands all of them over in its environment, and a context
// answers for those only that it is asked for.
func configKeys(environment string) []string {
	keys := stackconfig.Keys()
	given := map[string]any{}
	if err := json.Unmarshal([]byte(environment), &given); err != nil {
		return keys
	}
	for key := range given {
		if strings.HasPrefix(key, stackconfig.Project+":") && !slices.Contains(keys, key) {
			keys = append(keys, key)
		}
	}
	return keys
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
