package plan

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/core/facts"
	"github.com/mixedkube/mixedkube/internal/core/facts/vm"
	"github.com/mixedkube/mixedkube/internal/core/fielderrors"
	"github.com/mixedkube/mixedkube/internal/core/rule/engine"
	"github.com/mixedkube/mixedkube/internal/core/rule/rulepages"
)

// maxLinuxName and maxWindowsName are the longest names of pools: the computer name of a Windows node has 15 characters,
// of which AKS needs 9.
var (
	maxLinuxName   = facts.AKSPoolName.Max
	maxWindowsName = facts.AKSWindowsPoolName.Max
)

// maxSuffix is the maximum length of a suffix.
const maxSuffix = 3

// PoolName returns the name of a pool in Azure: its own name, followed by up to three letters or digits that are
// generated from the settings of the pool that Azure cannot change, see [FixedProperties]. A change of such a setting
// creates a new pool with another name, so the old pool can exist until it is removed. The options are the Options of
// [PoolOptions].
//
// The probability that two versions of a pool get the same name is 1 in 36 for each character of the suffix. A name
// that leaves no room has no suffix.
func PoolName(p topology.Pool, options map[string]any) string {
	return p.Name + vm.Suffix(immutable(p, options), min(maxSuffix, room(p)))
}

// Name returns the name in Azure of the pool that has these options.
func (o PoolOptions) Name(p topology.Pool) string {
	if o.NameInAzure != "" {
		return o.NameInAzure
	}
	return PoolName(p, o.Options)
}

// room returns how many characters the name leaves for a suffix.
func room(p topology.Pool) int {
	longest := maxLinuxName
	if p.Platform.IsWindows() {
		longest = maxWindowsName
	}
	return max(0, longest-len(p.Name))
}

var poolNameFormat = regexp.MustCompile(`^[a-z][a-z0-9]*$`)

var (
	poolNameMalformed = engine.Rule{
		Rule: rule.Rule{
			ID: "MK701", Severity: rule.Error, Title: "characters that a pool's name cannot have",
			Page: rulepages.AKSPools,
			Reason: "The name becomes part of the names of machines, so it has lower-case letters and digits only, " +
				"and begins with a letter.",
			Source:    createPoolsPage,
			Mandatory: true,
		},
		Checks: []engine.Check{engine.On(pools, malformedName)},
	}
	poolNameTooLong = engine.Rule{
		Rule: rule.Rule{
			ID: "MK702", Severity: rule.Error, Title: "a pool's name is too long",
			Page: rulepages.AKSPools,
			Reason: "A Linux pool's name has at most 12 characters. The computer name of a Windows node has 15, of " +
				"which AKS needs 9, so 6 are left.",
			Source: createPoolsPage,
		},
		Checks: []engine.Check{engine.On(pools, longName)},
	}
	poolNameWithoutRoom = engine.Rule{
		Rule: rule.Rule{
			ID: "MK703", Severity: rule.Warning, Title: "a pool's name leaves no room for a suffix",
			Page: rulepages.AKSPools,
			Reason: "A change that Azure cannot make to a pool creates a new pool, which needs a name of its own " +
				"while the old pool exists: this library appends a hash of those fields.",
			Source: createPoolsPage,
		},
		Checks: []engine.Check{engine.On(pools, nameWithoutRoom)},
	}
)

// ownName returns the name of the argument of a pool that library names in Azure, if package topology does not report
// it.
func (p pool) ownName() (string, bool) {
	return p.Name, p.options.NameInAzure == "" && len(validation.IsDNS1123Label(p.Name)) == 0
}

func malformedName(p pool) []rule.Problem {
	found := rule.Problem{
		Path: p.optionsAt + "nameInAzure", Value: p.options.NameInAzure,
		Detail: "a pool's name has lower-case letters and digits only, and begins with a letter",
		Fix:    "write the name that the pool has in Azure",
	}
	name := p.options.NameInAzure
	if own, is := p.ownName(); is {
		name, found.Path, found.Value, found.Fix = own, p.at+"name", own, "use, for example, "+plain(p)
	}
	if name == "" || poolNameFormat.MatchString(name) {
		return nil
	}
	return []rule.Problem{found}
}

func longName(p pool) []rule.Problem {
	longest, whose := longestName(p)
	path, name, fix := p.optionsAt+"nameInAzure", p.options.NameInAzure, "write the name that the pool has in Azure"
	if own, is := p.ownName(); is {
		path, name, fix = p.at+"name", own, fmt.Sprintf("use at most %d, which leaves room for a suffix", longest-1)
	}
	if len(name) <= longest {
		return nil
	}
	return []rule.Problem{{
		Path: path, Value: name, Detail: fmt.Sprintf("%d characters, and %s has at most %d", len(name), whose, longest),
		Fix: fix,
	}}
}

