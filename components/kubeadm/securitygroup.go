package kubeadm

import (
	"github.com/pulumi/pulumi-azure-native-sdk/network/v3"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/machines/kubeadm/plan"
)

const (
	// firstPriority and priorityStep leave room for the user's own rules in between.
	firstPriority, priorityStep = 1000, 10
	// lastPriority is the lowest priority of a rule.
	lastPriority = 4096
)

// admitted are the flows that a security group lets in.
type admitted struct {
	// role is the role of the subnet.
	role  string
	flows []plan.Flow
	// later are the sources of flows that are outputs, by the name of the flow.
	later map[string]pulumi.StringArrayInput
}

// newSecurityGroup lets in the flows, and nothing else: its last rule comes before Azure's own
// rule, which lets in everything from the virtual network.
func newSecurityGroup(
	ctx *pulumi.Context, name string, at place, in admitted, parent pulumi.ResourceOption,
) (*network.NetworkSecurityGroup, error) {
	var rules network.SecurityRuleTypeArray
	for i, f := range in.flows {
		rule := network.SecurityRuleTypeArgs{
			Name:                 pulumi.String(f.Name),
			Description:          pulumi.String(f.Reason),
			Priority:             pulumi.Int(firstPriority + i*priorityStep),
			Direction:            pulumi.String("Inbound"),
			Access:               pulumi.String("Allow"),
			Protocol:             pulumi.String(f.Protocol),
			SourcePortRange:      pulumi.String("*"),
			DestinationPortRange: pulumi.String(f.Ports),
		}
		if from, found := in.later[f.Name]; found {
			rule.SourceAddressPrefix, rule.SourceAddressPrefixes = prefixesLater(from)
		} else {
			rule.SourceAddressPrefix, rule.SourceAddressPrefixes = prefixes(f.From)
		}
		rule.DestinationAddressPrefix, rule.DestinationAddressPrefixes = prefixes(f.To)
		rules = append(rules, rule)
	}
	rules = append(rules, network.SecurityRuleTypeArgs{
		Name:                     pulumi.String("deny-everything-else"),
		Description:              pulumi.String("being in the virtual network is not enough"),
		Priority:                 pulumi.Int(lastPriority),
		Direction:                pulumi.String("Inbound"),
		Access:                   pulumi.String("Deny"),
		Protocol:                 pulumi.String("*"),
		SourcePortRange:          pulumi.String("*"),
		DestinationPortRange:     pulumi.String("*"),
		SourceAddressPrefix:      pulumi.String("*"),
		DestinationAddressPrefix: pulumi.String("*"),
	})
	return network.NewNetworkSecurityGroup(ctx, name+"-"+in.role+"-security", &network.NetworkSecurityGroupArgs{
		ResourceGroupName:        at.group,
		NetworkSecurityGroupName: pulumi.String(at.cluster + "-" + in.role),
		Location:                 at.location,
		SecurityRules:            rules,
		Tags:                     at.tags,
	}, parent)
}

// prefixes returns a single range by itself, because a service tag cannot be in a list.
func prefixes(ranges []string) (pulumi.StringPtrInput, pulumi.StringArrayInput) {
	if len(ranges) == 1 {
		return pulumi.String(ranges[0]), nil
	}
	return nil, pulumi.ToStringArray(ranges)
}

// prefixesLater is like prefixes for ranges that are outputs.
func prefixesLater(ranges pulumi.StringArrayInput) (pulumi.StringPtrInput, pulumi.StringArrayInput) {
	out := ranges.ToStringArrayOutput()
	return out.ApplyT(func(ranges []string) *string {
			if len(ranges) != 1 {
				return nil
			}
			return &ranges[0]
		}).(pulumi.StringPtrOutput), out.ApplyT(func(ranges []string) []string {
			if len(ranges) == 1 {
				return nil
			}
			return ranges
		}).(pulumi.StringArrayOutput)
}
