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
	"github.com/mixedkube/mixedkube/internal/core/rule/engine"
	"github.com/mixedkube/mixedkube/internal/core/rule/rulepages"
)

// OSSKU returns the osSKU of a Windows platform. It is empty for Linux, because the distribution does not affect where
// pods can run, and Azure chooses it.
func OSSKU(p platform.Platform) string { return support.SKUOf(p).Name }

// ubuntu is the osSKU of a Linux pool that sets none, and begins the names of those with a release.
const ubuntu = "Ubuntu"

// osSKU returns the osSKU of a Linux pool, or an empty string if it is not known. A pool that keeps its name may have
// another one than the default in Azure.
func (p pool) osSKU() string {
	if sku := option(p.options.Options, "osSKU"); sku != nil || p.options.NameInAzure != "" {
		return open(sku)
	}
	return ubuntu
}

var skuWithoutFIPS = engine.Rule{
	Rule: rule.Rule{
		ID: "MK714", Severity: rule.Error, Title: "Windows Server 2025 without FIPS",
		Page:   rulepages.AKSPools,
		Reason: "AKS creates Windows Server 2025 nodes with FIPS only.",
		Fix:    "set it to true",
		Source: upgradeWindows,
	},
	Checks: []engine.Check{engine.On(skus, func(s sku) []rule.Problem {
		of := support.SKUOf(s.Platform)
		if of.FIPS != facts.FIPSOnly || s.FIPS || s.replaces() {
			return nil
		}
		return []rule.Problem{{
			Path: s.at + "fips", Value: false, Detail: fmt.Sprintf("AKS creates %s nodes with FIPS only", of.Name),
		}}
	})},
}

var skuNeverFIPS = engine.Rule{
	Rule: rule.Rule{
		ID: "MK738", Severity: rule.Error, Title: "FIPS with an osSKU that does not have it",
		Page:   rulepages.AKSPools,
		Reason: "A release of Linux gets FIPS 140 later than its first node images, or never.",
		Source: aks + "enable-fips-nodes",
	},
	Checks: []engine.Check{engine.On(skus, func(s sku) []rule.Problem {
		if s.of.FIPS != facts.NoFIPS || !s.FIPS {
			return nil
		}
		return []rule.Problem{{
			Path: s.path, Value: s.configured, Detail: "AKS has no node images of it with FIPS",
			Fix: "use Ubuntu, of which AKS then takes the newest release with FIPS, or set fips to false",
		}}
	})},
}

// sku is the osSKU of a pool, as the options set it.
type sku struct {
	pool
	path, configured string
	// of is what AKS does with it, and known means that it is in the table.
	of    facts.SKU
	known bool
}

// replaces reports whether it replaces the osSKU of the platform, because no platform has it.
func (s sku) replaces() bool {
	return s.of.Windows && s.of.Platform == "" && s.Platform.IsWindows() &&
		slices.Contains(topology.PoolPlatforms(), s.Platform)
}

// contradicts reports whether it is not the one of the platform. It is not known what contradicts a platform that pools
// cannot have.
func (s sku) contradicts() bool {
	return s.known && !s.replaces() && slices.Contains(topology.PoolPlatforms(), s.Platform) &&
		(s.Platform.IsWindows() != s.of.Windows || s.of.Windows && platform.Platform(s.of.Platform) != s.Platform)
}

var skuUnknown = engine.Rule{
	Rule: rule.Rule{
		ID: "MK717", Severity: rule.Warning, Title: "an osSKU that this library does not know",
		Page:   rulepages.AKSPools,
		Reason: "Azure adds new ones from time to time.",
		Source: poolAPI,
	},
	Checks: []engine.Check{engine.On(skus, unknownSKU)},
}

func unknownSKU(s sku) []rule.Problem {
	if s.configured == "" || s.known {
		return nil
	}
	var names []string
	for _, sku := range facts.SKUs {
		names = append(names, sku.Name)
	}
	fix := "make sure that Azure has it"
	if near, ok := fielderrors.Nearest(s.configured, names); ok {
		fix = fmt.Sprintf("did you mean %q?", near)
	}
	return []rule.Problem{{
		Path: s.path, Value: s.configured, Detail: "an osSKU that this library does not know", Fix: fix,
	}}
}

var skuAgainstPlatform = engine.Rule{
	Rule: rule.Rule{
		ID: "MK716", Severity: rule.Error, Title: "an osSKU that contradicts the platform",
		Page:   rulepages.AKSPools,
		Reason: "The platform states what the nodes run, and determines labels, taints and placement.",
		Source: poolAPI,
	},
	Checks: []engine.Check{engine.On(skus, contradictingSKU)},
}

func contradictingSKU(s sku) []rule.Problem {
	if !s.contradicts() {
		return nil
	}
	fix := "use a Linux distribution, or change the platform"
	if sku := support.SKUOf(s.Platform); sku.Name != "" {
		fix = "remove it, because the platform sets it to " + sku.Name + ", or change the platform"
	}
	return []rule.Problem{{
		Path: s.path, Value: s.configured, Detail: fmt.Sprintf("the platform of the pool is %s", s.Platform), Fix: fix,
	}}
}
