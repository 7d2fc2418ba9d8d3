package watch

import (
	"context"
	"errors"
	"reflect"
	"sync"

	"github.com/pulumi/pulumi/sdk/v3/go/common/resource/urn"
	"github.com/pulumi/pulumi/sdk/v3/go/common/tokens"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/internals"

	"github.com/mixedkube/mixedkube/components/guard/internal/record"
	"github.com/mixedkube/mixedkube/internal/components/input"
	"github.com/mixedkube/mixedkube/internal/core/pods"
)

// program is what the process of a program registers, and who sees it.
type program struct {
	ctx *pulumi.Context

	mu         sync.Mutex
	registered []registered // in their order
	early      int          // how many of them come before Begin
	recorder   Recorder     // nil before Begin
	unseen     error        // why the engine does not show everything

	empty func(pulumi.Resource) bool // whether a component lacks its objects; nil if an engine knows
}

// registered is a resource that the program itself registers.
type registered struct {
	pulumi.Resource
	seen pulumi.Output // resolved when the recorder has seen it; nil if the engine shows it or nothing does
}

// begin opens a recorder.
func (p *program) begin(r Recorder) error {
	p.recorder, p.early = r, len(p.registered)
	return r.Open()
}

// Wait returns when all resources are registered, and seen. The engine answers a component of another process after its
// children.
func (p *program) Wait() (end record.End) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for next := 0; ; next++ {
		if next == len(p.registered) { // by now
			break
		}
		r := p.registered[next]
		p.mu.Unlock()
		// Pulumi reports why.
		if _, err := internals.UnsafeAwaitOutput(p.ctx.Context(), r.URN()); err != nil {
			end.Problem = errors.New("a resource has failed, and what depends on it is not seen")
		}
		if r.seen != nil {
			_, _ = internals.UnsafeAwaitOutput(p.ctx.Context(), r.seen) // it never fails
		}
		p.mu.Lock()
	}
	end.Unseen = p.unseen
	for _, r := range p.registered[:p.early] {
		_, custom := r.Resource.(pulumi.CustomResource)
		if !pods.IsResource(r.PulumiResourceType(), custom) && (p.empty == nil || !p.empty(r.Resource)) {
			continue
		}
		if at, known := urnOf(p.ctx.Context(), r.Resource); known {
			end.Early = append(end.Early, at)
		}
	}
	return end
}

// show shows the recorder a resource, with the properties that the engine or the program passes.
func (p *program) show(
	ctx context.Context, args *pulumi.ResourceTransformArgs, properties pulumi.Input, provider string,
) record.Verdict {
	if !record.Concerns(args.Type, args.Custom) {
		return record.Verdict{}
	}
	return p.recorder.Check(record.Object{
		URN: p.locate(ctx, args), Name: args.Name, Custom: args.Custom, Provider: provider,
	}, func() map[string]any {
		known, _ := input.Resolved(ctx, properties).(map[string]any)
		return known
	})
}

// locate builds the URN as the engine does: with the types of all components above, but not their names.
func (p *program) locate(ctx context.Context, args *pulumi.ResourceTransformArgs) urn.URN {
	var above tokens.Type
	if parent := args.Opts.Parent; parent != nil {
		if at, known := urnOf(ctx, parent); known && at.QualifiedType() != "pulumi:pulumi:Stack" {
			above = at.QualifiedType()
		}
	}
	return p.urn(above, tokens.Type(args.Type), args.Name)
}

// urn returns the URN of a resource of the program.
func (p *program) urn(above, typ tokens.Type, name string) urn.URN {
	return urn.New(tokens.QName(p.ctx.Stack()), tokens.PackageName(p.ctx.Project()), above, typ, name)
}

// urnOf returns the URN of a resource when it is registered, false if that failed.
func urnOf(ctx context.Context, r pulumi.Resource) (urn.URN, bool) {
	result, err := internals.UnsafeAwaitOutput(ctx, r.URN())
	at, known := result.Value.(pulumi.URN)
	return urn.URN(at), err == nil && known
}

// keyOf returns the key of a resource in maps: its pointer, or nil for other values, which need not be comparable.
func keyOf(r pulumi.Resource) pulumi.Resource {
	if reflect.TypeOf(r).Kind() != reflect.Pointer {
		return nil
	}
	return r
}

// providerType is the type of the providers of Kubernetes.
const providerType = "pulumi:providers:kubernetes"

// providerOf returns the name of the provider of a resource that the engine shows: the engine refers to the provider by
// its URN, which is known.
func (p *program) providerOf(ctx context.Context, opts pulumi.ResourceOptions) string {
	if !p.recorder.ByProvider() || opts.Provider == nil {
		return ""
	}
	at, known := urnOf(ctx, opts.Provider)
	if !known {
		return ""
	}
	return at.Name()
}

// providerInside returns the name of the provider of a resource that the program registers, as the SDK chooses it: its
// own, or that of the resource above. It returns false if the name is not known.
func (p *program) providerInside(opts *pulumi.ResourceOptions, above string) (string, bool) {
	if p.recorder == nil || !p.recorder.ByProvider() {
		return "", true
	}
	for _, own := range append([]pulumi.ProviderResource{opts.Provider}, opts.Providers...) {
		switch {
		case own == nil:
		case own.PulumiResourceType() == "":
			return "", false // it is a reference, or not from an SDK
		case own.PulumiResourceType() == providerType:
			return own.PulumiResourceName(), true
		}
	}
	return above, true
}
