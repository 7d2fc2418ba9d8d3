// Command bare-metal-agents deploys the agents that the nodes of a self-managed cluster need: kube-proxy on Windows,
// and flannel if that is the network.
package main

import (
	"net/netip"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"

	"github.com/mixedkube/mixedkube/components/hostprocess"
	"github.com/mixedkube/mixedkube/machines/bootstrap/network"
)

func main() { pulumi.Run(program) }

func program(ctx *pulumi.Context) error {
	cfg := config.New(ctx, "")
	endpoint := cfg.Get("endpoint")
	if endpoint == "" {
		endpoint = "192.168.10.10:6443"
	}
	pods := network.Network{
		Kind:     network.Kind(cfg.Get("network")),
		NodeCIDR: netip.MustParsePrefix("192.168.10.0/24"),
	}
	if pods.WithDefaults().Kind == network.FlannelVXLAN {
		if _, err := hostprocess.NewFlannel(ctx, "flannel",
			&hostprocess.FlannelArgs{Network: pods, Endpoint: pulumi.String(endpoint)}); err != nil {
			return err
		}
	}
	_, err := hostprocess.NewKubeProxy(ctx, "kube-proxy", &hostprocess.KubeProxyArgs{
		Network: pods, Endpoint: pulumi.String(endpoint), OwnServiceAccount: cfg.GetBool("ownServiceAccount"),
	})
	return err
}
