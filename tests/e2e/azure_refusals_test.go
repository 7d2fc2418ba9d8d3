package e2e

import (
	"bufio"
	"context"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mixedkube/mixedkube/internal/azuresim/armclient"
	"github.com/mixedkube/mixedkube/internal/lab/deploy"
	"github.com/mixedkube/mixedkube/tests/internal/labtest"
)

// refusal is Azure's error for a request of the program in internal/azuresim/azurenative/testdata/refusals.
type refusal struct {
	// rule is the reason: the subject of a rule of AKS, or the ID of a rule in the components' catalog.
	rule string
	// resource is the name of the resource in the program.
	resource string
	// code is Azure's error code, and part the part of the message about the property.
	code, part string
}

// TestAzureRefusals sends requests that Azure refuses. It uses azure-native's own types, because the components would
// refuse them first.
func TestAzureRefusals(t *testing.T) {
	t.Parallel()
	l := newAzureLab(t)
	// The lab needs a stack in Azure to start. The stack is not deployed.
	l.configure(t, "1.36", []string{"name: sys, platform: linux, mode: System, size: Standard_D4s_v5"})
	l.start(t)
	changed := filepath.Join(t.TempDir(), "Pulumi.dev.yaml")
	check(t, os.WriteFile(changed, []byte("config:\n  refusals:changed: true\n"), 0o600))

	// refused compares the errors of Azure in a run of Pulumi with the expected ones.
	refused := func(t *testing.T, config string, want []refusal,
		run func(*deploy.Stack, context.Context, ...string) error, args ...string,
	) {
		t.Helper()
		stack := l.project(t, "internal/azuresim/azurenative/testdata/refusals", "dev", config)
		// The program creates all pools in parallel, and has no hook that retries. So operations must end immediately.
		atOnce := *stack.Azure
		atOnce.Environ = []string{armclient.OperationVariable + "=0s"}
		stack.Azure = &atOnce
		events, logging := labtest.EventLog(t)
		err := run(stack, t.Context(),
			slices.Concat(logging, []string{"--skip-preview", "--continue-on-error"}, args)...)
		labtest.Failed(t, "the run", err)
		checkRefusals(t, want, refusals(t, events))
	}

	t.Run("every wrong creation fails with Azure's code", func(t *testing.T) {
		refused(t, "", refusedNew, (*deploy.Stack).Up)
	})
	first := resourcesInAzure(t, l.AzureDir())
	t.Run("Azure has created only the valid resources", func(t *testing.T) {
		if diff := cmp.Diff(acceptedNew, slices.Sorted(maps.Keys(first))); diff != "" {
			t.Errorf("in Azure (-want +have):\n%s", diff)
		}
	})
	t.Run("every wrong change fails with Azure's code", func(t *testing.T) {
		refused(t, changed, refusedChanges, (*deploy.Stack).Up)
	})
	second := resourcesInAzure(t, l.AzureDir())
	t.Run("Azure has made only the valid changes", func(t *testing.T) {
		if diff := cmp.Diff(acceptedChanges, differ(first, second)); diff != "" {
			t.Errorf("changed in Azure (-want +have):\n%s", diff)
		}
	})
	t.Run("a wrong deletion fails with Azure's code", func(t *testing.T) {
		last := "urn:pulumi:dev::refusals::azure-native:containerservice:AgentPool::last"
		refused(t, changed, refusedRemoval, (*deploy.Stack).Destroy, "--target", last)
		if changed := differ(second, resourcesInAzure(t, l.AzureDir())); len(changed) > 0 {
			t.Errorf("changed in Azure: %q", changed)
		}
	})
}

const (
	invalidParameter = "InvalidParameter"
	changeNotAllowed = "PropertyChangeNotAllowed"
	notAllowed       = "OperationNotAllowed"
	noSystemPool     = "MustDefineAtLeastOneSystemPool"
)

