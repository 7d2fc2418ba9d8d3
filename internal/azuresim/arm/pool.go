package arm

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/Azure/azure-sdk-for-go/sdk/resourcemanager/containerservice/armcontainerservice/v8"

	"github.com/mixedkube/mixedkube/internal/core/facts"
)

type (
	poolProperties    = armcontainerservice.ManagedClusterAgentPoolProfileProperties
	clusterProperties = armcontainerservice.ManagedClusterProperties
)

// value dereferences a pointer of the SDK. It returns the zero value for nil.
func value[T any](p *T) T {
	if p == nil {
		return *new(T)
	}
	return *p
}

// typed decodes a body as the SDK does. The body was checked before.
func typed[T any](body Body) T {
	var t T
	data, err := json.Marshal(body)
	if err == nil {
		err = json.Unmarshal(data, &t)
	}
	if err != nil {
		panic(fmt.Sprintf("arm: a checked body is not a %T: %v", t, err))
	}
	return t
}

// poolCluster has the properties of the cluster that the rules for its pools need.
type poolCluster struct {
	// name is the cluster's name.
	name, location string
	cluster        clusterProperties
	current        release
	hasPassword    bool
	// inCluster is true if the request is for the managed cluster.
	inCluster bool
	previews  previews
}

// property is Azure's name of a pool's property in answers about missing properties, and about those that cannot be
// changed.
func (c poolCluster) property(path string) string {
	if c.inCluster {
		return "agentPoolProfile." + path
	}
	return "properties." + path
}

func clusterOf(cluster *resource, inCluster bool) poolCluster {
	properties := typed[clusterProperties](cluster.properties())
	current, _ := resolve(value(properties.CurrentKubernetesVersion))
	return poolCluster{
		name:     cluster.ID[strings.LastIndex(cluster.ID, "/")+1:],
		location: textAt(cluster.Body, "location"), cluster: properties, current: current,
		hasPassword: cluster.HasPassword, inCluster: inCluster,
	}
}

func (r *request) putPool(body Body) (*resource, error) {
	cluster := r.state.get(r.id.parent)
	properties, _ := body["properties"].(Body)
	if properties == nil {
		return nil, missingParameter("properties")
	}
	c := clusterOf(cluster, false)
	stored, err := r.storePool(r.id, c, properties)
	if err != nil {
		return nil, err
	}
	return stored, r.checkNodeSubnet(c, stored.properties())
}

// storePool checks and stores the properties of one pool.
func (r *request) storePool(id armID, c poolCluster, properties Body) (*resource, error) {
	old := r.state.get(id.text)
	c.previews = r.previews()
	changed, err := changePool(id.name(), c, old, properties)
	if err != nil {
		return nil, err
	}
	if old != nil {
		if wasSystem := textAt(old.Body, "properties.mode") == "System"; wasSystem && changed["mode"] != "System" {
			if err := r.needsOtherSystemPool(old); err != nil {
				return nil, err
			}
		}
	}
	if err := r.checkSubnets(changed); err != nil {
		return nil, err
	}
	if err := r.checkAllocation(id, changed); err != nil {
		return nil, err
	}
	if old == nil && len(r.state.below(id.parent, kindPool)) >= mostPools {
		return nil, refused("MaxAgentPoolCountReached", "", "A cluster can have at most %d agent pools.", mostPools)
	}
	r.changesPools = true
	var before Body
	if old != nil {
		before = old.properties()
	}
	stored := r.state.put(id, Body{"properties": changed})
	r.rolls(before, stored)
	if cluster := r.state.get(id.parent); cluster != nil {
		cluster.Changed = max(cluster.Changed, stored.Changed)
	}
	return stored, nil
}

