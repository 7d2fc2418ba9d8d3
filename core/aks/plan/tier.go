package plan

import (
	"fmt"
	"strings"

	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/core/facts"
	"github.com/mixedkube/mixedkube/internal/core/rule/engine"
	"github.com/mixedkube/mixedkube/internal/core/rule/rulepages"
)

var (
	automaticWithWindows = engine.Rule{
		Rule: rule.Rule{
			ID: "MK863", Severity: rule.Error, Title: "AKS Automatic with Windows pools",
			Page: rulepages.AKS,
			Reason: "AKS Automatic has the Cilium dataplane, node auto-provisioning and Linux nodes, and no pools of " +
				"Windows.",
			Fix:    "use the SKU Base",
			Source: aks + "intro-aks-automatic",
		},
		Checks: []engine.Check{optionWithWindows("sku.name", func(v any, at string) *rule.Problem {
			if open(v) != "Automatic" {
				return nil
			}
			return &rule.Problem{
				Value: "Automatic", Detail: fmt.Sprintf("has no Windows nodes, and %s is a Windows pool", at),
			}
		})},
	}
	tierTooLow = engine.Rule{
		Rule: rule.Rule{
			ID: "MK864", Severity: rule.Error, Title: "a feature of another tier",
			Page: rulepages.AKS,
			Reason: "Long-term support needs the tier Premium. Cost analysis needs Standard or Premium, and so do " +
				"more than 1000 nodes, which is a warning. The default is Free. Premium without the support plan " +
				"AKSLongTermSupport is a warning: the documentation needs both, and Azure has accepted it.",
			Source: aks + "free-standard-pricing-tiers, " + aks + "cost-analysis, " +
				"https://github.com/MicrosoftDocs/azure-aks-docs/issues/115",
		},
		Checks: []engine.Check{engine.On(programs, lowTier)},
	}
)

// supportPlan is the option that decides how long AKS supports a version, and longTermSupport its value for long.
const (
	supportPlan     = "supportPlan"
	longTermSupport = "AKSLongTermSupport"
)

// mayBeLongTerm reports whether a support plan, which may be unknown, can be another one than the default.
func mayBeLongTerm(plan any) bool { return plan != nil && plan != "KubernetesOfficial" }

func lowTier(c program) []rule.Problem {
	ofTier := option(c.Options, "sku.tier")
	tier := open(ofTier)
	if ofTier == nil {
		tier = "Free"
	}
	isTier := func(name string) bool { return strings.EqualFold(tier, name) }
	plan := option(c.Options, supportPlan)
	longTerm := open(plan) == longTermSupport
	var problems []rule.Problem
	switch {
	case tier == "" || c.MayExist && ofTier == nil:
		return nil // not known
	case longTerm && !isTier("Premium"):
		problems = append(problems, rule.Problem{
			Path: "options." + supportPlan, Value: longTermSupport,
			Detail: "needs the tier Premium, and the tier is " + tier,
			Fix:    "set options.sku.tier to Premium",
		})
	case isTier("Premium") && !mayBeLongTerm(plan):
		problems = append(problems, rule.Problem{
			Severity: rule.Warning, Path: "options.sku.tier", Value: tier,
			Detail: "is for the support plan AKSLongTermSupport",
			Fix:    "set options." + supportPlan + " to AKSLongTermSupport, or use the tier Standard",
		})
	}
	if limit, nodes := facts.AKSFreeNodes.Max, c.of.nodes(); isTier("Free") && nodes > limit {
		problems = append(problems, rule.Problem{
			Severity: rule.Warning, Path: "pools", Value: nodes,
			Detail: fmt.Sprintf("more than %d nodes together, and the tier is Free", limit),
			Fix:    "set options.sku.tier to Standard",
		})
	}
	if isTrue(option(c.Options, costAnalysis)) && isTier("Free") {
		problems = append(problems, rule.Problem{
			Path: "options." + costAnalysis, Value: true,
			Detail: "needs the tier Standard or Premium, and the tier is Free",
			Fix:    "set options.sku.tier to Standard",
		})
	}
	return problems
}
