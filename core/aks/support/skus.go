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
	"github.com/mixedkube/mixedkube/internal/core/rule/engine"
	"github.com/mixedkube/mixedkube/internal/core/rule/rulepages"
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

// Nodes are the Windows nodes of a pool, and the argument that decides about them.
type Nodes struct {
	// SKU is their osSKU. An osSKU without a name has no findings.
	SKU facts.WindowsSKU
	// Path and Value are the argument.
	Path  string
	Value any
	// Version is the version of Kubernetes of the pool, "" if it is not known.
	Version string
	// NameOnly means that only the name of the osSKU is known: nothing is checked except whether Azure creates pools of
	// it.
	NameOnly bool
	// Today is the day of the check. If it is zero, checks that depend on it are skipped.
	Today time.Time
	// Horizon is how many days before the end of its support in AKS a release of Windows is reported. 0 means two
	// years.
	Horizon int
}

var (
	windowsNodes = &engine.Scope[Nodes]{
		Name: "Windows pools of AKS", Has: func(n Nodes) bool { return n.SKU.Name != "" && !n.NameOnly },
	}
	namedNodes = &engine.Scope[Nodes]{
		Name: "Windows pools of AKS", Has: func(n Nodes) bool { return n.SKU.Name != "" },
	}
)

// unsupported returns the version of Kubernetes for which AKS has no such nodes.
func (n Nodes) unsupported() (kubeversion.Version, bool) {
	v, ok := kubeversion.Parse(n.Version)
	return v, ok && !v.Within(n.SKU.First, n.SKU.Last)
}

// Distribution is an osSKU of Linux, and its path.
type Distribution struct{ SKU, Path string }

var distributions = &engine.Scope[Distribution]{Name: "Linux pools of AKS"}

var skuRefused = engine.Rule{
	Rule: rule.Rule{
		ID: "MK713", Severity: rule.Warning, Title: "an osSKU for existing pools only",
		Page: rulepages.AKSPools,
		Reason: "Azure refuses new pools of an osSKU that is no longer supported. Existing pools keep working until " +
			"their node images are removed. The announcements about Windows Server 2019 do not agree on whether " +
			"Kubernetes 1.32 is an exception.",
		Source: windowsFAQPage + ", https://github.com/Azure/AKS/blob/master/CHANGELOG.md",
	},
	Checks: []engine.Check{engine.On(namedNodes, refusedNodes), engine.On(distributions, endedDistribution)},
}

// refusedNodes finds an osSKU of which Azure creates no new pools.
func refusedNodes(n Nodes) []rule.Problem {
	if _, is := n.unsupported(); n.SKU.Refused == "" || is && !n.NameOnly {
		return nil
	}
	return []rule.Problem{{
		Path: n.Path, Value: n.Value,
		Detail: fmt.Sprintf("Azure refuses new %s pools since %s", n.SKU.Name, n.SKU.Refused),
		Fix: fmt.Sprintf("use %s for a new pool; an existing one keeps working until its node images are removed on %s",
			fielderrors.OneOf(usable(n.Version)), n.SKU.Removed),
	}}
}

// endedDistribution finds a distribution of Linux that AKS no longer supports.
func endedDistribution(d Distribution) []rule.Problem {
	if d.SKU != facts.Flatcar {
		return nil
	}
	return []rule.Problem{{
		Path: d.Path, Value: d.SKU, Detail: "AKS has not supported it since " + facts.FlatcarUnsupported,
		Fix: "use another distribution, for example AzureContainerLinux",
	}}
}

var skuRetires = engine.Rule{
	Rule: rule.Rule{
		ID: "MK853", Severity: rule.Info, Title: "a Windows release whose support in AKS ends soon",
		Page: rulepages.AKSPools,
		Reason: "After that day, AKS builds no node images and creates no new pools, and the finding is a warning. A " +
			"pool stays on its release, so another pool has to replace it, and the images of its workloads are for " +
			"the old release. Support ends earlier for clusters that continue to a version of Kubernetes without the " +
			"release. The finding begins two years before that day; for a topology, the horizon sets another number " +
			"of days.",
		Source: upgradeWindows + ", https://github.com/Azure/AKS/releases/tag/2026-06-19, " +
			"https://github.com/Azure/AKS/issues/4168",
	},
	Checks: []engine.Check{engine.On(windowsNodes, retiring)},
}

// retiring finds a pool that has to be replaced, and by which day, and with what.
func retiring(n Nodes) []rule.Problem {
	sku := n.SKU
	ends, err := time.Parse(time.DateOnly, sku.Retires)
	if _, is := n.unsupported(); is || err != nil || n.Today.IsZero() || n.Today.Before(n.begins(ends)) {
		return nil
	}
	found := rule.Problem{
		Path: n.Path, Value: n.Value,
		Detail: fmt.Sprintf("AKS supports %s until %s, for Kubernetes up to %s, and removes its node images on %s",
			sku.Name, sku.Retires, sku.Last, sku.Removed),
	}
	if n.Today.After(ends) {
		found.Severity = rule.Warning
		found.Detail = fmt.Sprintf("AKS has not supported %s since %s, refuses new pools, and removes its node "+
			"images on %s",
			sku.Name, sku.Retires, sku.Removed)
	}
	another := func(version string) []string {
		return slices.DeleteFunc(usable(version), func(name string) bool { return name == sku.Platform })
	}
	next := another(n.Version)
	if len(next) == 0 {
		next = another("") // a newer version has it
	}
	found.Fix = fmt.Sprintf("create a pool of %s, build the images of its workloads for that release%s, move the "+
		"workloads there, and remove this pool by then", fielderrors.OneOf(next), unlessRelaxed(sku.Platform, next))
	return []rule.Problem{found}
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
func (n Nodes) begins(ends time.Time) time.Time {
	if n.Horizon > 0 {
		return ends.AddDate(0, 0, -n.Horizon)
	}
	return ends.AddDate(-2, 0, 0)
}

var skuNotOfVersion = engine.Rule{
	Rule: rule.Rule{
		ID: "MK712", Severity: rule.Error, Page: rulepages.AKS,
		Title:  "a Windows release that AKS does not support with the Kubernetes version",
		Reason: "AKS builds node images of a Windows release only for some versions of Kubernetes.",
		Source: upgradeWindows,
	},
	Checks: []engine.Check{engine.On(windowsNodes, notOfVersion)},
}

// notOfVersion finds nodes that AKS does not have for the version of Kubernetes.
func notOfVersion(n Nodes) []rule.Problem {
	v, is := n.unsupported()
	if !is {
		return nil
	}
	sku, found := n.SKU, rule.Problem{Path: n.Path, Value: n.Value}
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
	return []rule.Problem{found}
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