// refusedNew has a row for each rule that a new cluster or pool can break.
//
// There is no row for rules that no request can break: that each cluster has a Windows profile (Azure refuses the
// request for the first Windows pool), the defaults, disableOutboundNat before Kubernetes 1.26, which is no longer
// available, containerd itself, and the use of volumes. Nor is there a row for requests that Azure accepts: Image
// Cleaner, certificate authorities and Istio in the cluster shop, which has a Windows pool. The API version that
// azure-native uses has no property for artifact streaming.
var refusedNew = []refusal{
	{"pool name", "name-capital", invalidParameter, "agentPoolProfile.name is invalid. Error details: the name 'Apps'"},
	{
		"pool name", "name-13", invalidParameter,
		"agentPoolProfile.name is invalid. Error details: the name 'a123456789012'",
	},
	{
		"pool name", "name-windows-7", "WindowsAgentPoolNameTooLong",
		"Windows agent pool name can not be longer than 6 characters.",
	},

	{"pool mode", "mode-first-user", noSystemPool, "Must define at least one system pool."},
	{"pool mode", "mode-first-unsaid", noSystemPool, "Must define at least one system pool."},
	{"pool mode", "mode-first-win", noSystemPool, "Must define at least one system pool."},
	{
		"pool mode", "mode-windows-system", "SystemPoolMustBeLinux",
		"A Windows agent pool cannot have the mode System.",
	},

	{"system pool", "system-max-pods-29", "InsufficientMaxPods", "the total maxPods(29 * 1) should be larger than 30"},
	{"system pool", "system-b-series", invalidParameter, "cannot use the B-series VM size Standard_B4ms"},
	{
		"system pool", "system-taint", "SystemPoolHasRestrictedTaint",
		"Placing custom taints on system pool is not supported",
	},

	{
		"windowsProfile", "profile-missing", "WindowsProfileMissing",
		"Windows profile definition is missing for the cluster.",
	},
	{
		"windowsProfile", "windows-profile-none", "WindowsProfileMissing",
		"Windows profile definition is missing for the cluster.",
	},

	{
		"adminUsername", "admin-empty", "WindowsProfileUsernameInvalid",
		"Length of username is invalid. Required length: [1, 20].",
	},
	{
		"adminUsername", "admin-21", "WindowsProfileUsernameInvalid",
		"Length of username is invalid. Required length: [1, 20].",
	},
	{
		"adminUsername", "admin-period", "WindowsProfileUsernameInvalid", "Username 'operator.' cannot end with '.'.",
	},
	{"adminUsername", "admin-refused", "WindowsProfileUsernameInvalid", "Username 'Administrator' is reserved"},
	{
		"adminUsername", "admin-refused-2", "WindowsProfileUsernameInvalid",
		"Username 'support_388945a0' is reserved",
	},

	{"adminPassword", "password-none", invalidParameter, "Required parameter windowsProfile.adminPassword is missing"},
	{
		"adminPassword", "password-7", "WindowsProfilePasswordInvalid",
		"Length of password is invalid. Required length: [14, 123].",
	},
	{
		"adminPassword", "password-124", "WindowsProfilePasswordInvalid",
		"Length of password is invalid. Required length: [14, 123].",
	},
	{
		"adminPassword", "password-2-kinds", "WindowsProfilePasswordInvalid", "Password has to have 3 of",
	},

	{
		"licenseType", "license-unknown", invalidParameter,
		"The value 'Windows_Client' of parameter properties.windowsProfile.licenseType is invalid",
	},

	{"osSKU", "sku-2019", "InvalidOSSKU", "OSSKU='Windows2019' is invalid"},
	{"osSKU", "sku-annual", "InvalidOSSKU", "OSSKU='WindowsAnnual' is invalid"},
	{
		"osSKU", "sku-2022-in-137", "InvalidOSSKU",
		"OSSKU='Windows2022' is invalid, details: it is not supported in Kubernetes version 1.37",
	},
	{"osSKU", "sku-2025-not-fips", invalidParameter, "agentPoolProfile.enableFIPS is invalid"},
	{"osSKU", "sku-ubuntu-windows", "InvalidOSSKU", "OSSKU='Ubuntu' is invalid, details: Unrecognized OSSKU"},
	{"osSKU", "sku-windows-on-linux", "InvalidOSSKU", "OSSKU='Windows2022' is invalid, details: Unrecognized OSSKU"},

	{
		"network", "network-kubenet", "AzureCNIOnlyForWindows",
		"Windows agent pools can only be added to AKS clusters using Azure-CNI.",
	},
	{
		"network", "network-none", "AzureCNIOnlyForWindows",
		"Windows agent pools can only be added to AKS clusters using Azure-CNI.",
	},
	{"network", "network-cilium", invalidParameter, "networkProfile.networkDataplane is invalid"},
	{"network", "network-kubenet-overlay", invalidParameter, "networkProfile.networkPluginMode is invalid"},
	{
		"network", "network-pods-kubenet", invalidParameter,
		"agentPoolProfile.podSubnetID is invalid. Error details: it is not supported with the network plugin 'kubenet'",
	},
	{
		"network", "network-pods-overlay", invalidParameter,
		"agentPoolProfile.podSubnetID is invalid. Error details: it is not supported with the network plugin mode " +
			"'overlay'",
	},

	{
		"network policy", "policy-npm", invalidParameter,
		"the network policy 'azure' is not supported with Windows agent pools",
	},

	{"maxPods", "max-pods-9", invalidParameter, "agentPoolProfile.maxPods was 9."},
	{"maxPods", "max-pods-251", invalidParameter, "agentPoolProfile.maxPods was 251."},

	{
		"counts", "count-negative", invalidParameter,
		"agentPoolProfile.count was -1. It must be greater or equal to minCount:0",
	},
	{"counts", "count-1001", invalidParameter, "agentPoolProfile.count was 1001."},
	{
		"counts", "count-system-0", invalidParameter,
		"agentPoolProfile.count was 0. It must be greater or equal to minCount:1",
	},
	{
		"counts", "count-range", invalidParameter,
		"agentPoolProfile.minCount was 4. It must be less than or equal to agentPoolProfile.maxCount:2",
	},
	{"counts", "count-max-1001", invalidParameter, "agentPoolProfile.maxCount was 1001."},
	{"counts", "count-surge", invalidParameter, "the count 990 and the surge 11 are more than 1000 nodes together"},

	{
		"upgrade settings", "upgrade-surge-words", invalidParameter,
		"agentPoolProfile.upgradeSettings.maxSurge is invalid. Error details: 'many'",
	},
	{
		"upgrade settings", "upgrade-surge-101", invalidParameter,
		"agentPoolProfile.upgradeSettings.maxSurge is invalid. Error details: '101%'",
	},
	{
		"upgrade settings", "upgrade-unavailable", invalidParameter,
		"agentPoolProfile.upgradeSettings.maxUnavailable is invalid. Error details: '-1'",
	},
	{
		"upgrade settings", "upgrade-system", invalidParameter,
		"agentPoolProfile.upgradeSettings.maxUnavailable is invalid. Error details: it is not supported for system",
	},
	{"upgrade settings", "upgrade-nowhere", invalidParameter, "maxSurge and maxUnavailable cannot both be 0"},
	{"upgrade settings", "upgrade-no-surge", invalidParameter, "maxSurge and maxUnavailable cannot both be 0"},

	{"taint", "taint-no-value", invalidParameter, "the taint 'gpu:NoSchedule' is not of the form key=value:Effect"},
	{"taint", "taint-effect", invalidParameter, "the taint 'gpu=yes:Never' is not of the form key=value:Effect"},

	{"labels", "label-azure", "BadRequest", "Invalid node label key kubernetes.azure.com/mode."},
	{"labels", "label-kubernetes", "BadRequest", "must begin with an allowed prefix"},

	{"spot", "spot-first", "SystemPoolMustBeRegular", "A system agent pool cannot have the priority 'Spot'."},
	{"spot", "spot-system", "SystemPoolMustBeRegular", "A system agent pool cannot have the priority 'Spot'."},
	{"spot", "spot-price-0", invalidParameter, "agentPoolProfile.spotMaxPrice is invalid. Error details: 0 is"},
	{"spot", "spot-price-minus-2", invalidParameter, "agentPoolProfile.spotMaxPrice is invalid. Error details: -2 is"},
	{"spot", "spot-price-6", invalidParameter, "agentPoolProfile.spotMaxPrice is invalid. Error details: 0.123456 is"},
	{
		"spot", "spot-taint", invalidParameter,
		"the taint 'kubernetes.azure.com/scalesetpriority=spot:NoSchedule' is reserved for spot nodes",
	},

	{
		"disableOutboundNat", "nat-load-balancer", invalidParameter,
		"agentPoolProfile.windowsProfile.disableOutboundNat is invalid. Error details: it is not supported with the " +
			"outbound type",
	},
	{
		"disableOutboundNat", "nat-linux", invalidParameter,
		"agentPoolProfile.windowsProfile.disableOutboundNat is invalid. Error details: it is supported for Windows",
	},

	{"VM size", "size-1-cpu", invalidParameter, "the VM size Standard_DS1_v2 has less than 2 cores or 2GB memory"},
	{"VM size", "size-1-gib", invalidParameter, "the VM size Standard_B2ts_v2 has less than 2 cores or 2GB memory"},
	{
		"VM size", "size-system-small", "SystemPoolSkuTooLow",
		"System node pool must use VM sku with more than 2 cores and 4GB memory.",
	},
	{
		"VM size", "size-arm-windows", "VMSizeNotSupportedForWindowsAgentPool",
		"The Arm64 VM size Standard_D4ps_v5 is not supported for Windows agent pools",
	},
	{
		"VM size", "size-2022-gen2", "BadRequest",
		"The selected VM size 'Standard_D4s_v6' cannot boot Hypervisor Generation '1'.",
	},
	{"VM size", "size-unknown", "BadRequest", "is not allowed in your subscription in location 'westeurope'"},

	{
		"not on Windows", "windows-secure-boot", invalidParameter,
		"agentPoolProfile.securityProfile.enableSecureBoot is invalid",
	},
	{"not on Windows", "windows-vtpm", invalidParameter, "agentPoolProfile.securityProfile.enableVTPM is invalid"},
	{"not on Windows", "isolated-cache", invalidParameter, "bootstrapProfile.artifactSource is invalid"},
	{"not on Windows", "isolated-none", invalidParameter, "networkProfile.outboundType is invalid"},
	{"not on Windows", "windows-mig", invalidParameter, "agentPoolProfile.gpuInstanceProfile is invalid"},
	{"not on Windows", "windows-linux-config", invalidParameter, "agentPoolProfile.linuxOSConfig is invalid"},
	{"not on Windows", "windows-message", invalidParameter, "agentPoolProfile.messageOfTheDay is invalid"},

	{
		"kubeletConfig on Windows", "kubelet-sysctls", invalidParameter,
		"agentPoolProfile.kubeletConfig.allowedUnsafeSysctls is invalid",
	},
	{
		"kubeletConfig on Windows", "kubelet-cpu-quota", invalidParameter,
		"agentPoolProfile.kubeletConfig.cpuCfsQuota is invalid",
	},
	{
		"kubeletConfig on Windows", "kubelet-cpu-quota-period", invalidParameter,
		"agentPoolProfile.kubeletConfig.cpuCfsQuotaPeriod is invalid",
	},
	{
		"kubeletConfig on Windows", "kubelet-cpu-manager", invalidParameter,
		"agentPoolProfile.kubeletConfig.cpuManagerPolicy is invalid",
	},
	{
		"kubeletConfig on Windows", "kubelet-swap", invalidParameter,
		"agentPoolProfile.kubeletConfig.failSwapOn is invalid",
	},
	{
		"kubeletConfig on Windows", "kubelet-pids", invalidParameter,
		"agentPoolProfile.kubeletConfig.podMaxPids is invalid",
	},
	{
		"kubeletConfig on Windows", "kubelet-topology", invalidParameter,
		"agentPoolProfile.kubeletConfig.topologyManagerPolicy is invalid",
	},

	{"gMSA profile", "gmsa-server-only", invalidParameter, "windowsProfile.gmsaProfile is invalid"},
	{"gMSA profile", "gmsa-domain-only", invalidParameter, "windowsProfile.gmsaProfile is invalid"},

	{"runtime", "runtime-kata", invalidParameter, "agentPoolProfile.workloadRuntime is invalid"},
	{"runtime", "runtime-wasm", invalidParameter, "agentPoolProfile.workloadRuntime is invalid"},

	// Other rules of the components.
	{"MK709", "cluster-name", invalidParameter, "resourceName is invalid"},
	{
		"MK709", "cluster-trademark", invalidParameter,
		"'MICROSOFT' and 'WINDOWS' can't be used as either a whole word or a substring in the name",
	},
	{"node resource group", "group-long", invalidParameter, "The maximum length is 80"},
	{
		"node resource group", "group-own", "NodeResourceGroupSameAsResourceGroup",
		"The node resource group 'refusals' is the resource group of the managed cluster.",
	},
	{
		"DNS service IP", "network-dns", "DnsServiceIpOutOfServiceCidr",
		"The DNS service IP 10.9.0.10 is out of the range defined by service CIDR 10.0.0.0/16.",
	},
	{
		"outbound type", "outbound-subnet", "UserAssignedNATGatewayWithManagedVNetNotAllowed",
		"The outbound type userAssignedNATGateway cannot be used with a managed virtual network.",
	},
	{"MK711", "version-old", "K8sVersionNotSupported", "is on version 1.31, which is not supported in this region"},
	{
		"version of a pool", "version-pool-old", "AgentPoolK8sVersionNotSupported",
		"Version 1.31 is not supported in this region",
	},
	{
		"version of a pool", "version-pool-newer", "NodePoolMcVersionIncompatible",
		"Minor version of node pool version 37 is bigger than control plane version 36",
	},
	{"MK761", "api-private-ranges", invalidParameter, "authorized IP ranges are not supported for private clusters"},
	{"MK762", "api-no-range", invalidParameter, "'office' is neither an address nor a range of addresses"},
	{"MK763", "accounts-none", invalidParameter, "disableLocalAccounts is invalid"},
}

