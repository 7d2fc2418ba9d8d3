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
func SKUOf(p platform.Platform) facts.SKU {
	return sku(func(s facts.SKU) bool { return s.Platform != "" && platform.Platform(s.Platform) == p })
}

func sku(is func(facts.SKU) bool) facts.SKU {
	if i := slices.IndexFunc(facts.SKUs, is); i >= 0 {
		return facts.SKUs[i]
	}
	return facts.SKU{}
}

// Nodes are the nodes of a pool, and the argument that decides about them.
type Nodes struct {
	// SKU is their osSKU. An osSKU without a name has no findings.
	SKU facts.SKU
	// Path and Value are the argument.
	Path  string
	Value any
	// Version is the version of Kubernetes of the pool, "" if it is not known.
	Version string
	// NameOnly means that only the name of the osSKU is known: nothing is checked except whether Azure creates pools of
	// it.
	NameOnly bool
	// FIPS means that they have FIPS 140.
	FIPS bool
	// Today is the day of the check. If it is zero, checks that depend on it are skipped.
	Today time.Time
	// Horizon is how many days before the end of its support in AKS a release of Windows is reported. 0 means two
	// years.
	Horizon int
}

var (
	knownNodes = &engine.Scope[Nodes]{
		Name: "pools of AKS with an osSKU", Has: func(n Nodes) bool { return n.SKU.Name != "" && !n.NameOnly },
	}
	namedNodes = &engine.Scope[Nodes]{
		Name: "pools of AKS with an osSKU", Has: func(n Nodes) bool { return n.SKU.Name != "" },
	}
)

// unsupported returns the version of Kubernetes for which AKS has no such nodes.
func (n Nodes) unsupported() (kubeversion.Version, bool) {
	v, ok := kubeversion.Parse(n.Version)
	return v, ok && !v.Within(n.SKU.First, n.SKU.Last)
}

var skuRefused = engine.Rule{
	Rule: rule.Rule{
		ID: "MK713", Severity: rule.Warning, Title: "an osSKU for existing pools only",
		Page: rulepages.AKSPools,
		Reason: "Azure refuses new pools of an osSKU that is no longer supported. Existing pools keep working until " +
			"their node images are removed. The announcements about Windows Server 2019 do not agree on whether " +
			"Kubernetes 1.32 is an exception.",
		Source: windowsFAQPage + ", https://github.com/Azure/AKS/blob/master/CHANGELOG.md",
	},
	Checks: []engine.Check{engine.On(namedNodes, refusedNodes)},
}

// refusedNodes finds an osSKU of which Azure creates no new pools.
func refusedNodes(n Nodes) []rule.Problem {
	sku := n.SKU
	if _, is := n.unsupported(); sku.Refused == "" || is && !n.NameOnly {
		return nil
	}
	found := rule.Problem{
		Path: n.Path, Value: n.Value,
		Detail: fmt.Sprintf("Azure refuses new %s pools since %s", sku.Name, sku.Refused),
	}
	rest := fmt.Sprintf("an existing one keeps working until its node images are removed on %s", sku.Removed)
	if !n.Today.IsZero() && n.Today.After(day(sku.Removed)) {
		rest = fmt.Sprintf("the node images of existing ones were removed on %s, so they cannot scale", sku.Removed)
	}
	found.Fix = fmt.Sprintf("use %s for a new pool; %s", fielderrors.OneOf(n.instead(n.Version)), rest)
	return []rule.Problem{found}
}

var skuRetires = engine.Rule{
	Rule: rule.Rule{
		ID: "MK853", Severity: rule.Info, Title: "an osSKU whose support in AKS ends soon",
		Page: rulepages.AKSPools,
		Reason: "After that day, AKS builds no node images and creates no new pools, and the finding is a warning. A " +
			"Windows pool stays on its release unless it changes in place, in a preview, so another pool has to " +
			"replace it, and the images of its workloads are for the old release; a Linux pool can change its " +
			"osSKU. Support ends earlier for clusters that " +
			"continue to a version of Kubernetes without the release. The finding begins two years before that day; " +
			"for a topology, the horizon sets another number of days.",
		Source: upgradeWindows + ", https://github.com/Azure/AKS/releases/tag/2026-06-19, " +
			"https://github.com/Azure/AKS/issues/4168, https://github.com/Azure/AKS/issues/4874",
	},
	Checks: []engine.Check{engine.On(knownNodes, retiring), engine.On(knownNodes, retiringRelease)},
}

