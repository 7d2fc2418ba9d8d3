// Command antrea installs Antrea with its Helm chart, and with its manifests for Windows, on machines of your own.
package main

import (
	"cmp"
	"net/netip"
	"os"

	helmv4 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/helm/v4"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"

	"github.com/mixedkube/mixedkube/components/manifest"
	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/machines/bootstrap/network"
)

func main() { pulumi.Run(program) }

func program(ctx *pulumi.Context) error {
	const endpoint = "192.168.10.10:6443"
	pods := network.Network{Kind: network.Antrea, NodeCIDR: netip.MustParsePrefix("192.168.10.0/24")}.WithDefaults()
	agents, err := pods.AntreaConfig(endpoint)
	if err != nil {
		return err
	}
	cfg := config.New(ctx, "")
	manifests, err := os.ReadFile(cmp.Or(cfg.Get("windows"), "./antrea-windows-with-ovs.yml"))
	if err != nil {
		return err
	}
	windows, err := pods.AntreaManifests(string(manifests), endpoint)
	if err != nil {
		return err
	}
	options := manifest.Options{Topology: topology.Topology{Pools: []topology.Pool{
		{Name: "linux", Platform: platform.Linux}, {Name: "win22", Platform: platform.WindowsServer2022},
	}}}
	chart := helmv4.ChartArgs{Namespace: pulumi.String("kube-system"), Values: pulumi.ToMap(agents.Linux)}
	chart.Chart = pulumi.String(cmp.Or(cfg.Get("chart"), "./antrea")) // a copy of Antrea's chart
	linux, err := manifest.NewChart(ctx, "antrea", &manifest.ChartArgs{Chart: chart, Options: options})
	if err != nil {
		return err
	}
	group := &manifest.GroupArgs{YAML: windows, Options: options}
	_, err = manifest.NewGroup(ctx, "antrea-windows", group, pulumi.DependsOn([]pulumi.Resource{linux}))
	return err
}
