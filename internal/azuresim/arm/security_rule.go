package arm

import (
	"fmt"
	"net/netip"
	"slices"
	"strconv"
	"strings"
)

// The service tags that have addresses in the simulated network.
const (
	tagNetwork  = "VirtualNetwork"
	tagBalancer = "AzureLoadBalancer"
	tagInternet = "Internet"
)

// serviceTags are the tags that security rules can have, without regions
// (https://learn.microsoft.com/azure/virtual-network/service-tags-overview).
var serviceTags = []string{
	tagNetwork, tagBalancer, tagInternet,
	"ActionGroup", "ApiManagement", "AppConfiguration", "AppService", "AppServiceManagement", "AzureActiveDirectory",
	"AzureActiveDirectoryDomainServices",
	"AzureArcInfrastructure", "AzureBackup", "AzureCloud", "AzureConnectors", "AzureContainerRegistry", "AzureCosmosDB",
	"AzureDatabricks",
	"AzureDevOps", "AzureEventGrid", "AzureFrontDoor.Backend", "AzureFrontDoor.FirstParty", "AzureFrontDoor.Frontend",
	"AzureKeyVault", "AzureMachineLearning",
	"AzureMonitor", "AzurePlatformDNS", "AzurePlatformIMDS", "AzurePlatformLKM", "AzureResourceManager",
	"AzureSiteRecovery", "AzureTrafficManager",
	"AzureUpdateDelivery", "BatchNodeManagement", "DataFactory", "EventHub", "GatewayManager",
	"GuestAndHybridManagement", "HDInsight", "LogicApps",
	"MicrosoftContainerRegistry", "MicrosoftDefenderForEndpoint", "ServiceBus", "ServiceFabric", "Sql", "SqlManagement",
	"Storage", "WindowsVirtualDesktop",
}

// longestDescription is from hashicorp/terraform-provider-azurerm, network_security_rule_resource.go.
const longestDescription = 140

func (r *request) checkSecurityRule(i int, rule Body) error {
	if err := r.need(securityRules, i, rule, "access", "direction", "priority", "protocol"); err != nil {
		return err
	}
	if priority, _ := at(rule, "properties.priority").(float64); priority < 100 || priority > 4096 {
		return refused("SecurityRuleInvalidPriority", "",
			"Security rule has invalid Priority. Value provided: %v Allowed range 100-4096.", priority)
	}
	if n := len([]rune(textAt(rule, "properties.description"))); n > longestDescription {
		return refused("SecurityRuleInvalidDescription", "",
			"Security rule has a description with %d characters. At most %d are allowed.", n, longestDescription)
	}
	for _, side := range []string{"source", "destination"} {
		if err := r.checkRulePorts(rule, side+"PortRange"); err != nil {
			return err
		}
		if err := r.checkRuleAddresses(rule, side+"AddressPrefix"); err != nil {
			return err
		}
	}
	return nil
}

// oneOf checks that a property is set either in the singular or in the plural.
func (r *request) oneOf(rule Body, one, many, also string) error {
	single, list := textAt(rule, "properties."+one), textsAt(rule, "properties."+many)
	big := func(s string) string { return strings.ToUpper(s[:1]) + s[1:] }
	switch {
	case single == "" && len(list) == 0:
		return refused("SecurityRuleParameterNotProvided", "", "Security rule must specify %s, %s%s", big(many),
			big(one), also)
	case single != "" && len(list) > 0:
		return refused("SecurityRuleParameterConflict", "", "Security rule %s must not specify both %s and %s.",
			partID(r.id.text, securityRules, rule), big(many), big(one))
	}
	return nil
}

