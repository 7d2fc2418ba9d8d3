package arm

import (
	"strings"
	"testing"
)

func TestSecurityGroupsHaveConfiguredAndDefaultRules(t *testing.T) {
	t.Parallel()
	cloud := wired(t)
	answer := mustPut(t, cloud, groupNSGID, groupBody(
		rule("ssh", 100, map[string]any{
			"protocol": "tcp", "destinationPortRange": "22",
			"sourceAddressPrefix": "198.51.100.0/24",
		}),
		rule("many", 4096, map[string]any{
			"direction": "Outbound", "sourceAddressPrefix": nil,
			"sourceAddressPrefixes": []any{"10.1.0.0/24", "10.1.4.9"}, "destinationPortRange": nil,
			"destinationPortRanges": []any{"0", "80-65535"},
		}),
		rule("same priority, other way", 100,
			map[string]any{
				"direction": "Outbound", "destinationAddressPrefix": "Storage.WestEurope",
				"sourceAddressPrefix": "10.1.0.1-10.1.0.9",
			}),
	))
	wantAt(t, parts(answer, securityRules)[0], map[string]any{
		"id": groupNSGID + "/securityRules/ssh", "type": kindSecurityGroup + "/securityRules", "etag": answer["etag"],
		"properties.protocol": "Tcp", "properties.provisioningState": "Succeeded",
	})
	want := []struct {
		name, direction, access, from, to string
		priority                          float64
	}{
		{"AllowVnetInBound", "Inbound", "Allow", "VirtualNetwork", "VirtualNetwork", 65000},
		{"AllowAzureLoadBalancerInBound", "Inbound", "Allow", "AzureLoadBalancer", "*", 65001},
		{"DenyAllInBound", "Inbound", "Deny", "*", "*", 65500},
		{"AllowVnetOutBound", "Outbound", "Allow", "VirtualNetwork", "VirtualNetwork", 65000},
		{"AllowInternetOutBound", "Outbound", "Allow", "*", "Internet", 65001},
		{"DenyAllOutBound", "Outbound", "Deny", "*", "*", 65500},
	}
	defaults := parts(answer, "defaultSecurityRules")
	if len(defaults) != len(want) {
		t.Fatalf("default rules: %v", defaults)
	}
	for i, w := range want {
		wantAt(t, defaults[i], map[string]any{
			"id": groupNSGID + "/defaultSecurityRules/" + w.name, "properties.direction": w.direction,
			"properties.access": w.access, "properties.priority": w.priority,
			"properties.sourceAddressPrefix": w.from, "properties.destinationAddressPrefix": w.to,
			"properties.protocol": "*",
		})
	}
	if again := mustPut(t, cloud, groupNSGID, answer); !same(again, answer) {
		t.Errorf("it was\n%v, and is\n%v", answer, again)
	}
	wantAt(t, mustPut(t, cloud, groupNSGID, located(Body{})), map[string]any{"properties.securityRules": []any{}})
}

