package kubeadm

import (
	"github.com/pulumi/pulumi-azure-native-sdk/network/v3"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

// services is the load balancer in front of the NodePorts of the pools.
type services struct {
	// address is its public address, empty if there is none.
	address pulumi.StringOutput
	// backends are the IDs of its backend pools.
	backends []pulumi.StringOutput
}

// newServiceBalancer creates the load balancer if the cluster has service ports.
func (c construction) newServiceBalancer() (services, error) {
	if len(c.azure.ServicePorts) == 0 {
		return services{address: pulumi.String("").ToStringOutput()}, nil
	}
	const role = "services"
	address, err := newPublicAddress(c.ctx, c.name, role, c.at, c.parent())
	if err != nil {
		return services{}, err
	}
	b := balancer{role: role, child: role, frontend: network.FrontendIPConfigurationArgs{
		PublicIPAddress: network.PublicIPAddressTypeArgs{Id: address.ID()},
	}}
	for _, p := range c.azure.ServicePorts {
		b.rules = append(b.rules, balancerRule{
			name: p.Name(), port: p.Port, backendPort: p.NodePort,
			probe: network.ProbeArgs{Protocol: pulumi.String("Tcp")}, idleMinutes: defaultIdleMinutes,
		})
	}
	_, backend, err := c.newBalancer(b)
	return services{address: address.IpAddress.Elem(), backends: []pulumi.StringOutput{backend}}, err
}

// defaultIdleMinutes is Azure's own default
// (https://learn.microsoft.com/azure/load-balancer/load-balancer-tcp-reset).
const defaultIdleMinutes = 4
