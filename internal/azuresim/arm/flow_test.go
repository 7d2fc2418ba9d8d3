package arm

import (
	"fmt"
	"maps"
	"net/netip"
	"strings"
	"testing"
)

// flowing returns a cloud with the network interfaces of two machines, 10.1.0.4 and 10.1.0.5, and one in the subnet of
// the pods, 10.1.4.4.
func flowing(t *testing.T, more ...any) *Cloud {
	t.Helper()
	cloud := wired(t)
	putAll(t, cloud, nicID, nicBody(nil), nic2ID, nicBody(nil), nicID+"3",
		nicBody(map[string]any{"subnet": ref(networkID + "/subnets/pods")}))
	putAll(t, cloud, more...)
	return cloud
}

// grouped gives a subnet of the network a security group with rules, or a route table.
func grouped(subnet string, rules ...any) []any {
	group := groupNSGID + "-" + subnet
	prefix := map[string]string{"nodes": "10.1.0.0/24", "pods": "10.1.4.0/22"}[subnet]
	return []any{
		strings.ReplaceAll(group, "nodes-", ""), groupBody(rules...), networkID + "/subnets/" + subnet,
		Body{"properties": Body{
			"addressPrefix":        prefix,
			"networkSecurityGroup": ref(strings.ReplaceAll(group, "nodes-", "")),
		}},
	}
}

func routed(routes ...any) []any {
	return []any{
		tableID, located(Body{"routes": routes}), subnetID,
		Body{"properties": Body{"addressPrefix": "10.1.0.0/24", "routeTable": ref(tableID)}},
	}
}

// withSubnet returns the subnet of the nodes with more.
func withSubnet(change map[string]any) []any {
	properties := Body{"addressPrefix": "10.1.0.0/24"}
	apply(properties, change)
	return []any{subnetID, Body{"properties": properties}}
}

// members puts the first two network interfaces into the pool.
func members(change map[string]any) []any {
	all := map[string]any{"loadBalancerBackendAddressPools": refs(poolID)}
	maps.Copy(all, change)
	return []any{nicID, nicBody(all), nic2ID, nicBody(all)}
}

func with(lists ...[]any) (all []any) {
	for _, list := range lists {
		all = append(all, list...)
	}
	return all
}

// short returns the last name of each ID.
func short(ids []string) string {
	for i, id := range ids {
		ids[i] = nameOf(id)
	}
	return strings.Join(ids, " ")
}

const client = "198.51.100.7"

// delivery is a packet that is sent to an address of a cloud.
type delivery struct {
	state []any
	from  string
	to    string
	want  string // the network interface that it arrives at
	err   string
}

func arrive(t *testing.T, packets map[string]delivery) {
	t.Helper()
	for name, c := range packets {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cloud := flowing(t, c.state...)
			ids, err := cloud.Reach(t.Context(), netip.MustParseAddr(c.from),
				netip.MustParseAddrPort(strings.ReplaceAll(c.to, "203.0.113.6", publicAddress(t, cloud))))
			got := ""
			if err != nil {
				got = strings.NewReplacer(publicAddress(t, cloud), "203.0.113.6", secondAddress(t, cloud),
					"203.0.113.9").Replace(err.Error())
			}
			if got != c.err {
				t.Errorf("got the error\n%s\nwant\n%s", got, c.err)
			}
			if short(ids) != c.want {
				t.Errorf("it arrives at %q, want %q", short(ids), c.want)
			}
		})
	}
}

func TestWhereAPacketArrives(t *testing.T) {
	t.Parallel()
	deny := func(change map[string]any) Body {
		change["access"] = "Deny"
		return rule("deny-all", 4096, change)
	}
	arrive(t, map[string]delivery{
		"in the subnet":   {from: "10.1.0.4", to: "10.1.0.5:10250", want: "nic2"},
		"between subnets": {from: "10.1.0.4", to: "10.1.4.4:80", want: "nic3"},
		"to itself": {
			state: grouped("nodes", deny(map[string]any{})), from: "10.1.0.4",
			to: "10.1.0.4:80", want: "nic",
		},
		"to an unused address": {
			from: "10.1.0.4", to: "10.1.0.99:80",
			err: "TCP from 10.1.0.4 to 10.1.0.99:80 is dropped: nothing in the virtual network net has that address",
		},
		"from an unused address": {from: "10.1.0.99", to: "10.1.0.4:80", err: "nothing has the address 10.1.0.99"},
		"to another private network": {
			from: "10.1.0.4", to: "192.168.0.1:80",
			err: "TCP from 10.1.0.4 to 192.168.0.1:80 is dropped: the route for 192.168.0.0/16 that Azure has by " +
				"itself has the next hop None",
		},
	})
}

