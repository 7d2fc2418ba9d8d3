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

// add makes a load balancer with one frontend. The network is one of the same group.
func (a *apiServer) add(
	ctx *pulumi.Context, name, role string, at place, neighbour *network.VirtualNetwork,
	frontend network.FrontendIPConfigurationArgs, parent pulumi.ResourceOption,
) error {
	const child = "api-server"
	inAzure := at.cluster + "-" + role
	part := func(kind string) pulumi.StringOutput {
		return inGroup(neighbour.ID(), "Microsoft.Network/loadBalancers/"+inAzure+"/"+kind+"/"+child)
	}
	frontend.Name = pulumi.String(child)
	balancer, err := network.NewLoadBalancer(ctx, name+"-"+role, &network.LoadBalancerArgs{
		ResourceGroupName:        at.group,
		LoadBalancerName:         pulumi.String(inAzure),
		Location:                 at.location,
		Sku:                      network.LoadBalancerSkuArgs{Name: pulumi.String("Standard")},
		FrontendIPConfigurations: network.FrontendIPConfigurationArray{frontend},
		BackendAddressPools:      network.BackendAddressPoolArray{network.BackendAddressPoolArgs{Name: pulumi.String(child)}},
		Probes: network.ProbeArray{network.ProbeArgs{
			Name:              pulumi.String(child),
			Protocol:          pulumi.String("Https"),
			Port:              pulumi.Int(azurevm.APIServerPort),
			RequestPath:       pulumi.String("/readyz"),
			IntervalInSeconds: pulumi.Int(5),
			ProbeThreshold:    pulumi.Int(2),
		}},
		LoadBalancingRules: network.LoadBalancingRuleArray{network.LoadBalancingRuleArgs{
			Name:                    pulumi.String(child),
			Protocol:                pulumi.String("Tcp"),
			FrontendPort:            pulumi.Int(azurevm.APIServerPort),
			BackendPort:             pulumi.Int(azurevm.APIServerPort),
			FrontendIPConfiguration: network.SubResourceArgs{Id: part("frontendIPConfigurations").ToStringPtrOutput()},
			BackendAddressPool:      network.SubResourceArgs{Id: part("backendAddressPools").ToStringPtrOutput()},
			Probe:                   network.SubResourceArgs{Id: part("probes").ToStringPtrOutput()},
			// Watches of the API server are quiet for minutes.
			IdleTimeoutInMinutes: pulumi.Int(30),
			EnableTcpReset:       pulumi.Bool(true),
			// The machines' way out is the gateway.
			DisableOutboundSnat: pulumi.Bool(true),
		}},
		Tags: at.tags,
	}, parent)
	if err != nil {
		return err
	}
	a.balancers = append(a.balancers, balancer)
	a.backends = append(a.backends, pulumi.Sprintf("%s/backendAddressPools/%s", balancer.ID(), child))
	return nil
}
