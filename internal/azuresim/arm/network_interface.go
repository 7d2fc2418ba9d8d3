package arm

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

const nicConfigurations = "ipConfigurations"

func (r *request) putNIC(body Body) (*resource, error) {
	if err := r.placed(body); err != nil {
		return nil, err
	}
	if err := r.takeParts(body, nicConfigurations); err != nil {
		return nil, err
	}
	if err := r.checkConfigurations(parts(body, nicConfigurations)); err != nil {
		return nil, err
	}
	if err := r.takeLinks(body); err != nil {
		return nil, err
	}
	if err := r.checkBackends(body); err != nil {
		return nil, err
	}
	for _, part := range parts(body, nicConfigurations) {
		defaultAt(part, "properties.privateIPAddressVersion", "IPv4")
	}
	if err := r.giveAddresses(body, nicConfigurations); err != nil {
		return nil, err
	}
	nicDefaults(body)
	return r.putNetworking(body), nil
}

func nicDefaults(body Body) {
	defaultAt(body, "properties.dnsSettings.dnsServers", []any{})
	defaultAt(body, "properties.enableAcceleratedNetworking", false)
	defaultAt(body, "properties.enableIPForwarding", false)
	defaultAt(body, "properties.disableTcpStateTracking", false)
	defaultAt(body, "properties.nicType", "Standard")
	defaultAt(body, "properties.auxiliaryMode", "None")
	defaultAt(body, "properties.auxiliarySku", "None")
}

// checkConfigurations checks the rules for the IP configurations together.
func (r *request) checkConfigurations(configurations []Body) error {
	if len(configurations) == 0 {
		return refused("NetworkInterfaceMustHaveIpConfigurationOrAttachedElasticNetworkInterface", "",
			"Network interface %s must have at least one IP configuration or an attached elastic network interface.",
			r.id.text)
	}
	if len(configurations) == 1 {
		defaultAt(configurations[0], "properties.primary", true)
	}
	primary, networks := 0, map[string]bool{}
	for _, part := range configurations {
		id := partID(r.id.text, nicConfigurations, part)
		subnet := textAt(part, "properties.subnet.id")
		if subnet == "" {
			return refused("SubnetIsRequired", "", "Subnet reference is required for ipconfiguration %s.", id)
		}
		networks[networkOf(subnet)] = true
		defaultAt(part, "properties.primary", false)
		if at(part, "properties.primary") == true {
			primary++
		}
		if textAt(part, "properties.privateIPAllocationMethod") == "Static" &&
			textAt(part, "properties.privateIPAddress") == "" && r.hadAddress(nicConfigurations, part) == "" {
			return refused("StaticPrivateIPAddressRequired", "",
				"The IP configuration %s has the allocation method Static and no private IP address.", id)
		}
	}
	if primary != 1 {
		return refused("NetworkInterfaceMustHaveOnePrimaryIpConfiguration", "",
			"Network interface %s must have exactly one primary IP configuration. It has %d.", r.id.text, primary)
	}
	if len(networks) > 1 {
		return refused("SubnetsNotInSameVnet", "",
			"The subnets of the IP configurations of network interface %s are not in the same virtual network.",
			r.id.text)
	}
	return nil
}

// checkBackends checks the rules for a network interface that is behind load balancers.
func (r *request) checkBackends(body Body) error {
	internal := map[string]string{}
	for _, part := range parts(body, nicConfigurations) {
		for _, pool := range idsAt(part, "properties.loadBalancerBackendAddressPools") {
			if err := r.checkBackend(body, part, pool); err != nil {
				return err
			}
			if balancer := ownerOf(pool); len(internalFrontends(r.state.get(balancer))) > 0 {
				internal[keyOf(balancer)] = balancer
			}
		}
	}
	if len(internal) > 1 {
		ids := slices.Sorted(maps.Values(internal))
		return refused("AnotherInternalLoadBalancerExists", "",
			"Network interface %s uses more than one internal load balancer: %s, %s.", r.id.text, ids[0], ids[1])
	}
	return nil
}

func (r *request) checkBackend(body, part Body, pool string) error {
	balancer, id := r.state.get(ownerOf(pool)), partID(r.id.text, nicConfigurations, part)
	for _, frontend := range internalFrontends(balancer) {
		if networkOf(frontend.subnet) != networkOf(textAt(part, "properties.subnet.id")) {
			return refused("NetworkInterfaceAndInternalLoadBalancerMustUseSameVnet", "",
				"Network interface %s and internal load balancer %s must use the same virtual network.", r.id.text,
				balancer.ID)
		}
	}
	if !hasOutboundRule(balancer.Body, pool) {
		return nil
	}
	if at(part, "properties.primary") != true {
		return refused("OutboundRuleCannotBeUsedWithBackendAddressPoolThatIsReferencedBySecondaryIpConfigs", "",
			"The backend address pool %s has an outbound rule and cannot be used by the secondary IP configuration %s.",
			pool, id)
	}
	for _, other := range parts(body, nicConfigurations) {
		if at(other, "properties.publicIPAddress") != nil {
			return refused("NicWithPublicIpCannotReferencePoolWithOutboundRule", "",
				"Network interface %s has a public IP address and cannot use the backend address pool %s, which has "+
					"an outbound rule.", r.id.text, pool)
		}
	}
	return nil
}

func (r *request) removeNIC(found *resource) error {
	if vm := r.state.machineUsing(found.ID); vm != nil {
		return nicInUse(found, vm)
	}
	return r.checkReserved(found.ID, "")
}

func nicInUse(nic, vm *resource) *Error {
	return refused("NicInUse", "",
		"Network Interface %s is used by existing resource %s. In order to delete the network interface, it must be "+
			"dissociated from the resource. To learn more, see aka.ms/deletenic.", nic.ID, vm.ID)
}

// viewNIC adds the machine that uses the network interface. Without a machine it has no MAC address.
func viewNIC(s *state, nic *resource, body Body) {
	viewEtag(s, nic, body)
	viewParts(nic, body, nicConfigurations)
	setAt(body, "properties.dnsSettings.appliedDnsServers", []any{})
	setAt(body, "properties.dnsSettings.internalDomainNameSuffix", s.domainOf(nic))
	setAt(body, "properties.hostedWorkloads", []any{})
	setAt(body, "properties.tapConfigurations", []any{})
	setAt(body, "properties.vnetEncryptionSupported", false)
	vm := s.machineUsing(nic.ID)
	if vm == nil {
		return
	}
	setAt(body, "properties.virtualMachine", Body{"id": vm.ID})
	setAt(body, "properties.primary", s.primaryInterface(vm) == nic)
	sum := uuidOf("mac", keyOf(nic.ID), nic.Created)
	setAt(body, "properties.macAddress", fmt.Sprintf("00-0D-3A-%s-%s-%s", sum[0:2], sum[2:4], sum[4:6]))
}

// domainOf returns the domain that Azure generates for the machines of a network.
func (s *state) domainOf(nic *resource) string {
	network := networkOf(textAt(parts(nic.Body, nicConfigurations)[0], "properties.subnet.id"))
	return strings.ReplaceAll(uuidOf("domain", network), "-", "")[:26] + ".ax.internal.cloudapp.net"
}