func TestPacketsThroughSecurityGroups(t *testing.T) {
	t.Parallel()
	public := with([]any{addressID, addressBody(), balancerID, publicBody(nil)}, members(nil))
	ownGroup := func(id string, rules ...any) []any {
		body := nicBody(nil)
		setAt(body, "properties.networkSecurityGroup", ref(groupNSGID))
		return []any{groupNSGID, groupBody(rules...), id, body}
	}
	deny := func(change map[string]any) Body {
		change["access"] = "Deny"
		return rule("deny-all", 4096, change)
	}
	const toNIC2 = "TCP from 10.1.0.4 to 10.1.0.5:10250"
	arrive(t, map[string]delivery{
		"default rules": {
			state: with(grouped("nodes"), grouped("pods")), from: "10.1.0.4", to: "10.1.4.4:80",
			want: "nic3",
		},
		"a rule of the subnet": {
			state: grouped("nodes", deny(map[string]any{"protocol": "Tcp"})), from: "10.1.0.4", to: "10.1.0.5:10250",
			err: "the network security group nodes denies " + toNIC2 + ": rule deny-all (priority 4096)",
		},
		"a rule of the network interface": {
			state: ownGroup(nic2ID, deny(map[string]any{})), from: "10.1.0.4", to: "10.1.0.5:10250",
			err: "the network security group nodes denies " + toNIC2 + ": rule deny-all (priority 4096)",
		},
		"both have to let it in": {
			state: with(grouped("nodes", rule("allow", 100, nil)), ownGroup(nic2ID, deny(map[string]any{}))),
			from:  "10.1.0.4", to: "10.1.0.5:10250",
			err: "the network security group nodes denies " + toNIC2 + ": rule deny-all (priority 4096)",
		},
		"the way out": {
			state: ownGroup(nicID,
				deny(map[string]any{"direction": "Outbound", "destinationPortRange": "10000-11000"})), from: "10.1.0.4",
			to:  "10.1.0.5:10250",
			err: "the network security group nodes denies " + toNIC2 + ": rule deny-all (priority 4096)",
		},
		"an outbound rule for other ports": {
			state: ownGroup(nicID,
				deny(map[string]any{"direction": "Outbound", "destinationPortRange": "10000-11000"})), from: "10.1.0.4",
			to: "10.1.0.5:22", want: "nic2",
		},
		"inbound rules do not apply to outbound packets": {
			state: ownGroup(nicID, deny(map[string]any{})), from: "10.1.0.4",
			to: "10.1.0.5:10250", want: "nic2",
		},
		"outbound rules do not apply to inbound packets": {
			state: ownGroup(nic2ID, deny(map[string]any{"direction": "Outbound"})),
			from:  "10.1.0.4", to: "10.1.0.5:10250", want: "nic2",
		},
		"the lower number comes first": {
			state: grouped("nodes", deny(map[string]any{}),
				rule("kubelet", 100, map[string]any{"destinationPortRange": "10250"})), from: "10.1.0.4",
			to: "10.1.0.5:10250", want: "nic2",
		},
		"from a prefix": {
			state: grouped("nodes", deny(map[string]any{}),
				rule("pods", 100, map[string]any{"sourceAddressPrefix": "10.1.4.0/22"})), from: "10.1.0.4",
			to:  "10.1.0.5:10250",
			err: "the network security group nodes denies " + toNIC2 + ": rule deny-all (priority 4096)",
		},
		"from one of several prefixes": {
			state: grouped("nodes", deny(map[string]any{}),
				rule("some", 100, map[string]any{
					"sourceAddressPrefix":   nil,
					"sourceAddressPrefixes": []any{"10.9.0.0/16", "10.1.0.4"},
				})), from: "10.1.0.4", to: "10.1.0.5:10250",
			want: "nic2",
		},
		"from a range of addresses": {
			state: grouped("nodes", deny(map[string]any{}),
				rule("some", 100, map[string]any{"sourceAddressPrefix": "10.1.0.2-10.1.0.4"})), from: "10.1.0.4",
			to: "10.1.0.5:10250", want: "nic2",
		},
		"to one of several ports": {
			state: grouped("nodes", deny(map[string]any{}),
				rule("some", 100, map[string]any{
					"destinationPortRange":  nil,
					"destinationPortRanges": []any{"80", "10250-10255"},
				})), from: "10.1.0.4", to: "10.1.0.5:10250",
			want: "nic2",
		},
		"another protocol": {
			state: grouped("nodes", deny(map[string]any{}), rule("udp", 100, map[string]any{"protocol": "Udp"})),
			from:  "10.1.0.4", to: "10.1.0.5:10250",
			err: "the network security group nodes denies " + toNIC2 + ": rule deny-all (priority 4096)",
		},
		"from a low port": {
			state: grouped("nodes", deny(map[string]any{}),
				rule("low", 100, map[string]any{"sourcePortRange": "1-1023"})), from: "10.1.0.4", to: "10.1.0.5:10250",
			err: "the network security group nodes denies " + toNIC2 + ": rule deny-all (priority 4096)",
		},
		"the internet is not the network": {
			state: grouped("nodes",
				deny(map[string]any{"sourceAddressPrefix": "Internet"})), from: "10.1.0.4", to: "10.1.0.5:10250",
			want: "nic2",
		},
		"the network is not the internet": {
			state: with(public, grouped("nodes",
				rule("api", 100, map[string]any{"sourceAddressPrefix": "VirtualNetwork"}))), from: client,
			to: "203.0.113.6:6443",
			err: "the network security group nodes denies TCP from 198.51.100.7 to 10.1.0.4:6443: rule " +
				"DenyAllInBound (priority 65500)\n" +
				"the network security group nodes denies TCP from 198.51.100.7 to 10.1.0.5:6443: rule DenyAllInBound " +
				"(priority 65500)",
		},
		"other tags have no addresses here": {
			state: grouped("nodes",
				deny(map[string]any{"sourceAddressPrefix": "AzureCloud"})), from: "10.1.0.4", to: "10.1.0.5:10250",
			want: "nic2",
		},
	})
}

