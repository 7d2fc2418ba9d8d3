package hostprocess_test

import (
	"fmt"
	"net/netip"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/bootstrap/network"
	"github.com/mixedkube/mixedkube/components/hostprocess"
	"github.com/mixedkube/mixedkube/components/mocktest"
)

// A cluster of kubeadm with flannel needs both on its Windows nodes.
func Example() {
	pods := network.Network{Kind: network.FlannelVXLAN, NodeCIDR: netip.MustParsePrefix("10.0.0.0/24")}
	program := func(ctx *pulumi.Context) error {
		_, err := hostprocess.NewFlannel(ctx, "network", &hostprocess.FlannelArgs{Network: pods, Endpoint: "api.example.com:6443"})
		if err != nil {
			return err
		}
		_, err = hostprocess.NewKubeProxy(ctx, "proxy", &hostprocess.KubeProxyArgs{Network: pods, Endpoint: "api.example.com:6443"})
		return err
	}

	graph, err := mocktest.Run(program, mocktest.Preview())
	for _, set := range graph.ByType("kubernetes:apps/v1:DaemonSet") {
		fmt.Println(set.Plain()["metadata"].(map[string]any)["name"])
	}
	fmt.Println(err)
	// Output:
	// kube-flannel-ds
	// kube-flannel-windows
	// kube-proxy-windows
	// <nil>
}
