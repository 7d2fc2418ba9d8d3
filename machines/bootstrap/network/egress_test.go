package network_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/machines/bootstrap/network"
)

// blocking returns a good network whose pods are kept from two addresses.
func blocking(kind network.Kind) network.Network {
	return good(kind, nil).Block(
		network.Destination{CIDR: prefix("192.0.2.1/32"), TCPPorts: []int{80, 32526}},
		network.Destination{CIDR: prefix("198.51.100.0/24")},
	)
}

func TestBlock(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name           string
		existing, more []network.Destination
		want           []network.Destination
	}{
		{"nothing", nil, nil, nil},
		{
			"what is new comes last",
			[]network.Destination{{CIDR: prefix("192.0.2.1/32")}},
			[]network.Destination{{CIDR: prefix("192.0.2.0/24"), TCPPorts: []int{80}}},
			[]network.Destination{{CIDR: prefix("192.0.2.1/32")}, {CIDR: prefix("192.0.2.0/24"), TCPPorts: []int{80}}},
		},
		{
			"ports are put together, each once",
			[]network.Destination{{CIDR: prefix("192.0.2.1/32"), TCPPorts: []int{443, 80}}},
			[]network.Destination{{CIDR: prefix("192.0.2.1/32"), TCPPorts: []int{80, 32526}}},
			[]network.Destination{{CIDR: prefix("192.0.2.1/32"), TCPPorts: []int{443, 80, 32526}}},
		},
		{
			"everything stays everything",
			[]network.Destination{{CIDR: prefix("192.0.2.1/32")}},
			[]network.Destination{{CIDR: prefix("192.0.2.1/32"), TCPPorts: []int{80}}},
			[]network.Destination{{CIDR: prefix("192.0.2.1/32")}},
		},
		{
			"ports become everything",
			[]network.Destination{{CIDR: prefix("192.0.2.1/32"), TCPPorts: []int{80}}},
			[]network.Destination{{CIDR: prefix("192.0.2.1/32")}},
			[]network.Destination{{CIDR: prefix("192.0.2.1/32")}},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			in := network.Network{BlockedEgress: tt.existing}
			before := copied(t, in)
			got := in.Block(tt.more...)
			if diff := cmp.Diff(tt.want, got.BlockedEgress, byValue); diff != "" {
				t.Errorf("destinations (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tt.want, got.Block(tt.more...).BlockedEgress, byValue); diff != "" {
				t.Errorf("the second time changes something (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(before, in, byValue); diff != "" {
				t.Errorf("the network itself has changed (-before +after):\n%s", diff)
			}
		})
	}
}