// changePool returns the new properties of a pool, with everything that Azure adds.
func changePool(name string, c poolCluster, old *resource, properties Body) (Body, error) {
	before := Body{}
	if old != nil {
		before = clone(old.properties())
	}
	if err := namePool(name, properties, c); err != nil {
		return nil, err
	}
	if old != nil {
		var err error
		if properties, err = keepPool(before, properties, c); err != nil {
			return nil, err
		}
	}
	if err := c.countPool(properties, old == nil); err != nil {
		return nil, err
	}
	current, err := c.versionOfPool(before, properties)
	if err != nil {
		return nil, err
	}
	c.fillPool(properties, current)
	if err := c.checkResize(before, properties); err != nil {
		return nil, err
	}
	pool := typed[poolProperties](properties)
	for _, rule := range poolRules {
		if err := rule(poolUnderTest{c, name, pool, old == nil, current}); err != nil {
			return nil, err
		}
	}
	dropRegular(properties)
	addSpot(properties)
	return properties, nil
}

// mostPools is the value of a cluster's property maxAgentPools.
var mostPools = facts.AKSPools.Max

// immutablePool are the properties of a pool that cannot be changed, and immutableWindowsPool those that only a Windows
// pool cannot change: a Linux pool changes them with new images. The sources are in components/aks/POOL_CHANGES.md:
// TestImmutablePropertiesMatchTheComponent compares its list with these.
var (
	immutablePool = []string{
		"vmSize", "maxPods", "osDiskSizeGB", "osDiskType", "osType", "scaleSetPriority", "spotMaxPrice",
		"scaleSetEvictionPolicy", "vnetSubnetID", "podSubnetID", "type", "availabilityZones", "enableNodePublicIP",
		"nodePublicIPPrefixID", "enableUltraSSD", "kubeletDiskType", "proximityPlacementGroupID", "hostGroupID",
		"capacityReservationGroupID", "gpuInstanceProfile", "kubeletConfig", "linuxOSConfig",
		"windowsProfile.disableOutboundNat", "enableEncryptionAtHost", "networkProfile.nodePublicIPTags",
		"gpuProfile.driver", "messageOfTheDay", allocationPath,
	}
	immutableWindowsPool = []string{"osSKU", "enableFIPS"}
)

// changedPool is AKS' answer to the change of a property.
func (c poolCluster) changedPool(path string, before, after any) *Error {
	switch path {
	case "kubeletConfig", "linuxOSConfig": // Azure/AKS#2591
		return refused("CustomKubeletConfigOrCustomLinuxOSConfigCanNotBeChanged", "",
			"CustomKubeletConfig or CustomLinuxOSConfig can not be changed for this operation.")
	case "scaleSetPriority": // ansible-collections/azure#2186
		current, _ := before.(string)
		return refused("BadRequest", "", "ScaleSetPriority is immutable. Provided value is %s, Please use current "+
			"value %s.", after, current)
	}
	answer := changed(c.property(path))
	switch path {
	case "osDiskType":
		answer.Code = "CannotChangeOSDiskType"
	case "kubeletDiskType":
		answer.Code = "CannotChangeKubeletDisk"
	}
	return answer
}

// keepPool applies the changes in a body to a pool. Properties that it leaves out stay, so that only an empty list
// removes labels and taints (Azure/azure-service-operator#3522), and nothing removes upgrade settings
// (Azure/azure-rest-api-specs#27373).
func keepPool(before, properties Body, c poolCluster) (Body, error) {
	if properties["osDiskSizeGB"] == 0.0 {
		delete(properties, "osDiskSizeGB") // 0 means the default
	}
	if path := keep(before, properties, c.fixedProperties(before, properties)); path != "" {
		return nil, c.changedPool(path, at(before, path), at(properties, path))
	}
	under := clone(before)
	if properties["enableAutoScaling"] == false {
		delete(under, "minCount")
		delete(under, "maxCount")
	}
	for _, whole := range []string{"nodeLabels", "tags"} {
		if properties[whole] != nil {
			delete(under, whole)
		}
	}
	merged := merge(under, properties)
	// Azure adds the taint of spot nodes itself, and refuses to remove it.
	if before["scaleSetPriority"] == "Spot" {
		taints, _ := merged["nodeTaints"].([]any)
		if !slices.Contains(taints, any(spotTaint)) {
			return nil, changed(c.property("nodeTaints"))
		}
	}
	return merged, nil
}

