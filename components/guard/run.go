package guard

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/pulumi/pulumi/sdk/v3/go/common/constant"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/mixedkube/mixedkube/components/guard/internal/watch"
	"github.com/mixedkube/mixedkube/internal/components/refusal"
	"github.com/mixedkube/mixedkube/internal/core/fielderrors/escape"
)

// Run runs the program like [pulumi.Run], which it replaces, so that [Enforce] can make it fail after all of its
// resources have been seen. If the program fails, Run ends the process with the status that tells Pulumi that the
// errors have been shown.
func Run(program pulumi.RunFunc, opts ...pulumi.RunOption) {
	if !run(program, opts...) {
		os.Exit(constant.ExitStatusLoggedError) //nolint:forbidigo // the contract of pulumi.Run
	}
}

// run reports whether the program has succeeded.
func run(program pulumi.RunFunc, opts ...pulumi.RunOption) bool {
	g := &guard{}
	var info pulumi.RunInfo
	err := pulumi.RunErr(g.program(program), append(opts, func(i *pulumi.RunInfo) { info = *i })...)
	switch {
	case errors.Is(err, pulumi.ErrPlugins):
		pulumi.Run(program, opts...) // prints them, and ends the process
		return false
	case err == nil:
		return !g.Enforces() || !g.recorder.Blocked()
	}
	// The error of a resource hides the error of the program.
	if g.failure != nil && !errors.Is(err, g.failure) {
		err = errors.Join(g.failure, err)
	}
	if unseen := news(err); unseen != nil {
		logFailure(info, unseen)
	}
	return false
}

// logFailure shows why a program failed, as pulumi.Run does. The program's own
// connection to the engine is closed by then.
func logFailure(info pulumi.RunInfo, failure error) {
	ctx, err := pulumi.NewContext(context.Background(), info)
	if err == nil {
		text := fmt.Sprintf("an unhandled error occurred: program failed: \n%v", failure)
		err = errors.Join(ctx.Log.Error(escape.Lines(text), nil), ctx.Close())
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, escape.Lines(failure.Error()))
	}
}

// Option changes how [Program] runs a program.
type Option struct{ report *Report }

// ReportTo makes the program write its report to the address at its end, each time that it runs.
func ReportTo(r *Report) Option { return Option{r} }

// Program wraps a program that is run in another way: an inline program of the Automation API, or a unit test, with
// package mocktest or with the SDK's mocks:
//
//	pulumi.RunErr(guard.Program(program), pulumi.WithMocks("project", "stack", mocks))
//
// It fails with an [*Error] when [Enforce] has found errors; the
// findings are in the log of the engine, in its events, and in the report, see [ReportTo].
func Program(program pulumi.RunFunc, options ...Option) pulumi.RunFunc {
	// The program may run several times: for a preview and for an update.
	return func(ctx *pulumi.Context) error {
		g := &guard{}
		for _, o := range options {
			g.to = append(g.to, o.report)
		}
		return g.program(program)(ctx)
	}
}

func (g *guard) program(program pulumi.RunFunc) pulumi.RunFunc {
	return func(ctx *pulumi.Context) error {
		if !watch.Running(ctx) {
			return errors.New("guard.Program: the context is not that of a program that runs")
		}
		if err := g.start(ctx); err != nil {
			return err
		}
		g.failure = program(refusal.WithGuard(ctx.WithValue(contextKey{}, g), g))
		return errors.Join(g.failure, g.finish())
	}
}
