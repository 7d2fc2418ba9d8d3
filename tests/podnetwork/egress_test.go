//go:build linux

package podnetwork

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"net/netip"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/lab/debian"
	"github.com/mixedkube/mixedkube/machines/bootstrap"
	"github.com/mixedkube/mixedkube/machines/bootstrap/network"
	"github.com/mixedkube/mixedkube/machines/kubeadm/plan"
	"github.com/mixedkube/mixedkube/tests/internal/unpacked"
)

const (
	wireServer = "168.63.129.16:80"
	hostPlugin = "168.63.129.16:32526"
	azureDNS   = "168.63.129.16:53"
	metadata   = "169.254.169.254:80"
	// service is a Service whose endpoint someone has set to the WireServer.
	service = "10.96.0.80:8080"
	// other is any other address.
	other = "203.0.113.7:80"

	nodeAddress = "10.0.0.10"
	podAddress  = "10.244.10.2"
)

// destinations are all requested addresses, in this order.
var destinations = []string{wireServer, hostPlugin, azureDNS, metadata, service, other}

// Pods of an Azure machine, whatever its network, get no answer from what tells the machine
// its secrets, and the machine does.
func TestPodsDoNotReachAzureServicesOfTheirMachine(t *testing.T) {
	needNamespaces(t)
	unpacked.Program(t, debian.NFT)
	for _, kind := range []network.Kind{
		network.UpstreamL3, network.HostGateway, network.FlannelVXLAN, network.CalicoVXLAN, network.Antrea,
	} {
		t.Run(string(kind), func(t *testing.T) {
			t.Parallel()
			m := newAzureMachine(t, kind, false)
			everything := answersOf(destinations...)
			m.want(t, "without the rules a pod", m.pod, everything)
			m.load(t)
			closed := answersOf(azureDNS, other)
			m.want(t, "a pod", m.pod, closed)
			m.want(t, "the machine", m.node, answersOf(wireServer, hostPlugin, azureDNS, metadata, other))

			m.node.nft(t, "flush ruleset")
			m.masquerade(t)
			m.node.nft(t, serviceOfTheWireServer)
			m.want(t, "after the rules are removed, a pod", m.pod, everything)
			m.load(t)
			m.load(t)
			m.want(t, "when they are loaded again, a pod", m.pod, closed)
		})
	}
}

// The argument opens the metadata service only.
func TestPodsReachTheMetadataServiceIfAllowed(t *testing.T) {
	needNamespaces(t)
	unpacked.Program(t, debian.NFT)
	m := newAzureMachine(t, network.FlannelVXLAN, true)
	m.load(t)
	m.want(t, "a pod", m.pod, answersOf(azureDNS, metadata, other))
}

// Azure's load balancers ask pods from such an address, and are answered.
func TestPodsAnswerAzure(t *testing.T) {
	needNamespaces(t)
	unpacked.Program(t, debian.NFT)
	m := newAzureMachine(t, network.FlannelVXLAN, false)
	m.load(t)
	m.azure.ip(t, "route add 10.244.0.0/16 via "+nodeAddress)
	m.pod.serve(t, podAddress+":8080")
	from := net.TCPAddrFromAddrPort(netip.AddrPortFrom(netip.MustParseAddrPort(metadata).Addr(), 0))
	if !m.azure.isAnswered(t, net.Dialer{LocalAddr: from, Timeout: timeout}, podAddress+":8080") {
		t.Error("the pod does not answer")
	}
	m.want(t, "a pod", m.pod, answersOf(azureDNS, other))
}

// kube-proxy in the mode ipvs receives a pod's packet at the hook input, and forwards it at the
// hook output with the pod's address. The kernel here may lack ipvs, so a socket with the
// address of a pod replaces it.
func TestPacketsForwardedByIPVS(t *testing.T) {
	needNamespaces(t)
	unpacked.Program(t, debian.NFT)
	m := newAzureMachine(t, network.FlannelVXLAN, false)
	at := listen(t, map[string]namespace{metadata: m.azure})
	at.want(t, "with the address of a pod, without the rules,", m.node, podAddress, true, metadata)
	m.load(t)
	at.want(t, "with the address of a pod", m.node, podAddress, false, metadata)
	at.want(t, "with the address of the machine", m.node, nodeAddress, true, metadata)
}

