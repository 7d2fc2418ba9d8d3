package plan

import (
	"fmt"
	"slices"
	"time"

	"github.com/mixedkube/mixedkube/components/platform"
	"github.com/mixedkube/mixedkube/components/rule"
	"github.com/mixedkube/mixedkube/components/topology"
	"github.com/mixedkube/mixedkube/internal/facts"
	"github.com/mixedkube/mixedkube/internal/fielderrors"
	"github.com/mixedkube/mixedkube/internal/kubeversion"
)

// OSSKU returns the osSKU of a Windows platform. It is empty for Linux, because the distribution does not affect where
// pods can run, and Azure chooses it.
func OSSKU(p platform.Platform) string {
	return osSKUs[p]
}

var osSKUs = map[platform.Platform]string{
	platform.WindowsServer2019: "Windows2019",
	platform.WindowsServer2022: "Windows2022",
	platform.WindowsServer2025: "Windows2025",
}

var skuWithoutFIPS = rule.Rule{
	ID: "MK714", Severity: rule.Error, Title: "Windows Server 2025 without FIPS",
	Reason: "AKS creates Windows Server 2025 nodes with FIPS only.",
	Source: upgradeWindows,
}

func (c *check) osSKU(p pool) {
	sku, path, value := skuOf(p.Platform), p.at+"platform", p.Platform.String()
	if configured := open(option(p.options.Options, "osSKU")); configured != "" {
		path := p.optionsAt + "options.osSKU"
		named, known := skuNamed(configured)
		switch {
		case !known && !slices.Contains(facts.LinuxSKUs, configured):
			c.unknownSKU(path, configured)
		case configured == facts.Flatcar && p.Platform == platform.Linux:
			c.Report(skuRefused, rule.Problem{
				Path: path, Value: configured,
				Detail: "AKS has not supported it since " + facts.FlatcarUnsupported,
				Fix:    "use another distribution, for example AzureContainerLinux",
			})
		case !slices.Contains(topology.PoolPlatforms(), p.Platform):
			// It is not known what contradicts such a platform.
		case known && named.Platform == "" && p.Platform.IsWindows():
			// It replaces the osSKU of the platform.
			c.refusedSKU(named, path, configured, p)
			return
		case p.Platform.IsWindows() != known, known && platform.Platform(named.Platform) != p.Platform:
			c.contradictingSKU(path, configured, p)
		}
	}
	if sku.Name == "" {
		return
	}
	if v, ok := kubeversion.Parse(p.KubernetesVersion); ok && !v.Within(sku.First, sku.Last) {
		c.missingSKU(sku, path, value, v)
	} else {
		c.refusedSKU(sku, path, value, p)
		c.retiringSKU(sku, path, value, p)
	}
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
	if sku := skuOf(p.Platform); sku.Name != "" {
		fix = "remove it, because the platform sets it to " + sku.Name + ", or change the platform"
	}
	c.Report(skuAgainstPlatform,
		rule.Problem{
			Path: path, Value: configured, Detail: fmt.Sprintf("the platform of the pool is %s", p.Platform),
			Fix: fix,
		})
}

var skuRefused = rule.Rule{
	ID: "MK713", Severity: rule.Warning, Title: "an osSKU for existing pools only",
	Reason: "Azure refuses new pools of an osSKU that is no longer supported. Existing pools keep working until " +
		"their node images are removed. The announcements about Windows Server 2019 do not agree on whether " +
		"Kubernetes 1.32 is an exception.",
	Source: windowsFAQPage + ", https://github.com/Azure/AKS/blob/master/CHANGELOG.md",
}

func (c *check) refusedSKU(sku facts.WindowsSKU, path string, value any, p pool) {
	if sku.Refused == "" {
		return
	}
	v, _ := kubeversion.Parse(p.KubernetesVersion)
	c.Report(skuRefused, rule.Problem{
		Path: path, Value: value,
		Detail: fmt.Sprintf("Azure refuses new %s pools since %s", sku.Name, sku.Refused),
		Fix: fmt.Sprintf("use %s for a new pool; an existing one keeps working until its node images are removed on %s",
			join(usable(v), "or"), sku.Removed),
	})
}

