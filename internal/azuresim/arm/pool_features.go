package arm

import (
	"strings"

	"github.com/mixedkube/mixedkube/internal/core/facts"
)

// checkLinuxFeatures refuses features for which AKS has no node image together
// (https://learn.microsoft.com/azure/aks/node-images), and those that the pages use-pod-sandboxing, use-cvm,
// virtual-machines-node-pools and localdns-custom exclude. The messages are not Azure's.
func checkLinuxFeatures(p poolUnderTest) error {
	size, _ := sizeNamed(value(p.pool.VMSize))
	fips := value(p.pool.EnableFIPS)
	sku, _ := facts.SKUNamed(string(value(p.pool.OSSKU)))
	ubuntu, containerLinux := strings.HasPrefix(sku.Name, "Ubuntu"), sku.Name == "AzureContainerLinux"
	security := p.pool.SecurityProfile
	trusted := security != nil && (value(security.EnableSecureBoot) || value(security.EnableVTPM))
	dns := p.pool.LocalDNSProfile
	switch {
	case p.windows():
		return nil
	case trusted && size.confidential():
		return p.invalid("securityProfile", "Trusted Launch is not supported with confidential VM sizes")
	case trusted && size.arm && !containerLinux:
		return p.invalid("securityProfile", "Trusted Launch is not supported with Arm64 VM sizes")
	case fips && size.confidential():
		return p.invalid("enableFIPS", "FIPS is not supported with confidential VM sizes")
	case fips && size.arm && ubuntu:
		return p.invalid("enableFIPS", "FIPS with Arm64 VM sizes needs Azure Linux")
	case size.confidential() && sku.NoConfidential:
		return p.invalid("osSKU", "%s is not supported with confidential VM sizes", sku.Name)
	case string(value(p.pool.Type)) == "VirtualMachines" && len(p.pool.AvailabilityZones) > 0:
		return p.invalid("availabilityZones", "zones are not supported for agent pools of the type 'VirtualMachines'")
	case dns != nil && string(value(dns.Mode)) == "Required" && size.cpus > 0 && size.cpus < 4:
		return p.invalid("localDNSProfile.mode", "LocalDNS needs a VM size with at least 4 cores")
	case string(value(p.pool.WorkloadRuntime)) != "KataVmIsolation":
		return nil
	case ubuntu, containerLinux, sku.FIPS == facts.FIPSOnly:
		return p.invalid("workloadRuntime", "KataVmIsolation needs the OS SKU AzureLinux")
	case trusted, fips, size.confidential():
		return p.invalid("workloadRuntime",
			"KataVmIsolation is not supported with Trusted Launch, FIPS or confidential VM sizes")
	}
	return nil
}
