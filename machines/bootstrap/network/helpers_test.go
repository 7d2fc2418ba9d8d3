package network_test

import (
	"encoding/json"
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/machines/bootstrap/network"
)

var (
	prefix   = netip.MustParsePrefix
	addr     = netip.MustParseAddr
	addrPort = netip.MustParseAddrPort
)

// good returns a good network, to be changed by a test.
func good(kind network.Kind, change func(*network.Network)) network.Network {
	n := network.Network{Kind: kind, NodeCIDR: prefix("10.0.0.0/24")}
	if change != nil {
		change(&n)
	}
	return n
}

// withNodeCIDR returns a network with the range of good, unless it has one.
func withNodeCIDR(n network.Network) network.Network {
	if !n.NodeCIDR.IsValid() {
		n.NodeCIDR = good("", nil).NodeCIDR
	}
	return n
}

// someNodes returns a Linux and two Windows nodes, to be changed by a test.
func someNodes(change func([]network.Node)) []network.Node {
	nodes := []network.Node{
		{Name: "cp", Address: addr("10.0.0.4"), Platform: platform.Linux},
		{Name: "win-a", Address: addr("10.0.0.5"), Platform: platform.WindowsServer2022},
		{Name: "win-b", Address: addr("10.0.0.7"), Platform: platform.WindowsServer2022},
	}
	if change != nil {
		change(nodes)
	}
	return nodes
}

func plan(t *testing.T, n network.Network, nodes []network.Node) network.Plan {
	t.Helper()
	p, err := n.WithDefaults().Plan(nodes)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// wantErrors compares findings with their full texts, in order.
func wantErrors(t *testing.T, got field.ErrorList, want ...string) {
	t.Helper()
	var texts []string
	for _, err := range got {
		texts = append(texts, err.Error())
	}
	if diff := cmp.Diff(want, texts); diff != "" {
		t.Errorf("findings (-want +got):\n%s", diff)
	}
}

// lines splits a text. It returns nil for no lines.
func lines(text string) []string {
	return slices.Collect(strings.FieldsFuncSeq(text, func(r rune) bool { return r == '\n' }))
}

// wantText compares texts line by line.
func wantText(t *testing.T, got, want string) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("text (-want +got):\n%s", diff)
	}
}

// numbered are Linux nodes, the n-th with the n-th address of a range.
func numbered(first netip.Addr, count int) []network.Node {
	nodes := make([]network.Node, count)
	for i := range nodes {
		nodes[i] = network.Node{Name: fmt.Sprintf("n%d", i), Address: first, Platform: platform.Linux}
		first = first.Next()
	}
	return nodes
}

// byValue lets cmp see into addresses.
var byValue = cmp.Options{
	cmp.Comparer(func(a, b netip.Prefix) bool { return a == b }),
	cmp.Comparer(func(a, b netip.Addr) bool { return a == b }),
}

// nameOf returns the name of a CNI configuration.
func nameOf(t *testing.T, content string) string {
	t.Helper()
	var config struct{ Name string }
	if err := json.Unmarshal([]byte(content), &config); err != nil {
		t.Fatal(err)
	}
	return config.Name
}