// countPool sets the number of nodes: an autoscaler keeps it in its range.
func (c poolCluster) countPool(properties Body, isNew bool) error {
	scaled := properties["enableAutoScaling"] == true
	if scaled && properties["count"] == nil {
		// The agent pool API requires it in any case: Azure/azure-service-operator#3220.
		if !c.inCluster {
			return missingParameter(c.property("count"))
		}
		defaultAt(properties, "count", properties["minCount"])
	}
	defaultAt(properties, "count", 1.0)
	least, hasLeast := properties["minCount"].(float64)
	most, hasMost := properties["maxCount"].(float64)
	if count, ok := properties["count"].(float64); ok && scaled && hasLeast && hasMost && !isNew {
		properties["count"] = max(min(count, most), least)
	}
	return nil
}

// versionOfPool sets the version of Kubernetes, and returns its release.
func (c poolCluster) versionOfPool(before, properties Body) (release, error) {
	version := textAt(properties, "orchestratorVersion")
	if had, ok := before["currentOrchestratorVersion"].(string); ok {
		current, _ := resolve(had)
		desired, ok := follow(version, current)
		if !ok {
			return release{}, unsupportedPoolVersion(version)
		}
		// "1.36" is the release of the cluster if the cluster has 1.36.
		if desired.minor != current.minor {
			desired, _ = follow(version, c.current)
		}
		if current.newer(desired) {
			return release{}, refused("AgentPoolUpgradeVersionNotAllowed", "",
				"Downgrading agent pool version from %s to %s is not allowed.", current, desired)
		}
		return desired, checkSkew(desired, c.current)
	}
	if version == "" {
		properties["orchestratorVersion"] = value(c.cluster.KubernetesVersion)
		return c.current, nil
	}
	desired, ok := follow(version, c.current)
	if !ok {
		return release{}, unsupportedPoolVersion(version)
	}
	return desired, checkSkew(desired, c.current)
}

func unsupportedPoolVersion(version string) *Error {
	return refused("AgentPoolK8sVersionNotSupported", "", "Version %s is not supported in this region. Please use [az "+
		"aks get-versions] command to get the supported version list in this region. For more information, please "+
		"check https://aka.ms/supported-version-list.", version)
}

// needsOtherSystemPool refuses to delete or change the last system pool.
func (r *request) needsOtherSystemPool(pool *resource) error {
	cluster := pool.ID[:strings.LastIndex(keyOf(pool.ID), "/agentpools/")]
	pools := r.state.below(cluster, kindPool)
	if len(pools) == 1 && r.method == http.MethodDelete {
		return notAllowed("There has to be at least one agent pool.")
	}
	for _, other := range pools {
		if other != pool && textAt(other.Body, "properties.mode") == "System" {
			return nil
		}
	}
	return notAllowed("There has to be at least one system agent pool.")
}

func (r *request) removePool(pool *resource) error {
	r.changesPools = true
	if textAt(pool.Body, "properties.mode") == "System" {
		if err := r.needsOtherSystemPool(pool); err != nil {
			return err
		}
	}
	if cluster := r.state.get(r.id.parent); cluster != nil {
		cluster.Changed = r.state.Serial + 1
	}
	return nil
}

// checkSubnets checks that the subnets of a pool exist.
func (r *request) checkSubnets(properties Body) error {
	for _, path := range []string{"vnetSubnetID", "podSubnetID"} {
		text := textAt(properties, path)
		if text == "" {
			continue
		}
		id, err := parseID(text)
		if err != nil || id.kind != kindSubnet {
			return invalidParameter("agentPoolProfile."+path, "'%s' is not the ID of a subnet", text)
		}
		if r.state.get(text) == nil {
			return invalidParameter("agentPoolProfile."+path, "the subnet '%s' was not found", text)
		}
	}
	return nil
}

// hideEmpty removes taints and labels if there are none.
func hideEmpty(properties Body) {
	for _, path := range []string{"nodeTaints", "nodeLabels"} {
		if isNothing(properties[path]) {
			delete(properties, path)
		}
	}
}

func viewPool(_ *state, pool *resource, body Body) {
	if properties, ok := body["properties"].(Body); ok {
		hideEmpty(properties)
	}
	setAt(body, "properties.eTag", etagOf(pool))
	body["id"] = idOfAKS(pool.ID)
}