// refusedChanges has a row for each immutable property, and for each other change that Azure refuses. Azure never gets
// changes for which azure-native itself replaces the resource: the size of an AgentPool, and the Windows profile of a
// cluster with the name of its administrator.
var refusedChanges = []refusal{
	{
		"immutable on a pool", "first-size", changeNotAllowed,
		"Changing property 'agentPoolProfile.vmSize' is not allowed.",
	},
	{"immutable on a pool", "maxpods", changeNotAllowed, "Changing property 'properties.maxPods' is not allowed."},
	{
		"immutable on a pool", "disksize", changeNotAllowed,
		"Changing property 'properties.osDiskSizeGB' is not allowed.",
	},
	{
		"immutable on a pool", "disktype", "CannotChangeOSDiskType",
		"Changing property 'properties.osDiskType' is not allowed.",
	},
	{"immutable on a pool", "winsku", changeNotAllowed, "Changing property 'properties.osSKU' is not allowed."},
	{
		"immutable on a pool", "priority", "BadRequest",
		"ScaleSetPriority is immutable. Provided value is Spot, Please use current value .",
	},
	{
		"immutable on a pool", "spotprice", changeNotAllowed,
		"Changing property 'properties.spotMaxPrice' is not allowed.",
	},
	{"immutable on a pool", "subnet", changeNotAllowed, "Changing property 'properties.vnetSubnetID' is not allowed."},
	{"immutable on a pool", "ostype", changeNotAllowed, "Changing property 'properties.osType' is not allowed."},
	{"spot", "spottaint", changeNotAllowed, "Changing property 'properties.nodeTaints' is not allowed."},
	{
		"disableOutboundNat", "winnat", changeNotAllowed,
		"Changing property 'properties.windowsProfile.disableOutboundNat' is not allowed.",
	},

	{"pool mode", "first-for-users", notAllowed, "There has to be at least one system agent pool."},

	{"pools given inline", "second-pool", "BadRequest", "A new agent pool was introduced."},
	{"version", "version-back", notAllowed, "Downgrading Kubernetes version 1.34.4 to 1.33.7 is not allowed."},
	{"version", "version-skip", notAllowed, "Upgrading Kubernetes version 1.33.7 to 1.35.1 is not allowed."},
}

