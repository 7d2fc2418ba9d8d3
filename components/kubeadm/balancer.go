package kubeadm

import (
	"github.com/pulumi/pulumi-azure-native-sdk/network/v3"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

// balancer is a load balancer with one frontend and one backend pool.
type balancer struct {
	// role is the suffix of its names; child is the name of its frontend and its backend pool.
	role, child string
	frontend    network.FrontendIPConfigurationArgs
	rules       []balancerRule
}

// balancerRule forwards a TCP port of the frontend to one of the machines.
type balancerRule struct {
	// name is the name of the rule and of its probe.
	name              string
	port, backendPort int
	// probe checks which machines answer at the backend port.
	probe network.ProbeArgs
	// idleMinutes is how long a connection may be idle.
	idleMinutes int
}

// newBalancer creates the load balancer and also returns the ID of its backend pool.
func (c construction) newBalancer(b balancer) (*network.LoadBalancer, pulumi.StringOutput, error) {
	inAzure := c.at.cluster + "-" + b.role
	part := func(kind, name string) network.SubResourceArgs {
		id := inGroup(c.vnet.network.ID(), "Microsoft.Network/loadBalancers/"+inAzure+"/"+kind+"/"+name)
		return network.SubResourceArgs{Id: id.ToStringPtrOutput()}
	}
	args := &network.LoadBalancerArgs{
		ResourceGroupName: c.at.group,
		LoadBalancerName:  pulumi.String(inAzure),
		Location:          c.at.location,
		Sku:               network.LoadBalancerSkuArgs{Name: pulumi.String("Standard")},
		BackendAddressPools: network.BackendAddressPoolArray{
			network.BackendAddressPoolArgs{Name: pulumi.String(b.child)},
		},
		Tags: c.at.tags,
	}
	b.frontend.Name = pulumi.String(b.child)
	args.FrontendIPConfigurations = network.FrontendIPConfigurationArray{b.frontend}
	var probes network.ProbeArray
	var rules network.LoadBalancingRuleArray
	for _, r := range b.rules {
		r.probe.Name, r.probe.Port = pulumi.String(r.name), pulumi.Int(r.backendPort)
		r.probe.IntervalInSeconds, r.probe.ProbeThreshold = pulumi.Int(5), pulumi.Int(2)
		probes = append(probes, r.probe)
		rules = append(rules, network.LoadBalancingRuleArgs{
			Name:                    pulumi.String(r.name),
			Protocol:                pulumi.String("Tcp"),
			FrontendPort:            pulumi.Int(r.port),
			BackendPort:             pulumi.Int(r.backendPort),
			FrontendIPConfiguration: part("frontendIPConfigurations", b.child),
			BackendAddressPool:      part("backendAddressPools", b.child),
			Probe:                   part("probes", r.name),
			IdleTimeoutInMinutes:    pulumi.Int(r.idleMinutes),
			EnableTcpReset:          pulumi.Bool(true),
			// The machines use the NAT gateway for outbound packets.
			DisableOutboundSnat: pulumi.Bool(true),
		})
	}
	args.Probes, args.LoadBalancingRules = probes, rules
	made, err := network.NewLoadBalancer(c.ctx, c.name+"-"+b.role, args, c.parent())
	if err != nil {
		return nil, pulumi.StringOutput{}, err
	}
	return made, pulumi.Sprintf("%s/backendAddressPools/%s", made.ID(), b.child), nil
}
