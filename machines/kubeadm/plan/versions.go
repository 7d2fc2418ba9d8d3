package plan

import (
	"fmt"
	"slices"
	"time"

	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/core/facts"
	"github.com/mixedkube/mixedkube/internal/core/facts/kubeversion"
	"github.com/mixedkube/mixedkube/internal/core/rule/engine"
	"github.com/mixedkube/mixedkube/internal/core/rule/rulepages"
)

var versionEnds = engine.Rule{
	Rule: rule.Rule{
		ID: "MK669", Severity: rule.Info, Title: "a version of Kubernetes whose support ends soon",
		Page: rulepages.Kubeadm,
		Reason: "After the end of support, Kubernetes has no patches for a version, even against attacks, and no one " +
			"else maintains a cluster on virtual machines. The finding begins 90 days before that day; afterwards it " +
			"is a warning.",
		Fix:    "upgrade",
		Source: "https://kubernetes.io/releases/patch-releases/",
	},
	Checks: []engine.Check{engine.On(versions, endingVersion)},
}

// endingVersion finds a version without support, or soon without.
func endingVersion(v version) []rule.Problem {
	parsed, ok := kubeversion.Parse(v.text)
	i := slices.IndexFunc(facts.KubernetesEnds, func(e facts.KubernetesEnd) bool { return e.Version == parsed })
	if !ok || i < 0 || v.today.IsZero() {
		return nil
	}
	text := facts.KubernetesEnds[i].Ends
	ends, _ := time.Parse(time.DateOnly, text)
	found := rule.Problem{Path: v.path.String(), Value: v.text, Detail: "its support ends on " + text}
	switch {
	case v.today.Before(ends.AddDate(0, 0, -90)):
		return nil
	case v.today.After(ends.AddDate(0, 0, 1)): // in all time zones
		found.Severity = rule.Warning
		found.Detail = fmt.Sprintf("its support ended on %s", text)
	}
	return []rule.Problem{found}
}
