package arm

import (
	"fmt"
	"maps"
	"net/netip"
	"slices"
	"strings"

	"github.com/mixedkube/mixedkube/internal/core/facts"
)

// checkCluster checks the rules of a cluster that do not depend on its pools.
func checkCluster(cluster clusterProperties) error {
	for _, rule := range []func(clusterProperties) error{
		checkNetworkProfile, checkIsolated, checkOutbound, checkAPIServer, checkGMSA, checkFeatures,
	} {
		if err := rule(cluster); err != nil {
			return err
		}
	}
	return nil
}

func checkNetworkProfile(cluster clusterProperties) error {
	network := cluster.NetworkProfile
	plugin, policy := string(value(network.NetworkPlugin)), string(value(network.NetworkPolicy))
	dataplane := string(value(network.NetworkDataplane))
	switch {
	case string(value(network.NetworkPluginMode)) == "overlay" && plugin != "azure":
		return invalidParameter("networkProfile.networkPluginMode",
			"the mode 'overlay' needs the network plugin 'azure'")
	case dataplane != "" && plugin != "azure":
		return invalidParameter("networkProfile.networkDataplane",
			"the dataplane '%s' needs the network plugin 'azure'", dataplane)
	case policy == "cilium" && dataplane != "cilium":
		return invalidParameter("networkProfile.networkPolicy",
			"the network policy 'cilium' needs the dataplane 'cilium'")
	case policy == "azure" && plugin == "kubenet":
		return refused("NetworkPolicyAzureNotSupportedForKubenet", "networkProfile.networkPolicy",
			"The network policy 'azure' is not supported with the network plugin 'kubenet'.")
	case policy == "azure" && plugin != "azure":
		return invalidParameter("networkProfile.networkPolicy",
			"the network policy 'azure' needs the network plugin 'azure'")
	}
	services, err := netip.ParsePrefix(value(network.ServiceCidr))
	if err != nil {
		return invalidParameter("networkProfile.serviceCidr", "'%s' is not a valid range of addresses",
			value(network.ServiceCidr))
	}
	const dnsPath = "networkProfile.dnsServiceIP"
	dns, err := netip.ParseAddr(value(network.DNSServiceIP))
	switch {
	case err != nil:
		return refused("DnsServiceIpParseError", dnsPath, "The DNS service IP '%s' is not a valid IP address.",
			value(network.DNSServiceIP))
	case !services.Contains(dns):
		return refused("DnsServiceIpOutOfServiceCidr", dnsPath,
			"The DNS service IP %s is out of the range defined by service CIDR %s.", dns, services)
	case services.Masked().Addr().Next() == dns:
		return invalidParameter("networkProfile.dnsServiceIP", "%s is the first address of the service CIDR %s", dns,
			services)
	}
	return nil
}

// checkNewCluster checks rules that existing clusters may break, because Azure began to apply them later.
func checkNewCluster(cluster clusterProperties) error {
	if strings.EqualFold(string(value(cluster.NetworkProfile.LoadBalancerSKU)), "basic") {
		return invalidParameter("networkProfile.loadBalancerSku",
			"Load Balancer SKU 'basic' is invalid; must use 'standard'")
	}
	return checkAddresses(cluster)
}

// isIsolated reports whether the nodes of a cluster start from a registry of its own.
func isIsolated(cluster clusterProperties) bool {
	return cluster.BootstrapProfile != nil && string(value(cluster.BootstrapProfile.ArtifactSource)) == "Cache"
}

// checkIsolated checks the outbound type of isolated clusters: block is a preview, and not in the enumeration. The code
// and the message were seen (https://github.com/hashicorp/terraform-provider-azurerm/pull/29808).
func checkIsolated(cluster clusterProperties) error {
	if string(value(cluster.NetworkProfile.OutboundType)) != "none" || isIsolated(cluster) {
		return nil
	}
	return refused("InvalidNetworkIsolatedClusterConfiguration", "",
		"When outbound type is none or block, bootstrapProfile.artifactSource must be 'Cache'")
}

