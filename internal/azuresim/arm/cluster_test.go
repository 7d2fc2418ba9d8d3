package arm

import (
	"encoding/base64"
	"strings"
	"testing"
)

func TestAClusterHasAzuresDefaults(t *testing.T) {
	t.Parallel()
	cloud := shop(t)
	answer := mustGet(t, cloud, clusterID)
	wantAt(t, answer, map[string]any{
		"id":   shownID(clusterID),
		"name": "shop", "type": "Microsoft.ContainerService/ManagedClusters", "location": "westeurope",
		"sku": Body{"name": "Base", "tier": "Free"}, "identity.tenantId": tenant,
		"properties.nodeResourceGroup": "MC_rg_shop_westeurope", "properties.provisioningState": "Succeeded",
		"properties.powerState": Body{"code": "Running"}, "properties.kubernetesVersion": "1.36",
		"properties.currentKubernetesVersion":  "1.36.3",
		"properties.oidcIssuerProfile.enabled": true,
		// From the stacks that azure-native recorded of the real Azure: pulumi-azure-native provider/test-programs,
		// upgrade-aks-api-version (November 2025).
		"properties.bootstrapProfile":        Body{"artifactSource": "Direct"},
		"properties.nodeProvisioningProfile": Body{"mode": "Manual"},
		"properties.metricsProfile":          Body{"costAnalysis": Body{"enabled": false}},
		"properties.securityProfile":         Body{}, "properties.workloadAutoScalerProfile": Body{},
		"properties.disableLocalAccounts": nil,

		"properties.networkProfile.podCidr":      "10.244.0.0/16",
		"properties.networkProfile.outboundType": "loadBalancer", "properties.networkProfile.networkDataplane": "azure",
		"properties.networkProfile.loadBalancerProfile.managedOutboundIPs": Body{"count": 1.0},
		"properties.windowsProfile": Body{
			"adminUsername": "operator",
			"licenseType":   "Windows_Server", "enableCSIProxy": true,
		},
	})
	fqdn := textAt(answer, "properties.fqdn")
	if !strings.HasPrefix(fqdn, "shop-") || !strings.HasSuffix(fqdn, ".hcp.westeurope.azmk8s.io") {
		t.Errorf("the FQDN is %q", fqdn)
	}
	if !uuidFormat.MatchString(textAt(answer, "identity.principalId")) {
		t.Errorf("the principal is %v", at(answer, "identity.principalId"))
	}
	pools := at(answer, "properties.agentPoolProfiles").([]any)
	if len(pools) != 1 {
		t.Fatalf("%d pools", len(pools))
	}
	wantAt(t, pools[0].(Body),
		map[string]any{
			"name": "system", "count": 2.0, "osSKU": "Ubuntu", "orchestratorVersion": "1.36",
			"currentOrchestratorVersion": "1.36.3",
		})
	wantAt(t, mustGet(t, cloud, systemID), map[string]any{
		"id":              shownID(systemID),
		"properties.mode": "System", "properties.eTag": at(pools[0].(Body), "eTag"),
	})
}

func TestASecondPoolOfANewClusterCanBeSpot(t *testing.T) {
	t.Parallel()
	cloud := emptyCloud(t, Options{})
	spot := Body{"name": "spot", "mode": "User", "vmSize": "Standard_D4s_v5", "scaleSetPriority": "Spot"}
	mustPut(t, cloud, clusterID, clusterBody(map[string]any{"agentPoolProfiles": append(firstPool(nil), spot)}))
	wantAt(t, mustGet(t, cloud, clusterID+"/agentPools/spot"),
		map[string]any{"properties.nodeTaints": []any{spotTaint}})
}

func TestPatchReleases(t *testing.T) {
	t.Parallel()
	for version, want := range map[string]string{
		"1.35": "1.35.7", "1.36": "1.36.3", "1.36.0": "1.36.0",
		"1.32": "1.32.11", "1.37": "1.37.0",
	} {
		cloud := emptyCloud(t, Options{})
		answer := mustPut(t, cloud, clusterID, clusterBody(map[string]any{"kubernetesVersion": version}))
		wantAt(t, answer, map[string]any{
			"properties.kubernetesVersion":        version,
			"properties.currentKubernetesVersion": want,
		})
	}
}