func TestSecurityRulesThatAzureRefuses(t *testing.T) {
	t.Parallel()
	const one = groupNSGID + "/securityRules/one"
	cases := map[string]refusal{}
	refuse := func(name string, change map[string]any, want *Error) {
		cases[name] = refusal{id: groupNSGID, body: groupBody(rule("one", 100, change)), want: want}
	}
	for _, name := range []string{"access", "direction", "priority", "protocol"} {
		refuse("no "+name, map[string]any{name: nil},
			unreadableRequest("Required property '"+name+
				"' not found in JSON. Path 'properties.securityRules[0].properties'."))
	}
	priority := func(value string) *Error {
		return bad400("SecurityRuleInvalidPriority", "",
			"Security rule has invalid Priority. Value provided: "+value+" Allowed range 100-4096.")
	}
	refuse("a long description", map[string]any{"description": strings.Repeat("d", 141)},
		bad400("SecurityRuleInvalidDescription", "",
			"Security rule has a description with 141 characters. At most 140 are allowed."))
	refuse("priority 99", map[string]any{"priority": 99}, priority("99"))
	refuse("priority 4097", map[string]any{"priority": 4097}, priority("4097"))
	port := func(value string) *Error {
		return bad400("SecurityRuleInvalidPortRange", "",
			"Security rule has invalid Port range. Value provided: "+value+
				". Value should be an integer OR integer range with '-' delimiter. Valid range 0-65535.")
	}
	for _, value := range []string{"80,443", "65536", "-1", "9-8", "http", "1-2-3"} {
		refuse("port "+value, map[string]any{"destinationPortRange": value}, port(value))
	}
	refuse("source port x", map[string]any{"sourcePortRange": nil, "sourcePortRanges": []any{"1", "x"}}, port("x"))
	refuse("all ports in a list", map[string]any{"destinationPortRange": nil, "destinationPortRanges": []any{"*"}},
		bad400("SecurityRuleParameterContainsInvalidPortRanges", "",
			"Security rule parameter DestinationPortRanges for rule with Id "+one+" contains invalid port ranges: *."))
	for _, value := range []string{
		"10.1.0.1/24", "ten", "10.1.0.9-10.1.0.1", "10.1.0.1-::1", "AzureBastionSubnet",
		"10.1.0.0/33",
	} {
		refuse("prefix "+value, map[string]any{"sourceAddressPrefix": value},
			bad400("SecurityRuleInvalidAddressPrefix", "",
				"Security rule has invalid Address prefix. Value provided: "+value))
	}
	for _, value := range []string{"*", "Internet", "virtualnetwork"} {
		refuse("list with "+value,
			map[string]any{"sourceAddressPrefix": nil, "sourceAddressPrefixes": []any{"10.1.0.0/24", value}},
			bad400("SecurityRuleParameterContainsUnsupportedValue", "",
				"Security rule parameter SourceAddressPrefixes for rule with Id "+one+
					" cannot specify existing VIRTUALNETWORK, INTERNET, AZURELOADBALANCER, '*' or system tags. "+
					"Unsupported value used: "+value+"."))
	}
	missing := func(what string) *Error {
		return bad400("SecurityRuleParameterNotProvided", "", "Security rule must specify "+what)
	}
	refuse("no source", map[string]any{"sourceAddressPrefix": nil},
		missing("SourceAddressPrefixes, SourceAddressPrefix, or SourceApplicationSecurityGroups"))
	refuse("no destination", map[string]any{"destinationAddressPrefix": nil, "destinationAddressPrefixes": []any{}},
		missing("DestinationAddressPrefixes, DestinationAddressPrefix, or DestinationApplicationSecurityGroups"))
	refuse("no source port", map[string]any{"sourcePortRange": nil}, missing("SourcePortRanges, SourcePortRange"))
	refuse("no port", map[string]any{"destinationPortRange": nil},
		missing("DestinationPortRanges, DestinationPortRange"))
	refuse("both", map[string]any{"destinationPortRanges": []any{"80"}}, bad400("SecurityRuleParameterConflict", "",
		"Security rule "+one+" must not specify both DestinationPortRanges and DestinationPortRange."))
	refuse("both prefixes", map[string]any{"sourceAddressPrefixes": []any{"10.0.0.0/8"}},
		bad400("SecurityRuleParameterConflict", "",
			"Security rule "+one+" must not specify both SourceAddressPrefixes and SourceAddressPrefix."))
	const app = inNetworkProvider + "applicationSecurityGroups/a"
	refuse("an application security group",
		map[string]any{"sourceAddressPrefix": nil, "sourceApplicationSecurityGroups": refs(app)},
		dangling(app, groupNSGID, "properties.securityRules[0].properties.sourceApplicationSecurityGroups[0]"))
	refuse("a protocol", map[string]any{"protocol": "Sctp"},
		notOf("properties.securityRules[0].properties.protocol", "Sctp", "Ah, *, Esp, Icmp, Tcp, Udp"))
	cases["one priority"] = refusal{
		id: groupNSGID, body: groupBody(rule("one", 100, nil), rule("two", 100, nil)),
		want: bad400("SecurityRuleConflict", "",
			"Security rule one conflicts with rule two. Rules cannot have the same Priority and Direction. To learn "+
				"more, see aka.ms/nsgrules."),
	}
	cases["one name"] = refusal{
		id: groupNSGID, body: groupBody(rule("one", 100, nil), rule("ONE", 101, nil)),
		want: unreadableRequest(
			"Resource " + groupNSGID + " has two child resources with the same name (ONE)."),
	}
	wantRefusals(t, cases)
}

func TestASecurityGroupInUseStays(t *testing.T) {
	t.Parallel()
	cloud := wired(t)
	nic := nicBody(nil)
	setAt(nic, "properties.networkSecurityGroup", ref(groupNSGID))
	putAll(t, cloud, groupNSGID, groupBody(), subnetID,
		Body{"properties": Body{"addressPrefix": "10.1.0.0/24", "networkSecurityGroup": ref(groupNSGID)}}, nicID, nic)
	wantAt(t, mustGet(t, cloud, groupNSGID),
		map[string]any{"properties.networkInterfaces": refs(nicID), "properties.subnets": refs(subnetID)})
	inUse := func(by string) *Error {
		return bad400("InUseNetworkSecurityGroupCannotBeDeleted", "",
			"Network security group "+groupNSGID+" cannot be deleted because it is in use by the following resources: "+
				by+
				". In order to delete the Network security group, remove the association with the resource(s). To "+
				"learn "+
				"how to do this, see aka.ms/deletensg.")
	}
	wantError(t, cloud.Delete(t.Context(), groupNSGID), inUse(subnetID+", "+nicID))
	mustPut(t, cloud, subnetID, Body{"properties": Body{"addressPrefix": "10.1.0.0/24"}})
	wantError(t, cloud.Delete(t.Context(), groupNSGID), inUse(nicID))
	mustPut(t, cloud, nicID, nicBody(nil))
	mustDelete(t, cloud, groupNSGID)
}
