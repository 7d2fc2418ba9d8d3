package plan_test

import (
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/machines/bootstrap"
	"github.com/mixedkube/mixedkube/machines/bootstrap/network"
	"github.com/mixedkube/mixedkube/machines/kubeadm/plan"
)

func TestSubnets(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ all, controlPlane, nodes, endpoint string }{
		{"", "10.240.0.0/27", "10.240.0.128/25", "10.240.0.4:6443"},
		{"10.240.0.0/24", "10.240.0.0/27", "10.240.0.128/25", "10.240.0.4:6443"},
		{"10.1.2.128/25", "10.1.2.128/28", "10.1.2.192/26", "10.1.2.132:6443"},
		{"172.16.0.0/16", "172.16.0.0/19", "172.16.128.0/17", "172.16.0.4:6443"},
		{"10.0.0.0/8", "10.0.0.0/11", "10.128.0.0/9", "10.0.0.4:6443"},
		{"192.168.255.0/24", "192.168.255.0/27", "192.168.255.128/25", "192.168.255.4:6443"},
		// Validate refuses the range, but the subnets still follow from it.
		{"10.240.0.77/24", "10.240.0.0/27", "10.240.0.128/25", "10.240.0.4:6443"},
	} {
		c := good("", func(c *plan.Cluster) {
			if tt.all != "" {
				c.Network.NodeCIDR = netip.MustParsePrefix(tt.all)
			}
		})
		controlPlane, nodes := c.Subnets()
		equal(t, tt.all, []string{tt.controlPlane, tt.nodes, tt.endpoint},
			[]string{controlPlane.String(), nodes.String(), c.Endpoint()})
		if controlPlane.Overlaps(nodes) {
			t.Errorf("%s and %s overlap", controlPlane, nodes)
		}
		if !controlPlane.Contains(c.EndpointAddress()) {
			t.Errorf("%s is not in %s", c.EndpointAddress(), controlPlane)
		}
	}
}

// The endpoint of an existing cluster cannot change.
func TestTheEndpointIsTheSameForAnyNumberOfMachines(t *testing.T) {
	t.Parallel()
	for _, count := range []int{0, 1, 3, 5} {
		c := good("", func(c *plan.Cluster) { c.ControlPlane.Count = count })
		equal(t, "endpoint", "10.240.0.4:6443", c.Endpoint())
		for i, m := range c.Machines()[:max(count, 1)] {
			equal(t, "address", fmt.Sprintf("10.240.0.%d", 5+i), m.Address.String())
		}
	}
}

func TestDefaults(t *testing.T) {
	t.Parallel()
	c := plan.Cluster{
		KubernetesVersion: "1.36",
		Pools:             []topology.Pool{{Name: "win22", Platform: platform.WindowsServer2022}},
	}.WithDefaults()
	equal(t, "control plane", plan.ControlPlane{Count: 1, Size: "Standard_D2s_v5"}, c.ControlPlane)
	equal(t, "network", network.Network{
		NodeCIDR: netip.MustParsePrefix("10.240.0.0/24"), BlockedEgress: []network.Destination{wireServer, metadata},
	}.WithDefaults(), c.Network)
	equal(t, "pool", topology.Pool{
		Name: "win22", Platform: platform.WindowsServer2022, Mode: topology.User, Count: 1, KubernetesVersion: "1.36",
		Taints: []corev1.Taint{topology.WindowsTaint()},
	}, c.Pools[0])
	equal(t, "again", c, c.WithDefaults())
	j := joining(nil).WithDefaults()
	equal(t, "a pool again", j, j.WithDefaults())
}

func TestDefaultsShareNothing(t *testing.T) {
	t.Parallel()
	pools := []topology.Pool{{Name: "win22", Platform: platform.WindowsServer2022}}
	plan.Cluster{KubernetesVersion: "1.36", Pools: pools}.WithDefaults()
	plan.Cluster{KubernetesVersion: "1.36", Pools: pools[:1:1]}.WithDefaults().Topology()
	equal(t, "pools", []topology.Pool{{Name: "win22", Platform: platform.WindowsServer2022}}, pools)
}

