//go:build linux

package podnetwork

import (
	"encoding/binary"
	"net"
	"net/netip"
	"strconv"
	"testing"

	"github.com/mixedkube/mixedkube/internal/lab/debian"
	"github.com/mixedkube/mixedkube/machines/bootstrap/network"
	"github.com/mixedkube/mixedkube/tests/internal/unpacked"
)

const (
	// otherNode is on the link of the node, and has an address in the range of the pods, as
	// bridges have.
	otherNode       = "10.0.0.1"
	otherNodeInPods = "10.244.11.1"
	// forged is the address of a node that a pod pretends to be.
	forged = "10.0.0.77"
	// external is not an address of the cluster.
	external = "203.0.113.7"
)

// A packet from a pod to the port of the overlay would be a frame of its node, because it gets
// the node's address. Only packets of the nodes arrive.
func TestPodsSendNoFramesToNodes(t *testing.T) {
	needNamespaces(t)
	unpacked.Program(t, debian.NFT)
	for _, kind := range []network.Kind{network.FlannelVXLAN, network.CalicoVXLAN, network.Antrea} {
		t.Run(string(kind), func(t *testing.T) {
			t.Parallel()
			port := ":" + strconv.Itoa(kind.OverlayPort())
			m := newAzureMachine(t, kind, false)
			m.azure.ip(t, "address add "+otherNodeInPods+"/32 dev lo", "route add "+podAddress+"/32 via "+nodeAddress)
			at := listen(t, map[string]namespace{
				otherNode + port: m.azure, external + port: m.azure, otherNode + ":53": m.azure,
				nodeAddress + port: m.node,
			})
			at.want(t, "of a pod, without the rules,", m.pod, podAddress, true, otherNode+port, nodeAddress+port)
			at.want(t, "of a pod that forges its address, without the rules,", m.pod, forged, true,
				otherNode+port, nodeAddress+port)
			m.load(t)
			at.want(t, "of a pod", m.pod, podAddress, false, otherNode+port, nodeAddress+port)
			at.want(t, "of a pod that forges the address of a node", m.pod, forged, false,
				otherNode+port, nodeAddress+port)
			at.want(t, "of a pod that forges another address", m.pod, external, false, otherNode+port, nodeAddress+port)
			at.want(t, "of a pod that IPVS forwards", m.node, podAddress, false, otherNode+port)
			at.want(t, "of a pod of another node", m.azure, otherNodeInPods, false, nodeAddress+port)
			at.want(t, "of a pod, no frame to a node,", m.pod, podAddress, true, otherNode+":53", external+port)
			at.want(t, "of the node", m.node, nodeAddress, true, otherNode+port, external+port)
			at.want(t, "of another node", m.azure, otherNode, true, nodeAddress+port)
		})
	}
}

// A pod may send the packet itself that it seems to answer.
func TestPodsSendNoFramesAsAnswers(t *testing.T) {
	needNamespaces(t)
	unpacked.Program(t, debian.NFT)
	m := newAzureMachine(t, network.FlannelVXLAN, false)
	m.azure.ip(t, "route add "+podAddress+"/32 via "+nodeAddress)
	m.load(t)
	const frame, answered = otherNode + ":4789", podAddress + ":9"
	at := listen(t, map[string]namespace{frame: m.azure, answered: m.pod})
	for _, tt := range []struct {
		text, from, to string
		want           bool
	}{{"that asks", frame, answered, true}, {"that answers", answered, frame, false}} {
		if _, err := at[tt.from].WriteTo([]byte(tt.text), addressOf(tt.to)); err != nil {
			t.Fatal(err)
		}
		at.wantText(t, tt.text, tt.want, tt.to)
	}
}

// Without an overlay there are no frames, and pods send what they like.
func TestPodsSendAnythingWithoutAnOverlay(t *testing.T) {
	needNamespaces(t)
	unpacked.Program(t, debian.NFT)
	m := newAzureMachine(t, network.UpstreamL3, false)
	m.load(t)
	at := listen(t, map[string]namespace{otherNode + ":4789": m.azure, nodeAddress + ":4789": m.node})
	at.want(t, "of a pod", m.pod, podAddress, true, otherNode+":4789", nodeAddress+":4789")
}

// overlayEnd is the end of a VXLAN in a node, as flannel creates it.
type overlayEnd struct {
	node, address, mac string
}

var overlayEnds = [2]overlayEnd{
	{nodeAddress, "10.244.10.0", "02:00:00:00:00:0a"}, {otherNode, "10.244.11.0", "02:00:00:00:00:0b"},
}

// The kernel unpacks frames from any sender: the rules decide.
func TestFramesForgedByPodsAreDropped(t *testing.T) {
	needNamespaces(t)
	unpacked.Program(t, debian.NFT)
	m := newAzureMachine(t, network.FlannelVXLAN, false)
	for i, ns := range []namespace{m.node, m.azure} {
		own, other := overlayEnds[i], overlayEnds[1-i]
		ns.ip(t,
			"link add overlay address "+own.mac+" type vxlan id 4096 dstport 4789 nolearning local "+own.node+
				" remote "+other.node,
			"address add "+own.address+"/32 dev overlay", "link set overlay up",
			"neighbor add "+other.address+" lladdr "+other.mac+" dev overlay",
			"route add "+other.address+"/32 dev overlay src "+own.address)
	}
	const port = ":5555"
	remote, local := overlayEnds[1].address+port, overlayEnds[0].address+port
	at := listen(t, map[string]namespace{local: m.node, remote: m.azure})
	forge := func(want bool) {
		t.Helper()
		for i, inner := range []string{local, remote} {
			const text = "in a frame of a pod"
			m.pod.send(t, podAddress, overlayEnds[i].node+":4789", frameTo(t, inner, overlayEnds[i].mac, text))
			at.wantText(t, text, want, inner)
		}
	}
	forge(true)
	m.load(t)
	forge(false)
	at.want(t, "in a frame of the node", m.node, overlayEnds[0].address, true, remote)
	at.want(t, "in a frame of another node", m.azure, overlayEnds[1].address, true, local)
}

// frameTo returns a packet in a frame of VXLAN (RFC 7348), to a network card.
func frameTo(t *testing.T, to, mac, text string) []byte {
	t.Helper()
	destination := netip.MustParseAddrPort(to)
	udp := binary.BigEndian.AppendUint16(nil, 5554)
	udp = binary.BigEndian.AppendUint16(udp, destination.Port())
	udp = binary.BigEndian.AppendUint16(udp, uint16(8+len(text))) //nolint:gosec // it is short
	udp = append(append(udp, 0, 0), text...)                      // no checksum
	ip := []byte{0x45, 0, 0, byte(20 + len(udp)), 0, 0, 0, 0, 64, 17, 0, 0}
	ip = append(ip, netip.MustParseAddr("10.244.12.9").AsSlice()...)
	ip = append(ip, destination.Addr().AsSlice()...)
	var sum uint32
	for i := 0; i < len(ip); i += 2 {
		sum += uint32(binary.BigEndian.Uint16(ip[i:]))
	}
	binary.BigEndian.PutUint16(ip[10:], ^uint16(sum+sum>>16)) //nolint:gosec // as the checksum is computed
	card, err := net.ParseMAC(mac)
	if err != nil {
		t.Fatal(err)
	}
	frame := []byte{0x08, 0, 0, 0, 0, 0x10, 0, 0} // the network 4096
	frame = append(append(frame, card...), 0x02, 0, 0, 0, 0, 0x0c, 0x08, 0x00)
	return append(append(frame, ip...), udp...)
}
