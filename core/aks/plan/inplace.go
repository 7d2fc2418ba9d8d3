package plan

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/core/facts"
	"github.com/mixedkube/mixedkube/internal/core/facts/vm"
	"github.com/mixedkube/mixedkube/internal/core/rule/engine"
	"github.com/mixedkube/mixedkube/internal/core/rule/rulepages"
)

const (
	resizePage  = aks + "resize-node-pool"
	osMigration = "https://github.com/Azure/AKS/issues/5904"
)

var changeUnknown = engine.Rule{
	Rule: rule.Rule{
		ID: "MK811", Severity: rule.Error, Title: "an unknown way to change a pool, or an unknown preview",
		Page:   rulepages.AKSExisting,
		Reason: "A pool changes in place only if the program asks for it, and has the previews that the change needs.",
		Source: resizePage,
	},
	Checks: []engine.Check{engine.On(pools, func(p pool) []rule.Problem {
		var found []rule.Problem
		ways := []string{string(NewPool), string(InPlace)}
		if way := string(p.options.Change); way != "" && !slices.Contains(ways, way) {
			found = append(found, rule.Problem{
				Path: p.optionsAt + "change", Value: way, Detail: "not a way to change a pool",
				Fix: "use " + join(ways, "or"),
			})
		}
		previews := []string{string(VMSSResize), string(WindowsOSUpgrade)}
		for i, preview := range p.options.Previews {
			if !slices.Contains(previews, string(preview)) {
				found = append(found, rule.Problem{
					Path: fmt.Sprintf("%spreviews[%d]", p.optionsAt, i), Value: string(preview),
					Detail: "no preview of a change in place has this name", Fix: "use " + join(previews, "or"),
				})
			}
		}
		return found
	})},
}

var inPlaceWithoutName = engine.Rule{
	Rule: rule.Rule{
		ID: "MK812", Severity: rule.Error, Title: "a pool that changes in place without its name",
		Page: rulepages.AKSExisting,
		Reason: "Without nameInAzure the name of the pool depends on the properties that change, and with another " +
			"name the pool is another one. The right name alone changes nothing in Azure.",
		Source: createPoolsPage,
	},
	Checks: []engine.Check{engine.On(allRetained, func(p retained) []rule.Problem {
		if p.options.Change != InPlace {
			return nil
		}
		name, made := p.options.NameInAzure, p.madeInAzure()
		if name == "" {
			return []rule.Problem{{
				Path: p.optionsAt + "change", Value: string(InPlace), Detail: "the pool does not keep its name",
				Fix: "add nameInAzure: " + oneOf(p.candidates(made)),
			}}
		}
		if _, exists := p.inAzure.profile(name); exists || len(made) == 0 {
			return nil
		}
		return []rule.Problem{{
			Path: p.optionsAt + "nameInAzure", Value: name,
			Detail: "no pool in Azure has this name, so the update would create one and remove " + allOf(made),
			Fix:    "use " + oneOf(p.candidates(made)),
		}}
	})},
}

// madeInAzure returns the names of the pools in Azure that a program without NameInAzure has made for a pool, even if
// properties of it have changed since.
func (p retained) madeInAzure() []string {
	pools, options := p.of.declared()
	var made []string
	for _, profile := range p.inAzure.profiles() {
		if of, ok := p.inAzure.madeFor(profile, pools, options, p.owner); ok && of.Name == p.Name {
			made = append(made, open(profile["name"]))
		}
	}
	return made
}

// candidates returns the names that a pool can keep, of the pools that were made for it. Without any, it is the pool in
// Azure with the name in the program, or the name that the pool gets.
func (p retained) candidates(made []string) []string {
	generated := PoolName(p.Pool, p.options.Options)
	inAzure, exists := p.inAzure.Pool(p.Name)
	switch {
	case len(made) == 0 && exists && inAzure.Platform.IsWindows() == p.Platform.IsWindows():
		return []string{p.Name}
	// If an update has failed, both the old pool and the new one can be there.
	case len(made) == 0 || slices.Contains(made, generated):
		return []string{generated}
	}
	return made
}

