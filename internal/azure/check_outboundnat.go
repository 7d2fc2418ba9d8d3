package azure

import (
	"fmt"

	"github.com/mixedkube/mixedkube/internal/kubeversion"
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
	if c.network.OutboundType == LoadBalancer {
		c.report("MK729", problem{
			path: path, value: true, detail: "the outbound type of the cluster is loadBalancer, which needs the nodes' translation",
			fix: "use the outbound type managedNATGateway, userAssignedNATGateway or userDefinedRouting, or remove it",
		})
	}
}