// azureMachine is a Linux machine with a pod, and what answers at Azure's addresses.
//
//	pod - node - azure
type azureMachine struct {
	pod, node, azure namespace
	// root stands for / of the machine.
	root string
}

func newAzureMachine(t *testing.T, kind network.Kind, podsReachMetadata bool) *azureMachine {
	t.Helper()
	m := &azureMachine{
		node: newNamespace(t, "node"), azure: newNamespace(t, "azure"), pod: newNamespace(t, "pod"),
		root: writtenFiles(t, kind, podsReachMetadata),
	}
	m.node.ip(t,
		"link add name "+uplink+" type veth peer name port netns "+m.azure.path(),
		"address add "+nodeAddress+"/24 dev "+uplink,
		"link set "+uplink+" up")
	m.azure.ip(t, "address add 10.0.0.1/24 dev port", "link set port up")
	for _, address := range []string{wireServer, metadata, other} {
		m.azure.ip(t, "address add "+netip.MustParseAddrPort(address).Addr().String()+"/32 dev lo")
	}
	m.node.ip(t, "route add default via 10.0.0.1")
	m.connect(t, kind)
	m.masquerade(t)
	m.node.nft(t, serviceOfTheWireServer)
	for _, address := range []string{wireServer, hostPlugin, azureDNS, metadata, other} {
		m.azure.serve(t, address)
	}
	return m
}

// connect gives the machine its pod: at a bridge, as the plugins bridge and flannel do, or
// routed at an interface of its own, as Calico does and Antrea's Open vSwitch at its gateway.
func (m *azureMachine) connect(t *testing.T, kind network.Kind) {
	t.Helper()
	m.node.ip(t, "link add name pod type veth peer name eth0 netns "+m.pod.path(), "link set pod up")
	m.pod.ip(t, "link set eth0 up")
	if kind.Planned() || kind == network.FlannelVXLAN {
		m.node.ip(t, "link add name cni0 type bridge", "address add 10.244.10.1/24 dev cni0", "link set cni0 up",
			"link set pod master cni0", "link set pod type bridge_slave hairpin on")
		m.pod.ip(t, "address add "+podAddress+"/24 dev eth0", "route add default via 10.244.10.1")
		return
	}
	m.node.ip(t, "address add 169.254.1.1/32 dev pod", "route add "+podAddress+"/32 dev pod")
	m.pod.ip(t, "address add "+podAddress+"/32 dev eth0", "route add 169.254.1.1 dev eth0",
		"route add default via 169.254.1.1")
}

// serviceOfTheWireServer is what kube-proxy would generate from a Service with that endpoint.
const serviceOfTheWireServer = `table ip services {
	chain prerouting {
		type nat hook prerouting priority dstnat; policy accept;
		ip daddr 10.96.0.80 tcp dport 8080 dnat to 168.63.129.16:80
	}
}
`

// masquerade gives what pods send elsewhere the machine's address, by the machine's own file or
// as the agents of the other kinds do.
func (m *azureMachine) masquerade(t *testing.T) {
	t.Helper()
	file := filepath.Join(m.root, "/etc/mixedkube/network/masquerade.nft")
	if rules, err := os.ReadFile(file); err == nil {
		m.node.nft(t, string(rules))
		return
	}
	m.node.nft(t, `table ip agent {
	chain postrouting {
		type nat hook postrouting priority srcnat; policy accept;
		ip saddr 10.244.0.0/16 ip daddr != 10.244.0.0/16 masquerade
	}
}
`)
}

// load runs what the unit of systemd runs.
func (m *azureMachine) load(t *testing.T) {
	t.Helper()
	unit, err := os.ReadFile(filepath.Join(m.root, "/etc/systemd/system/mixedkube-egress.service"))
	if err != nil {
		t.Fatal(err)
	}
	nft := unpacked.Program(t, debian.NFT)
	here := strings.NewReplacer("/usr/sbin/nft", nft, "/etc/mixedkube/", m.root+"/etc/mixedkube/")
	loaded := 0
	for line := range strings.Lines(string(unit)) {
		if command, ok := strings.CutPrefix(line, "ExecStart="); ok {
			m.node.run(t, "", "sh", "-c", here.Replace(command))
			loaded++
		}
	}
	if loaded != 2 {
		t.Fatalf("the unit loads %d files, want those of IPv4 and of IPv6:\n%s", loaded, unit)
	}
}