// checkOutbound checks the profiles of a load balancer and a NAT gateway.
func checkOutbound(cluster clusterProperties) error {
	numbers := map[string]outboundNumber{}
	if balancer := cluster.NetworkProfile.LoadBalancerProfile; balancer != nil {
		const path = "networkProfile.loadBalancerProfile"
		kinds := 0
		for _, used := range []bool{
			balancer.ManagedOutboundIPs != nil, balancer.OutboundIPs != nil, balancer.OutboundIPPrefixes != nil,
		} {
			if used {
				kinds++
			}
		}
		if kinds > 1 {
			return invalidParameter("networkProfile.loadBalancerProfile",
				"managedOutboundIPs, outboundIPs and outboundIPPrefixes exclude each other")
		}
		if ports := balancer.AllocatedOutboundPorts; ports != nil &&
			(!facts.AKSOutboundPorts.Has(int(*ports)) || int(*ports)%facts.AKSOutboundPortsStep != 0) {
			return refused("InvalidLoadBalancerProfileAllocatedOutboundPorts",
				"networkProfile.loadBalancerProfile.allocatedOutboundPorts",
				"Load balancer profile allocated ports %d is not in an allowable range or a multiple of %d.", *ports,
				facts.AKSOutboundPortsStep)
		}
		if managed := balancer.ManagedOutboundIPs; managed != nil {
			numbers[path+".managedOutboundIPs.count"] = outboundNumber{managed.Count, facts.AKSOutboundIPs}
		}
		numbers[path+".idleTimeoutInMinutes"] = outboundNumber{balancer.IdleTimeoutInMinutes, facts.AKSOutboundIdle}
	}
	if nat := cluster.NetworkProfile.NatGatewayProfile; nat != nil {
		const path = "networkProfile.natGatewayProfile"
		if managed := nat.ManagedOutboundIPProfile; managed != nil {
			numbers[path+".managedOutboundIPProfile.count"] = outboundNumber{managed.Count, facts.AKSNATIPs}
		}
		numbers[path+".idleTimeoutInMinutes"] = outboundNumber{nat.IdleTimeoutInMinutes, facts.AKSOutboundIdle}
	}
	for _, path := range slices.Sorted(maps.Keys(numbers)) {
		if n := numbers[path]; n.set != nil && !n.accepted.Has(int(*n.set)) {
			return invalidParameter(path, "%d is not between %d and %d", *n.set, n.accepted.Min, n.accepted.Max)
		}
	}
	return nil
}

// outboundNumber is a number of a profile, nil if it is not set.
type outboundNumber struct {
	set      *int32
	accepted facts.Range
}

func checkAPIServer(cluster clusterProperties) error {
	access := cluster.APIServerAccessProfile
	if access == nil {
		return nil
	}
	const path = "apiServerAccessProfile.authorizedIPRanges"
	if value(access.EnablePrivateCluster) && len(access.AuthorizedIPRanges) > 0 {
		return invalidParameter(path, "authorized IP ranges are not supported for private clusters")
	}
	most := facts.AKSAuthorizedRanges.Max
	if value(access.EnableVnetIntegration) {
		most = facts.AKSAuthorizedRangesInVNet.Max
	}
	if n := len(access.AuthorizedIPRanges); n > most {
		return invalidParameter(path, "%d authorized IP ranges are more than %d", n, most)
	}
	for _, text := range access.AuthorizedIPRanges {
		prefix, notRange := netip.ParsePrefix(value(text))
		_, notAddress := netip.ParseAddr(value(text))
		if notRange != nil && notAddress != nil {
			return invalidParameter(path, "'%s' is neither an address nor a range of addresses", value(text))
		}
		if notRange == nil && prefix != prefix.Masked() {
			return invalidParameter(path, "'%s' does not begin with the first address of the range", value(text))
		}
	}
	return nil
}

