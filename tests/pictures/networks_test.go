package pictures

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/netip"
	"strconv"
	"strings"
	"testing"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/internal/clustermap"
	"github.com/mixedkube/mixedkube/internal/svg"
	"github.com/mixedkube/mixedkube/machines/bootstrap/network"
	"github.com/mixedkube/mixedkube/tests/internal/diagram"
)

// ways describes how packets reach another node; the code has no text for it.
var ways = map[network.Kind]struct{ way, tunnel string }{
	network.UpstreamL3:   {way: "A router, or a route table, has a route to each node."},
	network.HostGateway:  {way: "Each node has routes to the others, on one link."},
	network.CalicoBGP:    {way: "The nodes exchange their routes.", tunnel: "BGP"},
	network.FlannelVXLAN: {way: "flannel puts packets into VXLAN frames.", tunnel: "VXLAN"},
	network.CalicoVXLAN:  {way: "Calico puts packets into VXLAN frames.", tunnel: "VXLAN"},
	network.Antrea:       {way: "Open vSwitch puts packets into Geneve frames.", tunnel: "Geneve"},
}

const (
	tileGap, tileHeight = 12.0, 208.0
	tileRoom            = (diagram.Width - 2*diagram.Margin - tileGap) / 2
	nodeRoom, nodeTop   = 132.0, 62.0
	nodeHeight          = 74.0
)

// tile is the picture of a kind.
type tile struct {
	*diagram.Diagram
	network.Defaulted
	plan network.Plan
	x, y float64
}

func TestGeneratedPictureOfTheNetworks(t *testing.T) {
	t.Parallel()
	d := diagram.New(t)
	d.Text(diagram.Margin, 40, "heading", "How pods on two nodes reach each other", inside)
	columns := [2][]network.Kind{}
	for _, kind := range network.Kinds() {
		if _, known := ways[kind]; !known {
			t.Fatalf("the picture has no text for %s: add it to ways", kind)
		}
		column := 0
		if kind.OverlayPort() != 0 {
			column = 1
		}
		columns[column] = append(columns[column], kind)
	}
	var words []string
	bottom := 0.0
	for i, title := range []string{
		"Routes: packets keep the pods' addresses", "Overlay: packets travel in UDP between nodes",
	} {
		x := diagram.Margin + float64(i)*(tileRoom+tileGap)
		d.Text(x, 70, "soft", title, tileRoom)
		for n, kind := range columns[i] {
			tile := newTile(t, d, kind, x, 84+float64(n)*(tileHeight+tileGap))
			tile.draw()
			words = append(words, tile.description())
			bottom = max(bottom, tile.y+tileHeight)
		}
	}
	d.Golden(t, dir+"networks.svg", "The pod networks", strings.Join(words, "\n"), bottom+diagram.Margin)
}

func newTile(t *testing.T, d *diagram.Diagram, kind network.Kind, x, y float64) tile {
	t.Helper()
	n := network.Network{Kind: kind, NodeCIDR: netip.MustParsePrefix("10.240.0.0/24")}.WithDefaults()
	plan, err := n.Plan([]network.Node{
		{Name: "linux", Address: netip.MustParseAddr("10.240.0.4"), Platform: platform.Linux},
		{Name: "windows", Address: netip.MustParseAddr("10.240.0.5"), Platform: platform.WindowsServer2022},
	})
	if err != nil {
		t.Fatal(err)
	}
	return tile{Diagram: d, Defaulted: n, plan: plan, x: x, y: y}
}

func (t tile) draw() {
	t.Rect(t.x, t.y, tileRoom, tileHeight, 8, "card")
	left, right := t.x+14, t.x+tileRoom-14
	t.Text(left, t.y+25, "strong", string(t.Kind), 150)
	if t.Kind == (network.Network{}).WithDefaults().Kind {
		t.Text(left+svg.Width(string(t.Kind), "strong")+8, t.y+25, "soft small", "the default", 90)
	}
	t.Text(right, t.y+25, "soft small end", t.installer(), 140)
	t.Text(left, t.y+45, "small", ways[t.Kind].way, tileRoom-28)
	for i, node := range t.plan.Nodes {
		t.node(i, node)
	}
	t.between()
	y := t.y + nodeTop + nodeHeight
	for i, line := range append(t.routes(), t.firewalls()...) {
		t.Text(left, y+20+float64(i)*16, "mono", line, tileRoom-24)
	}
	t.Text(left, t.y+tileHeight-14, "soft small", t.windows(), tileRoom-28)
}

func (t tile) installer() string {
	if t.Kind.UserInstalled() != "" {
		return "you install it"
	}
	return "mixedkube installs it"
}

// nodeLeft returns the left edge of a node.
func (t tile) nodeLeft(i int) float64 { return t.x + 14 + float64(i)*(tileRoom-28-nodeRoom) }

