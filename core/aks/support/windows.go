package support

import (
	"fmt"
	"slices"
	"time"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/core/facts"
	"github.com/mixedkube/mixedkube/internal/core/facts/kubeversion"
	"github.com/mixedkube/mixedkube/internal/core/fielderrors"
)

// SKUOf returns the osSKU of a platform. It is empty if the platform has none: for Linux, because the distribution does
// not affect where pods can run, and Azure chooses it.
func SKUOf(p platform.Platform) facts.WindowsSKU {
	return sku(func(s facts.WindowsSKU) bool { return s.Platform != "" && platform.Platform(s.Platform) == p })
}

// SKUNamed returns the osSKU of Windows with a name, or false if there is none.
func SKUNamed(name string) (facts.WindowsSKU, bool) {
	found := sku(func(s facts.WindowsSKU) bool { return s.Name == name })
	return found, found.Name != ""
}

func sku(is func(facts.WindowsSKU) bool) facts.WindowsSKU {
	if i := slices.IndexFunc(facts.WindowsSKUs, is); i >= 0 {
		return facts.WindowsSKUs[i]
	}
	return facts.WindowsSKU{}
}

// Windows reports a pool whose osSKU AKS does not support with the pool's version of Kubernetes, or not any longer, or
// not beyond the horizon. The value is the one at the path. Nothing is wrong with an osSKU without a name.
func (c *Check) Windows(sku facts.WindowsSKU, path string, value any, version string) {
	if sku.Name == "" {
		return
	}
	if v, ok := kubeversion.Parse(version); ok && !v.Within(sku.First, sku.Last) {
		c.notOfVersion(sku, path, value, v)
		return
	}
	c.Refused(sku, path, value, version)
	c.retires(sku, path, value, version)
}

var skuRefused = rule.Rule{
	ID: "MK713", Severity: rule.Warning, Title: "an osSKU for existing pools only",
	Reason: "Azure refuses new pools of an osSKU that is no longer supported. Existing pools keep working until " +
		"their node images are removed. The announcements about Windows Server 2019 do not agree on whether " +
		"Kubernetes 1.32 is an exception.",
	Source: windowsFAQPage + ", https://github.com/Azure/AKS/blob/master/CHANGELOG.md",
}

// Refused reports an osSKU of which Azure creates no new pools.
func (c *Check) Refused(sku facts.WindowsSKU, path string, value any, version string) {
	if sku.Refused == "" {
		return
	}
	c.Report(skuRefused, rule.Problem{
		Path: path, Value: value,
		Detail: fmt.Sprintf("Azure refuses new %s pools since %s", sku.Name, sku.Refused),
		Fix: fmt.Sprintf("use %s for a new pool; an existing one keeps working until its node images are removed on %s",
			fielderrors.OneOf(usable(version)), sku.Removed),
	})
}

// Linux reports a distribution of Linux that AKS no longer supports.
func (c *Check) Linux(osSKU, path string) {
	if osSKU != facts.Flatcar {
		return
	}
	c.Report(skuRefused, rule.Problem{
		Path: path, Value: osSKU, Detail: "AKS has not supported it since " + facts.FlatcarUnsupported,
		Fix: "use another distribution, for example AzureContainerLinux",
	})
}

var skuRetires = rule.Rule{
	ID: "MK853", Severity: rule.Info, Title: "a Windows release whose support in AKS ends soon",
	Reason: "After that day, AKS builds no node images and creates no new pools, and the finding is a warning. A " +
		"pool stays on its release, so another pool has to replace it, and the images of its workloads are for the " +
		"old release. Support ends earlier for clusters that continue to a version of Kubernetes without the " +
		"release. The finding begins two years before that day; for a topology, the horizon sets another number of " +
		"days.",
	Source: upgradeWindows + ", https://github.com/Azure/AKS/releases/tag/2026-06-19, " +
		"https://github.com/Azure/AKS/issues/4168",
}

// retires reports by which day a pool has to be replaced, and with what.
func (c *Check) retires(sku facts.WindowsSKU, path string, value any, version string) {
	ends, err := time.Parse(time.DateOnly, sku.Retires)
	if err != nil || c.Today.IsZero() || c.Today.Before(c.begins(ends)) {
		return
	}
	found := rule.Problem{
		Path: path, Value: value,
		Detail: fmt.Sprintf("AKS supports %s until %s, for Kubernetes up to %s, and removes its node images on %s",
			sku.Name, sku.Retires, sku.Last, sku.Removed),
	}
	if c.Today.After(ends) {
		found.Severity = rule.Warning
		found.Detail = fmt.Sprintf("AKS has not supported %s since %s, refuses new pools, and removes its node "+
			"images on %s",
			sku.Name, sku.Retires, sku.Removed)
	}
	another := func(version string) []string {
		return slices.DeleteFunc(usable(version), func(name string) bool { return name == sku.Platform })
	}
	next := another(version)
	if len(next) == 0 {
		next = another("") // a newer version has it
	}
	found.Fix = fmt.Sprintf("create a pool of %s, build the images of its workloads for that release%s, move the "+
		"workloads there, and remove this pool by then", fielderrors.OneOf(next), unlessRelaxed(sku.Platform, next))
	c.Report(skuRetires, found)
}

// unlessRelaxed names the choice to run the images of a platform on nodes of newer ones, if these can.
func unlessRelaxed(name string, newer []string) string {
	image := platform.Image{OS: platform.WindowsOS, Release: platform.Platform(name)}
	if !slices.ContainsFunc(newer, func(host string) bool {
		return platform.CanRun(platform.Platform(host), image, platform.Relaxed) == platform.Yes
	}) {
		return ""
	}
	return " (or set matching: relaxed if the new nodes run the old images, which AKS does not support)"
}

// begins returns the day from which the end of support is reported.
func (c *Check) begins(ends time.Time) time.Time {
	if c.Horizon > 0 {
		return ends.AddDate(0, 0, -c.Horizon)
	}
	return ends.AddDate(-2, 0, 0)
}

var skuNotOfVersion = rule.Rule{
	ID: "MK712", Severity: rule.Error, Title: "a Windows release that AKS does not support with the Kubernetes version",
	Reason: "AKS builds node images of a Windows release only for some versions of Kubernetes.",
	Source: upgradeWindows,
}

func (c *Check) notOfVersion(sku facts.WindowsSKU, path string, value any, v kubeversion.Version) {
	found := rule.Problem{Path: path, Value: value}
	instead := fielderrors.OneOf(usable(v.String()))
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

// usable returns the names of the platforms that a new pool can have. It returns all of them if the version is not
// known.
func usable(version string) []string {
	v, known := kubeversion.Parse(version)
	var names []string
	for _, sku := range facts.WindowsSKUs {
		if sku.Refused == "" && (!known || v.Within(sku.First, sku.Last)) {
			names = append(names, sku.Platform)
		}
	}
	return names
}