// The Azure CLI sends an empty version for AKS' default, which is one older than the newest.
func TestTheDefaultVersion(t *testing.T) {
	t.Parallel()
	for _, version := range []any{"", nil} {
		answer := mustPut(t, emptyCloud(t, Options{}), clusterID,
			clusterBody(map[string]any{"kubernetesVersion": version}))
		wantAt(t, answer, map[string]any{"properties.kubernetesVersion": "1.34"})
	}
}

func TestAnIssuerOnceEnabledStays(t *testing.T) {
	t.Parallel()
	cloud := shop(t)
	on := clusterBody(map[string]any{"oidcIssuerProfile": Body{"enabled": true}})
	url := textAt(mustPut(t, cloud, clusterID, on), "properties.oidcIssuerProfile.issuerURL")
	if !strings.HasPrefix(url, "https://westeurope.oic.prod-aks.azure.com/"+tenant+"/") {
		t.Errorf("the issuer is %q", url)
	}
	wantAt(t, mustPut(t, cloud, clusterID, clusterBody(nil)),
		map[string]any{"properties.oidcIssuerProfile.issuerURL": url})
	_, err := cloud.Put(t.Context(), clusterID,
		clusterBody(map[string]any{"oidcIssuerProfile": Body{"enabled": false}}))
	// The code and the message are from reports of Terraform users.
	wantError(t, err,
		bad400("OIDCIssuerFeatureCannotBeDisabled", "", "OIDC issuer feature cannot be disabled."))
}

// shortOrLong is from https://github.com/microsoft/bedrock/issues/1452.
const shortOrLong = "Length of password is invalid. Required length: [14, 123]. Minimum password length required by " +
	"AKS for AzSecPack is longer."

const osProfile = " Please see https://docs.microsoft.com/en-us/rest/api/compute/virtualmachinescalesets/" +
	"createorupdate#virtualmachinescalesetosprofile"

func badName(why string) *Error {
	return bad400("WindowsProfileUsernameInvalid", "", "Invalid adminUsername. Error: "+why+osProfile)
}

func badSecret(why string) *Error {
	return bad400("WindowsProfilePasswordInvalid", "", "Invalid adminPassword. Error: "+why+osProfile)
}

func TestEachRefusedNameIsRefused(t *testing.T) {
	t.Parallel()
	for _, name := range refusedAdmins {
		err := checkWindowsAdmin(Body{"windowsProfile": Body{"adminUsername": strings.ToUpper(name)}}, password, true)
		wantError(t, err, badName("Username '"+strings.ToUpper(name)+"' is reserved."))
	}
	for _, p := range refusedPasswords {
		if err := checkNodePassword(p); err == nil {
			t.Errorf("%s is taken", p)
		}
	}
	if err := checkNodePassword("Aa1-5678901234"); err != nil {
		t.Error(err)
	}
}

func TestIdentitiesOfClusters(t *testing.T) {
	t.Parallel()
	cloud, id := emptyCloud(t, Options{}), groupID+"/providers/Microsoft.ManagedIdentity/userAssignedIdentities/me"
	body := clusterBody(nil)
	body["identity"] = Body{"type": "UserAssigned", "userAssignedIdentities": Body{id: Body{}}}
	_, err := cloud.Put(t.Context(), clusterID, body)
	wantError(t, err, bad400("FailedIdentityOperation", "",
		"Identity operation for resource '"+clusterID+
			"' failed with error 'Failed to perform resource identity operation. Status: 'NotFound'. Resource '"+id+
			"' was not found.'."))

	me := mustPut(t, cloud, id, Body{"location": "westeurope"})
	answer := mustPut(t, cloud, clusterID, body)
	assigned := answer["identity"].(Body)["userAssignedIdentities"].(Body)[id].(Body)
	wantAt(t, assigned, map[string]any{
		"principalId": at(me, "properties.principalId"),
		"clientId":    at(me, "properties.clientId"),
	})

	zone := map[string]any{
		"apiServerAccessProfile.enablePrivateCluster": true,
		"apiServerAccessProfile.privateDNSZone":       inNetworkProvider + "privateDnsZones/shop.azmk8s.io",
	}
	apply(body["properties"].(Body), zone)
	mustPut(t, cloud, clusterID+"1", body)
	for _, name := range []string{"system", "None"} {
		zone["apiServerAccessProfile.privateDNSZone"] = name
		mustPut(t, cloud, clusterID+name, clusterBody(zone))
	}

	body["identity"] = nil
	_, err = cloud.Put(t.Context(), clusterID+"2", body)
	wantError(t, err, missing("servicePrincipalProfile.clientId"))
}

