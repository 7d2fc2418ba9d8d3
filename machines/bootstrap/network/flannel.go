package network

import "net/netip"

const (
	// flannelVNI is the lowest that Windows takes; the default on Linux is another (flannel,
	// pkg/backend/vxlan).
	flannelVNI = 4096
	// flannelHNSNetwork is how flanneld names the HNS network after the VNI.
	flannelHNSNetwork = "flannel.4096"
)

// FlannelConfig is net-conf.json of flannel's ConfigMap, for all nodes; "" for the other
// kinds.
func (n Defaulted) FlannelConfig() string {
	if n.Kind != FlannelVXLAN {
		return ""
	}
	return text(flannelNetwork{n.PodCIDR, flannelBackend{"vxlan", flannelVNI, vxlanPort}})
}

type flannelNetwork struct {
	Network netip.Prefix
	Backend flannelBackend
}

type flannelBackend struct {
	Type string
	VNI  int
	Port int
}

// flannelPlugin reads the node's range from what flanneld writes, completes Delegate
// with it and calls that plugin: bridge on Linux, and what Delegate says on Windows.
type flannelPlugin struct {
	Type         string        `json:"type"`
	Capabilities *capabilities `json:"capabilities,omitempty"`
	Delegate     any           `json:"delegate"`
}

type flannelBridge struct {
	HairpinMode      bool `json:"hairpinMode"`
	IsDefaultGateway bool `json:"isDefaultGateway"`
}

// flannelLinux names the network as flannel's own manifest does.
func flannelLinux() conflist {
	return conflist{CNIVersion: cniVersion, Name: "cbr0", Plugins: []any{
		flannelPlugin{Type: "flannel", Delegate: flannelBridge{true, true}},
		newPortmap(),
	}}
}

// winOverlay is what the flannel plugin does not say itself. Win-overlay adds the
// node's address as ProviderAddress.
type winOverlay struct {
	Type       string   `json:"type"`
	APIVersion int      `json:"apiVersion"`
	DNS        cniDNS   `json:"dns"`
	Policies   []policy `json:"policies"`
}

// flannelWindows has the name of the HNS network, by which win-overlay finds it.
func (n Defaulted) flannelWindows() conflist {
	return conflist{CNIVersion: cniVersion, Name: flannelHNSNetwork, Plugins: []any{flannelPlugin{
		Type: "flannel",
		// Win-overlay maps no host ports.
		Capabilities: &capabilities{DNS: true},
		Delegate: winOverlay{
			Type:       "win-overlay",
			APIVersion: 2,
			DNS:        cniDNS{[]netip.Addr{n.DNSServiceIP}},
			Policies:   append([]policy{noNAT(n.direct()), throughHost(n.ServiceCIDR)}, n.windowsACLs()...),
		},
	}}}
}
