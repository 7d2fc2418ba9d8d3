// Package engine runs rules. A rule is one value: what it says, what it looks at, what it silences, and its checks,
// each of which is a function of the subject that it gets and of nothing else:
//
//	var hostNetworkOnWindows = engine.Rule{
//		Rule: rule.Rule{ID: "MK505", Severity: rule.Warning, Title: "hostNetwork on Windows", …},
//		Checks: []engine.Check{engine.On(windowsPods, func(p *Pods) []rule.Problem { … })},
//	}
//
// [New] takes the checks of one type of subject out of all rules, and [Set.Find] is the only loop over them. [NewIndex]
// does so for all types. The order
// of the rules makes no difference: a check sees no findings of others. If a finding makes the findings of another rule
// pointless, the rule names that rule in Silences.
package engine
