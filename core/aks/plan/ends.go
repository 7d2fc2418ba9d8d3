package plan

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/core/facts"
	"github.com/mixedkube/mixedkube/internal/core/rule/engine"
	"github.com/mixedkube/mixedkube/internal/core/rule/rulepages"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
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
			Source: aks + "app-routing, " + aks + "csi-secrets-store-identity-access, " + aks + "certificate-rotation",
		},
		Checks: []engine.Check{
			engine.On(programs, func(c program) []rule.Problem { return endingOptions(c.Options, "options.", c.of.today) }),
			engine.On(pools, func(p pool) []rule.Problem {
				return endingOptions(p.options.Options, p.optionsAt+"options.", p.of.today)
			}),
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
			const force, until = "upgradeSettings.overrideSettings.forceUpgrade", "upgradeSettings.overrideSettings.until"
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

// endingOptions takes the options of a cluster or of a pool.
func endingOptions(options map[string]any, at string, today time.Time) []rule.Problem {
	var found []rule.Problem
	for _, e := range facts.AKSOptionEnds {
		ends, err := time.Parse(time.DateOnly, e.Ends)
		v := tree.At(options, e.Path...)
		if err != nil || today.IsZero() || today.Add(optionEndsSoon).Before(ends) || !slices.Contains([]any{true, "true"}, v) {
			continue
		}
		has := "ended"
		if !today.After(ends) {
			has = "ends"
		}
		found = append(found, rule.Problem{
			Path: at + strings.Join(e.Path, "."), Value: v, Detail: fmt.Sprintf("its support %s on %s", has, e.Ends), Fix: e.Instead,
		})
	}
	return found
}
