package provider

import (
	"net/netip"
	"strings"
	"testing"

	"github.com/mixedkube/mixedkube/machines/bootstrap/network"
)

const apiServer = "api.example.com:6443"

// antreaOfWindows has the ConfigMap of the agents of Windows nodes, as in Antrea's manifests.
const antreaOfWindows = "kind: ConfigMap\nmetadata: {name: antrea-windows-config}\n" +
	"data:\n  antrea-agent.conf: |\n    #kubeAPIServerOverride: \"\"\n    antreaProxy: {enable: true}\n"

// podNetwork returns a network in Go, and as other languages write it.
func podNetwork(kind network.Kind) (network.Defaulted, map[string]any) {
	inGo := network.Network{
		Kind: kind, NodeCIDR: netip.MustParsePrefix("10.240.0.0/24"), PodCIDR: netip.MustParsePrefix("10.200.0.0/16"),
		BlockedEgress: []network.Destination{
			{CIDR: netip.MustParsePrefix("169.254.169.254/32")},
			{CIDR: netip.MustParsePrefix("203.0.113.0/24"), TCPPorts: []int{80}},
		},
	}
	return inGo.WithDefaults(), map[string]any{
		"kind": string(kind), "nodeCIDR": "10.240.0.0/24", "podCIDR": "10.200.0.0/16", "blockedEgress": []any{
			map[string]any{"cidr": "169.254.169.254/32"},
			map[string]any{"cidr": "203.0.113.0/24", "tcpPorts": []any{80}},
		},
	}
}

// networking returns calls of the functions for the networks that users install.
func networking(t *testing.T) map[string]functionCase {
	t.Helper()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	cases := map[string]functionCase{}
	for _, kind := range network.Kinds() {
		n, in := podNetwork(kind)
		policies := n.EgressPolicies()
		if want := kind.UserInstalled() != ""; want != (len(policies) > 0) {
			t.Errorf("%s has policies: %t, want %t", kind, !want, want)
		}
		if policies == nil {
			policies = []map[string]any{}
		}
		cases["policies of "+string(kind)] = functionCase{
			"bootstrap:egressPolicies", map[string]any{"network": in}, map[string]any{"policies": policies},
		}
		args := map[string]any{"network": in, "endpoint": apiServer}
		switch {
		case kind.IsCalico():
			objects, err := n.CalicoObjects(apiServer)
			must(err)
			values, err := n.CalicoValues(apiServer)
			must(err)
			cases["objects of "+string(kind)] = functionCase{
				"bootstrap:calicoObjects", args, map[string]any{"objects": objects},
			}
			cases["values of "+string(kind)] = functionCase{
				"bootstrap:calicoValues", args, map[string]any{"values": values},
			}
		case kind == network.Antrea:
			config, err := n.AntreaConfig(apiServer)
			must(err)
			cases["settings of Antrea"] = functionCase{
				"bootstrap:antreaConfig", args, map[string]any{"linux": config.Linux, "windows": config.Windows},
			}
			text, err := n.AntreaManifests(antreaOfWindows, apiServer)
			must(err)
			if !strings.Contains(text, apiServer) {
				t.Errorf("the manifests have no address:\n%s", text)
			}
			cases["manifests of Antrea"] = functionCase{
				"bootstrap:antreaManifests",
				map[string]any{"network": in, "endpoint": apiServer, "manifests": antreaOfWindows},
				map[string]any{"yaml": text},
			}
		}
	}
	return cases
}

// wrongNetworks returns calls of these functions with mistakes.
func wrongNetworks() map[string]wrongCall {
	args := func(kind network.Kind, endpoint string) map[string]any {
		_, in := podNetwork(kind)
		return map[string]any{"network": in, "endpoint": endpoint}
	}
	manifests := args(network.Antrea, apiServer)
	manifests["manifests"] = "kind: [secret"
	const noEndpoint = `endpoint: Invalid value: "api": must be the host and the port of the API server, ` +
		`api.example.com:6443 for example`
	return map[string]wrongCall{
		"objects of Calico in another network": {
			"bootstrap:calicoObjects", args(network.Antrea, "api"),
			"mixedkube:bootstrap:calicoObjects:\n  " + noEndpoint +
				"\n  network.kind: Invalid value: \"antrea\": has no Calico: use calico-vxlan or calico-bgp",
		},
		"values of Calico in another network": {
			"bootstrap:calicoValues", args(network.FlannelVXLAN, "api"),
			"mixedkube:bootstrap:calicoValues:\n  " + noEndpoint +
				"\n  network.kind: Invalid value: \"flannel-vxlan\": has no Calico: use calico-vxlan or calico-bgp",
		},
		"settings of Antrea in another network": {
			"bootstrap:antreaConfig", args(network.CalicoBGP, apiServer),
			"mixedkube:bootstrap:antreaConfig: network.kind: Invalid value: \"calico-bgp\": has no Antrea: use antrea",
		},
		"an unknown network": {
			"bootstrap:antreaConfig", args("antrae", apiServer),
			`mixedkube:bootstrap:antreaConfig: network.kind: Invalid value: "antrae": unknown kind: did you mean ` +
				`"antrea"?`,
		},
		"manifests that are not YAML": {
			"bootstrap:antreaManifests", manifests,
			"mixedkube:bootstrap:antreaManifests: manifests: Invalid value: manifests of Antrea, document at line 1: " +
				"yaml: ",
		},
		"no manifests": {
			"bootstrap:antreaManifests", args(network.Antrea, apiServer),
			"mixedkube:bootstrap:antreaManifests: manifests: Required value: the text of antrea-windows-with-ovs.yml " +
				"of a " +
				"release of Antrea",
		},
		"a network without addresses": {
			"bootstrap:egressPolicies",
			map[string]any{"network": map[string]any{"kind": "antrea"}},
			"mixedkube:bootstrap:egressPolicies: network.nodeCIDR: Required value: ",
		},
	}
}