func TestTheControlPlaneIsTheLastPoolOfTheTopology(t *testing.T) {
	t.Parallel()
	c := good("", func(c *plan.Cluster) {
		c.ControlPlane = plan.ControlPlane{
			Count: 3, Size: "Standard_D8s_v5", OSDiskSizeGB: 100,
			Zones: []string{"1", "2"},
		}
	})
	got := c.Topology()
	if errs := got.Validate(nil); len(errs) > 0 {
		t.Error(errs)
	}
	equal(t, "version", "1.36", got.KubernetesVersion)
	equal(t, "pools", 3, len(got.Pools))
	// All except the features that only EKS has.
	missing := slices.DeleteFunc(topology.Features(), func(f topology.Feature) bool {
		return f == topology.WindowsIPAM
	})
	equal(t, "missingFeatures", missing, got.MissingFeatures)
	routed := good(network.UpstreamL3, nil).Topology()
	equal(t, "missingFeatures without an overlay",
		[]topology.Feature{
			topology.GMSAWebhook, topology.LoadBalancers, topology.ResourceMetrics, topology.WindowsNetworkPolicies,
		}, routed.MissingFeatures)
	if calico := good(network.CalicoVXLAN, nil).Topology(); slices.Contains(calico.MissingFeatures,
		topology.WindowsNetworkPolicies) {
		t.Errorf("Calico enforces network policies on Windows nodes, and the cluster lacks %v", calico.MissingFeatures)
	}
	equal(t, "control plane", topology.Pool{
		Name: "control-plane", Platform: platform.Linux, Mode: topology.System, Count: 3, Size: "Standard_D8s_v5",
		OSDiskSizeGB: 100,
		Zones:        []string{"1", "2"}, KubernetesVersion: "1.36",
		Taints: []corev1.Taint{{Key: "node-role.kubernetes.io/control-plane", Effect: corev1.TaintEffectNoSchedule}},
		// The defaults of the bootstrap for Linux, and the kubelet's threshold of 100Mi.
		Reserved: corev1.ResourceList{"cpu": resource.MustParse("200m"), "memory": resource.MustParse("612Mi")},
	}, got.Pools[2])
}

// Information that a machine does not need is left out.
func TestTheBootstrapHasTheMachinesWhoseAddressesAreKnown(t *testing.T) {
	t.Parallel()
	kubelet := bootstrap.KubeletOptions{PriorityClass: "HIGH_PRIORITY_CLASS"}
	c := good(network.UpstreamL3, func(c *plan.Cluster) {
		c.ControlPlane.Count = 3
		c.PoolOptions["win22"] = plan.PoolOptions{Kubelet: kubelet}
	})
	nodes := func(addresses map[string]netip.Addr) []string {
		var texts []string
		for _, n := range c.Bootstrap(addresses).Nodes {
			texts = append(texts, fmt.Sprint(n.Name, " ", n.Pool, " ", n.Address, " ", n.ControlPlane))
		}
		return texts
	}
	controlPlane := []string{
		"control-plane-0 control-plane 10.240.0.5 true", "control-plane-1 control-plane 10.240.0.6 true",
		"control-plane-2 control-plane 10.240.0.7 true",
	}
	equal(t, "no address", controlPlane, nodes(nil))
	win := c.Machines()[5].Name
	equal(t, "one address", append(controlPlane, win+" win22 10.240.0.200 false"), nodes(map[string]netip.Addr{
		win: netip.MustParseAddr("10.240.0.200"), "stranger": netip.MustParseAddr("10.240.0.201"),
		// The control plane's own address is not in the map.
		"control-plane-0": netip.MustParseAddr("10.240.0.202"),
	}))
	b := c.Bootstrap(nil)
	equal(t, "endpoint", "10.240.0.4:6443", b.Endpoint)
	equal(t, "answers its endpoint itself", true, b.LocalEndpoint)
	equal(t, "kubelets", map[string]bootstrap.KubeletOptions{"win22": kubelet}, b.Kubelet)
	equal(t, "network", c.Network.Network, b.Network)
	equal(t, "topology", c.Topology(), b.Topology)
	equal(t, "releases", c.Releases, b.Releases)
}

func TestTheBootstrapOfAPoolThatJoins(t *testing.T) {
	t.Parallel()
	j := joining(nil)
	machines := j.Machines()
	equal(t, "machines", 2, len(machines))
	b := j.Bootstrap(map[string]netip.Addr{machines[1].Name: netip.MustParseAddr("10.0.0.9")})
	equal(t, "nodes", []bootstrap.Node{{
		Name: machines[1].Name, Pool: "win22",
		Address: netip.MustParseAddr("10.0.0.9"),
	}}, b.Nodes)
	equal(t, "endpoint", "api.example.com:6443", b.Endpoint)
	equal(t, "answers the endpoint", false, b.LocalEndpoint)
	files, err := bootstrap.NodeFiles(b, machines[1].Name,
		bootstrap.Join{Token: "tests0.notarealtoken000", CACertHashes: j.CACertHashes})
	if err != nil || len(files) == 0 {
		t.Errorf("%d files, %v", len(files), err)
	}
}

// A pool has the same machines whether it is created with its cluster or joins it.
func TestAPoolThatJoinsHasTheSameMachines(t *testing.T) {
	t.Parallel()
	c := good("", nil)
	pool := c.Pools[1]
	pool.Taints = nil
	j := joining(func(j *plan.Joining) { j.Pool = pool })
	equal(t, "names", strings.Join(names(c.Machines())[3:], " "), strings.Join(names(j.Machines()), " "))
}
