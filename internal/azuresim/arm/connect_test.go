package arm

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/internal/azuresim/machine/machinetest"
)

const noWayOut = "one cannot download anything: the network interface nic has no way to the internet: no NAT " +
	"gateway, no public address and no outbound rule of a load balancer (the simulated Azure has no default outbound " +
	"access)"

// wayOut returns the subnet of the machines with more than its NAT gateway.
func wayOut(change map[string]any) []any {
	all := map[string]any{"natGateway": ref(natID)}
	maps.Copy(all, change)
	return withSubnet(all)
}

// guarded returns a security group with rules for the subnet of the machines.
func guarded(rules ...any) []any {
	return with([]any{groupNSGID, groupBody(rules...)}, wayOut(map[string]any{"networkSecurityGroup": ref(groupNSGID)}))
}

// behind returns an internal load balancer, 10.1.0.6, with one of the network interfaces.
func behind(nic string) []any {
	return []any{
		balancerID, balancerBody(nil), nic,
		nicBody(map[string]any{"loadBalancerBackendAddressPools": refs(poolID)}),
	}
}

// booting returns a machine that runs kubeadm for a cluster with an endpoint.
func booting(name, nic, verb, configuration, endpoint string) Body {
	configuration = strings.ReplaceAll(configuration, "10.1.0.4:6443", endpoint)
	return onNIC(nic, name,
		linuxMachine(map[string]any{"properties.osProfile.customData": bootData(verb, configuration)}))
}

func TestMachinesWithoutOutboundAccess(t *testing.T) {
	t.Parallel()
	for name, before := range map[string][]any{
		"no NAT gateway":                   withSubnet(nil),
		"a NAT gateway without an address": with([]any{natID, natBody()}, wayOut(nil)),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			n := &nodes{}
			cloud := machineRoom(t, n.options())
			putAll(t, cloud, before...)
			mustPut(t, cloud, vmID, waiting("init"))
			mustPut(t, cloud, otherVMID, onNIC(nic2ID, "two", prepared()))
			script := linuxScript(machinetest.LinuxConfiguration(initText))
			_, err := cloud.Put(t.Context(), extensionID, script)
			wantError(t, err, linuxFailure(noWayOut))
			// The extension of Windows has reported success by then.
			mustPut(t, cloud, otherVMID+"/extensions/boot", windowsCommand(joinsOnWindows("two", "10.1.0.5")))
			why := strings.NewReplacer("one cannot", "two cannot", "interface nic ",
				"interface nic2 ").Replace(noWayOut)
			if status := mustMachines(t, cloud); status[0].NotJoined != noWayOut || status[1].NotJoined != why ||
				n.names() != "" {
				t.Errorf("joined %q: %+v", n.names(), status)
			}
			// The next attempt succeeds.
			putAll(t, cloud, natID, natBody(natAddressID))
			putAll(t, cloud, wayOut(nil)...)
			mustPut(t, cloud, extensionID, script)
			mustPut(t, cloud, otherVMID, onNIC(nic2ID, "two", prepared()))
			if n.names() != "one two" {
				t.Errorf("joined %q", n.names())
			}
		})
	}
}

