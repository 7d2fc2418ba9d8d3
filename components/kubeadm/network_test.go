package kubeadm_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/mixedkube/mixedkube/components/kubeadm"
	"github.com/mixedkube/mixedkube/components/kubeadm/kubeadmtest"
	"github.com/mixedkube/mixedkube/components/mocktest"
	"github.com/mixedkube/mixedkube/machines/bootstrap/network"
)

// inAzure are the kinds of networks that work in Azure.
var inAzure = []network.Kind{
	network.UpstreamL3, network.HostGateway, network.FlannelVXLAN, network.CalicoVXLAN,
	network.Antrea,
}

// Azure forwards packets to pods as the route table states, and only to machines that forward. The
// range of a machine is the range that bootstrap gives its node.
func TestEachMachineHasARouteWhereTheNetworkIsRouted(t *testing.T) {
	t.Parallel()
	for _, k := range inAzure {
		t.Run(string(k), func(t *testing.T) {
			t.Parallel()
			args := kind(k)
			graph := made(t, args)
			// By the machines' names in Azure.
			addresses := map[string]string{}
			for _, nic := range graph.ByType(interfaceType) {
				in := nic.Plain()
				equal(t, nic.String()+" forwards", any(k.Planned()), in["enableIPForwarding"])
				address := at(t, azureOutputs(nic), "ipConfigurations", 0, "privateIPAddress").(string)
				addresses[strings.TrimPrefix(in["networkInterfaceName"].(string), "shop-")] = address
			}
			var want []string
			if k.Planned() {
				for name, address := range addresses {
					// Machine n of 10.240.0.0/24 has range n of 10.244.0.0/16.
					want = append(want, fmt.Sprintf("%s: 10.244.%s.0/24 > %s", name,
						address[strings.LastIndex(address, ".")+1:], address))
				}
			}
			var got []string
			for _, route := range graph.ByType(routeType) {
				in := route.Plain()
				equal(t, route.String(), []any{"shop-pods", "VirtualAppliance"},
					[]any{in["routeTableName"], in["nextHopType"]})
				got = append(got, fmt.Sprintf("%s: %s > %s", in["routeName"], in["addressPrefix"],
					in["nextHopIpAddress"]))
			}
			slices.Sort(want)
			slices.Sort(got)
			equal(t, "routes", want, got)
			for _, subnet := range graph.ByType("azure-native:network:Subnet") {
				_, routed := subnet.Plain()["routeTable"]
				equal(t, subnet.String()+" has routes", k.Planned(), routed)
			}
		})
	}
}

// azureOutputs returns the stand-ins for the outputs of Azure.
func azureOutputs(r mocktest.Resource) map[string]any {
	return mocktest.Plain(kubeadmtest.Outputs()(r))
}

// A route has the same range as the machine's own files.
func TestRoutesLeadToTheRangesOfTheNodes(t *testing.T) {
	t.Parallel()
	graph := made(t, kind(network.UpstreamL3))
	for _, route := range graph.ByType(routeType) {
		in := route.Plain()
		vm := graph.MustGet(t, machineType, strings.TrimSuffix(route.Name, "-route"))
		pods := strings.TrimSuffix(in["addressPrefix"].(string), "/24")
		data := unfolded(customData(t, vm))
		if !strings.Contains(data, pods) {
			t.Errorf("%s does not know its pods' range %s", vm, pods)
		}
	}
}

// A machine joins only after its route exists, which leads back to its pods.
func TestAMachineJoinsAfterItsRoute(t *testing.T) {
	t.Parallel()
	graph := made(t, kind(network.UpstreamL3))
	for _, extension := range graph.ByType(extensionType) {
		route := graph.MustGet(t, routeType, strings.TrimSuffix(extension.Name, "-bootstrap")+"-route")
		if !slices.Contains(extension.Dependencies, route.URN) {
			t.Errorf("%s does not wait for %s", extension, route)
		}
	}
}