// refusedRemoval is the row for the last system pool of a cluster, whose first pool is now a user pool.
var refusedRemoval = []refusal{
	{"pool mode", "last", notAllowed, "There has to be at least one system agent pool."},
}

// acceptedNew lists the resources in Azure after the first run, acceptedChanges the changed resources after the second
// run.
var (
	acceptedNew = []string{
		"first-for-users", "first-for-users/sys2",
		"first-size", "first-size/sys3",
		"last-system", "last-system/last", "last-system/sys4",
		"network", "network/nodes", "network/other",
		"plain", "plain/sys1",
		"refusals",
		"second-pool", "second-pool/sys5",
		"shop", "shop/arm", "shop/changes", "shop/disksize", "shop/disktype", "shop/inplace", "shop/maxpods",
		"shop/maxpods10",
		"shop/maxpods250", "shop/ostype", "shop/priority", "shop/sixwin", "shop/spot", "shop/spotprice",
		"shop/spottaint",
		"shop/subnet", "shop/sys0", "shop/system", "shop/twelve123456", "shop/win0", "shop/win25", "shop/winnat",
		"shop/winsku",
		"version-back", "version-back/sys6",
		"version-skip", "version-skip/sys7",
	}
	acceptedChanges = []string{"last-system/sys4", "shop/changes"}
)

