package kubeadm_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/kubeadm"
	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/testkit/golden"
	"github.com/mixedkube/mixedkube/machines/bootstrap/network"
	"github.com/mixedkube/mixedkube/machines/kubeadm/plan"
)

const introduction = `<!-- Written by ` + "`make generate`" +
	`: edit machines/kubeadm/plan/flow.go instead. -->

# The flows into the machines

The security groups of a cluster of package kubeadm let in the following flows, one rule on each line. ` +
	`Everything else is denied, from inside the virtual
network too; there is no rule for SSH, RDP or WinRM. No security group restricts what goes out.

"Control plane" and "nodes" are the ranges of the two subnets, "pods" is the range of the pods, ` +
	`which is in packets only where the network has
no overlay. A line without a condition is in every cluster. ` + "`calico-bgp`" +
	` is not among the kinds: it does not work in Azure.
`

const outgoing = `
## What goes out

Pods reach everything except the destinations below and the ` + "`blockedEgress`" +
	` of the network. The machines themselves keep pods from these: a
security group does not distinguish a pod's packets from the machine's. The machines reach them, and pods with ` +
	"`hostNetwork`" + ` and host-process
containers do; the documentation of package kubeadm, "What pods can reach", describes what else is not covered.

| Blocked for pods | Protocol | Ports | Where |
|---|---|---|---|
`

// blockedLine returns the row of a destination that pods cannot reach.
func blockedLine(d network.Destination) string {
	protocol, ports, where := "any", "any", ""
	if len(d.TCPPorts) > 0 {
		protocol, ports = "TCP", strings.Trim(strings.ReplaceAll(fmt.Sprint(d.TCPPorts), " ", ", "), "[]")
	}
	open := plan.Cluster{PodsReachInstanceMetadata: true}.WithDefaults().Network.BlockedEgress
	if !slices.ContainsFunc(open, func(o network.Destination) bool { return o.CIDR == d.CIDR }) {
		where = "`podsReachInstanceMetadata` is not set"
	}
	return fmt.Sprintf("| %s | %s | %s | %s |\n", d.CIDR.Addr(), protocol, ports, where)
}

// situation is what the flows of a cluster depend on.
type situation struct {
	kind      network.Kind
	count     int
	server    string
	nodePorts bool
	services  bool
	windows   bool
}

// situations returns all situations, each with its plan.
func situations() map[situation]plan.Defaulted {
	all := map[situation]plan.Defaulted{}
	servers := map[string]plan.APIServer{
		"public": {}, "private": {Private: true}, "ranges": {AuthorizedIPRanges: []string{"203.0.113.0/24"}},
		"private ranges": {Private: true, AuthorizedIPRanges: []string{"203.0.113.0/24"}},
	}
	for _, k := range inAzure {
		for _, count := range []int{1, 3} {
			for name, server := range servers {
				for _, sources := range [][]string{nil, {"198.51.100.0/24"}} {
					for _, services := range [][]plan.ServicePort{
						nil,
						{{Port: 80, NodePort: 30080, Sources: []string{"192.0.2.0/24"}}},
					} {
						for _, pools := range [][]topology.Pool{
							nil,
							{{Name: "win22", Platform: platform.WindowsServer2022}},
						} {
							all[situation{
								k, count, name, sources != nil, services != nil,
								pools != nil,
							}] = plan.Cluster{
								KubernetesVersion: "1.36", ControlPlane: plan.ControlPlane{Count: count},
								Pools:   pools,
								Network: network.Network{Kind: k}, APIServer: server, NodePortSources: sources,
								ServicePorts: services,
							}.WithDefaults()
						}
					}
				}
			}
		}
	}
	return all
}

// named returns a range in words.
func named(c plan.Defaulted, text string) string {
	first, rest := c.Subnets()
	switch text {
	case first.String():
		return "control plane"
	case rest.String():
		return "nodes"
	case c.Network.PodCIDR.String():
		return "pods"
	case "203.0.113.0/24":
		return "`apiServer.authorizedIPRanges`"
	case "198.51.100.0/24":
		return "`nodePortSources`"
	case "192.0.2.0/24":
		return "the port's `sources`, or everyone (`Internet`)"
	case "Internet":
		return "everyone (`Internet`)"
	case "AzureLoadBalancer":
		return "probes (`AzureLoadBalancer`)"
	default:
		return text
	}
}

