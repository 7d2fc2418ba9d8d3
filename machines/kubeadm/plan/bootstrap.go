package plan

import (
	"net/netip"

	"github.com/mixedkube/mixedkube/machines/bootstrap"
)

// Bootstrap returns the cluster that the machines join, with all machines of the control plane, and
// those other machines whose addresses are in the map, by name.
func (c Defaulted) Bootstrap(addresses map[string]netip.Addr) bootstrap.Cluster {
	b := bootstrap.Cluster{
		Topology: c.Topology(),
		Network:  c.Network.Network,
		Endpoint: c.Endpoint(),
		// Azure's internal load balancer does not send a packet back to its source
		// (https://learn.microsoft.com/azure/load-balancer/load-balancer-troubleshoot-backend-traffic).
		LocalEndpoint: true,
		APIServer:     c.APIServer.Options,
		Kubelet:       map[string]bootstrap.KubeletOptions{},
		Releases:      c.Releases,
	}
	for _, pool := range c.Pools {
		if o, ok := c.PoolOptions[pool.Name]; ok {
			b.Kubelet[pool.Name] = o.Kubelet
		}
	}
	for _, m := range c.Machines() {
		address, known := addresses[m.Name]
		if m.ControlPlane {
			address, known = m.Address, true
		}
		if known {
			b.Nodes = append(b.Nodes,
				bootstrap.Node{Name: m.Name, Pool: m.Pool.Name, Address: address, ControlPlane: m.ControlPlane})
		}
	}
	return b
}
