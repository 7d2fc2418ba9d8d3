package arm

import (
	"fmt"
	"maps"
	"net/netip"
	"slices"
	"strings"
)

// checkCluster checks the rules of a cluster that do not depend on its pools.
func checkCluster(cluster clusterProperties) error {
	for _, rule := range []func(clusterProperties) error{
		checkNetworkProfile, checkAPIServer, checkAccounts,
		checkGMSA,
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
	}
	return nil
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
	for _, text := range access.AuthorizedIPRanges {
		_, notRange := netip.ParsePrefix(value(text))
		_, notAddress := netip.ParseAddr(value(text))
		if notRange != nil && notAddress != nil {
			return invalidParameter(path, "'%s' is neither an address nor a range of addresses", value(text))
		}
	}
	return nil
}

func checkAccounts(cluster clusterProperties) error {
	managed := cluster.AADProfile != nil && value(cluster.AADProfile.Managed)
	if value(cluster.DisableLocalAccounts) && !managed {
		return invalidParameter("disableLocalAccounts",
			"local accounts can only be disabled on clusters with managed AAD")
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
	const path = "apiServerAccessProfile.privateDNSZone"
	zone := textAt(properties, path)
	private := at(properties, "apiServerAccessProfile.enablePrivateCluster") == true
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
