package preflight

import (
	"github.com/mixedkube/mixedkube/core/platform"
	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/core/pods"
	"github.com/mixedkube/mixedkube/internal/core/value/tree"
)

// withoutPool reports the platform that a program states, if the pods follow it and no pool runs it. A DaemonSet that
// selects such nodes fails without an error otherwise.
func (c *check) withoutPool(p *judged) bool {
	if !c.stated {
		return false
	}
	before := len(c.findings)
	report := func(detail, path string, value any) {
		if detail != "" {
			c.noPool(rule.Problem{
				Path: path, Value: value, Detail: detail, Fix: "add a pool, or use one of these platforms",
			})
		}
	}
	for _, claim := range p.target.Claims {
		if claim.Release == "" || claim.Source != pods.BySelector && claim.Source != pods.ByClass {
			continue
		}
		detail := c.context.Topology.Lacks(claim.Release)
		if claim.Source == pods.ByClass && p.target.ByName {
			detail = c.context.Topology.LacksHosts(claim.Release)
		}
		report(detail, claim.Path(p.Pods), claim.Value(p.Pods))
		break
	}
	for i, term := range p.RequiredTerms() {
		for j, v := range tree.List(tree.Map(term)["matchExpressions"]) {
			expression := tree.Map(v)
			if label, _ := tree.Text(expression["key"]); label != labelBuild {
				continue
			}
			for k, lacks := range c.lacksBuilds(tree.List(expression["values"])) {
				report(lacks, p.Path("affinity", "nodeAffinity", "requiredDuringSchedulingIgnoredDuringExecution",
					"nodeSelectorTerms", i, "matchExpressions", j, "values", k), tree.List(expression["values"])[k])
			}
		}
	}
	return len(c.findings) > before
}

// lacksBuilds describes for each Windows build that no pool has it, "" if one has it. With relaxed matching, pods name all
// builds that run their images: one of them is enough.
func (c *check) lacksBuilds(values []any) []string {
	lacks := make([]string, len(values))
	for i, value := range values {
		text, _ := tree.Text(value)
		release, ok := pods.ExactBuild(text)
		if !ok {
			continue
		}
		lacks[i] = c.context.Topology.Lacks(release)
		if lacks[i] == "" && c.context.Matching == platform.Relaxed {
			return nil
		}
	}
	return lacks
}
