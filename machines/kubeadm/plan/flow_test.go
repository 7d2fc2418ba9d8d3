package plan_test

import (
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"testing"

	"github.com/mixedkube/mixedkube/machines/bootstrap/network"
	"github.com/mixedkube/mixedkube/machines/kubeadm/plan"
)

// written returns a flow in one line, without its reason.
func written(f plan.Flow) string {
	return fmt.Sprintf("%s: %s > %s %s %s", f.Name, strings.Join(f.From, ","), strings.Join(f.To, ","), f.Protocol,
		f.Ports)
}

func flows(c plan.Defaulted) (controlPlane, nodes []string) {
	into := func(flows []plan.Flow) []string {
		var texts []string
		for _, f := range flows {
			texts = append(texts, written(f))
		}
		return texts
	}
	first, rest := c.Flows()
	return into(first), into(rest)
}

func TestFlowsOfASmallCluster(t *testing.T) {
	t.Parallel()
	controlPlane, nodes := flows(good("", nil))
	const machines = "10.240.0.0/27,10.240.0.128/25"
	equal(t, "into the control plane", []string{
		"api-server: " + machines + " > 10.240.0.0/27 Tcp 6443",
		"api-server-probe: AzureLoadBalancer > 10.240.0.0/27 Tcp 6443",
		"api-server-clients: Internet > 10.240.0.0/27 Tcp 6443",
		"kubelet: " + machines + " > 10.240.0.0/27 Tcp 10250",
		"network-udp-4789: " + machines + " > 10.240.0.0/27 Udp 4789",
	}, controlPlane)
	equal(t, "into the nodes", []string{
		"kubelet: " + machines + " > 10.240.0.128/25 Tcp 10250",
		"network-udp-4789: " + machines + " > 10.240.0.128/25 Udp 4789",
		"windows-exporter: " + machines + " > 10.240.0.128/25 Tcp 9182",
	}, nodes)
}

func TestFlowsOfALargeCluster(t *testing.T) {
	t.Parallel()
	controlPlane, nodes := flows(good(network.UpstreamL3, func(c *plan.Cluster) {
		c.ControlPlane.Count = 3
		c.Network.NodeCIDR, c.Network.PodCIDR = netip.MustParsePrefix("172.16.0.0/25"),
			netip.MustParsePrefix("172.20.0.0/16")
		c.APIServer.AuthorizedIPRanges = []string{"203.0.113.0/24", "198.51.100.7"}
		c.NodePortSources = []string{"10.0.0.0/8"}
		c.ServicePorts = []plan.ServicePort{
			{Port: 80, NodePort: 30080},
			{Port: 443, NodePort: 30443, Sources: []string{"203.0.113.0/24", "198.51.100.7"}},
		}
	}))
	const all = "172.16.0.0/28,172.16.0.64/26,172.20.0.0/16"
	equal(t, "into the control plane", []string{
		"api-server: " + all + " > 172.16.0.0/28 Tcp 6443",
		"api-server-probe: AzureLoadBalancer > 172.16.0.0/28 Tcp 6443",
		"api-server-clients: 203.0.113.0/24,198.51.100.7 > 172.16.0.0/28 Tcp 6443",
		"etcd: 172.16.0.0/28 > 172.16.0.0/28 Tcp 2379-2380",
		"kubelet: " + all + " > 172.16.0.0/28 Tcp 10250",
		"pods: " + all + " > 172.20.0.0/16 * *",
	}, controlPlane)
	equal(t, "into the nodes", []string{
		"kubelet: " + all + " > 172.16.0.64/26 Tcp 10250",
		"pods: " + all + " > 172.20.0.0/16 * *",
		"windows-exporter: " + all + " > 172.16.0.64/26 Tcp 9182",
		"node-ports: 10.0.0.0/8 > 172.16.0.64/26 * 30000-32767",
		"service-probes: AzureLoadBalancer > 172.16.0.64/26 Tcp 30000-32767",
		"service-80: Internet > 172.16.0.64/26 Tcp 30080",
		"service-443: 203.0.113.0/24,198.51.100.7 > 172.16.0.64/26 Tcp 30443",
	}, nodes)
}

func TestSourcesAllowedToReachTheAPIServer(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		server plan.APIServer
		want   []string
	}{
		"everyone by default":     {plan.APIServer{}, []string{"Internet"}},
		"no one if it is private": {plan.APIServer{Private: true}, nil},
		"authorized ranges": {
			plan.APIServer{AuthorizedIPRanges: []string{"203.0.113.7"}},
			[]string{"203.0.113.7"},
		},
		"authorized ranges of a private one": {plan.APIServer{
			Private:            true,
			AuthorizedIPRanges: []string{"10.9.0.0/16"},
		}, []string{"10.9.0.0/16"}},
	} {
		controlPlane, _ := good("", func(c *plan.Cluster) { c.APIServer = tt.server }).Flows()
		var got []string
		for _, f := range controlPlane {
			if f.Name == "api-server-clients" {
				got = f.From
			}
		}
		equal(t, name, tt.want, got)
	}
}

// The flows of every cluster are valid as rules of a group.
func TestFlowsAreRules(t *testing.T) {
	t.Parallel()
	for _, kind := range inAzure {
		for _, count := range []int{1, 3} {
			controlPlane, nodes := good(kind, func(c *plan.Cluster) {
				c.ControlPlane.Count = count
				c.NodePortSources = []string{"10.0.0.0/8"}
				c.ServicePorts = []plan.ServicePort{{Port: 80, NodePort: 30080}, {Port: 443, NodePort: 30443}}
			}).Flows()
			for _, list := range [][]plan.Flow{controlPlane, nodes} {
				var names []string
				for _, f := range list {
					if slices.Contains(names, f.Name) {
						t.Errorf("%s: two flows are called %s", kind, f.Name)
					}
					names = append(names, f.Name)
					if len(f.From) == 0 || len(f.To) == 0 || f.Ports == "" || f.Reason == "" ||
						!slices.Contains([]string{"Tcp", "Udp", "*"}, f.Protocol) {
						t.Errorf("%s: %+v", kind, f)
					}
					// A rule has at most 140 characters of description
					// (https://learn.microsoft.com/azure/templates/microsoft.network/networksecuritygroups).
					if len(f.Reason) > 140 {
						t.Errorf("%s: the reason of %s has %d characters", kind, f.Name, len(f.Reason))
					}
					// A service tag must be the only source.
					if len(f.From) > 1 &&
						slices.ContainsFunc(f.From, func(s string) bool { return !strings.ContainsAny(s, "./") }) {
						t.Errorf("%s: %s is from %v", kind, f.Name, f.From)
					}
				}
			}
		}
	}
}

// The ports that the network requires for its nodes are let in, in both directions between all
// machines.
func TestThePortsOfTheNetworkAreOpenBetweenAllMachines(t *testing.T) {
	t.Parallel()
	for _, kind := range inAzure {
		c := good(kind, nil)
		controlPlane, nodes := flows(c)
		for _, port := range c.Network.Ports() {
			protocol := map[string]string{"TCP": "Tcp", "UDP": "Udp"}[string(port.Protocol)]
			for subnet, list := range map[string][]string{"10.240.0.0/27": controlPlane, "10.240.0.128/25": nodes} {
				want := fmt.Sprintf("network-%s-%d: 10.240.0.0/27,10.240.0.128/25 > %s %s %[2]d",
					strings.ToLower(protocol), port.Port, subnet, protocol)
				if !slices.Contains(list, want) {
					t.Errorf("%s: no flow %s in %v", kind, want, list)
				}
			}
		}
	}
}
