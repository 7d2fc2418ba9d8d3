package guard

import (
	"context"

	"github.com/pulumi/pulumi/sdk/v3/go/common/resource/urn"
	"github.com/pulumi/pulumi/sdk/v3/go/common/tokens"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/internals"

	"github.com/mixedkube/mixedkube/components/preflight"
)

// located is a resource by its URN, for the log: the resource itself is in another
// process perhaps, and has no URN yet when the transform sees it.
type located struct {
	pulumi.ResourceState
	at urn.URN
}

// URN is the one that the engine will give the resource.
func (l *located) URN() pulumi.URNOutput {
	return pulumi.URN(l.at).ToURNOutput()
}

// locate builds the URN as the engine does: the types of all components above, but
// not their names.
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

// log shows findings at their resource. That they cannot be shown is an error of
// the engine's, which has ended then.
func (g *guard) log(r *resource, findings []preflight.Finding) {
	args := &pulumi.LogArgs{Resource: &r.located}
	for _, f := range findings {
		text := f.String()
		id := string(r.at) + "\n" + text
		if g.logged[id] {
			continue
		}
		g.logged[id] = true
		switch {
		case f.Silenced:
			_ = g.ctx.Log.Info("ignored: "+text, args)
		case f.Severity == preflight.Error:
			g.errors++
			_ = g.ctx.Log.Error(text, args)
		case f.Severity == preflight.Warning:
			_ = g.ctx.Log.Warn(text, args)
		default:
			_ = g.ctx.Log.Info(text, args)
		}
	}
}