// The control plane is the machine one, 10.1.0.4, and two, 10.1.0.5, joins.
func TestTheWayToTheAPIServer(t *testing.T) {
	t.Parallel()
	const (
		own      = "10.1.0.4:6443"
		balanced = "10.1.0.6:6443"
		from     = "TCP from 10.1.0.5 to "
		not      = "two does not reach the API server: "
		nobody   = "no API server answers at "
		refused  = ": connection refused"
	)
	deny := func(direction, from string) []any {
		return guarded(rule("no-api", 100,
			map[string]any{
				"direction": direction, "access": "Deny", "destinationPortRange": "6443",
				"sourceAddressPrefix": from,
			}))
	}
	const denied = "the network security group nodes denies " + from + own + ": rule no-api (priority 100)"
	for name, c := range map[string]struct {
		before   []any
		endpoint string
		want     string
		// external is true if no machine of this cloud is the control plane.
		external bool
	}{
		"the machine itself":                   {nil, own, "", false},
		"the machine itself, a denied way in":  {deny("Inbound", "*"), own, not + denied, false},
		"the machine itself, a denied way out": {deny("Outbound", "*"), own, not + denied, false},
		"a load balancer":                      {behind(nicID), balanced, "", false},
		"a load balancer, a denied way in": {
			with(behind(nicID), deny("Inbound", "10.1.0.5")), balanced,
			not + denied, false,
		},
		"a load balancer, a denied probe": {
			with(behind(nicID), deny("Inbound", "AzureLoadBalancer")), balanced,
			not + "the probe probe fails: the network security group nodes denies TCP from 168.63.129.16 to " +
				"10.1.0.4:6443: rule no-api (priority 100)", false,
		},
		"a load balancer, another port": {
			behind(nicID), "10.1.0.6:443",
			not + from + "10.1.0.6:443 is dropped: the load balancer lb has no rule for that port", false,
		},
		"a load balancer without members": {
			[]any{balancerID, balancerBody(nil)},
			balanced,
			not + from + balanced + " is dropped: no network interface is behind the load balancer lb", false,
		},
		"a load balancer without machines": {behind(nicID + "3"), balanced, nobody + balanced + refused, false},
		"an unused address": {
			nil, "10.1.0.9:6443",
			not + from + "10.1.0.9:6443 is dropped: nothing in the virtual network net has that address", false,
		},
		"an address of its own": {nil, "10.1.0.5:6443", nobody + "10.1.0.5:6443" + refused, false},
		"another network": {
			nil, "10.9.0.4:6443",
			not + from + "10.9.0.4:6443 is dropped: the route for 10.0.0.0/8 that Azure has by itself has the next " +
				"hop None", false,
		},
		"external": {nil, "198.51.100.9:6443", "", true},
		"external, a denied way out": {
			deny("Outbound", "*"), "198.51.100.9:6443",
			not + "the network security group nodes denies " + from + "198.51.100.9:6443: rule no-api (priority 100)",
			true,
		},
		"a name":                       {nil, "api.example.com:6443", "", true},
		"a name, and a denied way out": {deny("Outbound", "*"), "api.example.com:6443", "", true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			n := &nodes{}
			cloud := machineRoom(t, n.options())
			putAll(t, cloud, c.before...)
			if !c.external {
				// A machine that creates a cluster does not need a route to its endpoint: it is the endpoint.
				mustPut(t, cloud, vmID, booting("one", nicID, "init", initText, c.endpoint))
			}
			mustPut(t, cloud, otherVMID, booting("two", nic2ID, "join", joinText("two", "10.1.0.5", ""), c.endpoint))
			list := mustMachines(t, cloud)
			if !c.external && list[0].Node != "one" {
				t.Errorf("the control plane is %+v", list[0])
			}
			if diff := cmp.Diff(c.want, list[len(list)-1].NotJoined); diff != "" {
				t.Fatalf("another reason (-want +got):\n%s", diff)
			}
			if c.want != "" {
				return
			}
			if last := n.joins[len(n.joins)-1]; last.Bootstrap.NodeName != "two" ||
				(last.ControlPlane == nil) != c.external {
				t.Errorf("joined %+v", last)
			}
		})
	}
}

// At least one machine behind a load balancer has to be an API server.
func TestBackendsOfTheLoadBalancer(t *testing.T) {
	t.Parallel()
	const refused = "no API server answers at 10.1.0.6:6443: connection refused"
	cloud := machineRoom(t, Options{})
	putAll(t, cloud, behind(nicID)...)
	third := func() Status {
		mustPut(t, cloud, computeID+"virtualMachines/three",
			booting("three", nicID+"3", "join", joinText("three", "10.1.0.7", ""), "10.1.0.6:6443"))
		list := mustMachines(t, cloud)
		return list[slices.IndexFunc(list, func(s Status) bool { return s.Machine.ComputerName == "three" })]
	}
	mustPut(t, cloud, nicID+"3", nicBody(nil))
	// A worker is not an API server, and neither is a machine that has not joined.
	mustPut(t, cloud, vmID, booting("one", nicID, "join", joinText("one", "10.1.0.4", ""), "api.example.com:6443"))
	if got := third().NotJoined; got != refused {
		t.Errorf("a worker: %s", got)
	}
	mustDelete(t, cloud, vmID)
	mustPut(t, cloud, vmID, linuxMachine(nil))
	if got := third().NotJoined; got != refused {
		t.Errorf("one that did not join: %s", got)
	}
	mustPut(t, cloud, nic2ID, nicBody(map[string]any{"loadBalancerBackendAddressPools": refs(poolID)}))
	mustPut(t, cloud, otherVMID,
		booting("two", nic2ID, "init", strings.ReplaceAll(initText, "name: one", "name: two"), "10.1.0.6:6443"))
	if got := third(); got.Node != "three" || got.NotJoined != "" {
		t.Errorf("one of two: %+v", got)
	}
}

// A machine is cut off if its network interface was deleted with another resource group.
func TestMachinesWithoutTheirInterface(t *testing.T) {
	t.Parallel()
	cloud := machineRoom(t, Options{})
	const otherGroup = groupID + "2"
	other := strings.Replace(nicID, groupID, otherGroup, 1)
	putAll(t, cloud, otherGroup, Body{"location": "westeurope"}, other, nicBody(nil), vmID,
		onNIC(other, "one", waiting("init")))
	mustDelete(t, cloud, otherGroup)
	_, err := cloud.Put(t.Context(), extensionID, linuxScript(machinetest.LinuxConfiguration(initText)))
	wantError(t, err, linuxFailure("the network interface of one no longer exists"))
}