// Only the agents that the network needs are installed, and those for Windows only if there are
// Windows pools.
func TestAgentsInstalledInTheCluster(t *testing.T) {
	t.Parallel()
	const flannel, proxy = "shop-flannel", "shop-kube-proxy"
	for k, want := range map[network.Kind][]string{
		network.UpstreamL3: {proxy}, network.HostGateway: {proxy}, network.FlannelVXLAN: {flannel, proxy},
		network.CalicoVXLAN: {proxy}, network.Antrea: nil,
	} {
		for name, change := range map[string]func(*kubeadm.ClusterArgs){
			"with Windows": nil,
			"without Windows": func(a *kubeadm.ClusterArgs) {
				a.Pools, a.WindowsAdmin = a.Pools[:1], kubeadm.WindowsAdmin{}
			},
		} {
			t.Run(string(k)+" "+name, func(t *testing.T) {
				t.Parallel()
				args := kind(k)
				want := want
				if change != nil {
					change(args)
					want = slices.DeleteFunc(slices.Clone(want), func(s string) bool { return s == proxy })
				}
				graph := made(t, args)
				var yours []string
				if k.UserInstalled() != "" {
					yours = []string{"info: the network " + string(k) + " is not installed: install " +
						k.UserInstalled() + " with NetworkProvider, or with kubectl; no node becomes Ready before"}
				}
				equal(t, "messages", yours, messages(graph))
				var got []string
				provider := graph.MustGet(t, providerType, "shop-network")
				for _, r := range graph.Resources() {
					if strings.HasPrefix(r.Type, "mixedkube:hostprocess:") {
						got = append(got, r.Name)
						for _, child := range graph.Children(r.URN) {
							equal(t, "provider of "+child.String(), provider.URN, child.Provider)
						}
					}
				}
				if len(want) == 0 {
					want = nil
				}
				equal(t, "components", want, got)
			})
		}
	}
}

// The nodes and clients outside the cluster reach every API server.
func TestTheControlPlaneIsBehindItsLoadBalancers(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		private bool
		want    []string
	}{
		"public": {false, []string{"internal", "public"}}, "private": {true, []string{"internal"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			args := kind(network.FlannelVXLAN)
			args.APIServer.Private = tt.private
			graph := made(t, args)
			var balancers, addresses, backends []string
			for _, b := range tt.want {
				balancers = append(balancers, "shop-"+b)
				backends = append(backends,
					"/subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups/shop-rg1a2b3c4d/"+
						"providers/Microsoft.Network/loadBalancers/shop-"+b+
						"/backendAddressPools/api-server")
			}
			equal(t, "load balancers", balancers, names(graph, balancerType))
			addresses = []string{"shop-api-server-address", "shop-outbound-address"}
			if tt.private {
				addresses = addresses[1:]
			}
			equal(t, "public addresses", addresses, names(graph, "azure-native:network:PublicIPAddress"))
			for _, nic := range graph.ByType(interfaceType) {
				var got []string
				pools, _ := at(t, nic.Plain(), "ipConfigurations", 0, "loadBalancerBackendAddressPools").([]any)
				for _, pool := range pools {
					got = append(got, pool.(map[string]any)["id"].(string))
				}
				want := backends
				if !strings.HasPrefix(nic.Name, "shop-control-plane-") {
					want = nil
				}
				equal(t, "backends of "+nic.String(), want, got)
			}
			internal := graph.MustGet(t, balancerType, "shop-internal").Plain()
			equal(t, "address", any("10.240.0.4"), at(t, internal, "frontendIPConfigurations", 0, "privateIPAddress"))
			// A load balancer refers to its own parts by its name.
			for _, balancer := range graph.ByType(balancerType) {
				id := "/loadBalancers/" + balancer.Name + "/"
				for _, part := range []string{"frontendIPConfiguration", "backendAddressPool", "probe"} {
					if got := at(t, balancer.Plain(), "loadBalancingRules", 0, part,
						"id").(string); !strings.Contains(got, id) {
						t.Errorf("the %s of %s is %s", part, balancer, got)
					}
				}
			}
		})
	}
}

