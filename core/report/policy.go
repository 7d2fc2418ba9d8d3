package report

import (
	"fmt"
	"slices"

	"github.com/mixedkube/mixedkube/core/preflight"
	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/core/fielderrors"
)

// Policy decides which findings are accepted. It is not safe for concurrent use.
type Policy struct {
	rules    rule.Set
	ignores  []ignoring
	ignored  []int // number of findings by the index of their Ignore
	path     string
	baseline map[known]rule.Severity
	met      map[known]bool
	learning bool
}

// NewPolicy returns a policy for the findings of rules. The ignores must be valid, see [ValidateIgnores]. The baseline
// can be nil.
func NewPolicy(rules rule.Set, ignores []Ignore, baseline *Baseline) *Policy {
	p := &Policy{
		rules: rules, ignored: make([]int, len(ignores)),
		baseline: map[known]rule.Severity{}, met: map[known]bool{},
	}
	for _, i := range ignores {
		p.ignores = append(p.ignores, ignoring{i, prepare(i.selection())})
	}
	if baseline != nil {
		p.path = baseline.Path
		for _, k := range baseline.Known {
			p.baseline[k.identity()] = k.Severity
		}
	}
	return p
}

// Learn makes the policy accept all errors and warnings that follow, as known findings for the baseline at path: see
// [BaselineOf].
func (p *Policy) Learn(path string) { p.learning, p.path = true, path }

// Judge returns a finding about an object with what accepts it, if anything. The object itself comes first, then the
// ignores in their order, then the baseline.
func (p *Policy) Judge(o Object, found rule.Finding) Finding {
	f := Finding{Finding: found, Object: o}
	if found.Suppressed {
		f.SuppressedBy, f.Reason = ByObject, "annotation "+preflight.IgnoreAnnotation
		return f
	}
	if i := p.ignoredBy(o, found); i >= 0 {
		p.ignored[i]++
		f.Suppressed, f.SuppressedBy, f.Reason = true, ByIgnore, p.ignores[i].Reason
		return f
	}
	if p.path != "" && p.knows(f) {
		f.Suppressed, f.SuppressedBy, f.Reason = true, ByBaseline, "known in "+p.path
	}
	return f
}

// Ignores reports whether the object itself or one of the ignores accepts a finding. It does not count the finding.
func (p *Policy) Ignores(o Object, found rule.Finding) bool {
	return found.Suppressed || p.ignoredBy(o, found) >= 0
}

// ignoredBy returns the index of the first ignore that matches a finding, or -1 if there is none.
func (p *Policy) ignoredBy(o Object, found rule.Finding) int {
	of, ok := p.rules.Find(found.Rule)
	if !ok {
		of = rule.Rule{ID: found.Rule}
	}
	return slices.IndexFunc(p.ignores, func(i ignoring) bool { return i.matches(o, of) })
}

func (p *Policy) knows(f Finding) bool {
	if p.learning {
		return slices.Contains(severities, f.Severity)
	}
	severity, ok := p.baseline[f.identity()]
	if ok {
		p.met[f.identity()] = true
	}
	return ok && !worse(f.Severity, severity)
}

// Ignored returns the number of findings that each ignore has matched, by its index.
func (p *Policy) Ignored() []int { return slices.Clone(p.ignored) }

// Accepted returns a line for each ignore that has matched findings, with their number and the reason.
func (p *Policy) Accepted() []string {
	var lines []string
	for i, n := range p.ignored {
		if n == 0 {
			continue
		}
		line := fmt.Sprintf("ignored: %s: %s", p.ignores[i].Ignore, fielderrors.Count(n, "finding"))
		if p.ignores[i].Reason != "" {
			line += " (" + p.ignores[i].Reason + ")"
		}
		lines = append(lines, line)
	}
	return lines
}

// Fixed returns the findings of a baseline that were not found, in its order.
func (p *Policy) Fixed(b *Baseline) []Known {
	var fixed []Known
	if b == nil || p.learning {
		return nil
	}
	for _, k := range b.Known {
		if !p.met[k.identity()] {
			fixed = append(fixed, k)
		}
	}
	return fixed
}