func TestPacketsToInternalLoadBalancers(t *testing.T) {
	t.Parallel()
	internal := []any{balancerID, balancerBody(nil)} // it gets 10.1.0.6
	natRule := []any{
		balancerID, balancerBody(map[string]any{"inboundNatRules": []any{Body{
			"name": "ssh",
			"properties": Body{
				"frontendIPConfiguration": ref(frontID), "protocol": "Tcp", "frontendPort": 2222,
				"backendPort": 22,
			},
		}}}),
		nic2ID, nicBody(map[string]any{"loadBalancerInboundNatRules": refs(balancerID + "/inboundNatRules/ssh")}),
	}
	deny := func(change map[string]any) Body {
		change["access"] = "Deny"
		return rule("deny-all", 4096, change)
	}
	const toVIP = "10.1.0.6:6443"
	arrive(t, map[string]delivery{
		"an internal load balancer": {
			state: with(internal, members(nil)), from: "10.1.4.4", to: toVIP,
			want: "nic nic2",
		},
		"its other ports": {
			state: with(internal, members(nil)), from: "10.1.4.4",
			to: "10.1.0.6:443", err: "TCP from 10.1.4.4 to 10.1.0.6:443 is dropped: the load balancer lb has no rule " +
				"for that port",
		},
		"not back to where it comes from": {
			state: with(internal, members(nil)), from: "10.1.0.4", to: toVIP,
			want: "nic2",
		},
		"not back, and there is no other member": {
			state: with(internal, members(nil)[:2]), from: "10.1.0.4", to: toVIP,
			err: "TCP from 10.1.0.4 to 10.1.0.6:6443 is dropped: the load balancer lb would send it back to the " +
				"network interface nic that it comes from",
		},
		"nothing behind it": {
			state: internal, from: "10.1.0.4", to: toVIP,
			err: "TCP from 10.1.0.4 to 10.1.0.6:6443 is dropped: no network interface is behind the load balancer lb",
		},
		"another port behind it": {
			state: with([]any{
				balancerID,
				balancerBody(map[string]any{"loadBalancingRules": []any{balancing("api",
					map[string]any{"backendPort": 7443})}}),
			}, members(nil),
				grouped("nodes", deny(map[string]any{"destinationPortRange": "7443"}))), from: "10.1.4.4", to: toVIP,
			err: "the network security group nodes denies TCP from 10.1.4.4 to 10.1.0.4:7443: rule deny-all " +
				"(priority 4096)\nthe network security group nodes denies TCP from 10.1.4.4 to 10.1.0.5:7443: rule " +
				"deny-all (priority 4096)",
		},
		"all ports": {
			state: with([]any{
				balancerID,
				balancerBody(map[string]any{"loadBalancingRules": []any{balancing("all",
					map[string]any{"protocol": "All", "frontendPort": 0, "backendPort": 0})}}),
			}, members(nil)),
			from: "10.1.4.4", to: "10.1.0.6:80", want: "nic nic2",
		},
		"a floating address": {
			state: with([]any{
				balancerID,
				balancerBody(map[string]any{"loadBalancingRules": []any{balancing("api",
					map[string]any{"enableFloatingIP": true})}}),
			}, members(nil),
				grouped("nodes", deny(map[string]any{}),
					rule("vip", 100, map[string]any{"destinationAddressPrefix": "10.1.0.6"}),
					rule("probe", 101, map[string]any{"sourceAddressPrefix": "AzureLoadBalancer"}))), from: "10.1.4.4",
			to: toVIP, want: "nic nic2",
		},
		"a NAT rule": {state: natRule, from: "10.1.4.4", to: "10.1.0.6:2222", want: "nic2"},
		"a NAT rule behind a group": {
			state: with(natRule, grouped("nodes", deny(map[string]any{"destinationPortRange": "22"}))),
			from:  "10.1.4.4", to: "10.1.0.6:2222",
			err: "the network security group nodes denies TCP from 10.1.4.4 to 10.1.0.5:22: rule deny-all (priority " +
				"4096)",
		},
		"the probe does not arrive": {
			state: with(internal, members(nil),
				grouped("nodes", deny(map[string]any{"sourceAddressPrefix": "AzureLoadBalancer"}))), from: "10.1.4.4",
			to: toVIP,
			err: "the probe probe fails: the network security group nodes denies TCP from 168.63.129.16 to " +
				"10.1.0.4:6443: rule deny-all (priority 4096)\n" +
				"the probe probe fails: the network security group nodes denies TCP from 168.63.129.16 to " +
				"10.1.0.5:6443: rule deny-all (priority 4096)",
		},
		"the probe reaches one": {
			state: with(internal, members(nil),
				ownGroupIn(nicID, deny(map[string]any{"sourceAddressPrefix": "AzureLoadBalancer"}))), from: "10.1.4.4",
			to: toVIP, want: "nic2",
		},
		"all are up": {
			state: with([]any{
				balancerID,
				balancerBody(map[string]any{"probes": []any{Body{
					"name":       "probe",
					"properties": Body{"protocol": "Tcp", "port": 6443, "noHealthyBackendsBehavior": "AllProbedUp"},
				}}}),
			},
				members(nil),
				grouped("nodes", deny(map[string]any{"sourceAddressPrefix": "AzureLoadBalancer"}))), from: "10.1.4.4",
			to: toVIP, want: "nic nic2",
		},
		"no probe": {
			state: with([]any{
				balancerID,
				balancerBody(map[string]any{
					"loadBalancingRules": []any{balancing("api", map[string]any{"probe": nil})},
				}),
			},
				members(nil), grouped("nodes", deny(map[string]any{"sourceAddressPrefix": "AzureLoadBalancer"}))),
			from: "10.1.4.4", to: toVIP, want: "nic nic2",
		},
	})
}

