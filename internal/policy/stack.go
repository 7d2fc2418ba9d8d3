package policy

import (
	"context"
	"strings"

	pulumirpc "github.com/pulumi/pulumi/sdk/v3/proto/go"

	"github.com/mixedkube/mixedkube/core/preflight"
	"github.com/mixedkube/mixedkube/core/report"
	"github.com/mixedkube/mixedkube/core/rule"
	"github.com/mixedkube/mixedkube/internal/core/fielderrors/escape"
	"github.com/mixedkube/mixedkube/internal/core/landings"
)

// AnalyzeStack returns the findings between the resources, and in a preview also shows where the pods can run. The
// request has the outputs of the resources; the pack uses the inputs that it saw before, because the program does not
// contain the API server's additions. Resources that it has not seen, as with --target, only matter to rules about
// other objects.
func (s *server) AnalyzeStack(
	ctx context.Context, req *pulumirpc.AnalyzeStackRequest,
) (*pulumirpc.AnalyzeResponse, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	settings, err := s.ready()
	if err != nil {
		return nil, err
	}
	var all []*resource
	for _, shown := range req.GetResources() {
		r := s.seen[shown.GetUrn()]
		if r == nil {
			r = settings.read(shown)
		}
		if r != nil && r.chart == nil {
			all = append(all, r)
		}
	}
	out := &pulumirpc.AnalyzeResponse{}
	var used []string
	for _, c := range settings.clusters {
		var of []*resource
		for _, r := range all {
			if r.cluster == c {
				of = append(of, r)
			}
		}
		objects := objectsOf(of)
		found := append(c.checker.CheckCluster(), c.checker.CheckClasses(objects)...)
		out.Diagnostics = append(out.Diagnostics, s.findings(report.TopologyOf(c.provider), found)...)
		var needs preflight.Needs
		for _, o := range objects {
			needs |= preflight.NeedsOf(o)
		}
		used = append(used, c.checker.UsedFacts(needs)...)
		out.Diagnostics = append(out.Diagnostics, s.across(ctx, c, of)...)
		if s.stack.GetDryRun() {
			s.sayLandings(ctx, c, of)
		}
	}
	out.Diagnostics = append(out.Diagnostics,
		s.findings(report.Facts(), settings.clusters[0].checker.CheckFacts(used))...)
	if s.stack.GetDryRun() {
		s.sayAccepted(ctx)
	}
	return out, nil
}

// findings returns the diagnostics of findings about an object that is not a resource: a topology, or facts. They have
// no URN, so the engine shows them at the stack.
func (s *server) findings(of report.Object, found []rule.Finding) []*pulumirpc.AnalyzeDiagnostic {
	var all []*pulumirpc.AnalyzeDiagnostic
	for _, f := range found {
		level := s.settings.level(f)
		if level == pulumirpc.EnforcementLevel_DISABLED || s.settings.policy.Judge(of, f).Suppressed {
			continue
		}
		d := s.diagnostic("", f, level)
		d.Message = escape.Lines(of.String() + ": " + f.String())
		all = append(all, d)
	}
	return all
}

// across returns the findings between the objects of a cluster, except the ones that were reported before.
func (s *server) across(ctx context.Context, c *cluster, of []*resource) []*pulumirpc.AnalyzeDiagnostic {
	var all []*pulumirpc.AnalyzeDiagnostic
	found := c.checker.AcrossObjects(objectsOf(of))
	for i, r := range of {
		if s.seen[r.urn] == nil {
			continue
		}
		var news []rule.Finding
		for _, f := range found[i] {
			if !s.reported[keyOf(r, f)] {
				news = append(news, f)
			}
		}
		all = append(all, s.judge(ctx, r, news)...)
	}
	return all
}

// sayLandings shows where the pods of a cluster can run, and which pods were completed.
func (s *server) sayLandings(ctx context.Context, c *cluster, of []*resource) {
	if s.settings.levels[clusterPolicy] == pulumirpc.EnforcementLevel_DISABLED {
		return
	}
	var objects []landings.Object
	for _, r := range of {
		if s.seen[r.urn] != nil {
			objects = append(objects, landings.Object{Object: r.object, Resource: r.name, Outcome: r.outcome})
		}
	}
	all := landings.Of(c.checker, objects, objectsOf(of))
	text := landings.Text(all, c.provider) + landings.RequestedBy(all)
	if c.pools && s.settings.place.on {
		by := landings.Placing{Replaces: s.settings.place.replace, AssumeLinux: "assumeLinux"}
		if s.settings.place.assumeLinux {
			by.AssumeLinux = ""
		}
		text = strings.TrimPrefix(text+landings.Placed(objects, by), "\n")
	}
	if text != "" {
		s.engine.info(ctx, "", text)
	}
}

// sayAccepted shows which findings the configuration accepts, and which parts of it are unused.
func (s *server) sayAccepted(ctx context.Context) {
	lines, unused := s.settings.accepted()
	if len(lines) > 0 {
		s.engine.info(ctx, "", "accepted findings:\n  "+strings.Join(lines, "\n  "))
	}
	for _, text := range unused {
		s.engine.warn(ctx, "", text)
	}
}