// line is a row of a table without its condition.
type line struct{ into, name, from, to, protocol, ports, reason string }

func lineOf(c plan.Defaulted, into string, f plan.Flow) line {
	words := func(ranges []string) string {
		var texts []string
		for _, r := range ranges {
			texts = append(texts, named(c, r))
		}
		return strings.Join(texts, ", ")
	}
	protocol := map[string]string{"Tcp": "TCP", "Udp": "UDP", "*": "any"}[f.Protocol]
	ports, name := f.Ports, f.Name
	switch ports {
	case "*":
		ports = "any"
	case "30080":
		ports, name = "the port's `nodePort`", strings.Replace(name, "80", "PORT", 1)
	}
	return line{into, name, words(f.From), words(f.To), protocol, ports, f.Reason}
}

// condition states in which situations the document has a line. The choices must be independent of
// each other, or the test fails.
func condition(t *testing.T, in []situation) string {
	t.Helper()
	kinds, counts, servers := map[network.Kind]bool{}, map[int]bool{}, map[string]bool{}
	ports, services, windows := map[bool]bool{}, map[bool]bool{}, map[bool]bool{}
	for _, s := range in {
		kinds[s.kind], counts[s.count], servers[s.server] = true, true, true
		ports[s.nodePorts], services[s.services], windows[s.windows] = true, true, true
	}
	if len(in) != len(kinds)*len(counts)*len(servers)*len(ports)*len(services)*len(windows) {
		t.Errorf("no condition describes when the document has a line: %v", in)
	}
	var texts []string
	if len(kinds) < len(inAzure) {
		var names []string
		for _, k := range inAzure {
			if kinds[k] {
				names = append(names, "`"+string(k)+"`")
			}
		}
		texts = append(texts, strings.Join(names, ", "))
	}
	if len(counts) < 2 {
		texts = append(texts,
			map[bool]string{
				true:  "more than one machine of the control plane",
				false: "one machine of the control plane",
			}[counts[3]])
	}
	if len(servers) < 4 {
		texts = append(texts, map[string]string{
			"public":                "`apiServer` is not private, and has no ranges",
			"private ranges,ranges": "`apiServer` has ranges",
		}[strings.Join(slices.Sorted(maps.Keys(servers)), ",")])
	}
	if len(ports) < 2 {
		texts = append(texts, "there are `nodePortSources`")
	}
	if len(windows) < 2 {
		texts = append(texts, "there are Windows pools")
	}
	if len(services) < 2 {
		texts = append(texts, "there are `servicePorts`")
	}
	return strings.Join(texts, "; ")
}

// TestGeneratedFlows writes FLOWS.md with -update.
func TestGeneratedFlows(t *testing.T) {
	t.Parallel()
	in := map[line][]situation{}
	for s, c := range situations() {
		controlPlane, nodes := c.Flows()
		for _, f := range controlPlane {
			l := lineOf(c, "control plane", f)
			in[l] = append(in[l], s)
		}
		for _, f := range nodes {
			l := lineOf(c, "nodes", f)
			in[l] = append(in[l], s)
		}
	}
	// In the order of the rules of the largest cluster, followed by those of the others.
	order := []string{
		"api-server", "api-server-probe", "api-server-clients", "etcd", "kubelet", "windows-exporter",
		"pods", "node-ports", "service-probes", "service-PORT",
	}
	position := func(l line) string {
		at := slices.Index(order, l.name)
		if at < 0 {
			at = slices.Index(order, "pods")
		}
		return fmt.Sprintf("%02d %s %s %s", at, l.name, l.from, l.reason)
	}
	var b strings.Builder
	b.WriteString(introduction)
	for _, into := range []string{"control plane", "nodes"} {
		fmt.Fprintf(
			&b, "\n## Into the machines of the %s\n\n| Rule | From | To | Protocol | Ports | What for | Where "+
				"|\n|---|---|---|---|---|---|---|\n", into,
		)
		lines := slices.SortedFunc(maps.Keys(in),
			func(a, b line) int { return strings.Compare(position(a), position(b)) })
		for _, l := range lines {
			if l.into == into {
				fmt.Fprintf(&b, "| %s | %s | %s | %s | %s | %s | %s |\n", l.name, l.from, l.to, l.protocol, l.ports,
					l.reason, condition(t, in[l]))
			}
		}
	}
	b.WriteString(outgoing)
	for _, d := range (plan.Cluster{}).WithDefaults().Network.BlockedEgress {
		b.WriteString(blockedLine(d))
	}
	golden.Equal(t, "FLOWS.md", b.String())
}

