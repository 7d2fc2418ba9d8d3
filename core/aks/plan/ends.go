package plan

import (
	"slices"
	"strings"
	"time"

	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/core/facts"
	"github.com/mixedkube/mixedkube/internal/core/rule/engine"
	"github.com/mixedkube/mixedkube/internal/core/rule/rulepages"
)

// The finding begins early, as clusters and their applications have to move.
const optionEndsSoon = 180 * 24 * time.Hour

var (
	optionEnds = engine.Rule{
		Rule: rule.Rule{
			ID: "MK896", Severity: rule.Warning, Title: "an option whose support ends",
			Page: rulepages.AKS,
			Reason: "Azure corrects no faults after the end of support, and removes the feature later. The finding " +
				"begins half a year before the end.",
			Source: aks + "app-routing, " + aks + "csi-secrets-store-identity-access, " +
				aks + "certificate-rotation, " + aks + "open-service-mesh-about, " + policyPage,
		},
		Checks: []engine.Check{
			engine.On(programs, func(c program) []rule.Problem {
				return endingOptions(c.of.today, func(path string) (string, any) {
					return "options." + path, option(c.Options, path)
				})
			}),
			engine.On(pools, func(p pool) []rule.Problem {
				return endingOptions(p.of.today, func(path string) (string, any) {
					if tag, isTag := strings.CutPrefix(path, "tags."); isTag {
						return p.tag(tag, func(pool) bool { return true })
					}
					return p.optionsAt + "options." + path, option(p.options.Options, path)
				})
			}),
			engine.On(networks, endingPolicy),
		},
	}
	overrideWithoutEnd = engine.Rule{
		Rule: rule.Rule{
			ID: "MK715", Severity: rule.Warning, Title: "a forced upgrade that is not forced",
			Page: rulepages.AKS,
			Reason: "forceUpgrade lasts until a day, which must be set and lie ahead. It ignores budgets, and APIs " +
				"that the next version does not have.",
			Fix: "set options.upgradeSettings.overrideSettings.until to a time that is ahead, or remove " +
				"forceUpgrade",
			Source: aks + "upgrade-options, " + aks + "stop-cluster-upgrade-api-breaking-changes",
		},
		Checks: []engine.Check{engine.On(programs, func(c program) []rule.Problem {
			const force, until = "upgradeSettings.overrideSettings.forceUpgrade",
				"upgradeSettings.overrideSettings.until"
			if !isTrue(option(c.Options, force)) {
				return nil
			}
			end := option(c.Options, until)
			if end == nil {
				return []rule.Problem{{Path: "options." + force, Value: true, Detail: "has no effect without until"}}
			}
			at, err := time.Parse(time.RFC3339, open(end))
			if err != nil || c.of.today.IsZero() || at.After(c.of.today) {
				return nil
			}
			return []rule.Problem{{Path: "options." + until, Value: open(end), Detail: "is in the past, so nothing " +
				"is forced"}}
		})},
	}
)

// endingOptions takes a function that returns the path and the value of an option.
func endingOptions(today time.Time, valueOf func(option string) (path string, v any)) []rule.Problem {
	var found []rule.Problem
	for _, e := range facts.AKSOptionEnds {
		path, v := valueOf(e.Path)
		if e.Value != "" || e.Instead == "" || !slices.Contains([]any{true, "true"}, v) {
			continue
		}
		if detail := supportEnds(e.Ends, today); detail != "" {
			found = append(found, rule.Problem{Path: path, Value: v, Detail: detail, Fix: e.Instead})
		}
	}
	return found
}

// endingPolicy finds Azure's own engine without Windows pools: with them, MK724 reports it.
func endingPolicy(n network) []rule.Problem {
	end := facts.AKSOptionEnd(networkPolicy, "")
	detail := supportEnds(end.Ends, n.today)
	if _, isMixed := n.windowsPool(); isMixed || string(n.network.Policy) != end.Value || detail == "" {
		return nil
	}
	return []rule.Problem{{Path: "network.policy", Value: end.Value, Detail: detail, Fix: end.Instead}}
}

// networkPolicy is a path in [facts.AKSOptionEnds].
const networkPolicy = "networkProfile.networkPolicy"

// azurePolicyEnds is when the support of Azure's own engine ends on Windows nodes.
var azurePolicyEnds = facts.AKSOptionEnd(networkPolicy, "Windows").Ends

// supportEnds returns that support ends soon or has ended, or an empty string.
func supportEnds(day string, today time.Time) string {
	ends, err := time.Parse(time.DateOnly, day)
	switch {
	case err != nil || today.IsZero() || today.Add(optionEndsSoon).Before(ends):
		return ""
	case today.After(ends):
		return "its support ended on " + day
	}
	return "its support ends on " + day
}