// oneOf and allOf return quoted names.
func oneOf(names []string) string { return join(quoted(names), "or") }

func allOf(names []string) string { return join(quoted(names), "and") }

func quoted(names []string) []string {
	all := make([]string, len(names))
	for i, name := range names {
		all[i] = quote(name)
	}
	return all
}

var inPlaceRefused = engine.Rule{
	Rule: rule.Rule{
		ID: "MK813", Severity: rule.Error, Title: "a change in place that AKS refuses",
		Page: rulepages.AKSExisting,
		Reason: "AKS changes sizes and releases of Windows in place only in previews. It refuses another processor " +
			"architecture, generation or disk controller, confidential machines instead of others, and an upgrade " +
			"without additional nodes. Windows Server changes from 2022 to 2025 only, whose images have FIPS.",
		Source: resizePage + ", " + osMigration + ", https://github.com/Azure/azure-cli-extensions/pull/10255",
	},
	Checks: []engine.Check{engine.On(allRetained, func(p retained) []rule.Problem {
		var found []rule.Problem
		for _, c := range p.inPlace() {
			found = append(found, p.refusals(c)...)
		}
		return found
	})},
}

var inPlaceByHand = engine.Rule{
	Rule: rule.Rule{
		ID: "MK814", Severity: rule.Error, Title: "a change in place that azure-native cannot make",
		Page: rulepages.AKSExisting,
		Reason: "azure-native has an API without the previews. The Azure CLI has them with the extension " +
			"aks-preview, and the program runs it if azureCLI is set.",
		Source: resizePage,
	},
	Checks: []engine.Check{engine.On(allRetained, func(p retained) []rule.Problem {
		if p.cli {
			return nil
		}
		var found []rule.Problem
		for _, c := range p.accepted() {
			command := c.command(p.options.NameInAzure, p.place).String()
			found = append(found, rule.Problem{
				Path: c.path, Value: c.value,
				Detail: "azure-native cannot change " + c.property + " of a pool, and the Azure CLI changes it in " +
					"place: " + p.describe(c),
				Fix: "run " + command + ", and then pulumi refresh; or, in aks.Cluster, set azureCLI, and the " +
					"program runs it",
			})
		}
		return found
	})},
}

var changesInPlace = engine.Rule{
	Rule: rule.Rule{
		ID: "MK815", Severity: rule.Info, Title: "nodes that a change in place replaces",
		Page: rulepages.AKSExisting,
		Reason: "AKS adds nodes with the new value (maxSurge), drains as many old ones and removes them, until all " +
			"are replaced. A PodDisruptionBudget that allows no eviction stops it. Nodes of spot pools are neither " +
			"drained nor added.",
		Source: resizePage + ", " + upgradePage + ", " + spotPage,
	},
	Checks: []engine.Check{engine.On(allRetained, func(p retained) []rule.Problem {
		if !p.cli {
			return nil // MK814 has it
		}
		var found []rule.Problem
		for _, c := range p.accepted() {
			detail := "it changes in place: " + p.describe(c) + "; run pulumi refresh after it, because azure-native " +
				"would send the old value again with the next change of the pool"
			found = append(found, rule.Problem{Path: c.path, Value: c.value, Detail: detail})
		}
		return found
	})},
}

// accepted returns the changes that AKS makes in place and does not refuse.
func (p retained) accepted() []inPlaceChange {
	return slices.DeleteFunc(p.inPlace(), func(c inPlaceChange) bool {
		return slices.ContainsFunc(p.refusals(c), isError)
	})
}

