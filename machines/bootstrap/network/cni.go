package network

import (
	"encoding/json"
	"net/netip"
)

const (
	// HNSNetwork is the name of the network that the kinds with a plan have on a Windows
	// node: of the HNS network, which the node's script creates with type L2Bridge, of
	// the CNI configuration and of kube-proxy's networkName. It has to be the same in
	// all three: win-bridge looks for the HNS network by the name of its configuration.
	HNSNetwork = "l2bridge"
	// HNSEndpoint is the name of the node's own endpoint in HNSNetwork, whose address is
	// the pods' gateway. A reboot removes it.
	HNSEndpoint = "cbr0"
	// LinuxBridge is the interface of a Linux node that its pods are connected to, which
	// the bridge plugin creates with the first pod.
	LinuxBridge = "cni0"

	// cniVersion is a version that containerd 2 and version 1 of the plugins support. Since
	// this version a configuration is always a list of plugins, even of a single one.
	cniVersion = "1.0.0"
)

// CNIConfig returns the CNI configuration of a node of this network's plan: the name of the
// file, to be put into /etc/cni/net.d or C:\etc\cni\net.d, and its content with Unix
// lines. ok is false for a node that is not in the plan, and for Calico and Antrea, whose own
// DaemonSets write the file.
//
// With flannel all nodes with the same operating system have the same file. The DaemonSet that
// runs flanneld may write it as well.
//
// The plugins are bridge, host-local and portmap on Linux, win-bridge or win-overlay and
// host-local on Windows (https://github.com/containernetworking/plugins), and flannel.
func (n Defaulted) CNIConfig(p NodePlan) (fileName, content string, ok bool) {
	windows := p.Platform.IsWindows()
	switch {
	case n.Kind.Planned() && !p.PodCIDR.IsValid():
		return "", "", false
	case n.Kind.Planned() && windows:
		return "10-mixedkube.conflist", text(n.windowsBridge(p)), true
	case n.Kind.Planned():
		return "10-mixedkube.conflist", text(linuxBridge(p)), true
	case n.Kind == FlannelVXLAN && windows:
		return "10-flannel.conflist", text(n.flannelWindows()), true
	case n.Kind == FlannelVXLAN:
		return "10-flannel.conflist", text(flannelLinux()), true
	default:
		return "", "", false
	}
}

// conflist is a list of plugins that are called one after the other, each with the
// list's version and name added to its own part.
type conflist struct {
	CNIVersion string `json:"cniVersion"`
	Name       string `json:"name"`
	Plugins    []any  `json:"plugins"`
}

// hostLocal is the configuration of host-local, which gives the pods of a node their
// addresses.
type hostLocal struct {
	Type   string             `json:"type"`
	Ranges [][]hostLocalRange `json:"ranges"`
	Routes []cniRoute         `json:"routes,omitempty"`
}

type hostLocalRange struct {
	Subnet     netip.Prefix `json:"subnet"`
	RangeStart netip.Addr   `json:"rangeStart"`
	RangeEnd   netip.Addr   `json:"rangeEnd"`
	Gateway    netip.Addr   `json:"gateway"`
}

type cniRoute struct {
	Dst netip.Prefix `json:"dst"`
}

// pods sets all fields of a node's range. The defaults of host-local reserve only the gateway, and on Windows there
// is an address before it.
func pods(p NodePlan) hostLocal {
	return hostLocal{Type: "host-local", Ranges: [][]hostLocalRange{{{
		Subnet: p.PodCIDR, RangeStart: p.FirstPod, RangeEnd: p.LastPod, Gateway: p.Gateway,
	}}}}
}

// portmap serves the host ports of pods on Linux.
type portmap struct {
	Type         string       `json:"type"`
	Capabilities capabilities `json:"capabilities"`
}

// capabilities are what containerd tells a plugin about a pod.
type capabilities struct {
	PortMappings bool `json:"portMappings,omitempty"`
	DNS          bool `json:"dns,omitempty"`
}

func newPortmap() portmap { return portmap{"portmap", capabilities{PortMappings: true}} }

// text returns a value as a JSON document.
func text(value any) string {
	b, err := json.MarshalIndent(value, "", "  ")
	if err != nil {
		panic(err) // this package builds every value, from strings, numbers and lists
	}
	return string(b) + "\n"
}
