package network

import "net/netip"

// bridge is the configuration of the bridge plugin. It leaves the MTU to the kernel,
// and does no masquerading: that is for destinations outside NodePlan.Direct only, and
// the plugin's would be for all others than the node's own pods.
type bridge struct {
	Type      string `json:"type"`
	Bridge    string `json:"bridge"`
	IsGateway bool   `json:"isGateway"`
	// HairpinMode lets a pod reach itself through a Service.
	HairpinMode bool      `json:"hairpinMode"`
	IPAM        hostLocal `json:"ipam"`
}

func linuxBridge(p NodePlan) conflist {
	ipam := pods(p)
	ipam.Routes = []cniRoute{{netip.MustParsePrefix("0.0.0.0/0")}}
	return conflist{CNIVersion: cniVersion, Name: "mixedkube", Plugins: []any{
		bridge{Type: "bridge", Bridge: LinuxBridge, IsGateway: true, HairpinMode: true, IPAM: ipam},
		newPortmap(),
	}}
}
