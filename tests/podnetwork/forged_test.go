//go:build linux

package podnetwork

import (
	"encoding/binary"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"

	"github.com/mixedkube/mixedkube/internal/lab/debian"
	"github.com/mixedkube/mixedkube/machines/bootstrap/network"
	"github.com/mixedkube/mixedkube/tests/internal/unpacked"
)

// forgeries is how often a pod tries to forge each kind of packet.
const forgeries = 12

// Ports of the machine, each of which kube-proxy forwards to one of the pod: a Service of type
// NodePort. A pod can send to it, and is its endpoint at the same time.
const (
	firstNodePort, firstPodPort = 30000, 8000
	udpPorts, tcpPorts          = 0, 100
	icmpPorts                   = 200
)

// servicesOfThePod is what kube-proxy generates from these Services.
const servicesOfThePod = `table ip nodeports {
	chain prerouting {
		type nat hook prerouting priority dstnat; policy accept;
		ip daddr 10.0.0.10 meta l4proto { tcp, udp } th dport 30000-30299 dnat to 10.244.10.2 : th dport map { %s }
	}
}
`

// openedBy are the addresses that the forged packets come from: each would open the connection
// of which the pod's next packet is an answer.
var openedBy = map[string]netip.AddrPort{
	"UDP":  netip.MustParseAddrPort("169.254.169.254:9"),
	"TCP":  netip.MustParseAddrPort(wireServer),
	"ICMP": netip.MustParseAddrPort("169.254.169.254:10"),
}

// Whatever a pod forges, nothing that it sends arrives at an address that it is kept from, and
// the plain path still works. Without the rules for forged packets all arrives, unless the
// machine filters by reverse path.
func TestPodsDoNotForgeTheirWayToAzure(t *testing.T) {
	needNamespaces(t)
	unpacked.Program(t, debian.NFT)
	for _, kind := range []network.Kind{
		network.UpstreamL3, network.HostGateway, network.FlannelVXLAN, network.CalicoVXLAN, network.Antrea,
	} {
		for _, rpFilter := range []string{"0", "1", "2"} {
			t.Run(string(kind)+" rp_filter "+rpFilter, func(t *testing.T) {
				t.Parallel()
				m := newAzureMachine(t, kind, false)
				m.node.set(t, "net/ipv4/conf/all/rp_filter", rpFilter)
				m.serveNodePorts(t)
				m.load(t)
				m.node.nft(t, "flush chain ip mixedkube_egress forged")
				everything := map[string]int{"UDP": forgeries, "TCP": forgeries, "ICMP": forgeries}
				if rpFilter == "1" {
					everything = map[string]int{}
				}
				if diff := cmp.Diff(everything, m.forge(t, 0)); diff != "" {
					t.Errorf("without the rules for forged packets (-want +got):\n%s", diff)
				}
				m.load(t)
				if diff := cmp.Diff(map[string]int{}, m.forge(t, forgeries)); diff != "" {
					t.Errorf("forged packets led to answers that arrived (-want +got):\n%s", diff)
				}
				m.want(t, "a pod", m.pod, answersOf(azureDNS, other))
				from := net.TCPAddrFromAddrPort(netip.AddrPortFrom(openedBy["TCP"].Addr(), 0))
				probed := fmt.Sprintf("%s:%d", nodeAddress, firstNodePort+tcpPorts+99)
				if !m.azure.isAnswered(t, net.Dialer{LocalAddr: from, Timeout: timeout}, probed) {
					t.Error("a load balancer's probe of the pod is not answered")
				}
			})
		}
	}
}

// serveNodePorts adds the Services, and lets the pod answer at one of them only.
func (m *azureMachine) serveNodePorts(t *testing.T) {
	t.Helper()
	var ports []string
	for i := range 300 {
		ports = append(ports, fmt.Sprintf("%d : %d", firstNodePort+i, firstPodPort+i))
	}
	m.node.nft(t, fmt.Sprintf(servicesOfThePod, strings.Join(ports, ", ")))
	m.pod.serve(t, fmt.Sprintf("%s:%d", podAddress, firstPodPort+tcpPorts+99))
	// A filter at its socket keeps the kernel of an attacker's pod from this answer.
	m.pod.nft(t, `table ip silent {
	chain output {
		type filter hook output priority filter; policy accept;
		tcp flags & (syn | rst) == rst drop
	}
}
`)
}

