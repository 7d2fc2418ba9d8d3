package arm

import (
	"slices"
	"strings"
)

var clusterReadOnly = []string{
	"id", "name", "type", "eTag", "systemData", "identity.principalId", "identity.tenantId",
	"properties.azurePortalFQDN",
	"properties.currentKubernetesVersion", "properties.fqdn", "properties.maxAgentPools", "properties.powerState",
	"properties.privateFQDN", "properties.provisioningState", "properties.resourceUID", "properties.status",
	"properties.networkProfile.loadBalancerProfile.effectiveOutboundIPs",
	"properties.networkProfile.natGatewayProfile.effectiveOutboundIPs",
	"properties.oidcIssuerProfile.issuerURL",
}

// clusterSecrets are accepted and never stored.
var clusterSecrets = []string{
	"windowsProfile.adminPassword", "servicePrincipalProfile.secret", "aadProfile.serverAppSecret",
}

// immutableCluster are the properties of a cluster that cannot be changed.
var immutableCluster = []string{
	"dnsPrefix", "fqdnSubdomain", "nodeResourceGroup", "diskEncryptionSetID", "enableRBAC",
	"windowsProfile.adminUsername", "linuxProfile.adminUsername",
	"networkProfile.networkPlugin", "networkProfile.networkPluginMode", "networkProfile.networkDataplane",
	"networkProfile.networkMode",
	"networkProfile.podCidr", "networkProfile.podCidrs", "networkProfile.serviceCidr", "networkProfile.serviceCidrs",
	"networkProfile.dnsServiceIP", "networkProfile.ipFamilies", "networkProfile.loadBalancerSku",
	privatePath, privateZonePath,
}

// The properties of the API server that some clusters can change.
const (
	privatePath     = "apiServerAccessProfile.enablePrivateCluster"
	privateZonePath = "apiServerAccessProfile.privateDNSZone"
	integrationPath = "apiServerAccessProfile.enableVnetIntegration"
)

// fixedOf returns the properties that a request cannot change in this cluster. With API Server VNet Integration, which
// cannot be disabled, a cluster becomes private or public
// (https://learn.microsoft.com/azure/aks/api-server-vnet-integration), and the zone of any private cluster changes to
// none only (https://learn.microsoft.com/azure/aks/private-clusters).
func fixedOf(before, sent Body) []string {
	integrated := at(before, integrationPath) == true
	becomesPrivate := (integrated || at(sent, integrationPath) == true) && at(before, privatePath) != true
	fixed := slices.DeleteFunc(slices.Clone(immutableCluster), func(path string) bool {
		switch path {
		case privatePath:
			return integrated || becomesPrivate
		case privateZonePath:
			return becomesPrivate || strings.EqualFold(textAt(sent, path), "none")
		}
		return false
	})
	if integrated {
		fixed = append(fixed, integrationPath)
	}
	return fixed
}

func (r *request) putCluster(body Body) (*resource, error) {
	old := r.state.get(r.id.text)
	if err := checkClusterName(r.id.name()); err != nil {
		return nil, err
	}
	if err := r.placed(body); err != nil {
		return nil, err
	}
	sent, _ := body["properties"].(Body)
	if sent == nil {
		return nil, missingParameter("properties")
	}
	pools, err := poolsOf(sent)
	if err != nil {
		return nil, err
	}
	password, hasPassword := at(sent, "windowsProfile.adminPassword").(string)
	for _, path := range clusterSecrets {
		removeAt(sent, path)
	}
	before := Body{}
	if old != nil {
		hasPassword = hasPassword || old.HasPassword
		before = clone(old.properties())
		if path := keep(before, sent, fixedOf(before, sent)); path != "" {
			return nil, changed(path)
		}
		if at(before, "oidcIssuerProfile.enabled") == true && at(sent, "oidcIssuerProfile.enabled") == false {
			return nil, refused("OIDCIssuerFeatureCannotBeDisabled", "", "OIDC issuer feature cannot be disabled.")
		}
		if body["identity"] == nil && old.Body["identity"] != nil {
			body["identity"] = clone(old.Body)["identity"]
		}
		defaultAt(body, "sku", old.Body["sku"])
		// Tags that are not set stay, as Azure/azure-service-operator#3522 shows.
		defaultAt(body, "tags", old.Body["tags"])
		dropNulls(body)
	}
	properties := merge(before, sent)
	if err := checkWindowsAdmin(properties, password, hasPassword); err != nil {
		return nil, err
	}
	if err := r.checkNodeGroup(body, properties, old == nil); err != nil {
		return nil, err
	}
	if err := r.checkIdentity(body, properties); err != nil {
		return nil, err
	}
	if err := r.fillCluster(body, properties, old); err != nil {
		return nil, err
	}
	current, _ := resolve(textAt(properties, "currentKubernetesVersion"))
	cluster := typed[clusterProperties](properties)
	if old == nil {
		if err := checkSupport(r.id.name(), current, cluster, textAt(body, "sku.tier"), r.cloud.today()); err != nil {
			return nil, err
		}
	}
	if err := checkCluster(cluster); err != nil {
		return nil, err
	}
	if err := checkTier(cluster, body); err != nil {
		return nil, err
	}
	if old == nil {
		if err := checkNewCluster(cluster); err != nil {
			return nil, err
		}
	}
	if err := r.checkPoolList(pools, current, old == nil); err != nil {
		return nil, err
	}
	body["properties"] = properties
	stored := r.state.put(r.id, body)
	// The password is not stored, so it may be another one: count it as a change.
	if password != "" && old != nil {
		r.state.Serial++
		stored.Changed = r.state.Serial
	}
	stored.HasPassword = hasPassword
	r.changesPools = true
	if err := r.storePools(stored, pools); err != nil {
		return nil, err
	}
	return stored, r.checkPoolsLeft(stored)
}

