// Command calico installs Calico with the Helm chart of its operator, in a cluster on machines of your own.
package main

import (
	"cmp"
	"net/netip"

	corev1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/core/v1"
	helmv4 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/helm/v4"
	metav1 "github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes/meta/v1"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"

	"github.com/mixedkube/mixedkube/components/manifest"
	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/machines/bootstrap/network"
)

func main() { pulumi.Run(program) }

func program(ctx *pulumi.Context) error {
	directory := cmp.Or(config.New(ctx, "").Get("chart"), "./tigera-operator") // a copy of Calico's chart
	pods := network.Network{Kind: network.CalicoVXLAN, NodeCIDR: netip.MustParsePrefix("192.168.10.0/24")}
	values, err := pods.WithDefaults().CalicoValues("192.168.10.10:6443")
	if err != nil {
		return err
	}
	name := pulumi.String("tigera-operator")
	metadata := metav1.ObjectMetaArgs{Name: name}
	namespace, err := corev1.NewNamespace(ctx, "tigera-operator", &corev1.NamespaceArgs{Metadata: metadata})
	if err != nil {
		return err
	}
	options := manifest.Options{Topology: topology.Topology{Pools: []topology.Pool{
		{Name: "linux", Platform: platform.Linux}, {Name: "win22", Platform: platform.WindowsServer2022},
	}}}
	chart := helmv4.ChartArgs{Chart: pulumi.String(directory), Namespace: name, Values: pulumi.ToMap(values)}
	_, err = manifest.NewChart(ctx, "calico", &manifest.ChartArgs{Chart: chart, Options: options},
		pulumi.DependsOn([]pulumi.Resource{namespace}))
	return err
}
