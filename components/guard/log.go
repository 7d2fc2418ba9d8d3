package guard

import (
	"context"
	"fmt"
	"strings"

	"github.com/pulumi/pulumi/sdk/v3/go/common/resource/urn"
	"github.com/pulumi/pulumi/sdk/v3/go/common/tokens"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/internals"

	"github.com/mixedkube/mixedkube/core/preflight"
	"github.com/mixedkube/mixedkube/core/report"
	"github.com/mixedkube/mixedkube/internal/core/fielderrors"
	"github.com/mixedkube/mixedkube/internal/core/fielderrors/escape"
)

// located is a resource with only a URN, for the log: the resource itself may be in another process, and has no URN yet
// when the transform sees it.
type located struct {
	pulumi.ResourceState
	at urn.URN
}

// URN returns the URN that the engine will assign to the resource.
func (l *located) URN() pulumi.URNOutput {
	return pulumi.URN(l.at).ToURNOutput()
}

// locate builds the URN as the engine does: with the types of all components above, but not their names.
func (g *guard) locate(ctx context.Context, args *pulumi.ResourceTransformArgs) urn.URN {
	var parentType tokens.Type
	if parent := args.Opts.Parent; parent != nil {
		result, err := internals.UnsafeAwaitOutput(ctx, parent.URN())
		if at, ok := result.Value.(pulumi.URN); err == nil && ok {
			if t := urn.URN(at).QualifiedType(); t != "pulumi:pulumi:Stack" {
				parentType = t
			}
		}
	}
	return urn.New(tokens.QName(g.ctx.Stack()), tokens.PackageName(g.ctx.Project()), parentType, tokens.Type(args.Type),
		args.Name)
}

// judge decides whether the arguments accept the findings about a resource, and returns each new one once.
func (g *guard) judge(r *resource, findings []preflight.Finding) []report.Finding {
	if len(findings) == 0 {
		return nil
	}
	of := report.ObjectOf(r.object.Tree)
	of.Resource, of.Cluster = string(r.at), r.cluster.provider
	var judged []report.Finding
	for _, f := range findings {
		id := string(r.at) + "\n" + f.String()
		if g.judged[id] {
			continue
		}
		g.judged[id] = true
		judged = append(judged, g.policy.Judge(of, f))
	}
	g.report.Findings = append(g.report.Findings, judged...)
	return judged
}

// log shows findings at their resource. If they cannot be shown, the engine has ended, and reports that itself.
// Findings that the arguments accept are only counted.
func (g *guard) log(r *resource, findings []report.Finding) {
	g.logAt(&pulumi.LogArgs{Resource: &r.located}, "", findings)
}

// logAt is log for findings that are shown in another place. The subject begins their texts.
func (g *guard) logAt(args *pulumi.LogArgs, subject string, findings []report.Finding) {
	for _, f := range findings {
		text := subject + f.String()
		switch {
		case f.SuppressedBy == report.ByObject:
			_ = g.ctx.Log.Info(escape.Lines("ignored: "+text), args)
		case f.Suppressed:
		case f.Severity == preflight.Error && g.args.EnforcementLevel == Advisory:
			_ = g.ctx.Log.Warn(escape.Lines("would stop the program: "+text), args)
		case f.Severity == preflight.Error:
			g.errors++
			_ = g.ctx.Log.Error(escape.Lines(text), args)
		case f.Severity == preflight.Warning:
			_ = g.ctx.Log.Warn(escape.Lines(text), args)
		default:
			_ = g.ctx.Log.Info(escape.Lines(text), args)
		}
	}
}

// stops reports whether a resource must not be deployed. While a baseline is written, resources whose errors become
// known are handled as in any preview that finds them: the API server would refuse some of them, and end the preview
// before all are seen.
func (g *guard) stops(f report.Finding) bool {
	if g.baseline.writing && !g.complete {
		return f.Severity == preflight.Error && (f.Blocks() || f.SuppressedBy == report.ByBaseline)
	}
	return f.Blocks() && g.args.EnforcementLevel != Advisory
}

// logAccepted logs, at the end of a preview, the findings that the arguments accept, and the parts of the arguments
// that no longer accept anything.
func (g *guard) logAccepted() {
	for i, n := range g.policy.Ignored() {
		if n > 0 {
			continue
		}
		ignore := g.args.Ignore[i]
		g.report.UnusedIgnores = append(g.report.UnusedIgnores, ignore)
		if len(g.problems()) == 0 {
			_ = g.ctx.Log.Warn(
				escape.Lines(fmt.Sprintf("ignore[%d]: %s: there is no such finding: remove it", i, ignore)),
				nil,
			)
		}
	}
	lines := g.policy.Accepted()
	known, severities := 0, map[preflight.Severity]int{}
	for _, f := range g.report.Findings {
		if f.SuppressedBy == report.ByBaseline {
			known++
			severities[f.Severity]++
		}
	}
	if known > 0 {
		lines = append(lines, fmt.Sprintf("known in %s: %s, %s", g.args.Baseline,
			fielderrors.Count(severities[preflight.Error], "error"),
			fielderrors.Count(severities[preflight.Warning], "warning")))
	}
	if len(lines) > 0 {
		_ = g.ctx.Log.Info(escape.Lines("accepted findings:\n  "+strings.Join(lines, "\n  ")), nil)
	}
	if text := g.unlisted(); text != "" {
		_ = g.ctx.Log.Info(escape.Lines(text), nil)
	}
	if len(g.problems()) > 0 {
		return // an unseen resource may have it
	}
	for _, text := range g.misnamed() {
		_ = g.ctx.Log.Warn(escape.Lines(text), nil)
	}
	g.logFixed()
}

// logFixed names known findings that no longer occur.
func (g *guard) logFixed() {
	const most = 10
	fixed := g.policy.Fixed(g.baseline.known)
	g.report.Fixed = fixed
	if len(fixed) == 0 {
		return
	}
	lines := []string{"fixed: remove from " + g.args.Baseline + ", or write it again with " + writeBaseline + ":"}
	for _, k := range fixed[:min(most, len(fixed))] {
		lines = append(lines, fielderrors.Printable(k.String()))
	}
	if len(fixed) > most {
		lines = append(lines, fmt.Sprintf("and %d more", len(fixed)-most))
	}
	_ = g.ctx.Log.Info(escape.Lines(strings.Join(lines, "\n  ")), nil)
}
