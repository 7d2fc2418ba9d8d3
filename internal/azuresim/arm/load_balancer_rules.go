package arm

import (
	"fmt"
	"strings"
)

func (r *request) checkProbes(body Body) error {
	for i, probe := range parts(body, probes) {
		id := partID(r.id.text, probes, probe)
		if err := r.need(probes, i, probe, "port", "protocol"); err != nil {
			return err
		}
		defaultAt(probe, "properties.intervalInSeconds", 15.0)
		defaultAt(probe, "properties.numberOfProbes", 2.0)
		defaultAt(probe, "properties.probeThreshold", 1.0)
		defaultAt(probe, "properties.noHealthyBackendsBehavior", "AllProbedDown")
		if err := inRange(id, probe, "port", 1, 65535); err != nil {
			return err
		}
		if err := inRange(id, probe, "intervalInSeconds", 5, 2147483646); err != nil {
			return err
		}
		isTCP, path := textAt(probe, "properties.protocol") == "Tcp", textAt(probe, "properties.requestPath")
		if isTCP && path != "" {
			return refused("ProbeRequestPathNotAllowed", "",
				"Probe %s has the protocol Tcp and must not have a request path.", id)
		}
		if !isTCP && path == "" {
			return refused("ProbeRequestPathRequired", "", "Probe %s has the protocol %s and needs a request path.", id,
				textAt(probe, "properties.protocol"))
		}
	}
	return nil
}

func (r *request) checkBalancingRules(body Body) error {
	rules := parts(body, balancingRules)
	for i, rule := range rules {
		if err := r.need(balancingRules, i, rule, "frontendIPConfiguration", "frontendPort", "protocol"); err != nil {
			return err
		}
		if err := r.checkBalancingRule(rule); err != nil {
			return err
		}
		for _, other := range rules[:i] {
			if err := r.checkTwoRules(other, rule); err != nil {
				return err
			}
		}
	}
	return nil
}

func (r *request) checkBalancingRule(rule Body) error {
	id := partID(r.id.text, balancingRules, rule)
	defaultAt(rule, "properties.backendPort", at(rule, "properties.frontendPort"))
	defaultAt(rule, "properties.idleTimeoutInMinutes", 4.0)
	defaultAt(rule, "properties.loadDistribution", "Default")
	for _, name := range []string{"enableFloatingIP", "enableTcpReset", "disableOutboundSnat"} {
		defaultAt(rule, "properties."+name, false)
	}
	for _, number := range []struct {
		name           string
		least, largest float64
	}{{"frontendPort", 0, 65534}, {"backendPort", 0, 65535}, {"idleTimeoutInMinutes", 4, 100}} {
		if err := inRange(id, rule, number.name, number.least, number.largest); err != nil {
			return err
		}
	}
	samePools(rule)
	isAll := textAt(rule, "properties.protocol") == "All"
	front, back := at(rule, "properties.frontendPort"), at(rule, "properties.backendPort")
	if isAll != (front == 0.0) || isAll != (back == 0.0) {
		return refused("LoadBalancingRuleInvalidHaPorts", "",
			"Load balancing rule %s must have the protocol All exactly if "+
				"its frontend port and its backend port are 0.", id)
	}
	return nil
}

// samePools writes the pool of a rule into both of its properties, as Azure does.
func samePools(rule Body) {
	many, one := idsAt(rule, "properties.backendAddressPools"), textAt(rule, "properties.backendAddressPool.id")
	switch {
	case one == "" && len(many) > 0:
		setAt(rule, "properties.backendAddressPool", Body{"id": many[0]})
	case one != "" && len(many) == 0:
		setAt(rule, "properties.backendAddressPools", []any{Body{"id": one}})
	}
}

// checkTwoRules refuses rules that would both match a packet or an answer.
func (r *request) checkTwoRules(a, b Body) error {
	first, second := partID(r.id.text, balancingRules, a), partID(r.id.text, balancingRules, b)
	if !alike(at(a, "properties.protocol"), at(b, "properties.protocol")) {
		return nil
	}
	protocol := textAt(a, "properties.protocol")
	if frontend := textAt(a,
		"properties.frontendIPConfiguration.id"); keyOf(frontend) == keyOf(textAt(b,
		"properties.frontendIPConfiguration.id")) &&
		same(at(a, "properties.frontendPort"), at(b, "properties.frontendPort")) {
		return refused("RulesUseSameFrontendPortProtocolAndIPConfig", "",
			"Load balancing rules %s and %s use the same protocol %s and frontend port %v, and must not be used with "+
				"the same frontend IP configuration %s.",
			first, second, protocol, at(a, "properties.frontendPort"), frontend)
	}
	pool := textAt(a, "properties.backendAddressPool.id")
	isFloating := at(a, "properties.enableFloatingIP") == true || at(b, "properties.enableFloatingIP") == true
	if pool != "" && keyOf(pool) == keyOf(textAt(b, "properties.backendAddressPool.id")) && !isFloating &&
		same(at(a, "properties.backendPort"), at(b, "properties.backendPort")) {
		return refused("RulesUseSameBackendPortProtocolAndPool", "",
			"Load balancing rules %s and %s with floating IP disabled use the same protocol %s and backend port %v, "+
				"and must not be used with the same backend address pool %s.",
			first, second, protocol, at(a, "properties.backendPort"), pool)
	}
	return nil
}