// versionsOf returns the last version of Kubernetes with a SKU as a part of a sentence, "" if it has none.
func versionsOf(sku facts.SKU) string {
	if sku.Last == (kubeversion.Version{}) {
		return ""
	}
	return fmt.Sprintf(", for Kubernetes up to %s", sku.Last)
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
		Detail: fmt.Sprintf("AKS supports %s until %s%s, and removes its node images on %s",
			sku.Name, sku.Retires, versionsOf(sku), sku.Removed),
	}
	if n.Today.After(ends) {
		found.Severity = rule.Warning
		found.Detail = fmt.Sprintf("AKS has not supported %s since %s, refuses new pools, and removes its node "+
			"images on %s",
			sku.Name, sku.Retires, sku.Removed)
	}
	next := n.instead(n.Version)
	if len(next) == 0 {
		next = n.instead("") // a newer version has it
	}
	if !sku.Windows {
		found.Fix = fmt.Sprintf("set it to %s by then, which reimages the nodes", fielderrors.OneOf(next))
		return []rule.Problem{found}
	}
	found.Fix = fmt.Sprintf("create a pool of %s, build the images of its workloads for that release%s, move the "+
		"workloads there, and remove this pool by then%s", fielderrors.OneOf(next), unlessRelaxed(sku.Platform, next),
		orInPlace(sku))
	return []rule.Problem{found}
}

// retiringRelease finds an osSKU without a release whose nodes have an older one that ends, and that newer versions of
// Kubernetes replace.
func retiringRelease(n Nodes) []rule.Problem {
	v, ok := kubeversion.Parse(n.Version)
	release, _ := facts.ReleaseOf(n.SKU.Name, n.FIPS, v)
	ends, err := time.Parse(time.DateOnly, release.Ends)
	if !ok || err != nil || n.Today.IsZero() || n.Today.Before(n.begins(ends)) {
		return nil
	}
	next := facts.SKUReleases[slices.Index(facts.SKUReleases, release)-1]
	found := rule.Problem{
		Path: n.Path, Value: n.Value,
		Detail: fmt.Sprintf("with Kubernetes %s the nodes have %s, which AKS supports until %s, and then removes its "+
			"node images", v, release.Release, release.Ends),
		Fix: fmt.Sprintf("upgrade to Kubernetes %s, whose nodes have %s", next.Since, next.Release),
	}
	if !n.Today.Before(ends) {
		found.Severity = rule.Warning
		found.Detail = fmt.Sprintf("with Kubernetes %s the nodes have %s, which AKS has not supported since %s, so "+
			"they cannot scale", v, release.Release, release.Ends)
	}
	return []rule.Problem{found}
}

// orInPlace names the change in place of a release that has one in a preview.
func orInPlace(sku facts.SKU) string {
	for _, c := range facts.AKSPreviewChanges {
		if c.Property == "osSKU" && c.From == sku.Name {
			return "; or, in a preview, let AKS change the pool in place (" + c.Source + ")"
		}
	}
	return ""
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
		Title:  "an osSKU that AKS does not support with the Kubernetes version",
		Reason: "AKS builds node images of a release of Windows or Linux only for some versions of Kubernetes.",
		Source: upgradeOS + ", " + upgradeWindows,
	},
	Checks: []engine.Check{engine.On(knownNodes, notOfVersion)},
}

// notOfVersion finds nodes that AKS does not have for the version of Kubernetes.
func notOfVersion(n Nodes) []rule.Problem {
	v, is := n.unsupported()
	if !is {
		return nil
	}
	sku, found := n.SKU, rule.Problem{Path: n.Path, Value: n.Value}
	instead := fielderrors.OneOf(n.instead(v.String()))
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

// instead returns what a new pool can have instead: the platforms of Windows, or the osSKUs of Linux after this one. It
// returns all of them if the version is not known.
func (n Nodes) instead(version string) []string {
	v, known := kubeversion.Parse(version)
	var names []string
	for _, sku := range facts.SKUs {
		if sku.Windows != n.SKU.Windows || sku.Name == n.SKU.Name || sku.Refused != "" ||
			known && !v.Within(sku.First, sku.Last) {
			continue
		}
		switch {
		case sku.Windows:
			names = append(names, sku.Platform)
		case sku.Name == n.SKU.Successor, n.SKU.Successor == "" && sku.Successor == "":
			names = append(names, sku.Name)
		}
	}
	return names
}

// day returns the beginning of a day of package facts, or the zero time if there is none.
func day(text string) time.Time {
	t, _ := time.Parse(time.DateOnly, text)
	return t
}