func TestPacketsFromTheInternet(t *testing.T) {
	t.Parallel()
	public := with([]any{addressID, addressBody(), balancerID, publicBody(nil)}, members(nil))
	ownAddress := []any{addressID, addressBody(), nicID, nicBody(map[string]any{"publicIPAddress": ref(addressID)})}
	arrive(t, map[string]delivery{
		"a public load balancer": {
			state: with(public,
				grouped("nodes", rule("api", 100,
					map[string]any{"sourceAddressPrefix": "Internet", "destinationPortRange": "6443"}))), from: client,
			to: "203.0.113.6:6443", want: "nic nic2",
		},
		"a public load balancer without groups": {
			state: public, from: client, to: "203.0.113.6:6443",
			err: "TCP from 198.51.100.7 to 10.1.0.4:6443 is dropped: the network interface nic has no network " +
				"security group, and a Standard public address is closed without one\n" +
				"TCP from 198.51.100.7 to 10.1.0.5:6443 is dropped: the network interface nic2 has no network " +
				"security group, and a Standard public address is closed without one",
		},
		"only some clients": {
			state: with(public,
				grouped("nodes", rule("api", 100, map[string]any{"sourceAddressPrefix": "198.51.100.0/29"}))),
			from: client, to: "203.0.113.6:6443", want: "nic nic2",
		},
		"a public address of a network interface": {
			state: with(ownAddress,
				grouped("nodes", rule("ssh", 100,
					map[string]any{"destinationPortRange": "22", "destinationAddressPrefix": "10.1.0.4"}))),
			from: client, to: "203.0.113.6:22", want: "nic",
		},
		"its other ports, from the internet": {
			state: with(ownAddress, grouped("nodes", rule("ssh", 100, map[string]any{"destinationPortRange": "22"}))),
			from:  client, to: "203.0.113.6:23",
			err: "the network security group nodes denies TCP from 198.51.100.7 to 10.1.0.4:23: rule DenyAllInBound " +
				"(priority 65500)",
		},
		"a NAT gateway": {
			state: []any{addressID, addressBody(), natID, natBody(addressID)}, from: client,
			to:  "203.0.113.6:22",
			err: "TCP from 198.51.100.7 to 203.0.113.6:22 is dropped: the NAT gateway nat takes no connections",
		},
		"a public address without a user": {
			state: []any{addressID, addressBody()}, from: client, to: "203.0.113.6:22",
			err: "TCP from 198.51.100.7 to 203.0.113.6:22 is dropped: nothing uses the public address ip",
		},
		"an unused address": {
			from: client, to: "203.0.113.6:22",
			err: "TCP from 198.51.100.7 to 203.0.113.6:22 is dropped: the cloud has no such public address",
		},
		"a private address": {
			from: client, to: "10.1.0.4:22",
			err: "TCP from 198.51.100.7 to 10.1.0.4:22 is dropped: the address is not on the internet",
		},
	})
}