// poolsOf takes the pools out of a cluster's properties.
func poolsOf(properties Body) ([]Body, error) {
	list, _ := properties["agentPoolProfiles"].([]any)
	delete(properties, "agentPoolProfiles")
	pools := make([]Body, 0, len(list))
	named := map[string]bool{}
	for _, item := range list {
		pool, _ := item.(Body)
		name := textAt(pool, "name")
		if name == "" {
			return nil, missingParameter("agentPoolProfile.name")
		}
		if named[name] {
			return nil, invalidParameter("agentPoolProfile.name", "there are two agent pools '%s'", name)
		}
		named[name] = true
		for _, path := range []string{
			"currentOrchestratorVersion", "eTag", "nodeImageVersion", "provisioningState",
			"status",
		} {
			removeAt(pool, path)
		}
		dropNulls(pool)
		pools = append(pools, pool)
	}
	return pools, nil
}

// checkPoolList checks that a new cluster has a pool for its own pods, and that an existing one gets no new pools.
func (r *request) checkPoolList(pools []Body, cluster release, isNew bool) error {
	if !isNew {
		return r.checkKnownPools(pools, cluster)
	}
	if len(pools) == 0 {
		return missingParameter("agentPoolProfiles")
	}
	for _, pool := range pools {
		if pool["mode"] == "System" && pool["osType"] != "Windows" {
			return nil
		}
	}
	// Azure/AKS#1568
	return refused("MustDefineAtLeastOneSystemPool", "agentPoolProfiles", "Must define at least one system pool.")
}

func (r *request) checkKnownPools(pools []Body, cluster release) error {
	for _, pool := range pools {
		if r.state.get(r.poolID(pool)) == nil {
			return refused("BadRequest", "agentPoolProfiles", "A new agent pool was introduced. Adding agent pools "+
				"to an existing cluster is not allowed through managed cluster operations. For agent pool specific "+
				"change, please use per agent pool operations: https://aka.ms/agent-pool-rest-api")
		}
	}
	return r.checkPoolVersions(pools, cluster)
}

// checkPoolVersions allows a request of the cluster to set the versions of all pools or of none, and to change them
// only to the cluster's version.
func (r *request) checkPoolVersions(pools []Body, cluster release) error {
	explicit, fine := 0, true
	for _, pool := range pools {
		version := textAt(pool, "orchestratorVersion")
		if version == "" {
			continue
		}
		explicit++
		current, _ := resolve(textAt(r.state.get(r.poolID(pool)).Body, "properties.currentOrchestratorVersion"))
		stays, ok := follow(version, current)
		asCluster, _ := follow(version, cluster)
		fine = fine && ok && (stays == current || asCluster == cluster)
	}
	if fine && (explicit == 0 || explicit == len(r.state.below(r.id.text, kindPool))) {
		return nil
	}
	return refused("NotAllAgentPoolOrchestratorVersionSpecifiedAndUnchanged", "", "Using managed cluster api, all "+
		"Agent pools' OrchestratorVersion must be all specified or all unspecified. If all specified, they must be "+
		"stay unchanged or the same with control plane. For agent pool specific change, please use per agent pool "+
		"operations: https://aka.ms/agent-pool-rest-api")
}

func (r *request) poolID(pool Body) string { return r.id.text + "/agentPools/" + textAt(pool, "name") }

func (r *request) storePools(cluster *resource, pools []Body) error {
	c := clusterOf(cluster, true)
	for _, pool := range pools {
		id, err := parseID(cluster.ID + "/agentPools/" + textAt(pool, "name"))
		if err != nil {
			return err
		}
		delete(pool, "name")
		if _, err := r.storePool(id, c, pool); err != nil {
			return err
		}
	}
	return nil
}

// checkPoolsLeft checks all pools against the changed cluster, including those that the request does not name.
func (r *request) checkPoolsLeft(cluster *resource) error {
	c := clusterOf(cluster, true)
	for _, stored := range r.state.below(cluster.ID, kindPool) {
		pool := typed[poolProperties](stored.properties())
		current, _ := resolve(value(pool.CurrentOrchestratorVersion))
		if err := checkSkew(current, c.current); err != nil {
			return err
		}
		p := poolUnderTest{
			poolCluster: c, name: stored.ID[strings.LastIndex(stored.ID, "/")+1:], pool: pool,
			current: current,
		}
		if err := checkWindowsNetwork(p); err != nil {
			return err
		}
		if err := checkOutboundNAT(p); err != nil {
			return err
		}
		if err := r.checkNodeSubnet(c, stored.properties()); err != nil {
			return err
		}
	}
	return nil
}

func (r *request) removeCluster(*resource) error {
	r.changesPools = true
	return nil
}

// idOfAKS returns an ID in the spelling that AKS uses for its own resources, in whatever spelling it was sent.
func idOfAKS(id string) string {
	segments := strings.Split(id, "/")
	segments[3] = "resourcegroups"
	return strings.Join(segments, "/")
}

func viewCluster(s *state, cluster *resource, body Body) {
	body["id"], body["type"] = idOfAKS(cluster.ID), "Microsoft.ContainerService/ManagedClusters"
	body["eTag"] = etagOf(cluster)
	profiles := []any{}
	for _, pool := range s.below(cluster.ID, kindPool) {
		profile := clone(pool.properties())
		hideEmpty(profile)
		profile["name"] = pool.ID[strings.LastIndex(pool.ID, "/")+1:]
		profile["eTag"] = etagOf(pool)
		profiles = append(profiles, profile)
	}
	setAt(body, "properties.agentPoolProfiles", profiles)
}
