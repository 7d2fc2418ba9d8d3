package policy

import (
	"context"
	"slices"

	pulumirpc "github.com/pulumi/pulumi/sdk/v3/proto/go"

	"github.com/mixedkube/mixedkube/core/preflight"
	"github.com/mixedkube/mixedkube/core/report"
	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/core/fielderrors/escape"
)

// Analyze returns the findings about a resource. In an update it also compares it with the ones before it, because the
// engine creates the resource next.
func (s *server) Analyze(ctx context.Context, req *pulumirpc.AnalyzeRequest) (*pulumirpc.AnalyzeResponse, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	settings, err := s.ready()
	if err != nil {
		return nil, err
	}
	r := s.seen[req.GetUrn()]
	if !s.held[req.GetUrn()] {
		shown := settings.read(req)
		if shown != nil && r != nil {
			shown.outcome = r.outcome
		}
		r = shown
	}
	if r == nil {
		return &pulumirpc.AnalyzeResponse{}, nil
	}
	s.see(r)
	findings := r.findings()
	if !s.stack.GetDryRun() && r.chart == nil {
		findings = preflight.Join(findings, s.acrossOf(r))
	}
	return &pulumirpc.AnalyzeResponse{Diagnostics: s.judge(ctx, r, findings)}, nil
}

// see records a resource.
func (s *server) see(r *resource) {
	s.seen[r.urn] = r
	if !r.isContext() {
		return
	}
	if i := slices.IndexFunc(s.context, func(o *resource) bool { return o.urn == r.urn }); i >= 0 {
		s.context[i] = r
		return
	}
	s.context = append(s.context, r)
}

// acrossOf returns the errors between an object and the ones before it. A warning may be about objects that are
// registered later.
func (s *server) acrossOf(r *resource) []rule.Finding {
	var before []*resource
	for _, o := range s.context {
		if o.cluster == r.cluster && o.urn != r.urn {
			before = append(before, o)
		}
	}
	found := r.cluster.checker.AcrossObjects(objectsOf(append(before, r)))[len(before)]
	return slices.DeleteFunc(found, preflight.MayBeResolved)
}

// judge turns the findings about a resource into diagnostics, except the accepted ones.
func (s *server) judge(
	ctx context.Context, r *resource, findings []rule.Finding,
) []*pulumirpc.AnalyzeDiagnostic {
	var all []*pulumirpc.AnalyzeDiagnostic
	of := r.reported()
	for _, f := range findings {
		level := s.settings.level(f)
		if level == pulumirpc.EnforcementLevel_DISABLED {
			continue
		}
		s.reported[keyOf(r, f)] = true
		judged := s.settings.policy.Judge(of, f)
		switch {
		case judged.SuppressedBy == report.ByObject:
			s.engine.info(ctx, r.urn, "ignored: "+judged.String())
		case !judged.Suppressed:
			all = append(all, s.diagnostic(r.urn, f, level))
		}
	}
	return all
}

// keyOf identifies a finding.
func keyOf(r *resource, f rule.Finding) string { return r.urn + "\n" + f.String() }

func (s *server) diagnostic(
	urn string, f rule.Finding, level pulumirpc.EnforcementLevel,
) *pulumirpc.AnalyzeDiagnostic {
	of, _ := rules.Find(f.Rule)
	return &pulumirpc.AnalyzeDiagnostic{
		PolicyName: f.Rule, PolicyPackName: Name, PolicyPackVersion: s.version, Description: of.Title,
		Message: escape.Lines(f.String()), EnforcementLevel: level, Urn: urn, Severity: severities[f.Severity],
	}
}