// copied returns a network that shares no list with another.
func copied(t *testing.T, n network.Network) network.Network {
	t.Helper()
	var c network.Network
	text, err := json.Marshal(n)
	if err == nil {
		err = json.Unmarshal(text, &c)
	}
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestValidateBlockedEgress(t *testing.T) {
	t.Parallel()
	const (
		at      = "blockedEgress[0].cidr: "
		inside  = ": use NetworkPolicies inside the cluster"
		outside = ": is not outside the cluster: no packet of a pod to loopback or multicast addresses leaves the " +
			"node; remove it"
		nodes = ", where pods reach the API server, the kubelets and the network's own agents" + inside
		pods  = ", where pods reach other pods" + inside
		dns   = ", where pods reach Services, the cluster's DNS among them" + inside
	)
	one := func(cidr string, ports ...int) []network.Destination {
		return []network.Destination{{CIDR: prefix(cidr), TCPPorts: ports}}
	}
	tests := []struct {
		name string
		in   []network.Destination
		want []string
	}{
		{"an address with ports", one("168.63.129.16/32", 80, 32526), nil},
		{"a link-local address", one("169.254.169.254/32"), nil},
		{"the first and the last port", one("192.0.2.0/24", 1, 65535), nil},
		{
			"an address in a range that is also blocked",
			append(one("192.0.2.0/24", 80), one("192.0.2.1/32")...), nil,
		},
		{
			"no range",
			[]network.Destination{{TCPPorts: []int{80}}},
			[]string{at + "Required value: the range of addresses, 192.0.2.1/32 for example"},
		},
		{
			"IPv6", one("fd00:ec2::254/128"),
			[]string{at + `Invalid value: "fd00:ec2::254/128": is IPv6, which pods do not have: use an IPv4 range`},
		},
		{"loopback", one("127.0.0.0/16"), []string{at + `Invalid value: "127.0.0.0/16"` + outside}},
		{"multicast", one("224.0.0.0/16", 80), []string{at + `Invalid value: "224.0.0.0/16"` + outside}},
		{
			"an address inside a range", one("192.0.2.1/24"),
			[]string{
				at + `Invalid value: "192.0.2.1/24": has an address inside a range, not its first: use 192.0.2.0/24, ` +
					`or a /32 for the one address`,
			},
		},
		{
			"a range twice", append(one("192.0.2.0/24", 80), one("192.0.2.0/24", 443)...),
			[]string{
				`blockedEgress[1].cidr: Invalid value: "192.0.2.0/24": is listed twice: list all ports of a range in ` +
					`one destination`,
			},
		},
		{
			"everything", one("0.0.0.0/0"),
			[]string{at + `Invalid value: "0.0.0.0/0": overlaps nodeCIDR 10.0.0.0/24` + nodes},
		},
		{
			"a node", one("10.0.0.4/32", 22),
			[]string{at + `Invalid value: "10.0.0.4/32": overlaps nodeCIDR 10.0.0.0/24` + nodes},
		},
		{
			"pods", one("10.244.0.0/15"),
			[]string{at + `Invalid value: "10.244.0.0/15": overlaps podCIDR 10.244.0.0/16` + pods},
		},
		{
			"the cluster's DNS", one("10.96.0.10/32", 53),
			[]string{at + `Invalid value: "10.96.0.10/32": overlaps serviceCIDR 10.96.0.0/12` + dns},
		},
		{
			"invalid ports, and one twice", one("192.0.2.1/32", 0, 80, 65536, 80, -1),
			[]string{
				"blockedEgress[0].tcpPorts[0]: Invalid value: 0: must be between 1 and 65535",
				"blockedEgress[0].tcpPorts[2]: Invalid value: 65536: must be between 1 and 65535",
				"blockedEgress[0].tcpPorts[3]: Duplicate value: 80",
				"blockedEgress[0].tcpPorts[4]: Invalid value: -1: must be between 1 and 65535",
			},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			wantErrors(t, good("", func(n *network.Network) { n.BlockedEgress = tt.in }).Validate(nil), tt.want...)
		})
	}
}

func TestDestinationReaches(t *testing.T) {
	t.Parallel()
	for to, want := range map[string][2]bool{
		"192.0.2.1:80": {true, true}, "192.0.2.1:81": {false, true}, "192.0.2.255:80": {true, true},
		"192.0.3.0:80": {false, false}, "[::ffff:192.0.2.1]:80": {false, false},
	} {
		ports := network.Destination{CIDR: prefix("192.0.2.0/24"), TCPPorts: []int{80}}
		all := network.Destination{CIDR: prefix("192.0.2.0/24")}
		if got := [2]bool{ports.Reaches(addrPort(to)), all.Reaches(addrPort(to))}; got != want {
			t.Errorf("%s: %v, want %v", to, got, want)
		}
	}
}