// checkRefusals compares all errors of a run, by resource.
func checkRefusals(t *testing.T, want []refusal, answers map[string]string) {
	t.Helper()
	wantErrors := map[string]string{}
	for _, r := range want {
		if wantErrors[r.resource] != "" || r.part == "" {
			t.Errorf("%s has another row, or its row has no part of the message", r.resource)
		}
		wantErrors[r.resource] = r.code + ": … " + r.part + " …"
		// If the message does not contain the part, the difference shows the whole message.
		if code, message, _ := strings.Cut(answers[r.resource], ": "); strings.Contains(message, r.part) {
			answers[r.resource] = code + ": … " + r.part + " …"
		}
	}
	if diff := cmp.Diff(wantErrors, answers); diff != "" {
		t.Errorf("errors of Azure (-want +have):\n%s", diff)
	}
}

// differ returns the keys with different values in two maps.
func differ(a, b map[string]string) []string {
	all := maps.Clone(a)
	maps.Copy(all, b)
	maps.DeleteFunc(all, func(key, _ string) bool {
		before, was := a[key]
		after, is := b[key]
		return was && is && before == after
	})
	return slices.Sorted(maps.Keys(all))
}

var (
	azureAnswer = regexp.MustCompile(`(?s)^Status=\d+ Code="([^"]*)" Message="(.*)"\s*$`)
	// ownMessages matches the messages of the engine and the program about errors of their resources.
	ownMessages = regexp.MustCompile(`^update failed\s*$|waiting for RPCs: resource \S+ \[\S+\] failed to register\s*$`)
)

