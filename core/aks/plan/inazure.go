package plan

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/core/facts/kubeversion"
	"github.com/mixedkube/mixedkube/internal/core/rule/engine"
	"github.com/mixedkube/mixedkube/internal/core/rule/rulepages"
)

var (
	windowsProfileDiffers = engine.Rule{
		Rule: rule.Rule{
			ID: "MK795", Severity: rule.Warning, Title: "a Windows profile that differs from the one in Azure",
			Page: rulepages.AKSExisting,
			Reason: "azure-native would replace the cluster to change it. The Azure CLI changes password, license " +
				"and gMSA in place. When the password changes, Azure restarts all Windows nodes, and when the " +
				"license changes, it reimages them.",
			Source: windowsFAQPage + ", https://github.com/Azure/AKS/issues/3913",
		},
		Checks: []engine.Check{
			engine.On(allDesired, otherProfile),
			engine.On(changed, func(c changedPassword) []rule.Problem {
				return []rule.Problem{{
					Path: "windowsAdmin.password",
					Detail: "not the one that the cluster was created with, which Pulumi sends again with each " +
						"change of the cluster",
					Fix: `after each change, run printf %s "$WINDOWS_PASSWORD" | ` +
						UpdateCommand(c.admin, c.at).String() + "; or set azureCLI, and the program runs it; when " +
						"the password changes, Azure restarts all Windows nodes",
				}}
			}),
		},
	}
	firstPoolLeft = engine.Rule{
		Rule: rule.Rule{
			ID: "MK796", Severity: rule.Warning, Title: "the initial pool of the cluster still exists",
			Page:   rulepages.AKSExisting,
			Reason: "Azure creates it together with the cluster, so Pulumi has no resource that it could remove.",
			Source: systemPoolsPage,
		},
		Checks: []engine.Check{engine.On(allDesired, func(d desired) []rule.Problem {
			left := d.first.Left
			if left == "" || !slices.Contains(d.inAzure.Pools(), left) {
				return nil
			}
			return []rule.Problem{{
				Path: "pools", Detail: "the cluster began with the pool " + left +
					", which the program no longer has, and Pulumi cannot remove it",
				Fix: "when the new pools exist, run " + deleteCommand(left, d.at).String(),
			}}
		})},
	}
	firstPoolOlder = engine.Rule{
		Rule: rule.Rule{
			ID: "MK797", Severity: rule.Warning,
			Title: "the initial pool of the cluster has another version of Kubernetes",
			Page:  rulepages.AKSExisting,
			Reason: "Azure creates it together with the cluster, and accepts its version only together with the " +
				"versions of all other pools, which are separate resources.",
			Source: clusterAPI,
		},
		Checks: []engine.Check{engine.On(allDesired, olderFirstPool)},
	}
)

func otherProfile(d desired) []rule.Problem {
	admin, a := d.WindowsAdmin, d.inAzure
	var differs []string
	var effect string
	if cmp.Or(a.LicenseType, NoLicense) != cmp.Or(admin.LicenseType, NoLicense) {
		differs = append(differs, "licenseType")
		effect = "; when the license changes, Azure reimages all Windows nodes"
	}
	if a.GMSA != admin.GMSA {
		differs = append(differs, "gmsa")
	}
	if len(differs) == 0 {
		return nil
	}
	return []rule.Problem{{
		Path: "windowsAdmin",
		Detail: "it differs in Azure (" + join(differs, "and") +
			"), and Pulumi would replace the cluster to change it",
		Fix: "run " + update(admin, d.at, "", " --yes").String() + effect,
	}}
}

func olderFirstPool(d desired) []rule.Problem {
	var found []rule.Problem
	for i, p := range d.Topology.Pools {
		inAzure := d.PoolOptions[p.Name].Name(p)
		if inAzure != d.first.Inline || !d.inAzure.IsOlder(p, inAzure) {
			continue
		}
		found = append(found, rule.Problem{
			Path: fmt.Sprintf("pools[%d].kubernetesVersion", i), Value: p.KubernetesVersion,
			Detail: "the initial pool of the cluster has " + d.inAzure.Versions[inAzure] +
				", and Pulumi cannot upgrade it",
			Fix: "after the cluster, run " + UpgradeCommand(inAzure, p.KubernetesVersion, d.at).String(),
		})
	}
	return found
}

// IsOlder reports whether a pool exists under its name in Azure with a version of Kubernetes that is older than the
// desired one.
func (a InAzure) IsOlder(p topology.Pool, inAzure string) bool {
	have, exists := a.Versions[inAzure]
	return exists && isOlder(have, p.KubernetesVersion)
}

// isOlder reports whether the version of a pool differs from the desired version and can be upgraded to it. The desired
// version may be only a minor version. If it is empty, any version matches.
func isOlder(have, want string) bool {
	if want == "" || have == want || strings.HasPrefix(have, want+".") {
		return false
	}
	before, known := kubeversion.Parse(have)
	after, ok := kubeversion.Parse(want)
	return known && ok && before.Compare(after) <= 0
}
