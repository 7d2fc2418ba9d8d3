package arm

import (
	"slices"
	"strings"
)

const (
	frontends      = "frontendIPConfigurations"
	backendPools   = "backendAddressPools"
	balancingRules = "loadBalancingRules"
	probes         = "probes"
	outboundRules  = "outboundRules"
	natRules       = "inboundNatRules"
	natPools       = "inboundNatPools"
)

// balancerLists are the lists of parts of a load balancer.
var balancerLists = []string{frontends, backendPools, balancingRules, probes, outboundRules, natRules, natPools}

func (r *request) putLoadBalancer(body Body) (*resource, error) {
	if err := r.placed(body); err != nil {
		return nil, err
	}
	defaultAt(body, "sku.name", "Basic")
	defaultAt(body, "sku.tier", "Regional")
	if err := checkBalancerSKU(textAt(body, "sku.name"), textAt(body, "sku.tier")); err != nil {
		return nil, err
	}
	for _, list := range balancerLists {
		if err := r.takeParts(body, list); err != nil {
			return nil, err
		}
	}
	for _, check := range []func(Body) error{
		r.checkFrontends, r.takeLinks, r.checkFrontendAddresses, r.checkProbes, r.checkBalancingRules,
		r.checkOutboundRules, r.checkNatRules,
	} {
		if err := check(body); err != nil {
			return nil, err
		}
	}
	if err := r.giveAddresses(body, frontends); err != nil {
		return nil, err
	}
	balancer := r.putNetworking(body)
	r.forgetBackends()
	return balancer, r.checkMembers(balancer)
}

// checkBalancerSKU refuses SKUs that can no longer be created: Basic load balancers were retired on 30 September 2025.
func checkBalancerSKU(name, tier string) error {
	switch {
	case name == "Basic":
		return notAllowed("Basic SKU load balancers were retired on September 30, 2025 and cannot be created. Use " +
			"the Standard SKU. See https://aka.ms/basiclbretirement.")
	case name != "Standard" || tier != "Regional":
		return notAllowed("The simulated Azure has no load balancers of the SKU %s and the tier %s.", name, tier)
	}
	return nil
}

func (r *request) checkFrontends(body Body) error {
	list := parts(body, frontends)
	if len(list) == 0 {
		for _, other := range balancerLists {
			if len(parts(body, other)) > 0 {
				return refused("LoadBalancerWithoutFrontendIPCantHaveChildResources", "",
					"Load balancer %s has no frontend IP configurations and cannot have child resources.", r.id.text)
			}
		}
	}
	networks := map[string]bool{}
	for _, part := range list {
		id, subnet := partID(r.id.text, frontends, part), textAt(part, "properties.subnet.id")
		public := at(part, "properties.publicIPAddress") != nil || at(part, "properties.publicIPPrefix") != nil
		switch {
		case subnet == "" && !public:
			return refused("FrontendIPConfigurationHasNoSubnetOrPublicIPAddressOrPublicIPPrefix", "",
				"Frontend IP configuration %s must reference a subnet, a public IP address or a public IP prefix.", id)
		case subnet != "" && public:
			return refused("FrontendIPConfigHasBothSubnetAndPublicIP", "",
				"Frontend IP configuration %s must not reference both a subnet and a public IP address.", id)
		case textAt(part, "properties.privateIPAllocationMethod") == "Static" &&
			textAt(part, "properties.privateIPAddress") == "" && r.hadAddress(frontends, part) == "" && !public:
			return refused("StaticPrivateIPAddressRequired", "",
				"The IP configuration %s has the allocation method Static and no private IP address.", id)
		}
		networks[networkOf(subnet)] = true
		defaultAt(part, "properties.privateIPAllocationMethod", "Dynamic")
		defaultAt(part, "properties.privateIPAddressVersion", "IPv4")
	}
	if len(networks) > 1 {
		return refused("LoadBalancerFrontendsMustBeOfOneKind", "",
			"The frontend IP configurations of load balancer %s must all be public, or all be in one virtual network.",
			r.id.text)
	}
	return nil
}

