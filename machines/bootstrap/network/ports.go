package network

import corev1 "k8s.io/api/core/v1"

// Port is one that the nodes of a network must be able to reach on each other.
type Port struct {
	Protocol corev1.Protocol
	Port     int
	// Why describes what uses the port.
	Why string
}

// Ports returns the ports that firewalls on and between the nodes must let through from every
// node to every other for the network of the pods. Every network also needs the ports of the
// API server (6443) and of the kubelets (10250).
//
// The kinds without an overlay, UpstreamL3, HostGateway and CalicoBGP, need more of the
// network than ports: it has to pass packets with the addresses of pods, which clouds
// drop unless a network interface may forward.
//
// Sources: flannel's and Calico's documentation of requirements, and
// https://github.com/antrea-io/antrea/blob/main/docs/network-requirements.md.
func (n Defaulted) Ports() []Port {
	typha := Port{corev1.ProtocolTCP, 5473, "Calico's Typha, which tells the nodes what the API server knows"}
	switch n.Kind {
	case FlannelVXLAN:
		return []Port{{corev1.ProtocolUDP, vxlanPort, "flannel's VXLAN"}}
	case CalicoVXLAN:
		return []Port{{corev1.ProtocolUDP, vxlanPort, "Calico's VXLAN"}, typha}
	case CalicoBGP:
		return []Port{{corev1.ProtocolTCP, 179, "Calico's BGP"}, typha}
	case Antrea:
		return []Port{
			{corev1.ProtocolUDP, genevePort, "Antrea's Geneve"},
			{corev1.ProtocolTCP, 10349, "Antrea's controller"},
			{corev1.ProtocolTCP, 10350, "the API of Antrea's agents"},
			{corev1.ProtocolTCP, 10351, "the membership of Antrea's agents"},
			{corev1.ProtocolUDP, 10351, "the membership of Antrea's agents"},
		}
	default:
		return nil
	}
}
