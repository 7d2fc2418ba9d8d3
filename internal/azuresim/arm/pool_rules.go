package arm

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/mixedkube/mixedkube/internal/core/facts"
)

// poolUnderTest is a pool with all its defaults.
type poolUnderTest struct {
	poolCluster
	name    string
	pool    poolProperties
	isNew   bool
	current release
}

func (p poolUnderTest) windows() bool { return string(value(p.pool.OSType)) == "Windows" }

func (p poolUnderTest) system() bool { return string(value(p.pool.Mode)) == "System" }

func (p poolUnderTest) spot() bool { return string(value(p.pool.ScaleSetPriority)) == "Spot" }

// invalid returns an InvalidParameter for a property of the pool.
func (p poolUnderTest) invalid(path, format string, args ...any) error {
	return invalidParameter("agentPoolProfile."+path, format, args...)
}

// refused returns a refusal of a property of the pool with a code of its own, from Microsoft's package apierror.
func (p poolUnderTest) refused(code, path, format string, args ...any) error {
	return refused(code, "agentPoolProfile."+path, format, args...)
}

// poolRules are checked in this order.
var poolRules = []func(poolUnderTest) error{
	checkMode, checkOSSKU, checkKind, checkSize, checkDisk, checkWindowsNetwork, checkWindowsFeatures,
	checkLinuxFeatures, checkKubeletConfig, checkOutboundNAT, checkMaxPods, checkCount, checkUpgradeSettings, checkSpot,
	checkTaints, checkLabels, checkPodSubnet, checkPoolZones,
}

var poolNameFormat = regexp.MustCompile(`^[a-z][a-z0-9]*$`)

// namePool comes first: the other messages contain the name.
func namePool(name string, properties Body, c poolCluster) error {
	if !poolNameFormat.MatchString(name) || len(name) > facts.AKSPoolName.Max {
		return invalidParameter("agentPoolProfile.name",
			"the name '%s' has to begin with a lower-case letter, and to have at most 12 lower-case letters and digits",
			name)
	}
	if properties["osType"] == "Windows" && len(name) > facts.AKSWindowsPoolName.Max {
		return refused("WindowsAgentPoolNameTooLong", "agentPoolProfile.name",
			"Windows agent pool name can not be longer than 6 characters.")
	}
	if properties["osType"] == "Windows" && (c.cluster.WindowsProfile == nil || !c.hasPassword) {
		return refused("WindowsProfileMissing", "", "Windows profile definition is missing for the cluster.")
	}
	return nil
}

func checkMode(p poolUnderTest) error {
	if p.windows() && p.system() {
		return p.refused("SystemPoolMustBeLinux", "mode", "A Windows agent pool cannot have the mode System.")
	}
	return nil
}

func checkOSSKU(p poolUnderTest) error {
	name := string(value(p.pool.OSSKU))
	refuse := func(format string, args ...any) error {
		return refused("InvalidOSSKU", "agentPoolProfile.osSKU", "OSSKU='%s' is invalid, details: %s", name,
			fmt.Sprintf(format, args...))
	}
	sku, known := facts.SKUNamed(name)
	version := minorVersion(p.current.minor)
	switch {
	case !known || sku.Windows != p.windows():
		return refuse("Unrecognized OSSKU")
	case p.isNew && sku.Refused != "":
		return refuse("it is retired, and new agent pools of it cannot be created")
	case version.Compare(sku.First) < 0:
		return refuse("it is not supported before Kubernetes version %s", sku.First)
	case !version.Within(sku.First, sku.Last):
		return refuse("it is not supported in Kubernetes version %s or later", minorVersion(sku.Last.Minor+1))
	case sku.FIPS == facts.FIPSOnly && !value(p.pool.EnableFIPS):
		return p.invalid("enableFIPS", "OSSKU '%s' requires a FIPS-enabled OS", name)
	case sku.FIPS == facts.NoFIPS && value(p.pool.EnableFIPS):
		return p.invalid("enableFIPS", "OSSKU '%s' has no FIPS-enabled OS", name)
	}
	return nil
}