// prefixesOf returns the texts of one or several prefixes.
func prefixesOf(rule map[string]any, name string) []string {
	if one, ok := rule[name+"Prefix"].(string); ok {
		return []string{one}
	}
	var texts []string
	list, _ := rule[name+"Prefixes"].([]any)
	for _, v := range list {
		texts = append(texts, v.(string))
	}
	return texts
}

// The security groups let in exactly the flows, and a last rule denies everything else.
func TestSecurityGroupsAllowTheFlows(t *testing.T) {
	t.Parallel()
	for name, args := range map[string]*kubeadm.ClusterArgs{
		"small": small(nil), "full": full(), "Antrea": kind(network.Antrea), "Calico": kind(network.CalicoVXLAN),
		"host-gateway": kind(network.HostGateway),
		"public with ranges": small(func(a *kubeadm.ClusterArgs) {
			a.APIServer.AuthorizedIPRanges = pulumi.ToStringArray([]string{"203.0.113.0/24", "198.51.100.7"})
			a.NodePortSources = pulumi.ToStringArray([]string{"198.51.100.0/24"})
		}),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			graph := made(t, args)
			controlPlane, nodes := description(args).Flows()
			for group, flows := range map[string][]plan.Flow{
				"shop-control-plane-security": controlPlane,
				"shop-nodes-security":         nodes,
			} {
				rules := graph.MustGet(t, groupType, group).Plain()["securityRules"].([]any)
				var got []plan.Flow
				priorities, names := map[int]bool{}, map[string]bool{}
				highest := 0
				for i, r := range rules {
					rule := r.(map[string]any)
					priority := rule["priority"].(int)
					if priorities[priority] || names[rule["name"].(string)] || priority < 100 || priority > 4096 {
						t.Errorf("rule %v of %s has the priority %d", rule["name"], group, priority)
					}
					priorities[priority], names[rule["name"].(string)] = true, true
					equal(t, "direction and source ports", []any{"Inbound", "*"},
						[]any{rule["direction"], rule["sourcePortRange"]})
					if i == len(rules)-1 {
						if priority <= highest {
							t.Errorf("what denies the rest of %s is not last", group)
						}
						equal(t, "the last rule", []any{"Deny", "*", "*", []string{"*"}, []string{"*"}}, []any{
							rule["access"], rule["protocol"], rule["destinationPortRange"],
							prefixesOf(rule, "sourceAddress"), prefixesOf(rule, "destinationAddress"),
						})
						continue
					}
					highest = max(highest, priority)
					equal(t, "access", any("Allow"), rule["access"])
					got = append(got, plan.Flow{
						Name: rule["name"].(string), From: prefixesOf(rule, "sourceAddress"),
						To:       prefixesOf(rule, "destinationAddress"),
						Protocol: rule["protocol"].(string), Ports: rule["destinationPortRange"].(string),
						Reason: rule["description"].(string),
					})
				}
				equal(t, group, flows, got)
			}
			for subnet, group := range map[string]string{
				"shop-control-plane": "shop-control-plane-security",
				"shop-nodes":         "shop-nodes-security",
			} {
				id := at(t, graph.MustGet(t, "azure-native:network:Subnet", subnet).Plain(), "networkSecurityGroup",
					"id").(string)
				if name := graph.MustGet(t, groupType,
					group).Plain()["networkSecurityGroupName"].(string); !strings.HasSuffix(id, "/"+name) {
					t.Errorf("%s has the group %s", subnet, id)
				}
			}
		})
	}
}
