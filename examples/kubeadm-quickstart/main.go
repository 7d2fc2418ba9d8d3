// Command kubeadm-quickstart makes a self-managed mixed cluster on Azure virtual machines.
package main

import (
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"

	"github.com/mixedkube/mixedkube/components/bootstrap"
	"github.com/mixedkube/mixedkube/components/guard"
	"github.com/mixedkube/mixedkube/components/kubeadm"
	"github.com/mixedkube/mixedkube/components/platform"
	"github.com/mixedkube/mixedkube/components/topology"
)

func main() { guard.Run(program) }

func program(ctx *pulumi.Context) error {
	cfg := config.New(ctx, "")
	var hashes map[string]string // of programs for Windows, which only their publishers know
	cfg.RequireObject("hashes", &hashes)
	releases, wrong := bootstrap.KnownReleases().WithHashes(hashes, nil)
	if len(wrong) > 0 {
		return wrong.ToAggregate()
	}
	cluster, err := kubeadm.NewCluster(ctx, "shop", &kubeadm.ClusterArgs{
		KubernetesVersion: "1.36",
		Pools: []topology.Pool{
			{Name: "linux", Platform: platform.Linux, Size: "Standard_D4s_v5"},
			{Name: "win22", Platform: platform.WindowsServer2022, Size: "Standard_D4s_v5"},
		},
		LinuxAdmin:   kubeadm.LinuxAdmin{SSHPublicKey: pulumi.String(cfg.Require("sshPublicKey"))},
		WindowsAdmin: kubeadm.WindowsAdmin{Password: cfg.RequireSecret("windowsPassword")},
		Releases:     releases,
		ServicePorts: []kubeadm.ServicePort{{Port: 80, NodePort: 30080}}, // forwards to IIS
	})
	if err != nil {
		return err
	}
	ctx.Export("kubeconfig", cluster.Kubeconfig)
	ctx.Export("address", cluster.ServiceAddress)
	if err := guard.Enforce(ctx, guard.Args{Topology: cluster.Topology}); err != nil {
		return err
	}
	return iis(ctx, cluster)
}
