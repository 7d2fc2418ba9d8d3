package azure

import (
	"fmt"

	"github.com/mixedkube/mixedkube/internal/kubeversion"
	"github.com/mixedkube/mixedkube/internal/tree"
)

func (c *check) outboundNAT(p pool) {
	if !p.DisableOutboundNAT || !p.Platform.IsWindows() {
		return
	}
	path := p.at + "disableOutboundNAT"
	since := kubeversion.Version{Major: 1, Minor: 26}
	if v, ok := kubeversion.Parse(p.KubernetesVersion); ok && v.Compare(since) < 0 {
		c.report("MK728", problem{
			path: path, value: true, detail: fmt.Sprintf("Kubernetes %s does not have it, %s is the first with it", v, since),
			fix: fmt.Sprintf("use Kubernetes %s or newer, or remove it", since),
		})
	}
	if outbound, known := c.outboundType(); known && outbound == LoadBalancer {
		c.report("MK729", problem{
			path: path, value: true, detail: "the outbound type of the cluster is loadBalancer, which needs the nodes' translation",
			fix: "use the outbound type managedNATGateway, userAssignedNATGateway or userDefinedRouting, or remove it",
		})
	}
}

// outboundType is the one that holds: that of the options, if they have one.
func (c *check) outboundType() (outbound OutboundType, known bool) {
	if tree.IsUnknown(tree.At(c.options, "networkProfile")) {
		return "", false
	}
	if v := option(c.options, "networkProfile.outboundType"); v != nil {
		s := open(v)
		return OutboundType(s), s != ""
	}
	return c.network.OutboundType, c.network.OutboundType != ""
}