// refusals returns why AKS refuses a change in place.
func (p retained) refusals(c inPlaceChange) []rule.Problem {
	var found []rule.Problem
	refuse := func(severity rule.Severity, detail, fix string) {
		found = append(found, rule.Problem{Severity: severity, Path: c.path, Value: c.value, Detail: detail, Fix: fix})
	}
	profile, _ := p.inAzure.profile(p.options.NameInAzure)
	if !slices.Contains(p.options.Previews, c.needs) {
		refuse("", "AKS changes "+c.property+" in place only in a preview", c.needs.fix(p.optionsAt))
	}
	if surge, set := parseShare(p.upgradeBefore().MaxSurge); set && surge.number == 0 {
		refuse("", "maxSurge of the pool is 0, and AKS changes nodes in place only if it may add one",
			"set upgrade.maxSurge to 1 or more")
	}
	if kind := open(profile["type"]); kind != "" && kind != DefaultPoolType {
		refuse("", "AKS changes only scale sets in place, and the pool consists of "+kind, aNewPool)
	}
	switch has, wants := fmt.Sprint(c.has), fmt.Sprint(c.wants); {
	case c.property == osSKU && !isUpgradeOfWindows(c.difference):
		refuse("", fmt.Sprintf("AKS changes only %s to %s in place, and the pool has %s", platform.WindowsServer2022,
			platform.WindowsServer2025, has), aNewPool)
	case c.property == osSKU:
	case vm.IsArm64InAzure(has) != vm.IsArm64InAzure(wants):
		refuse("", has+" has another processor architecture", aNewPool)
	case confidentialSize.MatchString(has) != confidentialSize.MatchString(wants):
		refuse("", "of "+has+" and this size, only one is confidential", aNewPool)
	case p.isGeneration2(profile) && vm.IsGeneration1Only(wants):
		refuse("", "the pool has machines of generation 2, and this size has only generation 1", aNewPool)
	case !p.isGeneration2(profile) && vm.IsGeneration2Only(wants):
		refuse("", "the pool has machines of generation 1, and this size has only generation 2", aNewPool)
	case vm.IsGeneration1Only(has) && !vm.IsGeneration1Only(wants):
		refuse(rule.Warning, has+" has only generation 1, and AKS prefers generation 2 if a size has both, and "+
			"refuses a change of it", aNewPool)
	case vm.HasNVMe(has) != vm.HasNVMe(wants):
		refuse(rule.Warning, has+" and this size can have different disk controllers, which AKS refuses", aNewPool)
	case len(unknownOf(has, wants)) > 0:
		refuse(rule.Warning, fmt.Sprintf("this library does not know the machines of %s, and AKS refuses another "+
			"generation or disk controller, and stops without quota for the new nodes",
			join(unknownOf(has, wants), "and")),
			"compare the two sizes, and the quota of the subscription")
	}
	return found
}

// unknownOf returns the sizes whose machines are not known.
func unknownOf(sizes ...string) []string {
	return slices.DeleteFunc(sizes, func(size string) bool { _, _, known := vm.CapacityInAzure(size); return known })
}

// isGeneration2 reports whether the machines of a pool in Azure are of generation 2: by its image, its size, or the
// default of AKS for sizes of both generations.
func (p retained) isGeneration2(profile map[string]any) bool {
	size := open(profile["vmSize"])
	switch {
	case strings.Contains(open(profile["nodeImageVersion"]), "gen2"), vm.IsGeneration2Only(size),
		vm.IsArm64InAzure(size):
		return true
	case vm.IsGeneration1Only(size):
		return false
	}
	existing, _ := poolInAzure(profile)
	return existing.Platform != platform.WindowsServer2019 && existing.Platform != platform.WindowsServer2022
}

// isError reports whether a problem has the severity of its rule.
func isError(p rule.Problem) bool { return p.Severity == "" }

// isUpgradeOfWindows reports whether a difference is the one that AKS removes in place in a preview.
func isUpgradeOfWindows(d difference) bool {
	return d.property == osSKU && d.has == any(platform.WindowsServer2022) && d.wants == any(platform.WindowsServer2025)
}

// aNewPool is the fix for a change that AKS does not make in place.
const aNewPool = "remove change and nameInAzure, so that a new pool is created before the old one is removed"

// fix returns how a program takes part in a preview.
func (r Preview) fix(at string) string {
	add := fmt.Sprintf("add %q to %spreviews", string(r), at)
	for _, c := range facts.AKSPreviewChanges {
		if namespace, name, ok := strings.Cut(c.Feature, "/"); ok && name == string(r) {
			return fmt.Sprintf("register it, with az feature register --namespace %s --name %s, and %s",
				namespace, name, add)
		}
	}
	return "if Azure has enabled it for your subscription (" + osMigration + "), " + add
}