func TestImmutablePropertiesOfClusters(t *testing.T) {
	t.Parallel()
	cloud := shop(t)
	for path, value := range map[string]any{
		"dnsPrefix": "other", "nodeResourceGroup": "other", "windowsProfile.adminUsername": "other",
		"fqdnSubdomain":                "other",
		"networkProfile.networkPlugin": "none", "networkProfile.networkDataplane": "cilium",
		"networkProfile.podCidr":     "10.8.0.0/16",
		"networkProfile.serviceCidr": "10.7.0.0/16", "networkProfile.dnsServiceIP": "10.0.0.11",
		"networkProfile.loadBalancerSku": "basic",
		"enableRBAC":                     false, "apiServerAccessProfile.enablePrivateCluster": true,
	} {
		_, err := cloud.Put(t.Context(), clusterID, clusterBody(map[string]any{path: value}))
		wantError(t, err, immutable(path))
	}
	body := clusterBody(nil)
	body["location"] = "northeurope"
	_, err := cloud.Put(t.Context(), clusterID, body)
	wantError(t, err, &Error{
		Status: 409, Code: "InvalidResourceLocation",
		Message: "The resource 'shop' already exists in location 'westeurope' in resource group 'rg'. A resource " +
			"with the same name cannot be created in location 'northeurope'. Please select a new resource name.",
	})
}

// The texts of https://learn.microsoft.com/azure/aks/api-server-vnet-integration and
// https://learn.microsoft.com/azure/aks/private-clusters.
func TestChangesOfTheAPIServer(t *testing.T) {
	t.Parallel()
	private, integrated := map[string]any{privatePath: true}, map[string]any{integrationPath: true}
	both := map[string]any{privatePath: true, integrationPath: true}
	for name, c := range map[string]struct {
		before, after map[string]any
		refused       string
	}{
		"private later":            {nil, private, privatePath},
		"public later":             {private, map[string]any{privatePath: false}, privatePath},
		"private with integration": {integrated, private, ""},
		"private and integrated":   {nil, both, ""},
		"public with integration":  {both, map[string]any{privatePath: false}, ""},
		"integration later":        {nil, integrated, ""},
		"no integration":           {integrated, map[string]any{integrationPath: false}, integrationPath},
		"no zone":                  {private, map[string]any{privateZonePath: "none"}, ""},
		"a zone instead of none": {
			map[string]any{privatePath: true, privateZonePath: "none"},
			map[string]any{privateZonePath: "system"},
			privateZonePath,
		},
		"a zone of a private cluster": {integrated, map[string]any{privatePath: true, privateZonePath: "none"}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cloud := emptyCloud(t, Options{})
			mustPut(t, cloud, clusterID, clusterBody(c.before))
			answer, err := cloud.Put(t.Context(), clusterID, clusterBody(c.after))
			if c.refused != "" {
				wantError(t, err, immutable(c.refused))
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			for path, value := range c.after {
				wantAt(t, answer, map[string]any{"properties." + path: value})
			}
		})
	}
}

func TestDefaultsOfNewClusters(t *testing.T) {
	t.Parallel()
	cloud := emptyCloud(t, Options{})
	const issuer, network = "properties.oidcIssuerProfile.enabled", "properties.networkProfile."
	wantAt(t, mustPut(t, cloud, clusterID, clusterBody(map[string]any{"kubernetesVersion": "1.33"})), map[string]any{
		issuer: false, network + "podCidrs": []any{"10.244.0.0/16"}, network + "serviceCidrs": []any{"10.0.0.0/16"},
	})
	wantAt(t, mustPut(t, cloud, clusterID, clusterBody(map[string]any{"kubernetesVersion": "1.34"})),
		map[string]any{issuer: false})
	wantAt(t, mustPut(t, cloud, clusterID+"2", clusterBody(map[string]any{"kubernetesVersion": "1.34"})),
		map[string]any{issuer: true})
	families := []any{"IPv4", "IPv6"}
	wantAt(t, mustPut(t, cloud, clusterID+"3", clusterBody(map[string]any{
		"networkProfile.ipFamilies": families, "networkProfile.networkPolicy": nil,
	})),
		map[string]any{
			network + "podCidrs":     []any{"10.244.0.0/16", "fd12:3456:789a::/64"},
			network + "serviceCidrs": []any{"10.0.0.0/16", "fd12:3456:789a:1::/108"},
		})
	pods := []any{"10.9.0.0/16", "fd00::/64"}
	wantAt(t, mustPut(t, cloud, clusterID+"4", clusterBody(map[string]any{
		"networkProfile.ipFamilies": families, "networkProfile.podCidrs": pods, "networkProfile.networkPolicy": nil,
	})), map[string]any{network + "podCidr": "10.9.0.0/16", network + "podCidrs": pods})
}

