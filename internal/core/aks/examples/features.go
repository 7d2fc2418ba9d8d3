package examples

import (
	"maps"

	"github.com/mixedkube/mixedkube/core/aks/plan"
	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

const confidentialSize = "Standard_DC4as_v5"

// featureExamples are examples of pairs of features of Linux pools.
var featureExamples = []Example{
	{
		"Trusted Launch on a confidential size", apps(confidentialSize, launch("enableVTPM")),
		apps("Standard_DC4s_v3", launch("enableVTPM")),
		[]string{secured("enableVTPM")},
	},
	{
		"Trusted Launch on Arm64", apps("Standard_D4ps_v5", launch("enableSecureBoot")), apps("Standard_D4ps_v5", nil),
		[]string{secured("enableSecureBoot")},
	},
	{
		"Pod Sandboxing with Trusted Launch", apps("Standard_D4s_v5", sandboxed(launch("enableVTPM"))),
		apps("Standard_D4s_v5", launch("enableVTPM")),
		[]string{runsSandboxes},
	},
	{
		"Pod Sandboxing on a confidential size", apps(confidentialSize, sandboxed(nil)),
		apps("Standard_D4s_v5", sandboxed(nil)),
		[]string{runsSandboxes},
	},
	{
		"Pod Sandboxing with FIPS", withFIPS(apps("Standard_D4s_v5", sandboxed(nil))), nil, []string{runsSandboxes},
	},
	{
		"Pod Sandboxing with Ubuntu", apps("Standard_D4s_v5", obj{"workloadRuntime": "KataVmIsolation"}),
		apps("Standard_D4s_v5", sandboxed(obj{"osSKU": tree.Unknown{}})),
		[]string{runsSandboxes},
	},
	{
		"a confidential size with FIPS", withFIPS(apps(confidentialSize, nil)), withFIPS(apps("Standard_D4s_v5", nil)),
		[]string{"error: pools[2].fips (MK905)"},
	},
	{
		"FIPS on Arm64 with Ubuntu", withFIPS(apps("Standard_D4ps_v5", nil)),
		withFIPS(apps("Standard_D4ps_v5", obj{"osSKU": "AzureLinux"})),
		[]string{"error: pools[2].fips (MK905)"},
	},
	{
		"a confidential size with Ubuntu 22.04", apps(confidentialSize, obj{"osSKU": "Ubuntu2204"}),
		apps(confidentialSize, obj{"osSKU": "Ubuntu2404"}),
		[]string{"error: poolOptions[apps].options.osSKU (MK905)"},
	},
	{
		"zones of virtual machines", zoned(apps("Standard_D4s_v5", obj{"type": "VirtualMachines"})),
		apps("Standard_D4s_v5", obj{"type": "VirtualMachines"}),
		[]string{"error: poolOptions[apps].options.type (MK905)"},
	},
	{
		"LocalDNS on a size with two vCPUs", apps("Standard_D2s_v5", localDNS("Required")),
		apps("Standard_D2s_v5", localDNS("Preferred")),
		[]string{"error: poolOptions[apps].options.localDNSProfile.mode (MK905)"},
	},
}

const runsSandboxes = "error: poolOptions[apps].options.workloadRuntime (MK905)"

func secured(feature string) string {
	return "error: poolOptions[apps].options.securityProfile." + feature + " (MK905)"
}

// apps adds a Linux pool with options.
func apps(size string, options obj) func(c *plan.Cluster) {
	return func(c *plan.Cluster) {
		c.Topology.Pools = append(c.Topology.Pools, topology.Pool{
			Name: "apps", Platform: platform.Linux, Count: 2, Size: size,
		})
		PoolOptions("apps", options)(c)
	}
}

func withFIPS(change func(c *plan.Cluster)) func(c *plan.Cluster) {
	return Both(change, func(c *plan.Cluster) { c.Topology.Pools[2].FIPS = true })
}

func zoned(change func(c *plan.Cluster)) func(c *plan.Cluster) {
	return Both(change, func(c *plan.Cluster) { c.Topology.Pools[2].Zones = []string{"1"} })
}

func launch(feature string) obj { return obj{"securityProfile": obj{feature: true}} }

// sandboxed has Pod Sandboxing, with other options.
func sandboxed(more obj) obj {
	options := obj{"workloadRuntime": "KataVmIsolation", "osSKU": "AzureLinux"}
	maps.Copy(options, more)
	return options
}

func localDNS(mode string) obj { return obj{"localDNSProfile": obj{"mode": mode}} }