// checkFeatures checks what the features of a cluster need.
func checkFeatures(cluster clusterProperties) error {
	security := cluster.SecurityProfile
	if security == nil {
		return nil
	}
	if identity := security.WorkloadIdentity; identity != nil && value(identity.Enabled) &&
		(cluster.OidcIssuerProfile == nil || !value(cluster.OidcIssuerProfile.Enabled)) {
		return invalidParameter("securityProfile.workloadIdentity", "workload identity needs the OIDC issuer")
	}
	if cleaner := security.ImageCleaner; cleaner != nil && cleaner.IntervalHours != nil &&
		!facts.AKSImageCleanerHours.Has(int(*cleaner.IntervalHours)) {
		return invalidParameter("securityProfile.imageCleaner.intervalHours", "%d is not between %d and %d",
			*cleaner.IntervalHours, facts.AKSImageCleanerHours.Min, facts.AKSImageCleanerHours.Max)
	}
	if n := len(security.CustomCATrustCertificates); n > facts.AKSCertificates.Max {
		return invalidParameter("securityProfile.customCATrustCertificates", "%d certificates are more than %d", n,
			facts.AKSCertificates.Max)
	}
	return nil
}

func checkGMSA(cluster clusterProperties) error {
	if cluster.WindowsProfile == nil || cluster.WindowsProfile.GmsaProfile == nil {
		return nil
	}
	gmsa := cluster.WindowsProfile.GmsaProfile
	if value(gmsa.Enabled) && (value(gmsa.DNSServer) == "") != (value(gmsa.RootDomainName) == "") {
		return invalidParameter("windowsProfile.gmsaProfile",
			"dnsServer and rootDomainName have to be set together, or neither of them")
	}
	return nil
}

// kindPrivateZone is a type that the cloud does not have.
const kindPrivateZone = "Microsoft.Network/privateDnsZones"

// checkPrivateZone checks the private DNS zone of a cluster with a managed identity: a word, or the ID of a zone that
// the user has made, for which the identity must be the user's, too
// (https://learn.microsoft.com/azure/aks/private-clusters#configuration-options-for-private-dns). The code and the
// message were seen for route tables (DataDog/test-infra-definitions#1259) and networks.
func checkPrivateZone(properties Body, identity string) error {
	const path = privateZonePath
	zone := textAt(properties, path)
	private := at(properties, privatePath) == true
	switch {
	case !private || zone == "" || strings.EqualFold(zone, "system") || strings.EqualFold(zone, "none"):
		return nil
	case !strings.EqualFold(typeOf(zone), kindPrivateZone):
		return invalidParameter(path, "'%s' is neither 'system' nor 'none' nor the ID of a private DNS zone", zone)
	case !strings.Contains(identity, "UserAssigned"):
		return refused("OnlySupportedOnUserAssignedMSICluster", "", "System-assigned managed identity not supported "+
			"for custom resource %s. Please use user-assigned managed identity.", zone)
	}
	return nil
}

// checkIdentity checks that the cluster has an identity, and fills in its IDs.
func (r *request) checkIdentity(body, properties Body) error {
	identity, _ := body["identity"].(Body)
	if identity == nil || identity["type"] == "None" {
		if textAt(properties, "servicePrincipalProfile.clientId") == "" {
			return missingParameter("servicePrincipalProfile.clientId")
		}
		return nil
	}
	if err := checkPrivateZone(properties, fmt.Sprint(identity["type"])); err != nil {
		return err
	}
	assigned, _ := identity["userAssignedIdentities"].(Body)
	if identity["type"] == "UserAssigned" && len(assigned) == 0 {
		return refused("InvalidIdentityValues", "",
			"Invalid value for the identities '' detected. The 'UserAssigned' identity type requires at least one "+
				"user assigned identity.")
	}
	for _, id := range slices.Sorted(maps.Keys(assigned)) {
		found := r.state.get(id)
		if found == nil || found.Kind != kindIdentity {
			return refused("FailedIdentityOperation", "",
				"Identity operation for resource '%s' failed with error 'Failed to perform resource identity "+
					"operation. Status: 'NotFound'. Resource '%s' was not found.'.", r.id.text, id)
		}
		assigned[id] = Body{
			"principalId": at(found.Body, "properties.principalId"),
			"clientId":    at(found.Body, "properties.clientId"),
		}
	}
	if strings.Contains(fmt.Sprint(identity["type"]), "SystemAssigned") {
		identity["principalId"], identity["tenantId"] = uuidOf("cluster principal", r.id.key(), r.createdAs()), tenant
	}
	properties["servicePrincipalProfile"] = Body{"clientId": "msi"}
	return nil
}
