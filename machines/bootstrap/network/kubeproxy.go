package network

// KubeProxyWindows is what kube-proxy on Windows nodes must know of the network: the
// section winkernel of its configuration.
type KubeProxyWindows struct {
	// Needed reports whether kube-proxy runs on Windows nodes. Antrea does its work there,
	// and must be alone; then all else is empty.
	Needed bool
	// NetworkName is the HNS network's. Kube-proxy waits for it to appear.
	NetworkName string
	// RootHNSEndpointName is the node's own endpoint, which health checks of load
	// balancers are forwarded to; "" if there is none.
	RootHNSEndpointName string
	// NeedsSourceVIP reports whether the network is an overlay, in which kube-proxy needs an address
	// of the node's range that no pod has, and does not start without.
	NeedsSourceVIP bool
	// SourceVIPEndpoint is the HNS endpoint with this address. If it is "", the address is
	// allocated from host-local, under the name of the network, so that no pod gets it.
	SourceVIPEndpoint string
	// EnableDSR lets answers of a Service's pods return directly. It is on in every kube-proxy:
	// an updated Windows Server 2019 supports it, and so do later releases. A kube-proxy of
	// Kubernetes 1.32 or older needs the feature gate WinDSR for it, which is on by default
	// since 1.33, and locked since 1.34.
	EnableDSR bool
}

// calicoHNSNetwork and calicoHNSEndpoint are what Calico's agent for Windows creates.
const (
	calicoHNSNetwork  = "Calico"
	calicoHNSEndpoint = "Calico_ep"
)

// KubeProxyWindows describes how kube-proxy runs on the Windows nodes of the network. It returns
// the zero value if kube-proxy is not needed or the kind is unknown.
func (n Defaulted) KubeProxyWindows() KubeProxyWindows {
	switch n.Kind {
	case UpstreamL3, HostGateway:
		return KubeProxyWindows{
			Needed: true, NetworkName: HNSNetwork, RootHNSEndpointName: HNSEndpoint,
			EnableDSR: true,
		}
	case FlannelVXLAN:
		return KubeProxyWindows{Needed: true, NetworkName: flannelHNSNetwork, NeedsSourceVIP: true, EnableDSR: true}
	case CalicoVXLAN:
		return KubeProxyWindows{
			Needed: true, NetworkName: calicoHNSNetwork, RootHNSEndpointName: calicoHNSEndpoint,
			NeedsSourceVIP: true, SourceVIPEndpoint: calicoHNSEndpoint, EnableDSR: true,
		}
	case CalicoBGP:
		return KubeProxyWindows{
			Needed: true, NetworkName: calicoHNSNetwork, RootHNSEndpointName: calicoHNSEndpoint,
			EnableDSR: true,
		}
	default:
		return KubeProxyWindows{}
	}
}
