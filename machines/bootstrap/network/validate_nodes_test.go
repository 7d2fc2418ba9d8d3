package network_test

import (
	"net/netip"
	"slices"
	"testing"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/internal/testkit/casetest"
	"github.com/mixedkube/mixedkube/machines/bootstrap/network"
)

// nodeChange changes one of someNodes.
type nodeChange struct {
	Name     *string
	Address  *netip.Addr
	Platform *platform.Platform
	PodCIDR  *netip.Prefix
}

func TestValidateNodes(t *testing.T) {
	t.Parallel()
	for name, tt := range casetest.Cases[struct {
		Network network.Network
		// Only are the names of the nodes, by default of all of someNodes. Nodes are the changes, by the name.
		Only  *[]string
		Nodes map[string]nodeChange
		Want  string
	}](t, "testdata/nodes") {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var nodes []network.Node
			for _, node := range someNodes(nil) {
				if tt.Only != nil && !slices.Contains(*tt.Only, node.Name) {
					continue
				}
				change := tt.Nodes[node.Name]
				replace(&node.Name, change.Name)
				replace(&node.Address, change.Address)
				replace(&node.Platform, change.Platform)
				replace(&node.PodCIDR, change.PodCIDR)
				nodes = append(nodes, node)
			}
			n := withNodeCIDR(tt.Network).WithDefaults()
			wantErrors(t, n.ValidateNodes(nodes, field.NewPath("nodes")), lines(tt.Want)...)
		})
	}
}

func replace[T any](value, by *T) {
	if by != nil {
		*value = *by
	}
}

func TestPlanReportsEverything(t *testing.T) {
	t.Parallel()
	n := network.Network{Kind: network.CalicoVXLAN, NodeCIDR: prefix("10.244.0.0/24")}
	_, err := n.WithDefaults().Plan([]network.Node{
		{Name: "a", Address: addr("10.244.0.4")},
		{Name: "a", Address: addr("10.244.0.4"), Platform: platform.WindowsServer2025},
	})
	want := `plan:
  network.podCIDR: Invalid value: "10.244.0.0/16": contains nodeCIDR 10.244.0.0/24: ` +
		`use a range apart from it, as nodes, pods and Services each need their own
  nodes[0].platform: Required value: a pool runs linux, windows-2019, windows-2022 or windows-2025
  nodes[1].address: Duplicate value: "10.244.0.4": nodes[0] has this address already: ` +
		`give each node an address of its own
  nodes[1].name: Duplicate value: "a": nodes[0] has this name already: give each node a name of its own
  nodes[1].platform: Invalid value: "windows-2025": Calico supports Windows Server 2019 and 2022, not 2025 yet: ` +
		`use flannel-vxlan, or another platform`
	if err == nil {
		t.Fatal("no error")
	}
	wantText(t, err.Error(), want)
}
