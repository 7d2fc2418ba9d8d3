package guard

import (
	"errors"
	"sync"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/guard/internal/record"
	"github.com/mixedkube/mixedkube/components/guard/internal/watch"
	"github.com/mixedkube/mixedkube/core/rule"
)

// guard guards one run of a program: a watcher sees its resources, and a recorder judges them.
type guard struct {
	watcher  watch.Watcher
	recorder *record.Recorder // nil until Enforce is called
	logged   sync.Map         // messages of findings that components have logged about their arguments
	to       []*Report        // where to write the report
	failure  error            // the error of the program itself
}

type contextKey struct{}

// start begins to follow what the program registers. It comes before the program registers anything, so that its
// transformation comes before those of the program.
func (g *guard) start(ctx *pulumi.Context) (err error) {
	g.watcher, err = watch.New(ctx)
	return err
}

// Enforce checks every Kubernetes resource that the program registers after it; so call it first. Call it once in a
// program, which runs under [Run] or [Program]. A program that deploys to several clusters names them in
// [Args.Clusters].
//
// Warnings and errors show at their resources. After an error the program fails when the guard has seen all resources.
// A resource ignores a rule with the annotation [preflight.IgnoreAnnotation]; the arguments can ignore findings, list
// known ones in a file, or make all of them advisory.
//
// The error lists all mistakes in the arguments. Under the SDK's mocks Enforce also checks a program that is not
// wrapped: the first error makes it fail, see [Error]. Only the report of a wrapped program names the resources that
// the guard cannot check there.
func Enforce(ctx *pulumi.Context, args Args) error {
	running := watch.Running(ctx)
	var g *guard
	if running {
		g, _ = ctx.Value(contextKey{}).(*guard)
	}
	unwrapped := g == nil && running && ctx.RunningWithMocks()
	switch {
	case g != nil && g.Enforces(), unwrapped && watch.Followed(ctx):
		return errors.New("guard.Enforce is called twice: one call covers all resources of the program")
	case g == nil && !unwrapped:
		return errors.New(
			"guard.Enforce: the program must be run by guard.Run in place of pulumi.Run, " +
				"or be wrapped in guard.Program",
		)
	}
	options, err := prepare(ctx, args)
	if err != nil {
		return err
	}
	if unwrapped {
		// Components refuse wrong arguments themselves: they do not know this guard.
		g, options.Endless = &guard{}, errUnwrapped
		if err := g.start(ctx); err != nil {
			return err
		}
	}
	options.Reports, options.Logged = g.to, func(message string) bool {
		_, has := g.logged.Load(message)
		return has
	}
	g.recorder = record.New(ctx, options)
	return g.watcher.Begin(g.recorder)
}

var errUnwrapped = errors.New("the program is not wrapped in guard.Program: the children of components that were " +
	"registered before guard.Enforce are not seen, and each resource is looked at with those before it only")

// Enforces reports whether [Enforce] has been called.
func (g *guard) Enforces() bool { return g.recorder != nil }

// Refuse records the error of a component.
func (g *guard) Refuse(component pulumi.Resource, err error) { g.recorder.Refuse(component, err) }

// Logged records what a component has logged about its arguments.
func (g *guard) Logged(findings []rule.Finding) {
	for _, f := range findings {
		g.logged.Store(f.Message(), true)
	}
}

// finish runs the checks that need the complete program. A resource that a function registers later, after waiting for
// something other than resources, is checked alone.
func (g *guard) finish() error {
	if !g.Enforces() {
		return nil
	}
	end := g.watcher.Wait()
	if g.failure != nil {
		end.Problem = errors.New("the program has failed before its end")
	}
	return g.recorder.Finish(end)
}