func (r *request) checkRulePorts(rule Body, name string) error {
	if err := r.oneOf(rule, name, name+"s", ""); err != nil {
		return err
	}
	single := textAt(rule, "properties."+name)
	if single == "*" {
		return nil
	}
	ranges := textsAt(rule, "properties."+name+"s")
	if slices.Contains(ranges, "*") {
		return refused("SecurityRuleParameterContainsInvalidPortRanges", "",
			"Security rule parameter %s%ss for rule with Id %s contains invalid port ranges: *.",
			strings.ToUpper(name[:1]), name[1:], partID(r.id.text, securityRules, rule))
	}
	if single != "" {
		ranges = []string{single}
	}
	for _, text := range ranges {
		if _, _, ok := portRange(text); !ok {
			return refused("SecurityRuleInvalidPortRange", "",
				"Security rule has invalid Port range. Value provided: %s. Value should be an integer OR integer "+
					"range with '-' delimiter. Valid range 0-65535.", text)
		}
	}
	return nil
}

// portRange parses a port or two with a dash.
func portRange(text string) (low, high uint16, ok bool) {
	first, last, isRange := strings.Cut(text, "-")
	if !isRange {
		last = first
	}
	from, err := strconv.ParseUint(first, 10, 16)
	to, err2 := strconv.ParseUint(last, 10, 16)
	return uint16(from), uint16(to), err == nil && err2 == nil && from <= to
}

func (r *request) checkRuleAddresses(rule Body, name string) error {
	side := strings.TrimSuffix(name, "AddressPrefix")
	groups := strings.ToUpper(side[:1]) + side[1:] + "ApplicationSecurityGroups"
	if err := r.oneOf(rule, name, name+"es", ", or "+groups); err != nil {
		return err
	}
	prefixes := textsAt(rule, "properties."+name+"es")
	for _, prefix := range prefixes {
		if prefix == "*" || isTag(prefix) {
			return refused("SecurityRuleParameterContainsUnsupportedValue", "",
				"Security rule parameter %s%s for rule with Id %s cannot specify existing VIRTUALNETWORK, INTERNET, "+
					"AZURELOADBALANCER, '*' or system tags. Unsupported value used: %s.",
				strings.ToUpper(name[:1]), name[1:]+"es", partID(r.id.text, securityRules, rule), prefix)
		}
	}
	if single := textAt(rule, "properties."+name); single != "" {
		if single == "*" || isTag(single) {
			return nil
		}
		prefixes = []string{single}
	}
	for _, prefix := range prefixes {
		if _, _, err := addressRange(prefix); err != nil {
			return refused("SecurityRuleInvalidAddressPrefix", "",
				"Security rule has invalid Address prefix. Value provided: %s", prefix)
		}
	}
	return nil
}

// isTag reports whether a string is a service tag, perhaps with a region: Storage.WestEurope.
func isTag(text string) bool {
	for _, tag := range serviceTags {
		if strings.EqualFold(text, tag) || len(text) > len(tag) && strings.EqualFold(text[:len(tag)+1], tag+".") {
			return true
		}
	}
	return false
}

// addressRange parses an address, a range in CIDR notation, or two addresses with a dash.
func addressRange(text string) (low, high netip.Addr, err error) {
	if first, last, ok := strings.Cut(text, "-"); ok {
		if low, err = netip.ParseAddr(first); err == nil {
			high, err = netip.ParseAddr(last)
		}
		if err == nil && (low.BitLen() != high.BitLen() || high.Less(low)) {
			err = fmt.Errorf("%s is not a valid range", text)
		}
		return low, high, err
	}
	if !strings.Contains(text, "/") {
		low, err = netip.ParseAddr(text)
		return low, low, err
	}
	prefix, err := netip.ParsePrefix(text)
	if err == nil && prefix != prefix.Masked() {
		err = fmt.Errorf("%s is not %s", prefix, prefix.Masked())
	}
	if err != nil {
		return low, high, err
	}
	return prefix.Addr(), lastOf(prefix), nil
}

// lastOf returns the last address of a range.
func lastOf(prefix netip.Prefix) netip.Addr {
	bytes := prefix.Masked().Addr().AsSlice()
	for bit := prefix.Bits(); bit < len(bytes)*8; bit++ {
		bytes[bit/8] |= 0x80 >> (bit % 8)
	}
	last, _ := netip.AddrFromSlice(bytes) // a slice of the right length
	return last
}
