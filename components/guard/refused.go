package guard

import (
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/core/fielderrors/escape"
)

// refused is a component with wrong arguments.
type refused struct {
	component pulumi.Resource
	err       error
}

// Enforces reports whether [Enforce] has been called.
func (g *guard) Enforces() bool { return g.clusters != nil }

// Refuse records the error of a component.
func (g *guard) Refuse(component pulumi.Resource, err error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.refused = append(g.refused, refused{component, err})
	g.errors++
}

// Logged records what a component has logged about its arguments.
func (g *guard) Logged(findings []rule.Finding) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.logged == nil {
		g.logged = map[string]bool{}
	}
	for _, f := range findings {
		g.logged[f.Message()] = true
	}
}

// logRefused shows each error at its component, whose resources no rule has seen.
func (g *guard) logRefused() {
	for _, r := range g.refused {
		g.report.Problems = append(g.report.Problems, r.err)
		_ = g.ctx.Log.Error(escape.Lines(r.err.Error()), &pulumi.LogArgs{Resource: r.component})
	}
}