// forge makes the pod send packets from blocked addresses, and then answers to them, at ports
// from the first one on. It returns how many answers of each kind arrived in Azure.
func (m *azureMachine) forge(t *testing.T, first int) map[string]int {
	t.Helper()
	arrived := make(chan string, 10*forgeries)
	for kind, opened := range openedBy {
		m.azure.observe(t, kind, opened.Addr(), arrived)
	}
	pod, node := netip.MustParseAddr(podAddress), netip.MustParseAddr(nodeAddress)
	m.pod.raw(t, func(send func(to netip.Addr, packet []byte) error) error {
		for i := first; i < first+forgeries; i++ {
			var err error
			for _, p := range []struct {
				kind     string
				port     uint16
				segment  func(from, to netip.AddrPort, answers bool) []byte
				protocol byte
			}{
				{"UDP", udpPorts, datagram, unix.IPPROTO_UDP},
				{"TCP", tcpPorts, syn, unix.IPPROTO_TCP},
				{"ICMP", icmpPorts, datagram, unix.IPPROTO_UDP},
			} {
				blocked, port := openedBy[p.kind], p.port+uint16(i) //nolint:gosec // below 300
				opens := netip.AddrPortFrom(node, firstNodePort+port)
				answers := netip.AddrPortFrom(pod, firstPodPort+port)
				opener := packet(p.protocol, blocked.Addr(), node, p.segment(blocked, opens, false))
				err = errors.Join(err, send(node, opener))
				answer := packet(p.protocol, pod, blocked.Addr(), p.segment(answers, blocked, true))
				if p.kind == "ICMP" {
					opened := packet(p.protocol, blocked.Addr(), pod, p.segment(blocked, answers, false))
					answer = packet(unix.IPPROTO_ICMP, pod, blocked.Addr(), unreachable(opened))
				}
				err = errors.Join(err, send(blocked.Addr(), answer))
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
	return count(arrived)
}

// count counts what arrives until all has, or nothing more does.
func count(arrived <-chan string) map[string]int {
	kinds := map[string]int{}
	seen := map[string]bool{}
	for {
		select {
		case which := <-arrived:
			kind, _, _ := strings.Cut(which, " ")
			// The kernel of the pod sends ICMP errors about the other datagrams too.
			if kind == "ICMP" && !strings.HasPrefix(which, "ICMP 302") {
				continue
			}
			if !seen[which] {
				seen[which] = true
				kinds[kind]++
			}
		case <-time.After(silence):
			return kinds
		}
	}
}

// observe reports each packet of the machine that arrives at an address of the namespace, by its kind and port.
func (ns namespace) observe(t *testing.T, kind string, at netip.Addr, arrived chan<- string) {
	t.Helper()
	var conn *net.IPConn
	ns.do(t, func() (err error) {
		conn, err = net.ListenIP("ip4:"+strings.ToLower(kind), &net.IPAddr{IP: at.AsSlice()})
		return err
	})
	t.Cleanup(func() { _ = conn.Close() })
	go func() {
		buffer := make([]byte, 1500)
		for {
			size, _, err := conn.ReadFrom(buffer)
			if err != nil {
				return
			}
			// The source port, or the destination port of the datagram that an ICMP error quotes.
			offset := 0
			if kind == "ICMP" {
				offset = 8 + 20 + 2
			}
			if size < offset+2 {
				continue
			}
			select {
			case arrived <- fmt.Sprintf("%s %d", kind, binary.BigEndian.Uint16(buffer[offset:])):
			default: // it has arrived often enough
			}
		}
	}()
}

// raw calls a function with one that sends whole packets from the namespace.
func (ns namespace) raw(t *testing.T, f func(send func(to netip.Addr, packet []byte) error) error) {
	t.Helper()
	ns.do(t, func() error {
		socket, err := unix.Socket(unix.AF_INET, unix.SOCK_RAW|unix.SOCK_CLOEXEC, unix.IPPROTO_RAW)
		if err != nil {
			return err
		}
		defer func() { _ = unix.Close(socket) }()
		return f(func(to netip.Addr, packet []byte) error {
			return unix.Sendto(socket, packet, 0, &unix.SockaddrInet4{Addr: to.As4()})
		})
	})
}

// set sets a variable of the kernel in the namespace.
func (ns namespace) set(t *testing.T, name, value string) {
	t.Helper()
	ns.do(t, func() error { return os.WriteFile(filepath.Join("/proc/sys", name), []byte(value), 0o600) })
}

// packet returns a packet of IPv4. The kernel fills in the lengths and the checksum of what is sent; a quoted one has
// its own.
func packet(protocol byte, from, to netip.Addr, payload []byte) []byte {
	header := []byte{0x45, 0, 0, 0, 0, 1, 0, 0, 64, protocol, 0, 0}
	binary.BigEndian.PutUint16(header[2:], uint16(20+len(payload))) //nolint:gosec // it is short
	header = append(append(header, from.AsSlice()...), to.AsSlice()...)
	binary.BigEndian.PutUint16(header[10:], checksum(header))
	return append(header, payload...)
}

// datagram returns a datagram of UDP, without a checksum.
func datagram(from, to netip.AddrPort, _ bool) []byte {
	udp := binary.BigEndian.AppendUint16(nil, from.Port())
	udp = binary.BigEndian.AppendUint16(udp, to.Port())
	return append(udp, 0, 12, 0, 0, 'p', 'o', 'd', 's')
}

// syn returns the first segment of a connection of TCP. Two of them, one in each direction, open it
// simultaneously (RFC 9293, 3.5).
func syn(from, to netip.AddrPort, answers bool) []byte {
	number := uint32(1)
	if answers {
		number = 7
	}
	tcp := binary.BigEndian.AppendUint16(nil, from.Port())
	tcp = binary.BigEndian.AppendUint16(tcp, to.Port())
	tcp = binary.BigEndian.AppendUint32(tcp, number)
	tcp = append(tcp, 0, 0, 0, 0, 5<<4, 2, 0xff, 0xff, 0, 0, 0, 0)
	pseudo := append(append(from.Addr().AsSlice(), to.Addr().AsSlice()...), 0, unix.IPPROTO_TCP, 0, byte(len(tcp)))
	// The kernel translates addresses and ports, and corrects the checksum by the difference.
	binary.BigEndian.PutUint16(tcp[16:], checksum(append(pseudo, tcp...)))
	return tcp
}

// unreachable returns an ICMP error about a packet: its port is unreachable.
func unreachable(about []byte) []byte {
	icmp := append([]byte{3, 3, 0, 0, 0, 0, 0, 0}, about...)
	binary.BigEndian.PutUint16(icmp[2:], checksum(icmp))
	return icmp
}

// checksum returns the checksum of the internet (RFC 1071) of an even number of bytes.
func checksum(of []byte) uint16 {
	var sum uint32
	for i := 0; i < len(of); i += 2 {
		sum += uint32(binary.BigEndian.Uint16(of[i:]))
	}
	for sum > 0xffff {
		sum = sum&0xffff + sum>>16
	}
	return ^uint16(sum) //nolint:gosec // it fits now
}

// Pods have no IPv6, but can send packets that do.
func TestPodsDoNotForgeIPv6(t *testing.T) {
	needNamespaces(t)
	unpacked.Program(t, debian.NFT)
	if _, err := os.Stat("/proc/sys/net/ipv6"); err != nil {
		t.Skipf("needs IPv6 in the kernel: boot without ipv6.disable=1: %v", err)
	}
	const node, client, forged = "2001:db8::a", "2001:db8::1", "2001:db8:1::7"
	m := newAzureMachine(t, network.FlannelVXLAN, false)
	m.node.ip(t, "address add "+node+"/64 dev "+uplink+" nodad", "address add fe80::a/64 dev cni0 nodad",
		"route add default via "+client)
	m.azure.ip(t, "address add "+client+"/64 dev port nodad")
	m.pod.ip(t, "address add fe80::b/64 dev eth0 nodad", "route add default via fe80::a dev eth0")
	at := listen(t, map[string]namespace{"[" + node + "]:53": m.node})
	at.want(t, "of a pod that forges its address, without the rules,", m.pod, forged, true, "["+node+"]:53")
	m.load(t)
	at.want(t, "of a pod that forges its address", m.pod, forged, false, "["+node+"]:53")
	at.want(t, "of a pod that forges the address of a client", m.pod, client, false, "["+node+"]:53")
	at.want(t, "of a client", m.azure, client, true, "["+node+"]:53")
}