// checkKind checks what kind of machines the pool has, and whether they run.
func checkKind(p poolUnderTest) error {
	switch kind := string(value(p.pool.Type)); {
	case kind == "AvailabilitySet" && p.isNew:
		return p.invalid("type", "agent pools of the type 'AvailabilitySet' are no longer supported")
	case kind == "VirtualMachines" && p.windows():
		return p.invalid("type", "agent pools of the type 'VirtualMachines' are not supported for Windows")
	}
	power := p.pool.PowerState
	if p.system() && power != nil && string(value(power.Code)) == "Stopped" {
		return p.invalid("powerState.code", "a system node pool cannot be stopped")
	}
	if disk := p.pool.OSDiskSizeGB; disk != nil && !facts.AKSOSDisk.Has(int(*disk)) {
		return p.invalid("osDiskSizeGB", "%d is not between %d and %d", *disk, facts.AKSOSDisk.Min, facts.AKSOSDisk.Max)
	}
	if string(value(p.pool.ScaleDownMode)) == "Deallocate" && string(value(p.pool.OSDiskType)) == "Ephemeral" {
		return p.invalid("scaleDownMode", "'Deallocate' is not supported with ephemeral OS disks")
	}
	if p.pool.ProximityPlacementGroupID != nil && len(p.pool.AvailabilityZones) > 1 {
		return p.invalid("availabilityZones", "a proximity placement group is in one zone")
	}
	return nil
}

func checkSize(p poolUnderTest) error {
	size := value(p.pool.VMSize)
	m, known := sizeNamed(size)
	switch {
	case !known:
		return refused("BadRequest", "agentPoolProfile.vmSize", "The VM size of AgentPoolProfile:%s is not allowed in "+
			"your subscription in location '%s'. For more details, please visit https://aka.ms/aks/quotas-skus-regions",
			p.name, p.location)
	case p.system() && m.family == "B":
		return p.invalid("vmSize", "system node pool %s cannot use the B-series VM size %s", p.name, size)
	case p.system() && (m.cpus < 2 || m.memoryGiB > 0 && m.memoryGiB < 4):
		return refused("SystemPoolSkuTooLow", "agentPoolProfile.vmSize",
			"System node pool must use VM sku with more than 2 cores and 4GB memory. Nodepool name: %s.", p.name)
	case m.cpus < 2 || m.memoryGiB > 0 && m.memoryGiB < 2:
		return p.invalid("vmSize", "the VM size %s has less than 2 cores or 2GB memory", size)
	case p.windows() && m.confidential():
		return p.invalid("vmSize", "the confidential VM size %s is not supported for Windows agent pools", size)
	case p.windows() && m.arm:
		return p.refused("VMSizeNotSupportedForWindowsAgentPool", "vmSize",
			"The Arm64 VM size %s is not supported for Windows agent pools.", size)
	case string(value(p.pool.OSSKU)) == "Windows2022" && m.onlyGen2:
		return refused("BadRequest", "agentPoolProfile.vmSize",
			"The selected VM size '%s' cannot boot Hypervisor Generation '1'. If this was a Create operation please "+
				"check that the Hypervisor Generation of the Image matches the Hypervisor Generation of the selected "+
				"VM Size.", size)
	}
	return nil
}

func checkWindowsNetwork(p poolUnderTest) error {
	if !p.windows() || p.cluster.NetworkProfile == nil {
		return nil
	}
	network := p.cluster.NetworkProfile
	switch {
	case string(value(network.NetworkPlugin)) != "azure":
		return refused("AzureCNIOnlyForWindows", "networkProfile.networkPlugin",
			"Windows agent pools can only be added to AKS clusters using Azure-CNI.")
	case string(value(network.NetworkDataplane)) == "cilium":
		return invalidParameter("networkProfile.networkDataplane",
			"the dataplane 'cilium' is not supported with Windows agent pools")
	case slices.Contains([]string{"azure", "cilium"}, string(value(network.NetworkPolicy))):
		return invalidParameter("networkProfile.networkPolicy",
			"the network policy '%s' is not supported with Windows agent pools", value(network.NetworkPolicy))
	}
	return checkWindowsCluster(p.cluster)
}

// checkWindowsCluster checks the features of a cluster that has Windows pools.
func checkWindowsCluster(cluster clusterProperties) error {
	if isIsolated(cluster) {
		return invalidParameter("bootstrapProfile.artifactSource",
			"network isolated clusters do not support Windows agent pools")
	}
	return nil
}

func checkWindowsFeatures(p poolUnderTest) error {
	if !p.windows() {
		return nil
	}
	security := p.pool.SecurityProfile
	for _, feature := range []struct {
		path string
		used bool
	}{
		{"securityProfile.enableSecureBoot", security != nil && value(security.EnableSecureBoot)},
		{"securityProfile.enableVTPM", security != nil && value(security.EnableVTPM)},
		{"gpuInstanceProfile", p.pool.GpuInstanceProfile != nil},
		{"linuxOSConfig", p.pool.LinuxOSConfig != nil},
		{"localDNSProfile", p.pool.LocalDNSProfile != nil},
		{"messageOfTheDay", value(p.pool.MessageOfTheDay) != ""},
		{"workloadRuntime", p.pool.WorkloadRuntime != nil && string(*p.pool.WorkloadRuntime) != defaultRuntime},
	} {
		if feature.used {
			return p.invalid(feature.path, "it is not supported for Windows agent pools")
		}
	}
	return nil
}

