package kubeadm

import (
	"github.com/pulumi/pulumi-azure-native-sdk/network/v3"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/machines/kubeadm/plan"
)

// apiServer is the load balancers in front of the API servers: one inside the virtual network for
// the nodes, and one with a public address unless the API server is private.
type apiServer struct {
	balancers []pulumi.Resource
	// backends are the IDs of their backend pools.
	backends []pulumi.StringOutput
	// server is the address at which the program reaches the API server, host:port.
	server pulumi.StringOutput
}

func (c construction) newAPIServer() (apiServer, error) {
	a := apiServer{server: pulumi.String(c.azure.Endpoint()).ToStringOutput()}
	err := c.addBalancer(&a, "internal", network.FrontendIPConfigurationArgs{
		PrivateIPAddress:          pulumi.String(c.azure.EndpointAddress().String()),
		PrivateIPAllocationMethod: pulumi.String("Static"),
		Subnet:                    network.SubnetTypeArgs{Id: c.vnet.controlPlane.ID()},
	})
	if err != nil || c.APIServer.Private {
		return a, err
	}
	address, err := newPublicAddress(c.ctx, c.name, "api-server", c.at, c.parent())
	if err != nil {
		return a, err
	}
	a.server = pulumi.Sprintf("%s:%d", address.IpAddress.Elem(), plan.APIServerPort)
	return a, c.addBalancer(&a, "public", network.FrontendIPConfigurationArgs{
		PublicIPAddress: network.PublicIPAddressTypeArgs{Id: address.ID()},
	})
}

func (c construction) addBalancer(a *apiServer, role string, frontend network.FrontendIPConfigurationArgs) error {
	const child = "api-server"
	made, backend, err := c.newBalancer(balancer{role: role, child: child, frontend: frontend, rules: []balancerRule{{
		name: child, port: plan.APIServerPort, backendPort: plan.APIServerPort,
		probe: network.ProbeArgs{Protocol: pulumi.String("Https"), RequestPath: pulumi.String("/readyz")},
		// Watches of the API server are quiet for minutes.
		idleMinutes: 30,
	}}})
	if err != nil {
		return err
	}
	a.balancers = append(a.balancers, made)
	a.backends = append(a.backends, backend)
	return nil
}