func TestPacketsToTheInternet(t *testing.T) {
	t.Parallel()
	public := with([]any{addressID, addressBody(), balancerID, publicBody(nil)}, members(nil))
	ownAddress := []any{addressID, addressBody(), nicID, nicBody(map[string]any{"publicIPAddress": ref(addressID)})}
	deny := func(change map[string]any) Body {
		change["access"] = "Deny"
		return rule("deny-all", 4096, change)
	}
	arrive(t, map[string]delivery{
		"no way out": {
			from: "10.1.0.4", to: client + ":443",
			err: "TCP from 10.1.0.4 to 198.51.100.7:443 is dropped: the network interface nic has no way to the " +
				"internet: no NAT gateway, no public address and no outbound rule of a load balancer " +
				"(the simulated Azure has no default outbound access)",
		},
		"a way out": {state: ownAddress, from: "10.1.0.4", to: client + ":443", want: ""},
		"out is denied": {
			state: with(ownAddress,
				grouped("nodes", deny(map[string]any{
					"direction": "Outbound", "destinationAddressPrefix": "Internet",
				}))),
			from: "10.1.0.4", to: client + ":443",
			err: "the network security group nodes denies TCP from 10.1.0.4 to 198.51.100.7:443: rule deny-all " +
				"(priority 4096)",
		},
		"out and in again": {
			state: with(public,
				[]any{
					addressID + "2", addressBody(), natID, natBody(addressID + "2"), networkID + "/subnets/pods",
					Body{"properties": Body{"addressPrefix": "10.1.4.0/22", "natGateway": ref(natID)}},
				},
				grouped("nodes", rule("api", 100, map[string]any{"sourceAddressPrefix": "203.0.113.0/24"}))),
			from: "10.1.4.4", to: "203.0.113.6:6443", want: "nic nic2",
		},
		"out and in again, as another": {
			state: with(public, []any{
				addressID + "2", addressBody(), natID, natBody(addressID + "2"),
				networkID + "/subnets/pods",
				Body{"properties": Body{"addressPrefix": "10.1.4.0/22", "natGateway": ref(natID)}},
			},
				grouped("nodes", rule("api", 100, map[string]any{"sourceAddressPrefix": "10.1.4.4"}))),
			from: "10.1.4.4", to: "203.0.113.6:6443",
			err: "the network security group nodes denies TCP from 203.0.113.9 to 10.1.0.4:6443: rule DenyAllInBound " +
				"(priority 65500)\nthe network security group nodes denies TCP from 203.0.113.9 to 10.1.0.5:6443: " +
				"rule DenyAllInBound (priority 65500)",
		},
	})
}