func checkKubeletConfig(p poolUnderTest) error {
	config := p.pool.KubeletConfig
	if !p.windows() || config == nil {
		return nil
	}
	for _, setting := range []struct {
		name string
		used bool
	}{
		{"allowedUnsafeSysctls", config.AllowedUnsafeSysctls != nil},
		{"cpuCfsQuota", config.CPUCfsQuota != nil},
		{"cpuCfsQuotaPeriod", config.CPUCfsQuotaPeriod != nil},
		{"cpuManagerPolicy", config.CPUManagerPolicy != nil},
		{"failSwapOn", config.FailSwapOn != nil},
		{"podMaxPids", config.PodMaxPids != nil},
		{"topologyManagerPolicy", config.TopologyManagerPolicy != nil},
	} {
		if setting.used {
			return p.invalid("kubeletConfig."+setting.name, "it is not supported for Windows agent pools")
		}
	}
	return nil
}

func checkOutboundNAT(p poolUnderTest) error {
	if p.pool.WindowsProfile == nil || !value(p.pool.WindowsProfile.DisableOutboundNat) {
		return nil
	}
	const path = "windowsProfile.disableOutboundNat"
	if !p.windows() {
		return p.invalid(path, "it is supported for Windows agent pools only")
	}
	if p.cluster.NetworkProfile != nil && string(value(p.cluster.NetworkProfile.OutboundType)) == "loadBalancer" {
		return p.invalid(path, "it is not supported with the outbound type 'loadBalancer'")
	}
	return nil
}

func checkMaxPods(p poolUnderTest) error {
	pods, nodes := int(value(p.pool.MaxPods)), int(value(p.pool.Count))
	if !facts.AKSMaxPods.Has(pods) {
		return p.invalid("maxPods",
			"agentPoolProfile.maxPods was %d. It must be greater or equal to %d and less than or equal to %d", pods,
			facts.AKSMaxPods.Min, facts.AKSMaxPods.Max)
	}
	if p.system() && nodes > 0 && pods*nodes < facts.AKSSystemPods {
		return refused("InsufficientMaxPods", "agentPoolProfile.maxPods",
			"The AgentPoolProfile '%s' has an invalid total maxPods(maxPods per node * node count), the total "+
				"maxPods(%d * %d) should be larger than %d. Please refer to aka.ms/aks-min-max-pod for more detail.",
			p.name, pods, nodes, facts.AKSSystemPods)
	}
	return nil
}

var mostNodes = facts.AKSNodes.Max

func checkCount(p poolUnderTest) error {
	least, count := 0, int(value(p.pool.Count))
	if p.system() {
		least = 1
	}
	outside := func(path string, number int) error {
		return p.invalid(path,
			"agentPoolProfile.%s was %d. It must be greater or equal to minCount:%d and less than or equal to "+
				"maxCount:%d", path, number, least, mostNodes)
	}
	if count < least || count > mostNodes {
		return outside("count", count)
	}
	if !value(p.pool.EnableAutoScaling) {
		if p.pool.MinCount != nil {
			return p.invalid("minCount", "it can only be set if enableAutoScaling is true")
		}
		if p.pool.MaxCount != nil {
			return p.invalid("maxCount", "it can only be set if enableAutoScaling is true")
		}
		return nil
	}
	for _, path := range []string{"minCount", "maxCount"} {
		number := p.pool.MinCount
		if path == "maxCount" {
			number = p.pool.MaxCount
		}
		if number == nil {
			return missingParameter(p.property(path))
		}
		if int(*number) < least || int(*number) > mostNodes {
			return outside(path, int(*number))
		}
	}
	from, to := int(*p.pool.MinCount), int(*p.pool.MaxCount)
	if from > to {
		return p.invalid("minCount",
			"agentPoolProfile.minCount was %d. It must be less than or equal to agentPoolProfile.maxCount:%d", from, to)
	}
	if count < from || count > to {
		return p.invalid("count",
			"agentPoolProfile.count was %d. It must be greater or equal to minCount:%d and less than or equal to "+
				"maxCount:%d", count, from, to)
	}
	return nil
}

var shareFormat = regexp.MustCompile(`^(\d{1,4})(%?)$`)

