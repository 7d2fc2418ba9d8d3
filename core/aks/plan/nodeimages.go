package plan

import (
	"fmt"
	"slices"

	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/core/facts/vm"
	"github.com/mixedkube/mixedkube/internal/core/rule/engine"
	"github.com/mixedkube/mixedkube/internal/core/rule/rulepages"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

const (
	nodeChannel    = "autoUpgradeProfile.nodeOSUpgradeChannel"
	clusterChannel = "autoUpgradeProfile.upgradeChannel"
	// containerLinux is an osSKU whose nodes are never changed in place.
	containerLinux = "AzureContainerLinux"
)

var (
	channelWithoutWindows = engine.Rule{
		Rule: rule.Rule{
			ID: "MK866", Severity: rule.Warning, Title: "a channel that does not patch Windows nodes",
			Page: rulepages.AKS,
			Reason: "Only the node OS channel NodeImage updates Windows nodes: SecurityPatch and Unmanaged are for " +
				"Linux, and None updates no nodes. Without updates, Windows nodes run the build of the day on which " +
				"the pool was created or upgraded.",
			Fix:    "use NodeImage, or upgrade the node images of the Windows pools yourself every month",
			Source: aks + "auto-upgrade-node-os-image",
		},
		Checks: []engine.Check{optionWithWindows(nodeChannel, func(v any, at string) *rule.Problem {
			channel := open(v)
			if channel != "SecurityPatch" && channel != "Unmanaged" && channel != "None" {
				return nil
			}
			return &rule.Problem{
				Value: channel, Detail: fmt.Sprintf("it does not patch Windows nodes, and %s is a Windows pool", at),
			}
		})},
	}
	channelsDiffer = engine.Rule{
		Rule: rule.Rule{
			ID: "MK868", Severity: rule.Error, Title: "two channels that do not go together",
			Page: rulepages.AKS,
			Reason: "The auto-upgrade channel node-image sets the node OS channel NodeImage. Nodes with " +
				"AzureContainerLinux have only the node OS channels NodeImage and None.",
			Source: aks + "auto-upgrade-node-os-image, " + aks + "azure-container-linux-overview",
		},
		Checks: []engine.Check{engine.On(programs, differentChannels)},
	}
	containerLinuxConditions = engine.Rule{
		Rule: rule.Rule{
			ID: "MK879", Severity: rule.Error, Title: "AzureContainerLinux without Trusted Launch",
			Page: rulepages.AKSPools,
			Reason: "Azure Container Linux has node images for Trusted Launch only, with secure boot and a virtual " +
				"TPM.",
			Source: aks + "azure-container-linux-overview",
		},
		Checks: []engine.Check{engine.On(pools, untrustedLaunch)},
	}
)

func differentChannels(c program) []rule.Problem {
	channel := open(option(c.Options, nodeChannel))
	found := rule.Problem{Path: "options." + nodeChannel, Value: channel}
	switch {
	case channel == "" || channel == "NodeImage":
		return nil
	case open(option(c.Options, clusterChannel)) == "node-image":
		found.Detail = "the auto-upgrade channel node-image sets it to NodeImage"
		found.Fix = "use NodeImage, or another auto-upgrade channel"
		return []rule.Problem{found}
	case channel == "None":
		return nil
	}
	i := slices.IndexFunc(c.of.pools, func(p pool) bool { return p.osSKU() == containerLinux })
	if i < 0 {
		return nil
	}
	found.Detail = fmt.Sprintf("nodes with %s do not have it, and %s is such a pool", containerLinux,
		c.of.pools[i].at[:len(c.of.pools[i].at)-1])
	found.Fix = "use NodeImage or None"
	return []rule.Problem{found}
}

func untrustedLaunch(p pool) []rule.Problem {
	if p.Platform.IsWindows() || p.osSKU() != containerLinux {
		return nil
	}
	if has, known := vm.TrustedLaunch(p.Size); known && !has {
		return []rule.Problem{{
			Path: p.at + "size", Value: p.Size, Detail: containerLinux + " needs a size with Trusted Launch",
			Fix: "use another size, for example Standard_D4s_v5, or another osSKU",
		}}
	}
	if tree.IsUnknown(option(p.options.Options, "securityProfile")) {
		return nil
	}
	var problems []rule.Problem
	for _, name := range []string{"enableSecureBoot", "enableVTPM"} {
		path := "securityProfile." + name
		if v := option(p.options.Options, path); v == nil || v == false {
			problems = append(problems, rule.Problem{
				Path: p.optionsAt + "options." + path, Value: v, Detail: containerLinux + " needs it",
				Fix: "set it to true",
			})
		}
	}
	return problems
}
