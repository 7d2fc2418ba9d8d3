// Command kubeadm is the program of the Pulumi.yaml in this directory. It creates a self-managed
// cluster on Azure virtual machines, and deploys RuntimeClasses and workloads into it, as
// the program in the parent directory does for other clusters. The configuration files of
// both are in the parent directory.
//
// It is a separate program because it needs the packages network and compute of
// azure-native, which take long to compile.
package main

import (
	"cmp"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/components/guard"
	"github.com/mixedkube/mixedkube/components/kubeadm"
	"github.com/mixedkube/mixedkube/internal/core/fielderrors"
	"github.com/mixedkube/mixedkube/machines/kubeadm/plan"
	"github.com/mixedkube/mixedkube/stacks/stackconfig"
	"github.com/mixedkube/mixedkube/stacks/stackprogram"
)

func main() { guard.Run(program()) }

func program() pulumi.RunFunc { return stackprogram.New(stackconfig.OnMachines, newCluster) }

func newCluster(ctx *pulumi.Context, c stackconfig.Config) (stackprogram.Cluster, error) {
	k := c.Kubeadm
	releases, errs := k.Releases.WithDefaults().WithHashes(k.Hashes, field.NewPath(stackconfig.KeyKubeadm, "hashes"))
	if err := fielderrors.Join("stack configuration", errs); err != nil {
		return stackprogram.Cluster{}, err
	}
	args := &kubeadm.ClusterArgs{
		ResourceGroupName: stackprogram.Input(k.ResourceGroupName),
		ClusterName:       k.ClusterName,
		Location:          stackprogram.Input(k.Location),
		KubernetesVersion: c.Topology.KubernetesVersion,
		ControlPlane:      k.ControlPlane,
		Pools:             c.Topology.Pools,
		Network:           k.Network,

		PodsReachInstanceMetadata: k.PodsReachInstanceMetadata,

		Keys: keys(k.Keys),
		LinuxAdmin: kubeadm.LinuxAdmin{
			Username:     k.LinuxAdmin.Username,
			SSHPublicKey: stackprogram.Input(k.LinuxAdmin.SSHPublicKey),
		},
		WindowsAdmin: kubeadm.WindowsAdmin{
			Username: k.WindowsAdmin.Username, LicenseType: k.WindowsAdmin.LicenseType,
			// Plain, so that it is checked with the rest; the component turns it into a secret.
			Password: stackprogram.Input(config.Get(ctx, stackconfig.KeyWindowsPassword)),
		},
		APIServer: kubeadm.APIServer{
			AuthorizedIPRanges: pulumi.ToStringArray(k.APIServer.AuthorizedIPRanges),
			Private:            k.APIServer.Private, Options: k.APIServer.Options,
		},
		NodePortSources: pulumi.ToStringArray(k.NodePortSources),
		ServicePorts:    k.ServicePorts,
		PoolOptions:     map[string]kubeadm.PoolOptions{},
		Releases:        releases,
		Unprotected:     k.Unprotected,
	}
	var nodePorts []int
	for _, p := range k.ServicePorts {
		nodePorts = append(nodePorts, p.NodePort)
	}
	for pool, options := range k.Kubelet {
		args.PoolOptions[pool] = kubeadm.PoolOptions{Kubelet: options}
	}
	cluster, err := kubeadm.NewCluster(ctx, cmp.Or(k.ClusterName, ctx.Stack()), args)
	if err != nil {
		return stackprogram.Cluster{}, err
	}
	ctx.Export("endpoint", cluster.Endpoint)
	ctx.Export("kubeconfig", cluster.Kubeconfig)
	if len(nodePorts) > 0 {
		ctx.Export("serviceAddress", cluster.ServiceAddress)
	}
	return stackprogram.Cluster{
		Topology: cluster.Topology, Options: []pulumi.ResourceOption{pulumi.Provider(cluster.Provider)},
		NodePorts: nodePorts,
	}, nil
}

// keys returns the keys of the configuration, which cannot set secrets and pairs.
func keys(k plan.Keys) kubeadm.Keys {
	of := func(k plan.Key) kubeadm.Key { return kubeadm.Key{Generation: k.Generation, Trusted: k.Trusted} }
	return kubeadm.Keys{
		Cluster: of(k.Cluster), Etcd: of(k.Etcd), FrontProxy: of(k.FrontProxy), ServiceAccounts: of(k.ServiceAccounts),
		Encryption: of(k.Encryption),
	}
}