func TestEgressPolicies(t *testing.T) {
	t.Parallel()
	calico := []map[string]any{
		{
			"apiVersion": "projectcalico.org/v3", "kind": "Tier",
			"metadata": map[string]any{"name": "mixedkube-egress"}, "spec": map[string]any{"order": int64(1)},
		},
		{
			"apiVersion": "projectcalico.org/v3", "kind": "GlobalNetworkPolicy",
			"metadata": map[string]any{"name": "mixedkube-egress.blocked"},
			"spec": map[string]any{
				"tier": "mixedkube-egress", "order": int64(1), "namespaceSelector": "has(projectcalico.org/name)",
				"types": []any{"Egress"},
				"egress": []any{
					map[string]any{"action": "Deny", "protocol": "TCP", "destination": map[string]any{
						"nets": []any{"192.0.2.1/32"}, "ports": []any{int64(80), int64(32526)},
					}},
					map[string]any{"action": "Deny", "destination": map[string]any{"nets": []any{"198.51.100.0/24"}}},
					map[string]any{"action": "Pass"},
				},
			},
		},
	}
	antrea := []map[string]any{{
		"apiVersion": "crd.antrea.io/v1beta1", "kind": "ClusterNetworkPolicy",
		"metadata": map[string]any{"name": "mixedkube-egress"},
		"spec": map[string]any{
			"tier": "emergency", "priority": int64(1),
			"appliedTo": []any{map[string]any{"namespaceSelector": map[string]any{}}},
			"egress": []any{
				map[string]any{
					"action": "Drop", "to": []any{map[string]any{"ipBlock": map[string]any{"cidr": "192.0.2.1/32"}}},
					"ports": []any{
						map[string]any{"protocol": "TCP", "port": int64(80)},
						map[string]any{"protocol": "TCP", "port": int64(32526)},
					},
				},
				map[string]any{
					"action": "Drop", "to": []any{map[string]any{"ipBlock": map[string]any{"cidr": "198.51.100.0/24"}}},
				},
			},
		},
	}}
	want := map[network.Kind][]map[string]any{
		network.CalicoVXLAN: calico, network.CalicoBGP: calico, network.Antrea: antrea,
	}
	for _, kind := range network.Kinds() {
		if diff := cmp.Diff(want[kind], blocking(kind).WithDefaults().EgressPolicies()); diff != "" {
			t.Errorf("%s: objects (-want +got):\n%s", kind, diff)
		}
		if got := good(kind, nil).WithDefaults().EgressPolicies(); got != nil {
			t.Errorf("%s: without destinations there is %v", kind, got)
		}
	}
}

// endpointPolicy is one of a CNI configuration.
type endpointPolicy struct {
	Name  string
	Value struct {
		Type     string
		Settings map[string]any
	}
}

// acls returns the ACLs of a Windows node's configuration.
func acls(t *testing.T, n network.Network) []map[string]any {
	t.Helper()
	_, content, ok := n.WithDefaults().CNIConfig(plan(t, n, someNodes(nil)).Nodes[1])
	if !ok {
		t.Fatalf("%s: no configuration", n.Kind)
	}
	var config struct {
		Plugins []struct {
			Policies []endpointPolicy
			Delegate struct{ Policies []endpointPolicy }
		}
	}
	if err := json.Unmarshal([]byte(content), &config); err != nil {
		t.Fatal(err)
	}
	var found []map[string]any
	for _, p := range append(config.Plugins[0].Policies, config.Plugins[0].Delegate.Policies...) {
		if p.Value.Type == "ACL" {
			found = append(found, p.Value.Settings)
		}
	}
	return found
}

// Each configuration of a Windows node that this library writes has them.
func TestPoliciesOfWindowsNodes(t *testing.T) {
	t.Parallel()
	rule := func(protocols, to, port string) map[string]any {
		settings := map[string]any{
			"Action": "Block", "Direction": "Out", "RemoteAddresses": to, "RuleType": "Switch", "Priority": 200.,
		}
		if port != "" {
			settings["Protocols"], settings["RemotePorts"] = protocols, port
		}
		return settings
	}
	want := []map[string]any{
		rule("6", "192.0.2.1/32", "80"),
		rule("6", "192.0.2.1/32", "32526"),
		rule("", "198.51.100.0/24", ""),
		{"Action": "Allow", "Direction": "In", "Priority": 65500.},
		{"Action": "Allow", "Direction": "Out", "Priority": 65500.},
	}
	for _, kind := range []network.Kind{network.UpstreamL3, network.HostGateway, network.FlannelVXLAN} {
		n := blocking(kind)
		if diff := cmp.Diff(want, acls(t, n)); diff != "" {
			t.Errorf("%s: policies (-want +got):\n%s", kind, diff)
		}
		n.WithoutWindowsACLs = true
		if got := acls(t, n); got != nil {
			t.Errorf("%s: left out, and there is %v", kind, got)
		}
		if got := acls(t, good(kind, nil)); got != nil {
			t.Errorf("%s: without destinations there is %v", kind, got)
		}
	}
}