func (t tile) node(i int, node network.NodePlan) {
	x, y := t.nodeLeft(i), t.y+nodeTop
	look := clustermap.LookOf(node.Platform)
	t.Rect(x, y, nodeRoom, nodeHeight, 6, "chip")
	t.Badge(x+9, y+9, look.Class, look.Mark, look.Round)
	t.Text(x+37, y+23, "mono", node.Address.String(), nodeRoom-44)
	for n := range 3 {
		t.Rect(x+10+float64(n)*14, y+39.5, 9.5, 9.5, 2, "fill "+look.Class)
	}
	t.Text(x+54, y+48, "small", "pods", 40)
	t.Text(x+9, y+65, "soft small", t.plugin(node), nodeRoom-14)
}

// plugin names what connects the pods of a node.
func (t tile) plugin(node network.NodePlan) string {
	_, content, ok := t.CNIConfig(node)
	switch {
	case ok:
		return connecting(content)
	case t.Kind == network.Antrea:
		return "Antrea's agent"
	default:
		return "Calico's agent"
	}
}

// connecting names the plugin of a CNI configuration that connects the pods: the first one, or its delegate.
func connecting(content string) string {
	var config struct {
		Plugins []struct {
			Type     string `json:"type"`
			Delegate struct {
				Type string `json:"type"`
			} `json:"delegate"`
		} `json:"plugins"`
	}
	if err := json.Unmarshal([]byte(content), &config); err != nil {
		return err.Error()
	}
	return cmp.Or(config.Plugins[0].Delegate.Type, config.Plugins[0].Type)
}

// between draws what is between the nodes.
func (t tile) between() {
	from, to := t.nodeLeft(0)+nodeRoom, t.nodeLeft(1)
	middle, y := (from+to)/2, t.y+nodeTop+nodeHeight/2
	switch {
	case t.Kind.OverlayPort() != 0:
		t.Rect(from, y-7, to-from, 14, 0, "pipe")
		t.Wire("", from, y-7, to, y-7)
		t.Wire("", from, y+7, to, y+7)
		t.Text(middle, y-14, "strong small middle", ways[t.Kind].tunnel, to-from)
		t.Text(middle, y+23, "soft small middle", t.port(), to-from)
		t.Arrow("", middle, y, to-6, y)
		t.Arrow("", middle, y, from+6, y)
	case len(t.plan.Router) > 0:
		const room = 52.0
		t.Rect(middle-room/2, y-14, room, 28, 14, "edged")
		t.Text(middle, y+4, "small middle", "router", room-8)
		t.Arrow("", middle+room/2, y, to, y)
		t.Arrow("", middle-room/2, y, from, y)
	default:
		t.Arrow("", middle, y, to, y)
		t.Arrow("", middle, y, from, y)
		if tunnel := ways[t.Kind].tunnel; tunnel != "" {
			t.Text(middle, y-10, "strong small middle", tunnel, to-from)
			t.Text(middle, y+21, "soft small middle", t.port(), to-from)
		}
	}
}

// port returns the first port that firewalls between the nodes must open.
func (t tile) port() string {
	port := t.Ports()[0]
	return fmt.Sprintf("%s %d", port.Protocol, port.Port)
}

// firewalls lists the ports that must be open between the nodes.
func (t tile) firewalls() []string {
	var protocols []string
	numbers := map[string][]string{}
	for _, p := range t.Ports() {
		protocol := string(p.Protocol)
		if numbers[protocol] == nil {
			protocols = append(protocols, protocol)
		}
		numbers[protocol] = append(numbers[protocol], strconv.Itoa(p.Port))
	}
	for i, protocol := range protocols {
		protocols[i] += " " + strings.Join(numbers[protocol], ", ")
	}
	if len(protocols) == 0 {
		return nil
	}
	return []string{"ports: " + strings.Join(protocols, "; ")}
}

// routes lists the routes of the router or of the nodes.
func (t tile) routes() []string {
	var lines []string
	for _, r := range t.plan.Router {
		lines = append(lines, fmt.Sprintf("router: %s via %s", r.Destination, r.NextHop))
	}
	for _, node := range t.plan.Nodes {
		for _, r := range node.Routes {
			lines = append(lines, fmt.Sprintf("%s: %s via %s", node.Name, r.Destination, r.NextHop))
		}
	}
	return lines
}

// windows lists what the network supports for pods on Windows nodes.
func (t tile) windows() string {
	yes := map[bool]string{true: "yes", false: "no"}
	return fmt.Sprintf("Windows pods: NetworkPolicy %s, hostPort %s", yes[t.Kind.EnforcesWindowsPolicies()],
		yes[t.Kind.MapsWindowsHostPorts()])
}

// description describes the picture for screen readers.
func (t tile) description() string {
	sentences := []string{fmt.Sprintf("%s: %s %s.", t.Kind, ways[t.Kind].way, t.installer())}
	for _, line := range t.routes() {
		sentences = append(sentences, "Route of the "+line+".")
	}
	for _, line := range t.firewalls() {
		sentences = append(sentences, "Open "+line+".")
	}
	return strings.Join(append(sentences, t.windows()+"."), " ")
}