// refusals returns the errors of a run by resource: those of Azure as "Code: message", others unchanged. The key is ""
// for errors without a resource.
func refusals(t *testing.T, events string) map[string]string {
	t.Helper()
	file, err := os.Open(events)
	check(t, err)
	defer func() { _ = file.Close() }()
	found := map[string]string{}
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		var event struct {
			DiagnosticEvent *struct{ URN, Message, Severity string }
		}
		check(t, json.Unmarshal(lines.Bytes(), &event))
		diagnostic := event.DiagnosticEvent
		if diagnostic == nil || diagnostic.Severity != "error" ||
			diagnostic.URN == "" && ownMessages.MatchString(diagnostic.Message) {
			continue
		}
		name := diagnostic.URN[strings.LastIndex(diagnostic.URN, ":")+1:]
		if found[name] != "" {
			t.Errorf("%q has two errors, the first one is %s", name, found[name])
		}
		found[name] = azureAnswer.ReplaceAllString(diagnostic.Message, "$1: $2")
	}
	check(t, lines.Err())
	return found
}

// shortID reduces an ID to its names.
var shortID = strings.NewReplacer(
	"refusals/providers/Microsoft.ContainerService/managedClusters/", "", "/agentPools", "",
	"refusals/providers/Microsoft.Network/virtualNetworks/", "", "/subnets", "",
)

// resourcesInAzure returns the bodies of all resources in the simulated Azure by ID.
func resourcesInAzure(t *testing.T, dir string) map[string]string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, "state.json"))
	check(t, err)
	var state struct {
		Resources map[string]struct {
			ID   string
			Body json.RawMessage
		}
	}
	check(t, json.Unmarshal(data, &state))
	all := map[string]string{}
	for _, r := range state.Resources {
		_, id, _ := strings.Cut(r.ID, "/resourceGroups/")
		all[shortID.Replace(id)] = string(r.Body)
	}
	return all
}
