package arm

import (
	"fmt"
	"strings"

	"github.com/mixedkube/mixedkube/internal/core/facts"
)

// fillCluster adds the properties that Azure answers with, and resolves the version.
func (r *request) fillCluster(body, properties Body, old *resource) error {
	if err := r.versionOfCluster(properties, old); err != nil {
		return err
	}
	name, location := r.id.name(), textAt(body, "location")
	if properties["dnsPrefix"] == nil && properties["fqdnSubdomain"] == nil {
		return missingParameter("dnsPrefix")
	}
	for path, value := range map[string]any{
		"enableRBAC":                true,
		"supportPlan":               "KubernetesOfficial",
		"maxAgentPools":             float64(facts.AKSPools.Max),
		"powerState.code":           "Running",
		"oidcIssuerProfile.enabled": old == nil && minorOf(properties) >= firstOIDC,
		"autoUpgradeProfile.nodeOSUpgradeChannel":   "NodeImage",
		"storageProfile.diskCSIDriver.enabled":      true,
		"storageProfile.fileCSIDriver.enabled":      true,
		"storageProfile.snapshotController.enabled": true,
		"bootstrapProfile.artifactSource":           "Direct",
		"nodeProvisioningProfile.mode":              "Manual",
		"metricsProfile.costAnalysis.enabled":       false,
		"securityProfile":                           Body{},
		"workloadAutoScalerProfile":                 Body{},
		"resourceUID": strings.ReplaceAll(uuidOf("resource", r.id.key(), r.createdAs()),
			"-", "")[:24],
	} {
		defaultAt(properties, path, value)
	}
	fillNetwork(properties)
	if properties["windowsProfile"] != nil {
		defaultAt(properties, "windowsProfile.enableCSIProxy", true)
	}
	if at(properties, "oidcIssuerProfile.enabled") == true {
		defaultAt(properties, "oidcIssuerProfile.issuerURL", fmt.Sprintf("https://%s.oic.prod-aks.azure.com/%s/%s/",
			location, tenant, uuidOf("issuer", r.id.key(), r.createdAs())))
	}
	fillAddress(properties, location, uuidOf("fqdn", r.id.key(), r.createdAs())[:8])
	defaultAt(properties, "identityProfile.kubeletidentity", Body{
		"resourceId": fmt.Sprintf("/subscriptions/%s/resourcegroups/%s/providers/%s/%s-agentpool", subscription,
			properties["nodeResourceGroup"], kindIdentity, name),
		"clientId": uuidOf("kubelet client", r.id.key(), r.createdAs()),
		"objectId": uuidOf("kubelet object", r.id.key(), r.createdAs()),
	})
	defaultAt(body, "sku.name", "Base")
	defaultAt(body, "sku.tier", "Free")
	properties["provisioningState"] = "Succeeded"
	return nil
}

// firstOIDC is the first minor version whose new clusters have the OIDC issuer
// (https://learn.microsoft.com/azure/aks/use-oidc-issuer#prerequisites).
const firstOIDC = 34

// minorOf returns the minor version that a cluster has.
func minorOf(properties Body) int {
	current, _ := resolve(textAt(properties, "currentKubernetesVersion"))
	return current.minor
}

func (r *request) versionOfCluster(properties Body, old *resource) error {
	name := r.id.name()
	if textAt(properties, "kubernetesVersion") == "" {
		properties["kubernetesVersion"] = defaultVersion(r.cloud.today()) // az sends "" in every creation
	}
	version := textAt(properties, "kubernetesVersion")
	current, ok := resolve(version)
	if !ok {
		return unsupportedVersion(name, version)
	}
	if old != nil {
		had, _ := resolve(textAt(old.Body, "properties.currentKubernetesVersion"))
		var err error
		longTerm := properties["supportPlan"] == longTermPlan
		if current, err = upgradeCluster(name, had, version, longTerm); err != nil {
			return err
		}
	}
	properties["currentKubernetesVersion"] = current.String()
	return nil
}

// fillNetwork makes Azure CNI Overlay the default network of a cluster.
func fillNetwork(properties Body) {
	if at(properties, "networkProfile.networkPlugin") == nil {
		setAt(properties, "networkProfile.networkPlugin", "azure")
		defaultAt(properties, "networkProfile.networkPluginMode", "overlay")
	}
	network := properties["networkProfile"].(Body)
	plugin := network["networkPlugin"]
	if plugin == "azure" {
		defaultAt(network, "networkDataplane", "azure")
	}
	if plugin == "kubenet" || network["networkPluginMode"] == "overlay" {
		fillRanges(network, "podCidr", facts.AKSPods, facts.AKSPodsOfIPv6)
	}
	fillRanges(network, "serviceCidr", facts.AKSServices, facts.AKSServicesOfIPv6)
	for path, value := range map[string]any{
		"networkPolicy": "none", "dnsServiceIP": facts.AKSDNS, "outboundType": "loadBalancer",
		"loadBalancerSku": "standard", "ipFamilies": []any{"IPv4"},
	} {
		defaultAt(network, path, value)
	}
	if network["outboundType"] == "loadBalancer" {
		defaultAt(network, "loadBalancerProfile.backendPoolType", "NodeIPConfiguration")
	}
	spellBackendPoolType(network)
	if network["outboundType"] != "loadBalancer" {
		return
	}
	if at(network, "loadBalancerProfile.outboundIPs") == nil &&
		at(network, "loadBalancerProfile.outboundIPPrefixes") == nil {
		defaultAt(network, "loadBalancerProfile.managedOutboundIPs.count", 1.0)
	}
}

// fillRanges sets the ranges of pods or Services, one for each IP family, and the first of them as the single one
// (https://learn.microsoft.com/azure/aks/azure-cni-overlay#key-parameters-for-dual-stack-networking).
func fillRanges(network Body, single, ipv4, ipv6 string) {
	if many, _ := network[single+"s"].([]any); len(many) > 0 {
		defaultAt(network, single, many[0])
		return
	}
	defaultAt(network, single, ipv4)
	ranges := []any{network[single]}
	if families, _ := network["ipFamilies"].([]any); len(families) > 1 {
		ranges = append(ranges, ipv6)
	}
	network[single+"s"] = ranges
}

// spellBackendPoolType writes the type in the spelling of AKS, in whatever spelling it was sent. Neither the API's
// specification nor the SDKs have that spelling (https://github.com/pulumi/pulumi-azure-native/issues/4772,
// https://github.com/Azure/azure-rest-api-specs/issues/21872).
func spellBackendPoolType(network Body) {
	const path = "loadBalancerProfile.backendPoolType"
	if spelled := textAt(network, path); spelled != "" {
		setAt(network, path, strings.ToLower(spelled[:1])+spelled[1:])
	}
}

func fillAddress(properties Body, location, unique string) {
	host := textAt(properties, "dnsPrefix")
	if host == "" {
		host = textAt(properties, "fqdnSubdomain")
	}
	host += "-" + unique
	if at(properties, privatePath) == true {
		defaultAt(properties, privateZonePath, "system")
		defaultAt(properties, "privateFQDN",
			fmt.Sprintf("%s.%s.privatelink.%s.azmk8s.io", host, uuidOf(host), location))
	} else {
		defaultAt(properties, "fqdn", fmt.Sprintf("%s.hcp.%s.azmk8s.io", host, location))
	}
	defaultAt(properties, "azurePortalFQDN", fmt.Sprintf("%s.portal.hcp.%s.azmk8s.io", host, location))
}

func shorten(text string, length int) string { return text[:min(len(text), length)] }