func TestPacketsAlongRoutes(t *testing.T) {
	t.Parallel()
	internal := []any{balancerID, balancerBody(nil)} // it gets 10.1.0.6
	appliance := func(forwards bool) []any {
		body := nicBody(nil)
		setAt(body, "properties.enableIPForwarding", forwards)
		return with([]any{nic2ID, body}, routed(route("pods", "10.244.1.0/24", "VirtualAppliance", "10.1.0.5")))
	}
	arrive(t, map[string]delivery{
		"a route to an appliance": {state: appliance(true), from: "10.1.0.4", to: "10.244.1.7:80", want: "nic2"},
		"an appliance that does not forward": {
			state: appliance(false), from: "10.1.0.4", to: "10.244.1.7:80",
			err: "TCP from 10.1.0.4 to 10.244.1.7:80 is dropped: the route pods of the route table table goes to the " +
				"network interface nic2, which has no IP forwarding",
		},
		"no route to pods": {
			from: "10.1.0.4", to: "10.244.1.7:80",
			err: "TCP from 10.1.0.4 to 10.244.1.7:80 is dropped: the route for 10.0.0.0/8 that Azure has by itself " +
				"has the next hop None",
		},
		"a route to an unused address": {
			state: routed(route("pods", "10.244.1.0/24", "VirtualAppliance", "10.1.0.77")), from: "10.1.0.4",
			to: "10.244.1.7:80",
			err: "TCP from 10.1.0.4 to 10.244.1.7:80 is dropped: the route pods of the route table table goes to " +
				"10.1.0.77, and nothing has that address",
		},
		"a route to a load balancer": {
			state: with(internal, routed(route("pods", "10.244.1.0/24", "VirtualAppliance", "10.1.0.6"))),
			from:  "10.1.0.4", to: "10.244.1.7:80",
			err: "TCP from 10.1.0.4 to 10.244.1.7:80 is dropped: the route pods of the route table table goes to the " +
				"load balancer lb, and the simulated Azure forwards nothing from there",
		},
		"a route to what it comes from": {
			state: routed(route("pods", "10.244.1.0/24", "VirtualAppliance", "10.1.0.4")),
			from:  "10.1.0.4", to: "10.244.1.7:80", want: "nic",
		},
		"the longest prefix": {
			state: routed(route("all", "10.244.0.0/16", "None", ""),
				route("one", "10.244.1.0/24", "VirtualAppliance", "10.1.0.4")), from: "10.1.0.4", to: "10.244.1.7:80",
			want: "nic",
		},
		"a route to nowhere": {
			state: routed(route("hole", "10.1.4.0/24", "None", "")), from: "10.1.0.4", to: "10.1.4.4:80",
			err: "TCP from 10.1.0.4 to 10.1.4.4:80 is dropped: the route hole of the route table table has the next " +
				"hop None",
		},
		"the user's route before Azure's": {
			state: routed(route("hole", "10.1.0.0/16", "None", "")), from: "10.1.0.4", to: "10.1.4.4:80",
			err: "TCP from 10.1.0.4 to 10.1.4.4:80 is dropped: the route hole of the route table table has the next " +
				"hop None",
		},
		"a gateway": {
			state: routed(route("on-premises", "192.168.0.0/16", "VirtualNetworkGateway", "")), from: "10.1.0.4",
			to: "192.168.0.1:80",
			err: "TCP from 10.1.0.4 to 192.168.0.1:80 is dropped: the route on-premises of the route table table has " +
				"the next hop VirtualNetworkGateway",
		},
	})
}