// share returns the number of nodes that "2" or "33%" of a pool is, rounded up or down.
func share(text string, nodes int, round func(float64) float64) (int, bool) {
	m := shareFormat.FindStringSubmatch(text)
	if m == nil {
		return 0, false
	}
	number, _ := strconv.Atoi(m[1])
	if m[2] == "" {
		return number, true
	}
	return int(round(float64(nodes*number) / 100)), number <= 100
}

func checkUpgradeSettings(p poolUnderTest) error {
	settings, nodes := p.pool.UpgradeSettings, int(value(p.pool.Count))
	surge, ok := share(value(settings.MaxSurge), nodes, math.Ceil)
	if !ok {
		return p.invalid("upgradeSettings.maxSurge", "'%s' is neither a number nor a percentage",
			value(settings.MaxSurge))
	}
	if _, ok := share(value(settings.MaxUnavailable), nodes, math.Floor); !ok {
		return p.invalid("upgradeSettings.maxUnavailable", "'%s' is neither a number nor a percentage",
			value(settings.MaxUnavailable))
	}
	noSurge, noneAway := isZero(value(settings.MaxSurge)), isZero(value(settings.MaxUnavailable))
	switch {
	case p.system() && !noneAway:
		return p.invalid("upgradeSettings.maxUnavailable", "it is not supported for system node pools")
	case noSurge && noneAway:
		return p.invalid("upgradeSettings.maxSurge", "maxSurge and maxUnavailable cannot both be 0")
	case nodes+surge > mostNodes:
		return p.invalid("upgradeSettings.maxSurge", "the count %d and the surge %d are more than %d nodes together",
			nodes, surge, mostNodes)
	}
	for _, wait := range []struct {
		path     string
		minutes  *int32
		accepted facts.Range
	}{
		{"drainTimeoutInMinutes", settings.DrainTimeoutInMinutes, facts.AKSDrainTimeout},
		{"nodeSoakDurationInMinutes", settings.NodeSoakDurationInMinutes, facts.AKSNodeSoak},
	} {
		if wait.minutes != nil && !wait.accepted.Has(int(*wait.minutes)) {
			return p.invalid("upgradeSettings."+wait.path, "%d is not between %d and %d", *wait.minutes,
				wait.accepted.Min, wait.accepted.Max)
		}
	}
	return nil
}

func isZero(share string) bool { return strings.Trim(share, "0%") == "" }

func checkSpot(p poolUnderTest) error {
	price := p.pool.SpotMaxPrice
	if !p.spot() {
		if price != nil && *price != -1 {
			return p.invalid("spotMaxPrice", "it can only be set if scaleSetPriority is 'Spot'")
		}
		// The Azure CLI sends Delete with every pool.
		if policy := p.pool.ScaleSetEvictionPolicy; policy != nil && string(*policy) != "Delete" {
			return p.invalid("scaleSetEvictionPolicy", "it can only be set if scaleSetPriority is 'Spot'")
		}
		return nil
	}
	if p.system() {
		return p.refused("SystemPoolMustBeRegular", "scaleSetPriority",
			"A system agent pool cannot have the priority 'Spot'.")
	}
	written := strconv.FormatFloat(float64(*price), 'f', -1, 32)
	_, decimals, _ := strings.Cut(written, ".")
	if *price != -1 && (*price <= 0 || len(decimals) > 5) {
		return p.invalid("spotMaxPrice", "%s is neither -1 nor greater than 0 with at most 5 decimal places", written)
	}
	return nil
}

func checkPodSubnet(p poolUnderTest) error {
	if p.pool.PodSubnetID == nil || p.cluster.NetworkProfile == nil {
		return nil
	}
	if plugin := value(p.cluster.NetworkProfile.NetworkPlugin); plugin != "azure" {
		return p.invalid("podSubnetID", "it is not supported with the network plugin '%s'", plugin)
	}
	if string(value(p.cluster.NetworkProfile.NetworkPluginMode)) == "overlay" {
		return p.invalid("podSubnetID", "it is not supported with the network plugin mode 'overlay'")
	}
	if p.pool.VnetSubnetID == nil {
		return p.invalid("podSubnetID", "it needs a vnetSubnetID")
	}
	return nil
}

// checkPoolZones knows the zones 1 to 3 in every location. The message is from jenkins-infra/azure#1458, and the code
// from MicrosoftDocs/azure-aks-docs#416.
func checkPoolZones(p poolUnderTest) error {
	for _, zone := range p.pool.AvailabilityZones {
		if !slices.Contains(allZones, value(zone)) {
			return refused("AvailabilityZoneNotSupported", "", "The zone(s) '%s' for resource '%s' is not supported. "+
				"The supported zones for location '%s' are '%s'", value(zone), p.name, p.location,
				strings.Join(allZones, ","))
		}
	}
	return nil
}