func TestWindowsProfileCannotBeAddedLater(t *testing.T) {
	t.Parallel()
	cloud := emptyCloud(t, Options{})
	mustPut(t, cloud, clusterID, clusterBody(map[string]any{"windowsProfile": nil}))
	_, err := cloud.Put(t.Context(), clusterID, clusterBody(nil))
	wantError(t, err, immutable("windowsProfile.adminUsername"))
}

func TestMutablePropertiesOfClusters(t *testing.T) {
	t.Parallel()
	cloud := shop(t)
	first := mustGet(t, cloud, clusterID)
	if again := mustPut(t, cloud, clusterID,
		clusterBody(map[string]any{"windowsProfile.adminPassword": nil})); again["eTag"] != first["eTag"] {
		t.Error("the eTag changed without a change")
	}
	body := clusterBody(map[string]any{
		"windowsProfile": Body{
			"adminUsername": "operator", "adminPassword": "Another-Horse-42",
			"gmsaProfile": Body{"enabled": true},
		},
		"networkProfile": nil, "kubernetesVersion": nil, "dnsPrefix": nil, "agentPoolProfiles": nil,
	})
	body["tags"], body["sku"] = Body{"team": "web"}, Body{"name": "Base", "tier": "Standard"}
	answer := mustPut(t, cloud, clusterID, body)
	wantAt(t, answer, map[string]any{
		"tags": Body{"team": "web"}, "sku.tier": "Standard", "properties.kubernetesVersion": "1.36",
		"properties.dnsPrefix":                        "shop",
		"properties.networkProfile.networkPluginMode": "overlay",
		"properties.windowsProfile": Body{
			"adminUsername": "operator",
			"licenseType":   "Windows_Server", "enableCSIProxy": true, "gmsaProfile": Body{"enabled": true},
		},
	})
	wantAt(t, mustPut(t, cloud, clusterID, clusterBody(nil)), map[string]any{"tags": Body{"team": "web"}})
	body = clusterBody(nil)
	body["tags"] = Body{}
	wantAt(t, mustPut(t, cloud, clusterID, body), map[string]any{"tags": Body{}})
	// The outbound type can be updated after the creation: https://learn.microsoft.com/azure/aks/egress-outboundtype.
	wantAt(t, mustPut(t, cloud, clusterID,
		clusterBody(map[string]any{"networkProfile.outboundType": "managedNATGateway"})),
		map[string]any{"properties.networkProfile.outboundType": "managedNATGateway"})
	if answer["eTag"] == first["eTag"] || len(at(answer, "properties.agentPoolProfiles").([]any)) != 1 {
		t.Errorf("eTags %v and %v, pools %v", first["eTag"], answer["eTag"], at(answer, "properties.agentPoolProfiles"))
	}
}

func TestANewPasswordChangesTheETag(t *testing.T) {
	t.Parallel()
	cloud := shop(t)
	first := mustGet(t, cloud, clusterID)
	second := mustPut(t, cloud, clusterID,
		clusterBody(map[string]any{"windowsProfile.adminPassword": "Another-Horse-42"}))
	if first["eTag"] == second["eTag"] {
		t.Error("the eTag is the same")
	}
	_, err := cloud.Put(t.Context(), clusterID, clusterBody(map[string]any{"windowsProfile.adminPassword": "short"}))
	wantError(t, err, badSecret(shortOrLong))
}

