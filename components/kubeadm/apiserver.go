package kubeadm

import (
	"github.com/pulumi/pulumi-azure-native-sdk/network/v3"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/internal/azurevm"
)

// apiServer is the load balancers before the API servers: one inside the virtual network
// for the nodes, and one with a public address, unless it is private.
type apiServer struct {
	balancers []*network.LoadBalancer
	// backends are the IDs of their backend pools.
	backends []pulumi.StringOutput
	// server is where the program reaches it, host:port.
	server pulumi.StringOutput
}

func (s clusterSpec) newAPIServer(ctx *pulumi.Context, name string, at place, subnets virtualNetwork, parent pulumi.ResourceOption) (apiServer, error) {
	endpoint := s.azure.Endpoint()
	a := apiServer{server: pulumi.String(endpoint).ToStringOutput()}
	err := a.add(ctx, name, "internal", at, subnets.network, network.FrontendIPConfigurationArgs{
		PrivateIPAddress:          pulumi.String(s.azure.EndpointAddress().String()),
		PrivateIPAllocationMethod: pulumi.String("Static"),
		Subnet:                    network.SubnetTypeArgs{Id: subnets.controlPlane.ID()},
	}, parent)
	if err != nil || s.APIServer.Private {
		return a, err
	}
	address, err := newPublicAddress(ctx, name, "api-server", at, parent)
	if err != nil {
		return a, err
	}
	a.server = pulumi.Sprintf("%s:%d", address.IpAddress.Elem(), azurevm.APIServerPort)
	return a, a.add(ctx, name, "public", at, subnets.network, network.FrontendIPConfigurationArgs{
		PublicIPAddress: network.PublicIPAddressTypeArgs{Id: address.ID()},
	}, parent)
}

func (a *apiServer) add(
	ctx *pulumi.Context, name, role string, at place, neighbour *network.VirtualNetwork,
	frontend network.FrontendIPConfigurationArgs, parent pulumi.ResourceOption,
) error {
	const child = "api-server"
	made, backend, err := newBalancer(ctx, name, balancer{role: role, child: child, frontend: frontend, rules: []balancerRule{{
		name: child, port: azurevm.APIServerPort, backendPort: azurevm.APIServerPort,
		probe: network.ProbeArgs{Protocol: pulumi.String("Https"), RequestPath: pulumi.String("/readyz")},
		// Watches of the API server are quiet for minutes.
		idleMinutes: 30,
	}}}, at, neighbour, parent)
	if err != nil {
		return err
	}
	a.balancers = append(a.balancers, made)
	a.backends = append(a.backends, backend)
	return nil
}