// ownGroupIn gives a member of the pool a security group.
func ownGroupIn(id string, rules ...any) []any {
	body := nicBody(map[string]any{"loadBalancerBackendAddressPools": refs(poolID)})
	setAt(body, "properties.networkSecurityGroup", ref(groupNSGID))
	return []any{groupNSGID, groupBody(rules...), id, body}
}

// publicAddress returns the address that the cloud assigned to the public address of the tests.
func publicAddress(t *testing.T, cloud *Cloud) string {
	t.Helper()
	return addressOf(t, cloud, addressID)
}

func secondAddress(t *testing.T, cloud *Cloud) string {
	t.Helper()
	return addressOf(t, cloud, addressID+"2")
}

func addressOf(t *testing.T, cloud *Cloud, id string) string {
	t.Helper()
	if body, err := cloud.Get(t.Context(), id); err == nil {
		return textAt(body, "properties.ipAddress")
	}
	return "203.0.113.6" // an unused address
}

// Packets of pods have addresses of pods.
func TestPacketsWithTheAddressOfAPod(t *testing.T) {
	t.Parallel()
	forwarding := func(change map[string]any) Body {
		body := nicBody(change)
		setAt(body, "properties.enableIPForwarding", true)
		return body
	}
	pods := routed(route("one", "10.244.1.0/24", "VirtualAppliance", "10.1.0.4"),
		route("two", "10.244.2.0/24", "VirtualAppliance", "10.1.0.5"))
	group := []any{
		groupNSGID, groupBody(), subnetID,
		Body{"properties": Body{
			"addressPrefix": "10.1.0.0/24", "routeTable": ref(tableID),
			"networkSecurityGroup": ref(groupNSGID),
		}},
	}
	for name, c := range map[string]struct {
		state     []any
		to        string
		want, err string
	}{
		"to a pod": {
			state: with([]any{nicID, forwarding(nil), nic2ID, forwarding(nil)}, pods), to: "10.244.2.7:80",
			want: "nic2",
		},
		"to a node": {state: with([]any{nicID, forwarding(nil)}, pods), to: "10.1.0.5:80", want: "nic2"},
		"the prefixes of routes are in the network": {state: with([]any{
			nicID, forwarding(nil), nic2ID,
			forwarding(nil),
		}, pods, group), to: "10.244.2.7:80", want: "nic2"},
		"of a network interface that does not forward": {
			state: with([]any{nic2ID, forwarding(nil)}, pods), to: "10.244.2.7:80",
			err: "TCP from 10.244.1.7 to 10.244.2.7:80 is dropped: the network interface nic has no IP forwarding, " +
				"and another address",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := stateOf(t, flowing(t, c.state...))
			nics, err := s.flow(packet{
				nic: s.get(nicID), from: netip.MustParseAddr("10.244.1.7"),
				to: netip.MustParseAddrPort(c.to), protocol: "Tcp",
			})
			if got := message(err); got != c.err {
				t.Errorf("got the error %q, want %q", got, c.err)
			}
			var ids []string
			for _, nic := range nics {
				ids = append(ids, nic.ID)
			}
			if short(ids) != c.want {
				t.Errorf("it arrives at %q, want %q", short(ids), c.want)
			}
		})
	}
}

