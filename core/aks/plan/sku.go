package plan

import (
	"fmt"
	"slices"

	"github.com/mixedkube/mixedkube/core/aks/support"
	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/core/facts"
	"github.com/mixedkube/mixedkube/internal/core/fielderrors"
)

// OSSKU returns the osSKU of a Windows platform. It is empty for Linux, because the distribution does not affect where
// pods can run, and Azure chooses it.
func OSSKU(p platform.Platform) string { return support.SKUOf(p).Name }

var skuWithoutFIPS = rule.Rule{
	ID: "MK714", Severity: rule.Error, Title: "Windows Server 2025 without FIPS",
	Reason: "AKS creates Windows Server 2025 nodes with FIPS only.",
	Source: upgradeWindows,
}

func (c *check) osSKU(p pool) {
	sku, path, value := support.SKUOf(p.Platform), p.at+"platform", p.Platform.String()
	if configured := open(option(p.options.Options, "osSKU")); configured != "" {
		path := p.optionsAt + "options.osSKU"
		named, known := support.SKUNamed(configured)
		switch {
		case !known && !slices.Contains(facts.LinuxSKUs, configured):
			c.unknownSKU(path, configured)
		case configured == facts.Flatcar && p.Platform == platform.Linux:
			c.Linux(configured, path)
		case !slices.Contains(topology.PoolPlatforms(), p.Platform):
			// It is not known what contradicts such a platform.
		case known && named.Platform == "" && p.Platform.IsWindows():
			// It replaces the osSKU of the platform.
			c.Refused(named, path, configured, p.KubernetesVersion)
			return
		case p.Platform.IsWindows() != known, known && platform.Platform(named.Platform) != p.Platform:
			c.contradictingSKU(path, configured, p)
		}
	}
	c.Windows(sku, path, value, p.KubernetesVersion)
	if sku.FIPS && !p.FIPS {
		c.Report(skuWithoutFIPS, rule.Problem{
			Path: p.at + "fips", Value: false, Detail: fmt.Sprintf("AKS creates %s nodes with FIPS only", sku.Name),
			Fix: "set it to true",
		})
	}
}

var skuUnknown = rule.Rule{
	ID: "MK717", Severity: rule.Warning, Title: "an osSKU that this library does not know",
	Reason: "Azure adds new ones from time to time.",
	Source: poolAPI,
}

func (c *check) unknownSKU(path, configured string) {
	var names []string
	for _, sku := range facts.WindowsSKUs {
		names = append(names, sku.Name)
	}
	fix := "make sure that Azure has it"
	if near, ok := fielderrors.Nearest(configured, append(names, facts.LinuxSKUs...)); ok {
		fix = fmt.Sprintf("did you mean %q?", near)
	}
	c.Report(skuUnknown,
		rule.Problem{Path: path, Value: configured, Detail: "an osSKU that this library does not know", Fix: fix})
}

var skuAgainstPlatform = rule.Rule{
	ID: "MK716", Severity: rule.Error, Title: "an osSKU that contradicts the platform",
	Reason: "The platform states what the nodes run, and determines labels, taints and placement.",
	Source: poolAPI,
}

func (c *check) contradictingSKU(path, configured string, p pool) {
	fix := "use a Linux distribution, or change the platform"
	if sku := support.SKUOf(p.Platform); sku.Name != "" {
		fix = "remove it, because the platform sets it to " + sku.Name + ", or change the platform"
	}
	c.Report(skuAgainstPlatform,
		rule.Problem{
			Path: path, Value: configured, Detail: fmt.Sprintf("the platform of the pool is %s", p.Platform),
			Fix: fix,
		})
}