// nameWithoutRoom does not look at a name that a pool keeps in Azure, which needs no room for a suffix.
func nameWithoutRoom(p pool) []rule.Problem {
	longest, _ := longestName(p)
	name, is := p.ownName()
	if !is || len(name) != longest {
		return nil
	}
	return []rule.Problem{{
		Path: p.at + "name", Value: name,
		Detail: fmt.Sprintf(
			"%d characters leave no room for a suffix, so a change of its size or platform cannot create a new "+
				"pool while the old one exists", len(name),
		),
		Fix: fmt.Sprintf("use at most %d characters", longest-1),
	}}
}

// longestName returns the maximum length of the name of a pool.
func longestName(p pool) (longest int, whose string) {
	if p.Platform.IsWindows() {
		return maxWindowsName, "the name of a Windows pool"
	}
	return maxLinuxName, "a pool's name"
}

// otherImport finds an ID that is not the one of the pool that the program imports.
func otherImport(p pool) []rule.Problem {
	id, name := p.options.ImportID, p.options.NameInAzure
	if id == "" {
		return nil
	}
	found := poolIDFormat.FindStringSubmatch(id)
	problem := rule.Problem{Path: p.optionsAt + "importID", Value: id}
	switch {
	case name == "":
		problem.Detail = "the pool does not keep its name without nameInAzure"
		problem.Fix = "set nameInAzure to the name that the pool has in Azure"
	case id == Later || found != nil && strings.EqualFold(found[1], name):
		return nil
	default:
		problem.Detail = fmt.Sprintf("not the resource ID of a pool %q", name)
		problem.Fix = "write the one that `az aks nodepool show --query id` prints"
	}
	return []rule.Problem{problem}
}

// poolIDFormat matches the resource ID of a pool, in which Azure ignores case
// (https://learn.microsoft.com/azure/azure-resource-manager/management/resource-name-rules).
var poolIDFormat = regexp.MustCompile(`(?i)^/subscriptions/[0-9a-z-]+/resourcegroups/[\pL\pN_.()-]+/providers/` +
	`microsoft\.containerservice/managedclusters/[0-9a-z_-]+/agentpools/([0-9a-z]+)$`)

var poolImportMismatch = engine.Rule{
	Rule: rule.Rule{
		ID: "MK852", Severity: rule.Error, Title: "an import of something other than the pool",
		Page:   rulepages.AKSExisting,
		Reason: "Pulumi would import something else, or fail in the middle of the update.",
		Source: poolAPI,
	},
	Checks: []engine.Check{engine.On(pools, otherImport)},
}

// plain returns the name with only the characters that are allowed, and with room for a suffix.
func plain(p pool) string {
	name := strings.TrimLeft(strings.ReplaceAll(p.Name, "-", ""), "0123456789")
	longest := maxLinuxName
	if p.Platform.IsWindows() {
		longest = maxWindowsName
	}
	if name == "" {
		name = "pool"
	}
	return name[:min(len(name), longest-1)]
}

var optionsOfNoPool = engine.Rule{
	Rule: rule.Rule{
		ID: "MK773", Severity: rule.Error, Title: "options for a pool that does not exist",
		Page:   rulepages.AKSPools,
		Reason: "The component would ignore the options.",
		Source: poolAPI,
	},
	Checks: []engine.Check{engine.On(programs, unknownPools)},
}

// unknownPools finds options for pools that do not exist.
func unknownPools(c program) []rule.Problem {
	var pools []string
	for _, p := range c.of.pools {
		if p.Name != "" {
			pools = append(pools, p.Name)
		}
	}
	var problems []rule.Problem
	for _, name := range slices.Sorted(maps.Keys(c.PoolOptions)) {
		found := rule.Problem{
			Path: "poolOptions[" + name + "]", Value: name, Detail: "no pool has this name",
			Fix: "use the name of a pool",
		}
		if near, ok := fielderrors.Nearest(name, pools); ok {
			found.Fix = fmt.Sprintf("did you mean %q?", near)
		} else if len(pools) > 0 {
			found.Fix = "the pools are " + join(pools, "and")
		}
		if !slices.Contains(pools, name) {
			problems = append(problems, found)
		}
	}
	return problems
}

var poolNamesMeet = engine.Rule{
	Rule: rule.Rule{
		ID: "MK708", Severity: rule.Error, Title: "two pools have the same name in Azure",
		Page:   rulepages.AKSPools,
		Reason: "The name in Azure is the pool's own with a suffix, so the names of two pools can collide by chance.",
		Fix:    "use another name",
		Source: createPoolsPage,
	},
	Checks: []engine.Check{engine.On(programs, meetingNames)},
}

// meetingNames finds pools that have the same name with their suffixes.
func meetingNames(c program) []rule.Problem {
	var found []rule.Problem
	first := map[string]pool{}
	for _, p := range c.of.pools {
		name := p.options.Name(p.Pool)
		// Package topology reports pools that have the same name without a suffix.
		if other, ok := first[name]; ok && other.Name != p.Name {
			found = append(found, rule.Problem{
				Path: p.at + "name", Value: p.Name,
				Detail: "its name in Azure is " + quote(name) + ", the same as that of " + quote(other.Name) +
					": names in Azure have suffixes",
			})
		} else if !ok {
			first[name] = p
		}
	}
	return found
}