func (r *request) checkOutboundRules(body Body) error {
	rules := parts(body, outboundRules)
	for i, rule := range rules {
		if err := r.need(outboundRules, i, rule, "backendAddressPool", frontends, "protocol"); err != nil {
			return err
		}
		if err := r.checkOutboundRule(body, rule); err != nil {
			return err
		}
		for _, other := range rules[:i] {
			if frontend := commonFrontend(other, rule); frontend != "" {
				return refused("MoreThanOneOutboundRuleUsingSameFrontendIPConfigurationAndProtocolIsNotSupported", "",
					"Is is not supported to have more than a single outbound rule using frontendIPConfiguration %s "+
						"with same or overlapping protocol. This frontendIPConfiguration is used by the following "+
						"outbound rules: %s,%s",
					frontend, partID(r.id.text, outboundRules, other), partID(r.id.text, outboundRules, rule))
			}
		}
	}
	return nil
}

func (r *request) checkOutboundRule(body, rule Body) error {
	id := partID(r.id.text, outboundRules, rule)
	defaultAt(rule, "properties.idleTimeoutInMinutes", 4.0)
	defaultAt(rule, "properties.enableTcpReset", false)
	defaultAt(rule, "properties.allocatedOutboundPorts", 0.0)
	if err := inRange(id, rule, "idleTimeoutInMinutes", 4, 120); err != nil {
		return err
	}
	if ports, _ := at(rule, "properties.allocatedOutboundPorts").(float64); ports < 0 || ports > 64000 ||
		int(ports)%8 != 0 {
		return refused("InvalidAllocatedOutboundPorts", "",
			"Outbound rule %s has allocatedOutboundPorts %v. It must be a multiple of 8 up to 64000.", id, ports)
	}
	used := idsAt(rule, "properties."+frontends)
	if len(used) == 0 {
		return badFormat("Outbound rule %s must reference at least one frontend IP configuration.", id)
	}
	for _, frontend := range used {
		if part := partOfBody(r.id.text, body, frontend); at(part, "properties.subnet") != nil {
			return refused("OutboundRuleFrontendMustBePublic", "",
				"Outbound rule %s cannot use frontend IP configuration %s: it has no public IP address.", id, frontend)
		}
		for _, balancing := range parts(body, balancingRules) {
			if keyOf(textAt(balancing, "properties.frontendIPConfiguration.id")) == keyOf(frontend) &&
				at(balancing, "properties.disableOutboundSnat") != true {
				return refused(
					"LoadBalancingRuleMustDisableSNATSinceSameFrontendIPConfigurationIsReferencedByOutboundRule", "",
					"Load balancing rule %s must disable SNAT since frontend IP configuration %s is referenced by "+
						"outbound rule %s.",
					partID(r.id.text, balancingRules, balancing), frontend, id)
			}
		}
	}
	return nil
}

// commonFrontend returns a frontend that two outbound rules use for the same protocol.
func commonFrontend(a, b Body) string {
	p, q := textAt(a, "properties.protocol"), textAt(b, "properties.protocol")
	if p != q && p != "All" && q != "All" {
		return ""
	}
	for _, one := range idsAt(a, "properties."+frontends) {
		for _, other := range idsAt(b, "properties."+frontends) {
			if keyOf(one) == keyOf(other) {
				return one
			}
		}
	}
	return ""
}

// checkNatRules checks that an inbound NAT rule has a port of its own.
func (r *request) checkNatRules(body Body) error {
	used := map[string]string{}
	for _, list := range []string{balancingRules, natRules} {
		for _, rule := range parts(body, list) {
			port := at(rule, "properties.frontendPort")
			if port == nil {
				continue // a rule for a pool has a range of ports
			}
			id, frontend := partID(r.id.text, list, rule), textAt(rule, "properties.frontendIPConfiguration.id")
			key := strings.ToLower(fmt.Sprint(frontend, " ", textAt(rule, "properties.protocol"), " ", port))
			if other := used[key]; other != "" {
				return refused("RulesUseSameFrontendPortProtocolAndIPConfig", "",
					"Load balancing rules %s and %s use the same protocol %s and frontend port %v, and must not be "+
						"used with the same frontend IP configuration %s.",
					other, id, textAt(rule, "properties.protocol"), port, frontend)
			}
			used[key] = id
		}
	}
	return nil
}

// hasOutboundRule reports whether a pool of a load balancer has an outbound rule.
func hasOutboundRule(balancer Body, pool string) bool {
	for _, rule := range parts(balancer, outboundRules) {
		if keyOf(textAt(rule, "properties.backendAddressPool.id")) == keyOf(pool) {
			return true
		}
	}
	return false
}