// serve answers connections to an address of the namespace.
func (ns namespace) serve(t *testing.T, address string) {
	t.Helper()
	var listener net.Listener
	ns.do(t, func() (err error) {
		listener, err = net.Listen("tcp4", address)
		return err
	})
	t.Cleanup(func() { _ = listener.Close() })
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			_, _ = io.WriteString(conn, "answer")
			_ = conn.Close()
		}
	}()
}

// want asks all addresses from a namespace.
func (m *azureMachine) want(t *testing.T, who string, from namespace, want map[string]bool) {
	t.Helper()
	got := map[string]bool{}
	for _, address := range destinations {
		if from.name == m.node.name && address == service {
			continue // kube-proxy has rules of its own for what the machine sends
		}
		wait := silence
		if want[address] {
			wait = timeout
		}
		if from.isAnswered(t, net.Dialer{Timeout: wait}, address) {
			got[address] = true
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s gets answers from (-want +got):\n%s", who, diff)
	}
}

func answersOf(addresses ...string) map[string]bool {
	answers := map[string]bool{}
	for _, address := range addresses {
		answers[address] = true
	}
	return answers
}

// isAnswered connects from a namespace, and reads.
func (ns namespace) isAnswered(t *testing.T, dialer net.Dialer, address string) bool {
	t.Helper()
	var answer []byte
	ns.do(t, func() error {
		conn, err := dialer.DialContext(t.Context(), "tcp4", address)
		var timeout net.Error
		if errors.As(err, &timeout) && timeout.Timeout() {
			return nil
		}
		if err != nil {
			return err
		}
		defer func() { _ = conn.Close() }()
		if err := conn.SetDeadline(time.Now().Add(dialer.Timeout)); err != nil {
			return err
		}
		answer, err = io.ReadAll(conn)
		return err
	})
	return string(answer) == "answer"
}

// writtenFiles returns the public files of a worker that package kubeadm creates, below a
// directory.
func writtenFiles(t *testing.T, kind network.Kind, podsReachMetadata bool) string {
	t.Helper()
	c := plan.Cluster{
		Name: "shop", KubernetesVersion: "1.36",
		Pools: []topology.Pool{
			{Name: "linux", Platform: platform.Linux, Size: "Standard_D4s_v5", Count: 1},
		},
		Network:                   network.Network{Kind: kind, NodeCIDR: netip.MustParsePrefix("10.0.0.0/24")},
		PodsReachInstanceMetadata: podsReachMetadata,
		Releases:                  bootstrap.KnownReleases(),
	}.WithDefaults()
	name := ""
	for _, machine := range c.Machines() {
		if !machine.ControlPlane {
			name = machine.Name
		}
	}
	addresses := map[string]netip.Addr{name: netip.MustParseAddr(nodeAddress)}
	files, err := bootstrap.PublicFiles(c.Bootstrap(addresses), name)
	if err != nil {
		t.Fatal(err)
	}
	root := t.TempDir()
	for _, file := range files {
		at := filepath.Join(root, file.Path)
		if err := os.MkdirAll(filepath.Dir(at), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(at, []byte(file.Content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

// nft loads rules in the namespace.
func (ns namespace) nft(t *testing.T, rules string) {
	t.Helper()
	ns.run(t, rules, "nft", "--file", "-")
}

// run runs a program in the namespace.
func (ns namespace) run(t *testing.T, stdin, program string, args ...string) {
	t.Helper()
	if program == "nft" {
		program = unpacked.Program(t, debian.NFT)
	}
	ns.do(t, func() error {
		cmd := exec.CommandContext(t.Context(), program, args...)
		cmd.Stdin = strings.NewReader(stdin)
		var output bytes.Buffer
		cmd.Stdout, cmd.Stderr = &output, &output
		if err := cmd.Run(); err != nil {
			return fmt.Errorf("%s %q: %w: %s", program, args, err, output.String())
		}
		return nil
	})
}