var skuRetires = rule.Rule{
	ID: "MK853", Severity: rule.Info, Title: "a Windows release whose support in AKS ends within two years",
	Reason: "After that day, AKS builds no node images and creates no new pools, and the finding is a warning. A " +
		"pool stays on its release, so another pool has to replace it, and the images of its workloads are for the " +
		"old release. Support ends earlier for clusters that continue to a version of Kubernetes without the release.",
	Source: upgradeWindows + ", https://github.com/Azure/AKS/releases/tag/2026-06-19, " +
		"https://github.com/Azure/AKS/issues/4168",
}

// retiringSKU reports by which day a pool has to be replaced, and with what.
func (c *check) retiringSKU(sku facts.WindowsSKU, path string, value any, p pool) {
	ends, err := time.Parse(time.DateOnly, sku.Retires)
	if err != nil || c.today.IsZero() || c.today.Before(ends.AddDate(-2, 0, 0)) {
		return
	}
	found := rule.Problem{
		Path: path, Value: value,
		Detail: fmt.Sprintf("AKS supports %s until %s, for Kubernetes up to %s, and removes its node images on %s",
			sku.Name, sku.Retires, sku.Last, sku.Removed),
	}
	if c.today.After(ends) {
		found.Severity = rule.Warning
		found.Detail = fmt.Sprintf("AKS has not supported %s since %s, refuses new pools, and removes its node "+
			"images on %s",
			sku.Name, sku.Retires, sku.Removed)
	}
	v, _ := kubeversion.Parse(p.KubernetesVersion)
	another := func(v kubeversion.Version) []platform.Platform {
		return slices.DeleteFunc(usable(v), func(other platform.Platform) bool { return other == p.Platform })
	}
	next := another(v)
	if len(next) == 0 {
		next = another(kubeversion.Version{}) // a newer version has it
	}
	found.Fix = fmt.Sprintf("create a pool of %s, build the images of its workloads for that release, move the "+
		"workloads there, and remove this pool by then", join(next, "or"))
	c.Report(skuRetires, found)
}

var skuNotOfVersion = rule.Rule{
	ID: "MK712", Severity: rule.Error, Title: "a Windows release that AKS does not support with the Kubernetes version",
	Reason: "AKS builds node images of a Windows release only for some versions of Kubernetes.",
	Source: upgradeWindows,
}

func (c *check) missingSKU(sku facts.WindowsSKU, path string, value any, v kubeversion.Version) {
	found := rule.Problem{Path: path, Value: value}
	instead := ""
	if others := usable(v); len(others) > 0 {
		instead = join(others, "or")
	}
	if v.Compare(sku.First) < 0 {
		found.Detail = fmt.Sprintf("AKS has %s nodes for Kubernetes %s and newer, not for %s", sku.Name,
			sku.First, v)
		found.Fix = fmt.Sprintf("use Kubernetes %s or newer", sku.First)
		if instead != "" {
			found.Fix += ", or " + instead
		}
	} else {
		found.Detail = fmt.Sprintf("AKS has %s nodes up to Kubernetes %s, not for %s", sku.Name, sku.Last,
			v)
		found.Fix = "use " + instead
	}
	c.Report(skuNotOfVersion, found)
}

// usable returns the platforms that a new pool can have. It returns all of them if the version is not known.
func usable(v kubeversion.Version) []platform.Platform {
	var platforms []platform.Platform
	for _, sku := range facts.WindowsSKUs {
		if sku.Refused == "" && (v == kubeversion.Version{} || v.Within(sku.First, sku.Last)) {
			platforms = append(platforms, platform.Platform(sku.Platform))
		}
	}
	return platforms
}

// skuOf returns the SKU of a platform, which is empty if the platform is not for Windows pools.
func skuOf(p platform.Platform) facts.WindowsSKU {
	sku, _ := skuNamed(OSSKU(p))
	return sku
}

func skuNamed(name string) (facts.WindowsSKU, bool) {
	i := slices.IndexFunc(facts.WindowsSKUs, func(s facts.WindowsSKU) bool { return s.Name == name })
	if i < 0 {
		return facts.WindowsSKU{}, false
	}
	return facts.WindowsSKUs[i], true
}
