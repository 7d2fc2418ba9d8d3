package plan

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/core/topology"
	"github.com/mixedkube/mixedkube/internal/core/facts"
	"github.com/mixedkube/mixedkube/internal/core/facts/kubeversion"
	"github.com/mixedkube/mixedkube/internal/core/rule/engine"
	"github.com/mixedkube/mixedkube/internal/core/rule/rulepages"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

const (
	azureLabels = "kubernetes.azure.com/"

	spotLabel = azureLabels + "scalesetpriority"
	spotValue = "spot"
)

// SpotTaint returns the taint that Azure adds to the nodes of spot pools
// (https://learn.microsoft.com/azure/aks/spot-node-pool).
func SpotTaint() corev1.Taint {
	return corev1.Taint{Key: spotLabel, Value: spotValue, Effect: corev1.TaintEffectNoSchedule}
}

// Declared returns the pool with the labels and taints that its arguments in Azure declare: its own,
// [topology.LabelPlatform] if Windows nodes scale from zero, and those that Azure adds to a spot pool whether they are
// declared or not. If they were not declared, the additions of Azure would appear as changes.
func Declared(p topology.Pool) topology.Pool {
	added := map[string]string{}
	if p.Platform.IsWindows() && p.ScalesFromZero() {
		added[topology.LabelPlatform] = p.Platform.String()
	}
	maps.Copy(added, p.Labels)
	if p.Spot {
		added[spotLabel] = spotValue
		if !topology.HasTaint(p.Taints, SpotTaint()) {
			p.Taints = append(slices.Clone(p.Taints), SpotTaint())
		}
	}
	if len(added) > 0 {
		p.Labels = added
	}
	return p
}

// Registered returns the pool with the labels and taints that its nodes register with, and with the resources that AKS
// reserves. The labels are the declared ones and those that AKS sets itself
// (https://learn.microsoft.com/azure/aks/use-labels). The mode is empty if the network is not known.
func Registered(p topology.Pool, o PoolOptions, mode NetworkMode) topology.Pool {
	p = Declared(p)
	name := o.Name(p)
	osSKU := cmp.Or(open(option(o.Options, "osSKU")), OSSKU(p.Platform), ubuntu)
	labels := map[string]string{
		"agentpool":                      name,
		azureLabels + "agentpool":        name,
		azureLabels + "mode":             modeLabel(p.Mode),
		azureLabels + "role":             "agent",
		azureLabels + "os-sku":           osSKU,
		azureLabels + "os-sku-requested": osSKU,
	}
	if kind := option(o.Options, "type"); !tree.IsUnknown(kind) {
		labels[azureLabels+"nodepool-type"] = cmp.Or(open(kind), DefaultPoolType)
	}
	if effective := effectiveSKU(osSKU, p.KubernetesVersion, p.FIPS); effective != "" {
		labels[azureLabels+"os-sku-effective"] = effective
	}
	if p.FIPS {
		labels[azureLabels+"fips_enabled"] = "true"
	}
	// The documentation has the value regular too, but no observed node has it.
	if p.Spot {
		labels[azureLabels+"priority"] = spotValue
	}
	if capacity, known := p.Capacity(); known {
		labels[azureLabels+"sku-cpu"] = capacity.Cpu().String()
		labels[azureLabels+"sku-memory"] = strconv.FormatInt(capacity.Memory().Value()>>20, 10)
	}
	if open(option(o.Options, "powerState.code")) == "Stopped" {
		p.Count, p.Empty = 0, true
	}
	maps.Copy(labels, p.Labels)
	p.Labels = labels
	p.Reserved = Reserved(p, mode)
	return p
}

// effectiveSKU returns the release of the distribution, which is the default of a version of Kubernetes. It returns an
// empty string for a release that pools cannot choose, and if the version is not known and decides about it.
func effectiveSKU(osSKU, kubernetes string, fips bool) string {
	newest := slices.IndexFunc(facts.SKUReleases, func(r facts.SKURelease) bool {
		return r.SKU == osSKU && r.FIPS == fips
	})
	if newest < 0 {
		return osSKU
	}
	version, known := kubeversion.Parse(kubernetes)
	if !known {
		version = facts.AKSOldest
	}
	release, _ := facts.ReleaseOf(osSKU, fips, version)
	if !known && release != facts.SKUReleases[newest] {
		return ""
	}
	chosen, _ := facts.SKUNamed(release.Release)
	return chosen.Name
}

func modeLabel(m topology.Mode) string {
	if m == topology.System {
		return "system"
	}
	return "user"
}

var labelReserved = engine.Rule{
	Rule: rule.Rule{
		ID: "MK736", Severity: rule.Error, Title: "a label that is Azure's own",
		Page: rulepages.AKSPools,
		Reason: "Labels that begin with kubernetes.azure.com/ are reserved, and Azure refuses them. Azure sets the " +
			"zone and the region of a node itself. (Other labels of kubernetes.io/ are refused for any cluster.)",
		Source: labelsPage + ", https://github.com/Azure/AKS/issues/4613",
	},
	Checks: []engine.Check{engine.On(pools, reservedLabels)},
}

func reservedLabels(p pool) []rule.Problem {
	var problems []rule.Problem
	for _, key := range slices.Sorted(maps.Keys(p.Labels)) {
		// Azure adds that label to the nodes of a spot pool itself.
		if p.Spot && key == spotLabel && p.Labels[key] == spotValue {
			continue
		}
		found := rule.Problem{Path: p.at + "labels[" + key + "]"}
		switch namespace := key[:strings.LastIndex(key, "/")+1]; namespace {
		case azureLabels:
			found.Detail = "Azure reserves kubernetes.azure.com/ for its own labels"
			found.Fix = "use a domain of your own"
		case "topology.kubernetes.io/", "failure-domain.beta.kubernetes.io/":
			found.Detail, found.Fix = "Azure sets the zone and the region of a node itself", "remove it, and set zones"
		default:
			continue
		}
		problems = append(problems, found)
	}
	return problems
}
