package arm

import (
	"strings"
)

const securityRules = "securityRules"

func (r *request) putSecurityGroup(body Body) (*resource, error) {
	if err := r.placed(body); err != nil {
		return nil, err
	}
	if err := r.takeParts(body, securityRules); err != nil {
		return nil, err
	}
	if err := r.takeLinks(body); err != nil {
		return nil, err
	}
	rules := parts(body, securityRules)
	for i, rule := range rules {
		if err := r.checkSecurityRule(i, rule); err != nil {
			return nil, err
		}
		for _, other := range rules[:i] {
			if same(at(rule, "properties.priority"), at(other, "properties.priority")) &&
				at(rule, "properties.direction") == at(other, "properties.direction") {
				return nil, refused("SecurityRuleConflict", "",
					"Security rule %s conflicts with rule %s. Rules cannot have the same Priority and Direction. To "+
						"learn more, see aka.ms/nsgrules.", textAt(other, "name"), textAt(rule, "name"))
			}
		}
	}
	return r.putNetworking(body), nil
}

func (r *request) removeSecurityGroup(found *resource) error {
	var users []string
	for _, user := range r.state.users(found.ID) {
		users = append(users, user.by)
	}
	if len(users) == 0 {
		return nil
	}
	return refused("InUseNetworkSecurityGroupCannotBeDeleted", "",
		"Network security group %s cannot be deleted because it is in use by the following resources: %s. In order "+
			"to delete the Network security group, remove the association with the resource(s). To learn how to do "+
			"this, see aka.ms/deletensg.", found.ID, strings.Join(users, ", "))
}

func viewSecurityGroup(s *state, group *resource, body Body) {
	viewEtag(s, group, body)
	setAt(body, "properties.defaultSecurityRules", defaultSecurityRules())
	viewParts(group, body, securityRules, "defaultSecurityRules")
	s.showUsers(body, "properties.networkInterfaces", group.ID, kindNIC)
	s.showUsers(body, "properties.subnets", group.ID, kindSubnet)
}

// defaultSecurityRules are in every group, after its own.
func defaultSecurityRules() []any {
	rule := func(name, description, direction, access, from, to string, priority float64) Body {
		return Body{"name": name, "properties": Body{
			"description": description, "direction": direction, "access": access, "priority": priority, "protocol": "*",
			"sourceAddressPrefix": from, "sourcePortRange": "*", "destinationAddressPrefix": to,
			"destinationPortRange": "*",
		}}
	}
	return []any{
		rule("AllowVnetInBound", "Allow inbound traffic from all VMs in VNET", "Inbound", "Allow", tagNetwork,
			tagNetwork, 65000),
		rule("AllowAzureLoadBalancerInBound", "Allow inbound traffic from azure load balancer", "Inbound", "Allow",
			tagBalancer, "*", 65001),
		rule("DenyAllInBound", "Deny all inbound traffic", "Inbound", "Deny", "*", "*", 65500),
		rule("AllowVnetOutBound", "Allow outbound traffic from all VMs to all VMs in VNET", "Outbound", "Allow",
			tagNetwork, tagNetwork, 65000),
		rule("AllowInternetOutBound", "Allow outbound traffic from all VMs to Internet", "Outbound", "Allow", "*",
			tagInternet, 65001),
		rule("DenyAllOutBound", "Deny all outbound traffic", "Outbound", "Deny", "*", "*", 65500),
	}
}