func (r *request) checkFrontendAddresses(body Body) error {
	for _, part := range parts(body, frontends) {
		if id := textAt(part, "properties.publicIPAddress.id"); id != "" && r.skuOf(id) != "Standard" {
			return refused("DifferentSkuLoadBalancersAndPublicIPAddressNotAllowed", "",
				"Standard sku load balancer %s cannot reference %s sku public IP address %s.", r.id.text,
				textAt(r.state.get(id).Body, "sku.name"), id)
		}
	}
	return nil
}

// checkMembers checks the network interfaces behind a load balancer against its change.
func (r *request) checkMembers(balancer *resource) error {
	for _, nic := range r.state.all(kindNIC) {
		if !isBehind(nic, balancer) {
			continue
		}
		id, err := parseID(nic.ID)
		if err != nil {
			return err
		}
		one := *r
		one.id = id
		if err := one.checkBackends(nic.Body); err != nil {
			return err
		}
	}
	return nil
}

func isBehind(nic, balancer *resource) bool {
	for _, part := range parts(nic.Body, nicConfigurations) {
		for _, pool := range idsAt(part, "properties.loadBalancerBackendAddressPools") {
			if keyOf(ownerOf(pool)) == keyOf(balancer.ID) {
				return true
			}
		}
	}
	return false
}

// removeLoadBalancer removes the network interfaces from its pools: it can be deleted while they have members.
func (r *request) removeLoadBalancer(found *resource) error {
	for _, list := range []string{backendPools, natRules} {
		setAt(found.Body, "properties."+list, []any{})
	}
	r.forgetBackends()
	return nil
}

// forgetBackends removes network interfaces from deleted pools and rules.
func (r *request) forgetBackends() {
	for _, nic := range r.state.all(kindNIC) {
		for _, part := range parts(nic.Body, nicConfigurations) {
			for _, path := range []string{
				"properties.loadBalancerBackendAddressPools",
				"properties.loadBalancerInboundNatRules",
			} {
				values, _ := at(part, path).([]any)
				left := slices.DeleteFunc(slices.Clone(values), func(value any) bool {
					pool := textAt(value.(Body), "id")
					return keyOf(ownerOf(pool)) == r.id.key() && r.state.part(pool) == nil
				})
				if len(left) < len(values) {
					setAt(part, path, left)
					r.state.Serial++
					nic.Changed = r.state.Serial
				}
			}
		}
	}
}

// internalFrontends returns the frontends in subnets.
func internalFrontends(balancer *resource) []holder {
	if balancer == nil {
		return nil
	}
	return holdersOf(balancer)
}

func viewLoadBalancer(s *state, balancer *resource, body Body) {
	viewEtag(s, balancer, body)
	viewParts(balancer, body, balancerLists...)
	for _, ref := range references(balancer.ID, balancer.Kind, body) {
		// A part shows the parts that refer to it, in a property with the name of their list.
		if part := partOfBody(balancer.ID, body, ref.to); part != nil {
			addUser(part, "properties."+nameOf(ownerListOf(ref.by)), ref.by)
		}
	}
	for _, pool := range parts(body, backendPools) {
		for _, user := range s.users(partID(balancer.ID, backendPools, pool)) {
			if strings.EqualFold(typeOf(ownerOf(user.by)), kindNIC) {
				addUser(pool, "properties.backendIPConfigurations", user.by)
			}
		}
	}
	for _, rule := range parts(body, natRules) {
		for _, user := range s.users(partID(balancer.ID, natRules, rule)) {
			setAt(rule, "properties.backendIPConfiguration", Body{"id": user.by})
		}
	}
}

// ownerListOf returns the ID of a part without its name.
func ownerListOf(id string) string { return id[:strings.LastIndex(id, "/")] }

// partOfBody finds a part of a body that is being prepared for an answer.
func partOfBody(owner string, body Body, id string) Body {
	s := &state{Resources: map[string]*resource{keyOf(owner): {Body: body}}}
	return s.part(id)
}

func addUser(part Body, path, id string) {
	users, _ := at(part, path).([]any)
	for _, user := range users {
		if keyOf(textAt(user.(Body), "id")) == keyOf(id) {
			return
		}
	}
	setAt(part, path, append(users, Body{"id": id}))
}