func TestPoolsThroughTheCluster(t *testing.T) {
	t.Parallel()
	cloud := shop(t)
	mustPut(t, cloud, winID, windowsPool(map[string]any{"count": 3}))
	counts := func() map[string]any {
		found := map[string]any{}
		for _, p := range at(mustGet(t, cloud, clusterID), "properties.agentPoolProfiles").([]any) {
			found[textAt(p.(Body), "name")] = p.(Body)["count"]
		}
		return found
	}
	// A pool in the list changes, and a pool that is left out stays.
	mustPut(t, cloud, clusterID,
		clusterBody(map[string]any{"agentPoolProfiles": firstPool(map[string]any{"count": 5})}))
	wantAt(t, counts(), map[string]any{"system": 5.0, "win": 3.0})
	mustPut(t, cloud, clusterID, clusterBody(map[string]any{"agentPoolProfiles": nil}))
	wantAt(t, counts(), map[string]any{"system": 5.0, "win": 3.0})
	mustPut(t, cloud, clusterID, clusterBody(map[string]any{"agentPoolProfiles": []any{}}))
	wantAt(t, counts(), map[string]any{"system": 5.0, "win": 3.0})

	_, err := cloud.Put(t.Context(), clusterID,
		clusterBody(map[string]any{"agentPoolProfiles": firstPool(map[string]any{"name": "new"})}))
	wantError(t, err, bad400("BadRequest", "agentPoolProfiles", "A new agent pool was introduced. Adding agent pools to an existing cluster is not allowed through managed cluster operations. For agent pool specific change, please use per agent pool operations: https://aka.ms/agent-pool-rest-api"))
	_, err = cloud.Put(t.Context(), clusterID,
		clusterBody(map[string]any{"agentPoolProfiles": firstPool(map[string]any{"vmSize": "Standard_D8s_v5"})}))
	wantError(t, err, immutable("agentPoolProfile.vmSize"))
	_, err = cloud.Put(t.Context(), clusterID,
		clusterBody(map[string]any{"agentPoolProfiles": firstPool(map[string]any{"mode": "User"})}))
	wantError(t, err, bad400("OperationNotAllowed", "", "There has to be at least one system agent pool."))
	wantAt(t, counts(), map[string]any{"system": 5.0, "win": 3.0})
}

func TestResultsOfGetCanBePut(t *testing.T) {
	t.Parallel()
	cloud := shop(t)
	mustPut(t, cloud, winID, windowsPool(nil))
	mustPut(t, cloud, clusterID+"/agentPools/spot", linuxPool(map[string]any{"scaleSetPriority": "Spot"}))
	for _, id := range []string{winID, clusterID + "/agentPools/spot", clusterID, groupID} {
		before := mustGet(t, cloud, id)
		after := mustPut(t, cloud, id, before)
		if !same(before, after) {
			t.Errorf("%s was\n%v, and is\n%v", id, before, after)
		}
	}
}

func TestCredentials(t *testing.T) {
	t.Parallel()
	cloud := emptyCloud(t, Options{Kubeconfig: func() ([]byte, error) { return []byte("apiVersion: v1"), nil }})
	aad := map[string]any{"aadProfile": Body{"managed": true}, "disableLocalAccounts": true}
	mustPut(t, cloud, clusterID, clusterBody(nil))
	for action, name := range map[string]string{
		"listClusterUserCredential":  "clusterUser",
		"listClusterAdminCredential": "clusterAdmin",
	} {
		answer, err := cloud.Post(t.Context(), clusterID, action, nil)
		if err != nil {
			t.Fatal(err)
		}
		wantAt(t, answer, map[string]any{"kubeconfigs": []any{Body{
			"name":  name,
			"value": base64.StdEncoding.EncodeToString([]byte("apiVersion: v1")),
		}}})
	}
	mustPut(t, cloud, clusterID, clusterBody(aad))
	_, err := cloud.Post(t.Context(), clusterID, "listClusterAdminCredential", nil)
	wantError(t, err, bad400("BadRequest", "",
		"Getting static credential is not allowed because this cluster is set to disable local accounts."))
	withoutEntraID := strings.Replace(clusterID, "shop", "closed", 1)
	mustPut(t, cloud, withoutEntraID, clusterBody(map[string]any{"disableLocalAccounts": true}))
	_, err = cloud.Post(t.Context(), withoutEntraID, "listClusterUserCredential", nil)
	wantError(t, err, bad400("BadRequest", "",
		"Getting static credential is not allowed because this cluster is set to disable local accounts."))
	_, err = cloud.Post(t.Context(), clusterID, "start", nil)
	wantError(t, err, &Error{
		Status: 404, Code: "InvalidResourceType",
		Message: "The action 'start' of the type 'Microsoft.ContainerService/managedClusters' could not be found.",
	})
	_, err = cloud.Post(t.Context(), clusterID+"2", "listClusterUserCredential", nil)
	wantError(t, err, noCluster("shop2"))
}