// Clients reach Services at a public address, on all nodes of the pools and on no machine of the
// control plane.
func TestThePoolsAreBehindALoadBalancer(t *testing.T) {
	t.Parallel()
	graph := made(t, small(func(a *kubeadm.ClusterArgs) {
		a.ServicePorts = []kubeadm.ServicePort{{Port: 80, NodePort: 30080}, {Port: 443, NodePort: 30443}}
	}))
	equal(t, "load balancers", []string{"shop-internal", "shop-public", "shop-services"}, names(graph, balancerType))
	const id = "/subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups/shop-rg1a2b3c4d/" +
		"providers/Microsoft.Network/loadBalancers/shop-services"
	for _, nic := range graph.ByType(interfaceType) {
		pools, _ := at(t, nic.Plain(), "ipConfigurations", 0, "loadBalancerBackendAddressPools").([]any)
		behind := slices.ContainsFunc(pools,
			func(p any) bool { return p.(map[string]any)["id"] == id+"/backendAddressPools/services" })
		equal(t, nic.String()+" is behind it", !strings.HasPrefix(nic.Name, "shop-control-plane-"), behind)
	}
	balancer := graph.MustGet(t, balancerType, "shop-services").Plain()
	address := graph.MustGet(t, "azure-native:network:PublicIPAddress", "shop-services-address")
	equal(t, "address", azureOutputs(address)["id"],
		at(t, balancer, "frontendIPConfigurations", 0, "publicIPAddress", "id"))
	for i, want := range []struct {
		name       string
		port, node int
	}{{"service-80", 80, 30080}, {"service-443", 443, 30443}} {
		rule, probe := at(t, balancer, "loadBalancingRules", i).(map[string]any),
			at(t, balancer, "probes", i).(map[string]any)
		equal(t, "rule", []any{want.name, "Tcp", want.port, want.node},
			[]any{rule["name"], rule["protocol"], rule["frontendPort"], rule["backendPort"]})
		equal(t, "parts", []any{
			id + "/frontendIPConfigurations/services", id + "/backendAddressPools/services",
			id + "/probes/" + want.name,
		}, []any{
			at(t, rule, "frontendIPConfiguration", "id"), at(t, rule, "backendAddressPool", "id"),
			at(t, rule, "probe", "id"),
		})
		equal(t, "probe", []any{want.name, "Tcp", want.node}, []any{probe["name"], probe["protocol"], probe["port"]})
	}
}

// Even with the maximum number of ports all rules have priorities that Azure accepts, before the
// rule that denies everything else.
func TestThePrioritiesOfTheMostServicePorts(t *testing.T) {
	t.Parallel()
	const most = 250
	graph := made(t, small(func(a *kubeadm.ClusterArgs) {
		for i := range most {
			a.ServicePorts = append(a.ServicePorts, kubeadm.ServicePort{Port: 1000 + i, NodePort: 30000 + i})
		}
	}))
	group := graph.MustGet(t, "azure-native:network:NetworkSecurityGroup", "shop-nodes-security").Plain()
	seen := map[any]bool{}
	for i, rule := range group["securityRules"].([]any) {
		priority := at(t, rule, "priority")
		if n, ok := priority.(int); !ok || n < 100 || n > 4096 || seen[priority] {
			t.Errorf("rule %d has the priority %v", i, priority)
		}
		seen[priority] = true
	}
	if len(seen) <= most {
		t.Errorf("there are %d rules for %d ports", len(seen), most)
	}
}

// Without ports there is neither a load balancer nor an address.
func TestNoLoadBalancerWithoutServicePorts(t *testing.T) {
	t.Parallel()
	for ports, want := range map[int]string{0: "", 1: kubeadmtest.PublicAddress} {
		args := small(func(a *kubeadm.ClusterArgs) {
			a.ServicePorts = []kubeadm.ServicePort{{Port: 80, NodePort: 30080}}[:ports]
		})
		cluster := made(t, args).MustGet(t, "mixedkube:kubeadm:Cluster", "shop")
		equal(t, "address", any(want), mocktest.Plain(cluster.Outputs)["serviceAddress"])
	}
}

// A preview knows the addresses of the control plane, and its files contain them.
func TestTheControlPlaneHasItsAddressesFromTheProgram(t *testing.T) {
	t.Parallel()
	graph := mocktest.MustRun(t, newCluster(kind(network.FlannelVXLAN)), mocktest.Preview(), azure())
	for i := range 3 {
		nic := graph.MustGet(t, interfaceType, fmt.Sprintf("shop-control-plane-%d-interface", i)).Plain()
		ip := at(t, nic, "ipConfigurations", 0).(map[string]any)
		equal(t, "address", []any{"Static", fmt.Sprintf("10.240.0.%d", 5+i)},
			[]any{ip["privateIPAllocationMethod"], ip["privateIPAddress"]})
	}
	for _, nic := range graph.ByType(interfaceType) {
		if strings.HasPrefix(nic.Name, "shop-control-plane-") {
			continue
		}
		ip := at(t, nic.Plain(), "ipConfigurations", 0).(map[string]any)
		equal(t, nic.String(), []any{"Dynamic", nil}, []any{ip["privateIPAllocationMethod"], ip["privateIPAddress"]})
	}
}
