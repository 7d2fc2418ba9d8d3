package plan

import (
	"fmt"
	"strings"
	"time"

	"github.com/mixedkube/mixedkube/core/aks/support"
	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/core/facts"
	"github.com/mixedkube/mixedkube/internal/core/facts/kubeversion"
	"github.com/mixedkube/mixedkube/internal/core/rule/engine"
	"github.com/mixedkube/mixedkube/internal/core/rule/rulepages"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

var (
	versionNotOffered = engine.Rule{
		Rule: rule.Rule{
			ID: "MK775", Severity: rule.Error, Title: "a version of Kubernetes that AKS no longer has for new clusters",
			Page: rulepages.AKS,
			Reason: "AKS creates clusters only with versions in support. About a year after its release in AKS, a " +
				"version needs long-term support and the tier Premium, and after another year, AKS does not have it. " +
				"Microsoft has moved such days, so the finding is a warning for the first 90 days. It is about " +
				"clusters that do not exist yet: an existing one keeps its version.",
			Source: versionsPage + ", " + aks + "long-term-support",
		},
		Checks: []engine.Check{engine.On(creations, notOffered)},
	}
	zoneWithoutIdentity = engine.Rule{
		Rule: rule.Rule{
			ID: "MK776", Severity: rule.Error, Title: "a private DNS zone of your own without an identity of your own",
			Page: rulepages.AKS,
			Reason: "AKS writes into the zone as the identity of the cluster, which needs roles on the zone and on " +
				"the virtual network before the cluster exists. An identity that Azure creates with the cluster has " +
				"none.",
			Fix: "set identity.userAssignedID to an identity with the roles Private DNS Zone Contributor on the zone " +
				"and Network Contributor on the virtual network, or use system",
			Source: aks + "private-clusters, https://github.com/Azure/AKS/issues/2477",
		},
		Checks: []engine.Check{engine.On(creations, zoneOfOthers)},
	}
	policyWithoutDataplane = engine.Rule{
		Rule: rule.Rule{
			ID: "MK787", Severity: rule.Error, Title: "the network policy engine cilium without its dataplane",
			Page:   rulepages.AKS,
			Reason: "The policies of Cilium are enforced by its dataplane, which no Windows node has.",
			Fix:    "set options.networkProfile.networkDataplane to cilium, or use another policy",
			Source: aks + "azure-cni-powered-by-cilium",
		},
		Checks: []engine.Check{engine.On(creations, func(c creation) []rule.Problem {
			dataplane := option(c.Options, "networkProfile.networkDataplane")
			if c.Network.Policy != CiliumPolicy || tree.IsUnknown(dataplane) || tree.Reveal(dataplane) == "cilium" {
				return nil
			}
			return []rule.Problem{{
				Path: "network.policy", Value: string(c.Network.Policy), Detail: "needs the dataplane cilium",
			}}
		})},
	}
)

// zoneOfOthers finds a zone without an identity. A zone that is not known yet may also be the word system or none.
func zoneOfOthers(c creation) []rule.Problem {
	zone := c.APIServer.PrivateDNSZone
	own := c.Identity.UserAssignedID != "" || option(c.Options, "servicePrincipalProfile") != nil
	if !c.APIServer.Private || own || zone != Later && !strings.HasPrefix(zone, "/") {
		return nil
	}
	found := rule.Problem{
		Path:   "apiServer.privateDNSZone",
		Detail: "the identity that Azure creates with the cluster cannot have the roles that the zone needs",
	}
	if zone == Later {
		found.Severity = rule.Warning
	} else {
		found.Value = zone
	}
	return []rule.Problem{found}
}

// uncertain is how long after an end of support the finding is only a warning.
const uncertain = 90 * 24 * time.Hour

// notOffered finds a version that AKS does not have for new clusters.
func notOffered(c creation) []rule.Problem {
	version := c.Topology.KubernetesVersion
	v, ok := kubeversion.Parse(version)
	if !ok || c.Today.IsZero() {
		return nil
	}
	found := rule.Problem{
		Path: "kubernetesVersion", Value: version, Fix: fmt.Sprintf("use %s, for example", c.of.newestForAll()),
	}
	if v.Compare(facts.AKSReleases[0].Version) < 0 {
		found.Detail = "AKS no longer creates clusters with it"
		return []rule.Problem{found}
	}
	release, known := facts.AKSReleaseOf(v)
	if !known {
		return nil
	}
	ends, support := release.Ends, "community support"
	if c.version().LongTerm {
		ends, support = release.LTSEnds, "long-term support"
	} else if !c.endedBefore(release.LTSEnds) {
		found.Fix += "; or set options.supportPlan to AKSLongTermSupport, and options.sku.tier to Premium"
	}
	if !c.endedBefore(ends) {
		return nil
	}
	if !c.Today.After(day(ends).Add(uncertain)) {
		found.Severity = rule.Warning
	}
	found.Detail = fmt.Sprintf("its %s in AKS ended on %s, and then AKS creates no clusters with it", support, ends)
	return []rule.Problem{found}
}

// endedBefore reports whether a day is over, in all time zones.
func (c creation) endedBefore(last string) bool { return c.Today.After(day(last).AddDate(0, 0, 2)) }

// day returns the beginning of a day of package facts.
func day(text string) time.Time {
	t, _ := time.Parse(time.DateOnly, text)
	return t
}

// version returns the version of the cluster with its support.
func (c Cluster) version() support.Version {
	return support.Version{
		Path: "kubernetesVersion", Text: c.Topology.KubernetesVersion, Today: c.Today,
		LongTerm: c.MayExist || mayBeLongTerm(option(c.Options, supportPlan)),
	}
}