func message(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

func stateOf(t *testing.T, cloud *Cloud) *state {
	t.Helper()
	s, err := readState(cloud.stateFile())
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestTheAddressWithWhichPacketsLeave(t *testing.T) {
	t.Parallel()
	gateway := with([]any{addressID + "nat", addressBody(), natID, natBody(addressID + "nat")},
		withSubnet(map[string]any{"natGateway": ref(natID)}))
	own := []any{
		addressID + "own", addressBody(), nicID,
		nicBody(map[string]any{"publicIPAddress": ref(addressID + "own")}),
	}
	outbound := Body{
		"name": "out",
		"properties": Body{
			"protocol": "All", "backendAddressPool": ref(poolID),
			"frontendIPConfigurations": refs(frontID),
		},
	}
	balanced := func(change map[string]any) []any {
		return with([]any{addressID, addressBody(), balancerID, publicBody(change)}, members(nil))
	}
	silent := []any{balancing("api", map[string]any{"disableOutboundSnat": true})}
	for name, c := range map[string]struct {
		state []any
		want  string
	}{
		"nothing":       {},
		"a NAT gateway": {gateway, addressID + "nat"},
		"a NAT gateway without address": {with([]any{natID, natBody()},
			withSubnet(map[string]any{"natGateway": ref(natID)})), ""},
		"its own":                       {own, addressID + "own"},
		"a NAT gateway before its own":  {with(gateway, own), addressID + "nat"},
		"a rule of a load balancer":     {balanced(nil), addressID},
		"a rule that does not give one": {balanced(map[string]any{"loadBalancingRules": silent}), ""},
		"an outbound rule": {balanced(map[string]any{
			"loadBalancingRules": silent,
			"outboundRules":      []any{outbound},
		}), addressID},
		"a NAT gateway before the rules": {with(gateway, balanced(nil)), addressID + "nat"},
		"an internal load balancer":      {with([]any{balancerID, balancerBody(nil)}, members(nil)), ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cloud := flowing(t, c.state...)
			s := stateOf(t, cloud)
			got, err := s.outbound(s.get(nicID))
			if c.want == "" {
				if err == nil {
					t.Errorf("it leaves with %s", got)
				}
				return
			}
			if want := addressOf(t, cloud, c.want); err != nil || got.String() != want {
				t.Errorf("it leaves with %s (%v), want %s", got, err, want)
			}
		})
	}
}

func TestTwoNetworksWithOneRange(t *testing.T) {
	t.Parallel()
	other := strings.ReplaceAll(networkID, "/net", "/other")
	cloud := flowing(t, other, networkBody(), nicID+"4",
		nicBody(map[string]any{"subnet": ref(other + "/subnets/nodes")}))
	_, err := cloud.Reach(t.Context(), netip.MustParseAddr("10.1.0.4"), netip.MustParseAddrPort("10.1.0.5:80"))
	if want := fmt.Sprintf("10.1.0.4 is the address of two network interfaces: %s and %s", nicID,
		nicID+"4"); message(err) != want {
		t.Errorf("got %v, want %s", err, want)
	}
	// A packet stays in its own network.
	ids, err := cloud.Reach(t.Context(), netip.MustParseAddr("10.1.0.5"), netip.MustParseAddrPort("10.1.0.4:80"))
	if short(ids) != "nic" || err != nil {
		t.Errorf("it arrives at %v: %v", ids, err)
	}
	state := stateOf(t, cloud)
	_, err = state.flow(packet{
		nic: state.get(nicID + "4"), from: netip.MustParseAddr("10.1.0.4"),
		to: netip.MustParseAddrPort("10.1.0.5:80"), protocol: "Tcp",
	})
	want := "TCP from 10.1.0.4 to 10.1.0.5:80 is dropped: nothing in the virtual network other has that address"
	if message(err) != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

// A resource group can be deleted while other groups refer to its resources.
func TestFlowsWithoutDeletedResources(t *testing.T) {
	t.Parallel()
	const otherGroup = "/subscriptions/" + subscription + "/resourceGroups/elsewhere"
	nic := otherGroup + "/providers/Microsoft.Network/networkInterfaces/nic"
	cloud := wired(t)
	putAll(t, cloud, otherGroup, Body{"location": "westeurope"}, balancerID, balancerBody(nil), nic,
		nicBody(map[string]any{"loadBalancerBackendAddressPools": refs(poolID)}))
	mustDelete(t, cloud, groupID)
	mustGet(t, cloud, nic)
	_, err := cloud.Reach(t.Context(), netip.MustParseAddr("10.1.0.5"), netip.MustParseAddrPort(client+":443"))
	if !strings.Contains(message(err), "has no way to the internet") {
		t.Errorf("got %v", err)
	}
	mustDelete(t, cloud, nic)
}
